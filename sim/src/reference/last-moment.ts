/** Until when what is staged may be dispatched. */
import type { CompileInput } from 'rubicon-kernel'

const WITHIN_MS = 30_000

export function computeLastMoment({ facts, proposal, writs }: CompileInput): string {
  const { now, approval, state } = facts.value
  const deadline = approval ? approval.valid_until : proposal.valid_until
  const ends = [
    deadline,
    writs[0]?.body.window.expires_at,
    // What somebody said until then was not said for later.
    ...state.map((fact) => fact.until),
  ]
  const times = ends.flatMap((end) => (end === undefined ? [] : [Date.parse(end)]))
  return new Date(Math.min(Date.parse(now) + WITHIN_MS, ...times)).toISOString()
}
