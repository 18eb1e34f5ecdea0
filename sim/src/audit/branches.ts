/**
 * I29: what is tried in a branch stays there. Nothing that leaves World is decided, sent or sent again in one; a flow, what it decides
 * and what comes of that stand in one trajectory; and a child stands where its parent does.
 */
import type { CapabilityDescription, SignedIntent, WritPayload } from 'rubicon-kernel'
import type { Line, Report } from './report.ts'

const MAIN = 'main'
/** They stop or ask, or open a flow in the same place. */
const STAYING: readonly string[] = ['SPAWN_CHILD', 'COMPENSATE', 'RETIRE', 'HALT', 'ESCALATE']

export class AuditedBranches {
  readonly #report: Report
  /** By flow: where it was opened. */
  readonly #flows = new Map<string, string>()
  readonly #staying = new Set<string>(STAYING)

  constructor(report: Report) {
    this.#report = report
  }

  recordCapabilities(capabilities: readonly CapabilityDescription[]): void {
    for (const { kind, effect, world_only, branches } of capabilities)
      if (effect === 'read' || world_only || branches === 'world') this.#staying.add(kind)
  }

  auditOpening({ trajectory, seq }: Line, { flow }: WritPayload): void {
    if (flow === undefined) return
    this.#flows.set(flow.dfid, trajectory)
    const above = flow.parent_dfid == null ? undefined : this.#flows.get(flow.parent_dfid)
    if (above !== undefined && above !== MAIN && above !== trajectory)
      this.#report('I29', `${trajectory}/${seq} opens ${flow.dfid} below a flow of ${above}`)
  }

  auditDecision({ trajectory, seq }: Line, { dfid, capability, ...intent }: SignedIntent): void {
    const reportProblem = (detail: string): void =>
      this.#report('I29', `${trajectory}/${seq}: ${intent.step_id} of ${dfid}: ${detail}`)
    if (intent.trajectory !== trajectory) reportProblem(`it is one of ${intent.trajectory}`)
    const opened = this.#flows.get(dfid)
    if (opened !== undefined && opened !== trajectory) reportProblem(`its flow is one of ${opened}`)
    const kind = capability.slice(0, capability.lastIndexOf('@'))
    if (trajectory !== MAIN && !this.#staying.has(kind)) reportProblem(`${kind} leaves the branch`)
  }
}
