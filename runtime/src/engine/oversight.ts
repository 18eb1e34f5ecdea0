/**
 * What people see and decide by exception: requests that wait for them, effects and flows that need
 * their word, and the monitors that watch agents over time.
 */

import type { SagaStanding } from 'rubicon-kernel'
import {
  type ClockAnchor,
  type EscalationDecision,
  type Failure,
  type JsonValue,
  LIMITS,
  type Modification,
  type Monitor,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { ExecutionRow } from '../ports/store.ts'
import { type ReviewedFlow, type ReviewWord, reviewFlow } from './advice/review-flow.ts'
import type { PersonDeciding } from './approve/approver.ts'
import { type AskedAgain, askAgain } from './approve/ask-again.ts'
import { type EscalationBrief, loadEscalationBrief } from './approve/brief/brief.ts'
import type { Onlooker } from './approve/brief/standing.ts'
import {
  assignEscalation,
  claimEscalation,
  releaseClaim,
  type ShownClaim,
} from './approve/claim.ts'
import { addComment, type ShownComment } from './approve/comments.ts'
import { type DecidedBy, type DecidedEscalation, decideEscalation } from './approve/decide.ts'
import { listDeciders } from './approve/deciders.ts'
import { type Inbox, type InboxQuestion, loadInbox } from './approve/inbox.ts'
import {
  type EscalationFilter,
  type EscalationPage,
  type EscalationSummary,
  type EscalationView,
  listEscalations,
  readEscalationPage,
  showEscalation,
} from './approve/list.ts'
import { judgeModification, type ModificationView } from './approve/modification.ts'
import {
  approveCapabilities,
  type CapabilityApproval,
} from './authority/registry/approved-capabilities.ts'
import {
  type RegisteredSource,
  registerSource,
  retireSource,
} from './authority/registry/fact-sources.ts'
import {
  computeRulesState,
  type RulesState,
  recordRules,
} from './authority/registry/record-rules.ts'
import { resolveExecution } from './compensate/resolve.ts'
import { resolveDirty } from './compensate/resolve-dirty.ts'
import type { RulesAcceptance } from './deps.ts'
import type { Context } from './engine-context.ts'
import { type EraseRequest, type Erasure, eraseFlow, planErasure } from './erase/erase-flow.ts'
import { confirmClock } from './ledger/confirm-clock.ts'
import {
  type DeployedMonitorAnswer,
  deployMonitor,
  withdrawMonitor,
} from './monitors/deploy-monitor.ts'
import type { MonitorReport, Swept } from './monitors/sweep.ts'
import { type ToolDrift, tellToolDrift } from './notices/tool-drift.ts'
import { type DirtyFlow, listDirtyFlows } from './saga/dirty-record.ts'
import type { Resolution } from './saga/resolution.ts'

/** How the engine runs what it is asked for. */
export type CallRunner = {
  readonly runAsked: <T>(work: () => Promise<Result<T, Failure>>) => Promise<Result<T, Failure>>
  readonly runGuarded: <T>(work: () => Promise<T>) => Promise<T>
}

export class Oversight {
  readonly #context: Context
  readonly #runner: CallRunner

  constructor(context: Context, runner: CallRunner) {
    this.#context = context
    this.#runner = runner
  }

  /** What this process holds against the rules that are recorded. */
  rules(): Promise<Result<RulesState, Failure>> {
    const context = this.#context
    return this.#runner.runAsked(async () =>
      ok(computeRulesState(context, await context.authorities.loadLatest())),
    )
  }

  /** An operator's yes to the change that `rules` names; without it nothing changes. */
  acceptRules(accept: RulesAcceptance): Promise<Result<RulesState, Failure>> {
    return this.#runner.runAsked(() => recordRules(this.#context, accept))
  }

  /** An operator's yes to capabilities that no process holds yet, each by its hash. False: it could not be kept. */
  approveCapabilities(approvals: readonly CapabilityApproval[]): Promise<boolean> {
    return this.#runner.runGuarded(() => approveCapabilities(this.#context, approvals))
  }

  /** Operators are told that a tool of an MCP server is not the one that was agreed to, once for each definition. */
  tellToolDrift(drift: ToolDrift): Promise<boolean> {
    return this.#runner.runGuarded(() => tellToolDrift(this.#context, drift))
  }

  /** An operator's word that a clock which was set is right as it stands. */
  confirmClock(reason: string): Promise<Result<ClockAnchor, Failure>> {
    return this.#runner.runAsked(() => confirmClock(this.#context, reason))
  }

  /** A person settles an effect under review, with evidence. */
  resolveExecution(
    dfid: string,
    stepId: string,
    resolution: Resolution,
  ): Promise<Result<ExecutionRow, Failure>> {
    return this.#runner.runAsked(() => resolveExecution(this.#context, dfid, stepId, resolution))
  }

  /** A person has put a dirty flow right, or leaves it as it is. */
  resolveDirty(dfid: string, resolution: Resolution): Promise<Result<SagaStanding, Failure>> {
    return this.#runner.runAsked(() => resolveDirty(this.#context, dfid, resolution))
  }

  /** A person has looked at what was flagged in a flow, and leaves it as it is. */
  reviewFlow(dfid: string, word: ReviewWord): Promise<Result<ReviewedFlow, Failure>> {
    return this.#runner.runAsked(() => reviewFlow(this.#context, dfid, word))
  }

  /** What erasing a flow would take out; nothing is written. */
  planErasure(dfid: string): Promise<Result<Erasure, Failure>> {
    return this.#runner.runAsked(() => planErasure(this.#context, dfid))
  }

  /** Takes out what an ended flow said, for good. */
  erase(request: EraseRequest): Promise<Result<Erasure, Failure>> {
    return this.#runner.runAsked(() => eraseFlow(this.#context, request))
  }

  /** Flows that did half of their job, oldest first. */
  dirtyFlows(): Promise<readonly DirtyFlow[]> {
    return this.#runner.runGuarded(() => listDirtyFlows(this.#context.store, '', LIMITS.listed))
  }

  /** Requests that wait for somebody, or what became of others. */
  escalations(filter?: EscalationFilter): Promise<readonly EscalationSummary[]> {
    return this.#runner.runGuarded(() => listEscalations(this.#context, filter))
  }

  /** The same, a page at a time. */
  escalationPage(filter: EscalationFilter): Promise<EscalationPage> {
    return this.#runner.runGuarded(() => readEscalationPage(this.#context, filter))
  }

  escalation(id: string): Promise<EscalationView | null> {
    return this.#runner.runGuarded(() => showEscalation(this.#context, id))
  }

  /** Requests as whoever looks finds them. */
  inbox(question: InboxQuestion, onlooker: Onlooker): Promise<Inbox> {
    return this.#runner.runGuarded(() => loadInbox(this.#context, question, onlooker))
  }

  /** A request with everything that somebody needs to decide it. */
  brief(id: string, onlooker: Onlooker): Promise<EscalationBrief | null> {
    return this.#runner.runGuarded(() => loadEscalationBrief(this.#context, id, onlooker))
  }

  /** Says that somebody looks after a request; `insteadOf` names who did. It is no authority. */
  claimEscalation(
    id: string,
    who: Onlooker,
    insteadOf?: string,
  ): Promise<Result<ShownClaim, Failure>> {
    return this.#runner.runAsked(() => claimEscalation(this.#context, id, who, insteadOf))
  }

  /** Gives it to somebody, by name, to look after; `insteadOf` names who did. It is no authority. */
  assignEscalation(
    id: string,
    who: Onlooker,
    to: string,
    insteadOf?: string,
  ): Promise<Result<ShownClaim, Failure>> {
    return this.#runner.runAsked(() => assignEscalation(this.#context, id, who, to, insteadOf))
  }

  /** Of these people, who have the role to decide, the first who could decide it. */
  listDeciders(id: string, names: readonly string[]): Promise<readonly string[]> {
    return this.#runner.runGuarded(() => listDeciders(this.#context, id, names))
  }

  /** Says something to others about a request. It decides nothing, and stands in no ledger. */
  addComment(id: string, who: Onlooker, text: string): Promise<Result<ShownComment, Failure>> {
    return this.#runner.runAsked(() => addComment(this.#context, id, who, text))
  }

  /** Nobody looks after it any more; `of` names who did, where another did. Null: nobody did. */
  releaseClaim(
    id: string,
    who: Onlooker,
    of?: string,
  ): Promise<Result<ShownClaim | null, Failure>> {
    return this.#runner.runAsked(() => releaseClaim(this.#context, id, who, of))
  }

  /** Judges what a MODIFY would let happen, for whoever is about to decide on it. */
  judgeModification(
    id: string,
    modified: Modification,
    by: PersonDeciding,
  ): Promise<Result<ModificationView, Failure>> {
    return this.#runner.runAsked(() => judgeModification(this.#context, id, modified, by))
  }

  /** Asks about it once more under the rules of now, where a yes to it would not run as it stands. */
  askAgain(id: string, onlooker: Onlooker): Promise<Result<AskedAgain, Failure>> {
    return this.#runner.runAsked(() => askAgain(this.#context, id, onlooker))
  }

  /** OVERRIDE, MODIFY or ABORT. What is approved is compiled again, and carried out once. */
  decideEscalation(
    id: string,
    decision: EscalationDecision,
    by: DecidedBy,
  ): Promise<Result<DecidedEscalation, Failure>> {
    return this.#runner.runAsked(() => decideEscalation(this.#context, id, decision, by))
  }

  /** Says who may say what some paths of State are, in place of one of the same name. */
  registerSource(source: JsonValue, by?: string): Promise<Result<RegisteredSource, Failure>> {
    return this.#runner.runAsked(() => registerSource(this.#context, source, by))
  }

  retireSource(source: string, by?: string): Promise<Result<{ seq: number }, Failure>> {
    return this.#runner.runAsked(() => retireSource(this.#context, source, by))
  }

  /** Puts a monitor in force, in place of one of the same name. */
  deployMonitor(
    monitor: Monitor,
    replaces?: string | null,
  ): Promise<Result<DeployedMonitorAnswer, Failure>> {
    return this.#runner.runAsked(() => deployMonitor(this.#context, monitor, replaces))
  }

  withdrawMonitor(name: string, reason: string): Promise<Result<{ seq: number }, Failure>> {
    return this.#runner.runAsked(() => withdrawMonitor(this.#context, name, reason))
  }

  /** The monitors in force, and what each says now. */
  monitors(): Promise<MonitorReport> {
    return this.#runner.runGuarded(() => this.#context.monitors.report())
  }

  /** Looks at what was carried out since the last time; stops agents whose monitors trip. */
  sweepMonitors(): Promise<Swept> {
    return this.#runner.runGuarded(() => this.#context.monitors.sweep())
  }
}
