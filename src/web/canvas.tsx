// A picture that is drawn by hand: as sharp as the screen, drawn again when its place, its data or the colours change.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

export type Pen = { context: CanvasRenderingContext2D; width: number; height: number; colour: (name: string) => string }

type Props = {
  label: string
  /** In CSS pixels, for the width at hand. */
  height: (width: number) => number
  draw: (pen: Pen) => void
  /** Where it was clicked. */
  onPick?: (x: number, y: number, width: number) => void
  data: unknown
}

export function Canvas({ label, height, draw, onPick, data }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [width, setWidth] = useState(0)
  const scheme = useScheme()
  useLayoutEffect(() => observeWidth(canvas.current?.parentElement, setWidth), [])
  useEffect(() => {
    if (canvas.current && width > 0) paint(canvas.current, width, height(width), draw)
  }, [width, scheme, data])
  const pick = (event: MouseEvent): void => onPick?.(event.offsetX, event.offsetY, width)
  return <div class="canvas"><canvas ref={canvas} role="img" aria-label={label} onClick={pick} /></div>
}

/** Changes with the colours the reader prefers. */
export function useScheme(): boolean {
  const [isDark, setDark] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches)
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)')
    const hear = (): void => setDark(query.matches)
    query.addEventListener('change', hear)
    return () => query.removeEventListener('change', hear)
  }, [])
  return isDark
}

export function observeWidth(element: HTMLElement | null | undefined, tell: (width: number) => void): (() => void) | undefined {
  if (!element) return undefined
  tell(element.clientWidth)
  const observer = new ResizeObserver(() => tell(element.clientWidth))
  observer.observe(element)
  return () => observer.disconnect()
}

export function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

function paint(canvas: HTMLCanvasElement, width: number, height: number, draw: (pen: Pen) => void): void {
  const scale = devicePixelRatio
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  canvas.style.width = `${width}px`
  canvas.style.height = `${height}px`
  const context = canvas.getContext('2d')
  if (!context) return
  context.setTransform(scale, 0, 0, scale, 0, 0)
  context.font = '11px system-ui, sans-serif'
  const known = new Map<string, string>()
  const colour = (name: string): string => {
    const value = known.get(name) ?? colourOf(name)
    known.set(name, value)
    return value
  }
  draw({ context, width, height, colour })
}
