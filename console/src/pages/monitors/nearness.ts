/** How near a monitor is to what it trips at, for showing: what it says itself is exact. */
import type { MonitorStatus } from 'rubicon-agents/client'

export type Nearness = {
  /** As the file has it; null: there is none that a value could be held against. */
  readonly threshold: string | null
  readonly side: 'max' | 'min'
  /** 1: it is there. Null: nothing can be said yet. */
  readonly share: number | null
}

type Judged = Pick<MonitorStatus, 'monitor' | 'verdict' | 'state'>

export function computeNearness({ monitor, verdict, state }: Judged): Nearness {
  const { kind, max, min, length } = parseStatistic(monitor.statistic)
  const most = kind === 'streak' ? length : max
  const side = most === null ? 'min' : 'max'
  const threshold = most ?? min
  const hasValue = verdict.value !== null && state !== 'NO_DATA'
  const share = hasValue && threshold !== null ? divide(verdict.value, threshold, side) : null
  return { threshold, side, share }
}

/** Those that have tripped first, then the nearest; those of which nothing can be said last. */
export function listByNearness<M extends Judged & Pick<MonitorStatus, 'agent_id'>>(
  monitors: readonly M[],
): readonly M[] {
  const toRank = (one: M): number => {
    if (one.state === 'TRIPPED') return Number.POSITIVE_INFINITY
    return computeNearness(one).share ?? -1
  }
  const toName = ({ monitor, agent_id }: M): string => `${monitor.name} ${agent_id}`
  return monitors.toSorted((a, b) => {
    const [first, second] = [toRank(a), toRank(b)]
    if (first !== second) return second - first
    return toName(a) < toName(b) ? -1 : 1
  })
}

function divide(value: string | null, threshold: string, side: Nearness['side']): number | null {
  const [is, bound] = [Number(value), Number(threshold)]
  const share = side === 'max' ? is / bound : bound / is
  return bound > 0 && Number.isFinite(share) && share >= 0 ? share : null
}

type Statistic = {
  readonly kind: string | null
  readonly max: string | null
  readonly min: string | null
  readonly length: string | null
}

function parseStatistic(statistic: unknown): Statistic {
  const given: Readonly<Record<string, unknown>> =
    typeof statistic === 'object' && statistic !== null ? { ...statistic } : {}
  const toText = (value: unknown): string | null =>
    typeof value === 'string' || typeof value === 'number' ? String(value) : null
  return {
    kind: toText(given.kind),
    max: toText(given.max),
    min: toText(given.min),
    length: toText(given.length),
  }
}
