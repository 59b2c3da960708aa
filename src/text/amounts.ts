// Amounts as people read them.

/** `45.2s` below a minute, `2m16s` below an hour, then `1h02m`. */
export function duration(seconds: number): string {
  const positive = Number.isFinite(seconds) && seconds > 0 ? seconds : 0
  const short = positive.toFixed(1)
  if (Number(short) < 60) return `${short}s`
  const whole = Math.round(positive)
  if (whole < 3600) return `${Math.floor(whole / 60)}m${pad(whole % 60)}s`
  return `${Math.floor(whole / 3600)}h${pad(Math.floor((whole % 3600) / 60))}m`
}

/** `4,230`. */
export function grouped(amount: number): string {
  return String(Math.round(amount)).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

export function counted(amount: number, one: string, many = `${one}s`): string {
  return `${grouped(amount)} ${amount === 1 ? one : many}`
}

function pad(amount: number): string {
  return String(amount).padStart(2, '0')
}

/** Of an even number the lower of the two in the middle; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0
}
