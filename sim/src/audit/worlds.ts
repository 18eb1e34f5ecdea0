/**
 * I9: every delta applies to the World of its trajectory, and the World after it is the recorded one. A branch begins with that of the
 * entry that it starts from.
 */
import type { BranchPayload, CommitPayload } from 'rubicon-kernel'
import { BranchedCommits } from './branched-commits.ts'
import type { Line, Report } from './report.ts'
import { AuditedWorld } from './world.ts'

export class AuditedWorlds {
  readonly #report: Report
  readonly #worlds = new Map<string, AuditedWorld>()
  readonly commits: BranchedCommits = new BranchedCommits()

  constructor(report: Report) {
    this.#report = report
  }

  add(line: Line): void {
    this.commits.add(line)
    if (line.kind === 'branch') this.#auditBranch(line, line.payload as BranchPayload)
  }

  #auditBranch({ trajectory, seq }: Line, { world_after }: BranchPayload): void {
    const world = new AuditedWorld()
    for (const { delta } of this.commits.listBefore(trajectory)) world.apply(delta)
    this.#worlds.set(trajectory, world)
    if (world.computeRoot() !== world_after)
      this.#report('I9', `${trajectory}/${seq}: it begins with another world`)
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
