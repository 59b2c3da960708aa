// How many of like cases are tried: a spread of them in the normal run, every one by `npm run test:all`.

export const tryAll = process.env['GREENLATCH_TESTS'] === 'all'

/** The first, the last and an even spread between them; all of them where all are asked for. */
export function some<T>(cases: readonly T[], most: number): T[] {
  if (tryAll || cases.length <= most) return [...cases]
  return Array.from({ length: most }, (_, at) => cases[Math.round((at * (cases.length - 1)) / Math.max(most - 1, 1))] as T)
}
