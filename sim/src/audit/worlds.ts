/** I9: every delta applies to the World of its trajectory, and the World after it is the recorded one. */
import type { CommitPayload } from 'rubicon-kernel'
import type { Line, Report } from './report.ts'
import { AuditedWorld } from './world.ts'

export class AuditedWorlds {
  readonly #report: Report
  readonly #worlds = new Map<string, AuditedWorld>()

  constructor(report: Report) {
    this.#report = report
  }

  auditCommit({ trajectory, seq }: Line, { delta, world_after }: CommitPayload): void {
    const world = this.#worlds.get(trajectory) ?? new AuditedWorld()
    this.#worlds.set(trajectory, world)
    const problem = world.apply(delta)
    if (problem !== null) this.#report('I9', `${trajectory}/${seq}: ${problem}`)
    if (delta.length > 0 && world.computeRoot() !== world_after)
      this.#report('I9', `${trajectory}/${seq}: the world after it is another`)
  }
}
