/** What goes beyond one decision: whose flow it is, approvals, half jobs, and the sum of what agents do. */
import type {
  AcceptedPayload,
  CarryOutPayload,
  CommitPayload,
  DispatchPayload,
  ErasurePayload,
  KeyPayload,
  LifecyclePayload,
  MonitorTripPayload,
  PolicyPayload,
  RejectionPayload,
  ResendPayload,
  SagaPayload,
  SettlePayload,
  SignedIntent,
  WritPayload,
} from 'rubicon-kernel'
import { AuditedApprovals } from './approvals.ts'
import type { AuditedAuthority } from './authority.ts'
import { AuditedHalfJobs } from './half-jobs.ts'
import { AuditedMonitors } from './monitors.ts'
import { AuditedOwnership } from './ownership.ts'
import type { Line, Report } from './report.ts'
import { AuditedSagas } from './sagas.ts'

export class AuditedExceptions {
  readonly sagas: AuditedSagas
  readonly #halfJobs: AuditedHalfJobs
  readonly #approvals: AuditedApprovals
  readonly #monitors: AuditedMonitors
  readonly #ownership: AuditedOwnership
  readonly #intents = new Map<string, SignedIntent>()

  constructor(report: Report, authority: AuditedAuthority) {
    this.sagas = new AuditedSagas(report)
    this.#halfJobs = new AuditedHalfJobs(report)
    this.#ownership = new AuditedOwnership(report)
    this.#approvals = new AuditedApprovals(report, (agent) => authority.findContract(agent))
    this.#monitors = new AuditedMonitors(
      report,
      (agent) => authority.getStatus(agent),
      (agent) => authority.findContract(agent)?.instance_of,
    )
  }

  add(line: Line): void {
    this.#ownership.add(line)
    this.#halfJobs.add(line)
    const { kind, payload } = line
    switch (kind) {
      case 'policy': {
        const { body } = payload as PolicyPayload
        if ('rules_hash' in body)
          this.sagas.recordCapabilities(body.capabilities.map(({ capability }) => capability))
        else if (body.action === 'capability') this.sagas.recordCapabilities([body.capability])
        else if (body.action === 'watch') this.#monitors.setMonitor(body.monitor)
        break
      }
      case 'erasure':
        this.#monitors.markErased((payload as ErasurePayload).body.dfid)
        break
      case 'lifecycle':
        this.#monitors.auditLifecycle(payload as LifecyclePayload)
        break
      case 'writ': {
        const { flow } = payload as WritPayload
        if (flow !== undefined) this.sagas.recordFlow(flow)
        break
      }
      case 'key':
        this.#approvals.recordKey(payload as KeyPayload)
        break
      case 'pending_approval':
        this.#approvals.auditRequest(line)
        break
      case 'approval':
        this.#approvals.auditDecision(line)
        break
      case 'accepted':
      case 'dispatch':
        this.#auditSend(line, payload as AcceptedPayload | DispatchPayload | CarryOutPayload)
        break
      case 'resend':
        this.#auditResend(line, payload as ResendPayload)
        break
      case 'rejection':
        this.#approvals.auditRefusal((payload as RejectionPayload).facts)
        break
      case 'evidence':
        this.#auditEvidence(line, payload as SagaPayload | MonitorTripPayload)
        break
      case 'settle':
        this.sagas.auditSettle(payload as SettlePayload)
        break
      case 'commit':
        this.sagas.auditCommit(payload as CommitPayload)
        this.#monitors.auditCommit(line, payload as CommitPayload)
        break
    }
  }

  #auditSend(line: Line, payload: AcceptedPayload | DispatchPayload | CarryOutPayload): void {
    if ('intent' in payload) {
      const { intent } = payload
      this.#intents.set(intent.intent_id, intent)
      this.#approvals.auditRun(line, payload)
      this.sagas.auditDecision(line, intent)
      this.#monitors.auditDecision(payload)
      if (line.kind === 'dispatch') this.sagas.auditDispatch(line, intent)
      return
    }
    const intent = this.#intents.get(payload.intent_id)
    if (intent === undefined) return
    this.#approvals.auditDeadline(line, intent)
    this.sagas.auditDispatch(line, intent)
  }

  /** Like a first dispatch: not past its approval, and not while its agent is in maintenance. */
  #auditResend(line: Line, { body }: ResendPayload): void {
    const intent = this.#intents.get(body.intent_id)
    if (intent === undefined) return
    this.sagas.auditResend(line, intent)
    this.#approvals.auditDeadline(line, intent)
    this.sagas.auditDispatch(line, intent)
  }

  #auditEvidence(line: Line, payload: SagaPayload | MonitorTripPayload): void {
    if (payload.source === 'saga') this.sagas.auditSagaMove(line, payload)
    if (payload.source === 'monitor') this.#monitors.auditTrip(line, payload)
  }

  /** For whoever hands entries over as they were committed, those of a unit at once. */
  endUnit(): void {
    this.#halfJobs.endUnit()
  }

  /** `heard`: flows of which somebody was told. */
  finish(heard: ReadonlySet<string | undefined>): void {
    this.#halfJobs.finish(heard)
    this.#monitors.finish()
  }
}
