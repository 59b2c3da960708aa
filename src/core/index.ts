// The engine for those who build on it: pure functions over plain data.
export { addSpend, apply, FOLD_VERSION, rebuild } from './apply.js'
export { spentLimit } from './decide.js'
export { shortHash } from './hash.js'
export { failsAlready, isProgress, matchesAny } from './judge.js'
export { isGoodEnd, isOutcome, isSealed, judges, OUTCOMES, routeOf, VERDICTS } from './procedure.js'
export { emptyReport, issue, obstacleToExtend, reissue, rests, step } from './step.js'
export type * from './types.js'
