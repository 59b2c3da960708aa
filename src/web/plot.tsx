// Lines and bars over iterations, by uPlot; drawn anew with the colours of the page.
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { colourOf, observeWidth, useScheme } from './canvas.js'

type Props = {
  label: string
  /** First the places, then a list of values for each series. */
  data: uPlot.AlignedData
  /** Made anew for each drawing, since colours are read then. */
  options: (colour: (name: string) => string) => Pick<uPlot.Options, 'series'> & Partial<uPlot.Options>
  choose?: (place: number) => void
  height?: number
}

export function Plot({ label, data, options, choose, height = 220 }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const scheme = useScheme()
  useLayoutEffect(() => observeWidth(holder.current, setWidth), [])
  useEffect(() => {
    if (!holder.current || width === 0) return undefined
    const plot = new uPlot({ ...base(width, height), ...options(colourOf) }, data, holder.current)
    const pick = (): void => {
      const place = plot.cursor.idx
      if (typeof place === 'number') choose?.(place)
    }
    plot.over.addEventListener('click', pick)
    return () => plot.destroy()
  }, [width, scheme, data])
  return <div class="plot" ref={holder} role="img" aria-label={label} />
}

function base(width: number, height: number): Pick<uPlot.Options, 'width' | 'height' | 'legend' | 'cursor' | 'scales' | 'axes'> {
  return {
    width,
    height,
    legend: { live: false },
    cursor: { drag: { x: false, y: false } },
    scales: { x: { time: false } },
    axes: [axis({ label: 'iteration', size: 34 }), axis({ size: 46 })],
  }
}

/** Whole numbers only: there is no iteration 2.5 and no half failure. */
export function axis(part: uPlot.Axis): uPlot.Axis {
  return {
    stroke: colourOf('muted'),
    grid: { stroke: colourOf('line'), width: 1 },
    ticks: { stroke: colourOf('line'), width: 1 },
    font: '11px system-ui, sans-serif',
    labelFont: '11px system-ui, sans-serif',
    labelSize: 16,
    incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000],
    ...part,
  }
}
