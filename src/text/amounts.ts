// Amounts as people read them.

/** `45.2s`, `2m16s`, `1h02m`. */
export function duration(seconds: number): string {
  if (seconds < 59.95) return `${seconds.toFixed(1)}s`
  const whole = Math.round(seconds)
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}h${pad(minutes)}m` : `${minutes}m${pad(whole % 60)}s`
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
