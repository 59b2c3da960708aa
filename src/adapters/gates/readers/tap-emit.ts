// One test of TAP, handed on with its names, its file and its fault.
import type { Collector } from './collect.js'
import type { Names } from './names.js'
import { faultOfPoint } from './tap-fault.js'
import type { Point } from './tap-point.js'

/** A test, with the names of those around it as far as they are known. */
export type Held = { names: string[]; point: Point; file: string | null; failedBelow: boolean }

type Into = { names: Names; collector: Collector }

/** A suite is no test; what goes wrong in its hooks is trouble of its own. */
export function emitTest({ names: make, collector }: Into, { names, point, file, failedBelow }: Held): void {
  if (point.ok && point.details?.type !== 'suite' && collector.isFull()) return collector.more(1)
  const known = point.details?.file ?? file
  const path = known === null || known === undefined ? null : make.file(known)
  const id = make.id(path, names)
  const fault = point.ok || point.directive !== null ? null : faultOfPoint(point, failedBelow ? 'inside' : 'own')
  if (point.details?.type === 'suite') {
    if (fault !== null && !failedOnlyBelow(point, failedBelow)) collector.trouble(id, fault)
    return
  }
  const status = point.directive !== null ? 'skip' : point.ok ? 'pass' : 'fail'
  const place = path ?? placeOf(make, point)
  collector.add({ id, file: place, status, seconds: point.details?.seconds ?? null, fault }, 'another')
}

function failedOnlyBelow({ details }: Point, failedBelow: boolean): boolean {
  return failedBelow && (details?.failureType === 'subtestsFailed' || details?.error === undefined)
}

function placeOf(names: Names, { details }: Point): string | null {
  const file = /^(.+?):\d+(?::\d+)?$/.exec(details?.location ?? '')?.[1]
  return file === undefined ? null : names.file(file)
}
