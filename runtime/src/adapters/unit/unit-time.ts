import { AUTHORITY, formatInstant } from 'rubicon-kernel'
import type { TrajectoryHead, Unit } from '../../ports/store.ts'

type HeadReader = (trajectory: string) => TrajectoryHead | undefined

/** The clock as text. Many units share a millisecond, and writing a date is not free. */
export function createInstantClock(clock: () => number): () => string {
  let ms = -1
  let text = ''
  return () => {
    const now = clock()
    if (now === ms) return text
    text = formatInstant(now)
    ms = now
    return text
  }
}

/**
 * Authority time: the later of the clock and of what the ledger has already written. Otherwise a
 * clock that was set back would bring an expired writ to life again.
 */
export function computeAuthorityTime(
  now: string,
  head: HeadReader,
  trajectories: Iterable<string>,
): string {
  let latest = pickLater(now, head(AUTHORITY))
  for (const trajectory of trajectories) latest = pickLater(latest, head(trajectory))
  return latest
}

/** One time for the whole unit, behind none of the trajectories that it touches. */
export function computeUnitTime(unit: Unit, now: string, head: HeadReader): string {
  const touched = new Set<string>()
  for (const write of unit.writes) {
    if ('trajectory' in write) touched.add(write.trajectory)
    if (write.kind === 'append_branch') touched.add(write.source.trajectory)
  }
  return computeAuthorityTime(now, head, touched)
}

function pickLater(at: string, head: TrajectoryHead | undefined): string {
  return head !== undefined && head.at > at ? head.at : at
}
