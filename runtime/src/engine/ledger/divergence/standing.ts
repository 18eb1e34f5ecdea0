/** Where a flow may stand after what was recorded, and what counted against its agent until then. */
import { type FlowState, REASONS, type ReasonCode } from 'rubicon-kernel'

export type FlowStanding = {
  readonly state: FlowState
  readonly rejections: number
  readonly transient_rejections: number
}

/** A flow, as far as it can stand in several ways. */
export type Standings = { standings: readonly FlowStanding[] }

export function move(fold: Standings, next: (one: FlowStanding) => readonly FlowStanding[]): void {
  const seen = new Set<string>()
  fold.standings = fold.standings.flatMap(next).filter((one) => {
    const name = [one.state, one.rejections, one.transient_rejections].join()
    return seen.has(name) ? false : seen.add(name)
  })
}

export function moveTo(fold: Standings, ...states: readonly FlowState[]): void {
  move(fold, (one) => states.map((state) => ({ ...one, state })))
}

/** What the governor makes of a refusal. */
export function countRefusal(
  { rejections, transient_rejections }: FlowStanding,
  code: ReasonCode | null,
): Omit<FlowStanding, 'state'> {
  if (code === null || code === 'RULES_NOT_IN_FORCE') return { rejections, transient_rejections }
  return REASONS[code].transient
    ? { rejections, transient_rejections: transient_rejections + 1 }
    : { rejections: rejections + 1, transient_rejections }
}

export function hasEnded({ state }: Pick<FlowStanding, 'state'>): boolean {
  return state === 'CLOSED' || state === 'ABORTED'
}
