/**
 * What became of an effect of artifacts that changes World and blobs alone, and whose answer was lost.
 *
 * V1 its delta, its commit and the row of its execution become durable in one unit, under the version of that row. Whoever asks finds
 *    the row uncertain, so World has nothing of it, and no process that sent it earlier can add it any more.
 * V2 it is said kind by kind, in the hashed description, by the runtime about code of its own. From `worldOnly` alone nothing of
 *    this follows: code of others may do whatever it likes.
 */
import type { Capability, ProbeAnswer } from '../ports/capability.ts'

export const WORLD_PROBE: NonNullable<Capability['probe']> = {
  absence_authoritative: true,
  max_late_arrival_s: 0,
  ask: answerAbsent,
  askUndone: answerAbsent,
}

/** V1. */
function answerAbsent(): ProbeAnswer {
  return { finding: 'absent', detail: 'nothing of it is in World, and nothing leaves World' }
}
