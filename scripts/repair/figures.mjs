// The figures of a run of the repair benchmark, and whether they reach the goals.

const GOALS = { within300: 0.9, within30: 0.5, oneLine: 0.6, overfit: 0.15 }
const LEAST_PER_SECOND = 20

/** The agent may stop sooner when it is told to; the goals speak of so many candidates. */
const MANY = 300
const FEW = 30

export function figuresOf(results) {
  const solved = results.filter(({ ranked }) => ranked.solved)
  const solvable = results.filter(({ ranked, exhaustive }) => ranked.solved || exhaustive?.solved)
  const within = (most) => solved.filter(({ ranked }) => ranked.first <= most).length
  const oneLine = results.filter(({ lines }) => lines === 1)
  const places = solved.map(({ ranked }) => ranked.first)
  return {
    bugs: results.length,
    solved: solved.length,
    correct: solved.filter(({ ranked }) => ranked.correct).length,
    overfit: solved.filter(({ ranked }) => !ranked.correct).length,
    oneLine: oneLine.length,
    oneLineSolved: oneLine.filter(({ ranked }) => ranked.solved).length,
    solvable: solvable.length,
    within300: within(MANY),
    within30: within(FEW),
    first: [percentile(places, 50), percentile(places, 90)],
    tried: [percentile(results.map(({ ranked }) => ranked.tried), 50), percentile(results.map(({ ranked }) => ranked.tried), 90)],
    seconds: [percentile(results.map(({ ranked }) => ranked.seconds), 50), percentile(results.map(({ ranked }) => ranked.seconds), 90)],
    perSecond: rate(results.map(({ ranked }) => ranked.tried), results.map(({ ranked }) => ranked.seconds)),
    commandsPerSecond: rate(solved.map(() => 1), solved.map(({ ranked }) => ranked.commandSeconds ?? 0)),
    cut: results.filter(({ ranked }) => isCut(ranked)).length,
    exhaustiveCut: results.filter(({ exhaustive }) => exhaustive && (isCut(exhaustive) || exhaustive.end === 'candidates')).length,
  }
}

/** Of single searches that had every processor. */
export function speedsOf(speeds) {
  const told = (way) => speeds.map((each) => each[way]).filter((each) => each !== null)
  const perSecond = (way) => rate(told(way).map(({ tried }) => tried), told(way).map(({ seconds }) => seconds))
  const slowest = Math.min(...told('warm').map(({ tried, seconds }) => tried / seconds))
  return { searches: speeds.length, warm: perSecond('warm'), plain: perSecond('plain'), slowest: Number.isFinite(slowest) ? slowest : null }
}

function rate(counts, seconds) {
  const sum = (values) => values.reduce((total, value) => total + value, 0)
  return sum(seconds) === 0 ? null : sum(counts) / sum(seconds)
}

/** Time ran out before the candidates did. */
function isCut({ end }) {
  return end === 'seconds' || end === 'stopped' || end === 'killed'
}

export function goalsOf(results) {
  const { solvable, within300, within30, oneLine, oneLineSolved, solved, overfit } = figuresOf(results)
  return [
    { name: 'of the bugs that exhaustive search solves, within 300 candidates', part: within300, whole: solvable, least: GOALS.within300 },
    { name: 'of the bugs that exhaustive search solves, within 30 candidates', part: within30, whole: solvable, least: GOALS.within30 },
    { name: 'of all one-line bugs, solved', part: oneLineSolved, whole: oneLine, least: GOALS.oneLine },
    { name: 'of the solved ones, wrong by hidden tests', part: overfit, whole: solved, most: GOALS.overfit },
  ].map((goal) => ({ ...goal, reached: isReached(goal) }))
}

export function speedGoalsOf(speeds) {
  const { warm, plain } = speedsOf(speeds)
  return [
    { name: 'candidates per second of one search', reached: warm >= LEAST_PER_SECOND, asked: `≥ ${LEAST_PER_SECOND}`, figure: warm?.toFixed(1) ?? '–' },
    { name: 'of that, against a process for each candidate', reached: warm >= plain, asked: '≥ 1 ×', figure: `${(warm / plain).toFixed(1)} ×` },
  ]
}

/** How many of the solved ones would be wrong if something else chose among the changes that pass. */
export function choicesOf(results) {
  const solved = results.map(({ ranked }) => ranked).filter((ranked) => ranked.solved && ranked.rivals.length > 0)
  const sum = (wrong) => solved.reduce((total, ranked) => total + wrong(ranked), 0)
  const isWrong = ({ correct }) => !correct
  return {
    solved: solved.length,
    rivals: solved.reduce((total, { rivals }) => total + rivals.length, 0) / Math.max(1, solved.length),
    agent: sum((ranked) => Number(isWrong(ranked))),
    first: sum(({ rivals }) => Number(isWrong(rivals[0]))),
    random: sum(({ rivals }) => rivals.filter(isWrong).length / rivals.length),
    best: sum((ranked) => Number([ranked, ...ranked.rivals].every(isWrong))),
  }
}

function isReached({ part, whole, least, most }) {
  const ratio = whole === 0 ? 0 : part / whole
  return least === undefined ? ratio <= most : ratio >= least
}

function percentile(values, percent) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? null
}

export function by(results, key) {
  return [...new Set(results.map((result) => result[key]))]
    .toSorted()
    .map((value) => [value, results.filter((result) => result[key] === value)])
}
