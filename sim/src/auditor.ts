/**
 * The auditor. It sees what outsiders see: the raw lines of the ledger as they become durable, the
 * provider's own log, and what callers were told. It shares no code with the engine or the kernel.
 *
 * Boundary: types only. The one judgement it cannot make itself, what the law says about recorded
 * facts, is handed in as a function.
 */
import type {
  AcceptedPayload,
  CarryOutPayload,
  CommitPayload,
  DelegationPayload,
  DispatchPayload,
  Entry,
  EvidencePayload,
  GenerationPayload,
  PolicyPayload,
  RejectionPayload,
  ResendPayload,
  SettlePayload,
  SignedIntent,
  UsagePayload,
  WritPayload,
} from 'rubicon-kernel'
import type { Notice } from '../../runtime/src/ports/notifier.ts'
import { Acknowledged } from './audit/acknowledged.ts'
import type { Acknowledgement } from './audit/acknowledgement.ts'
import { AuditedActs } from './audit/acts.ts'
import type { AuditorOptions } from './audit/auditor-options.ts'
import { AuditedAuthority } from './audit/authority.ts'
import { AuditedBudget } from './audit/budget.ts'
import { AuditedBus } from './audit/bus.ts'
import { Chains } from './audit/chain.ts'
import { AuditedCrafts } from './audit/crafts.ts'
import { findAcceptedPayload } from './audit/decision-behind.ts'
import { AuditedDrift } from './audit/drift.ts'
import { EndedFlows } from './audit/ended-flows.ts'
import { isGeneration, listEntryNames } from './audit/entry-names.ts'
import { AuditedErasures } from './audit/erasures.ts'
import { AuditedEvents } from './audit/events.ts'
import { AuditedExceptions } from './audit/exceptions.ts'
import { AuditedFacts } from './audit/facts.ts'
import { AuditedGenerations } from './audit/generations.ts'
import { AuditedHolds } from './audit/holds.ts'
import { auditLeftovers, collectHeard } from './audit/leftovers.ts'
import { auditReplay } from './audit/replay.ts'
import type { Line, Report, Violation } from './audit/report.ts'
import { AuditedResends } from './audit/resends.ts'
import { AuditedReviews } from './audit/reviews.ts'
import { AuditedRules } from './audit/rules.ts'
import { Steps } from './audit/steps.ts'
import type { StoreView } from './audit/store-view.ts'
import { Verdicts } from './audit/verdicts.ts'
import { AuditedWays } from './audit/ways.ts'
import { AuditedWorlds } from './audit/worlds.ts'

const VIOLATIONS_MAX = 20

export class Auditor {
  readonly violations: Violation[] = []
  readonly #options: AuditorOptions
  readonly #ledger = new Map<string, Line>()
  readonly #report: Report = (invariant, detail) => {
    if (this.violations.length < VIOLATIONS_MAX) this.violations.push({ invariant, detail })
  }
  readonly chains: Chains
  readonly #worlds: AuditedWorlds = new AuditedWorlds(this.#report)
  readonly #ended: EndedFlows = new EndedFlows(this.#report)
  readonly #authority: AuditedAuthority = new AuditedAuthority(this.#report)
  readonly rules: AuditedRules = new AuditedRules(this.#report)
  readonly steps: Steps
  readonly exceptions: AuditedExceptions
  readonly #told: Notice[] = []
  readonly holds: AuditedHolds = new AuditedHolds(this.#report)
  readonly drift: AuditedDrift
  readonly #facts: AuditedFacts = new AuditedFacts(this.#report, this.#authority)
  readonly #verdicts: Verdicts
  readonly #budget: AuditedBudget
  readonly #resends: AuditedResends
  readonly generations: AuditedGenerations
  readonly reviews: AuditedReviews = new AuditedReviews(this.#report)
  readonly acts: AuditedActs
  readonly #acknowledged: Acknowledged = new Acknowledged(this.#report)
  readonly #events: AuditedEvents
  readonly bus: AuditedBus
  readonly ways: AuditedWays
  readonly crafts: AuditedCrafts
  readonly #erasures: AuditedErasures = new AuditedErasures(this.#report)

  constructor(options: AuditorOptions) {
    this.#options = options
    this.chains = new Chains(this.#report, options.thorough)
    this.steps = new Steps(this.#report, options.shared)
    this.acts = new AuditedActs(this.#report, options.getMs)
    this.exceptions = new AuditedExceptions(this.#report, this.#authority)
    this.drift = new AuditedDrift(this.#report, options.outside)
    this.#verdicts = new Verdicts(this.#report, options.recompile, this.#authority)
    const { writs, contracts } = this.#authority
    const findContract = (hash: string) => contracts.get(hash)?.contract
    this.#budget = new AuditedBudget(this.#report, (id) => writs.get(id), findContract)
    this.#events = new AuditedEvents(this.#report, findContract)
    this.bus = new AuditedBus(this.#report, this.#authority, options.carried)
    this.crafts = new AuditedCrafts(this.#report, this.#worlds, { findContract, ...options })
    this.ways = new AuditedWays(this.#report, this.#verdicts, { ...options, findContract })
    this.generations = new AuditedGenerations(this.#report, (nonce, measure) =>
      this.#budget.countUsed(nonce, measure),
    )
    this.#resends = new AuditedResends({
      steps: this.steps,
      authority: this.#authority,
      verdicts: this.#verdicts,
      rules: this.rules,
      drift: this.drift,
      facts: this.#facts,
      ledger: this.#ledger,
      ended: this.#ended,
    })
  }

  report(...found: Parameters<Report>): void {
    this.#report(...found)
  }

  recordAcknowledgement(ack: Acknowledgement): void {
    this.#acknowledged.add(ack, this.#ledger)
  }

  /** A notice has arrived where somebody reads it. */
  recordNotice(notice: Notice): void {
    this.#told.push(notice)
  }

  /** `fenced`: whoever wrote them had been declared dead before. */
  auditEntries(entries: readonly (Entry & { readonly leaf: number })[], fenced = false): void {
    for (const entry of entries) {
      const line = this.chains.add(entry)
      if (line === null) continue
      if (fenced && (line.kind === 'dispatch' || line.kind === 'resend'))
        this.#report('I1', `${line.trajectory}/${line.seq} is by an engine that was declared dead`)
      for (const name of listEntryNames(line)) this.#ledger.set(name, line)
      this.#authority.add(line)
      this.#facts.add(line)
      this.exceptions.add(line)
      this.ways.add(line)
      this.#worlds.add(line)
      this.crafts.add(line)
      for (const dfid of this.#events.add(line)) this.#ledger.set(`event ${dfid}`, line)
      this.bus.add(line)
      this.#erasures.add(line)
      this.reviews.add(line)
      this.acts.calls.add(line)
      this.#read(line)
    }
    this.crafts.endUnit()
  }

  #read(line: Line): void {
    const { kind, payload } = line
    switch (kind) {
      case 'policy':
        this.steps.recordCapabilities(this.rules.auditRecordedRules(line, payload as PolicyPayload))
        break
      case 'writ':
        this.acts.auditOpening(line, payload as WritPayload)
        this.generations.recordWrit(payload as WritPayload)
        break
      case 'delegation':
        this.#budget.auditDelegation(payload as DelegationPayload)
        break
      case 'accepted':
        this.#accept(line, payload as AcceptedPayload)
        break
      case 'dispatch':
        this.#dispatch(line)
        break
      case 'resend':
        this.#resends.auditResend(line, payload as ResendPayload)
        break
      case 'evidence':
        if ('used' in (payload as object)) this.#budget.auditUsage(payload as UsagePayload)
        if (isGeneration(payload as object))
          this.generations.auditEntry(line, payload as GenerationPayload)
        if ('intent_id' in (payload as object))
          this.steps.recordEvidence(payload as EvidencePayload)
        break
      case 'settle':
        this.#settle(line, payload as SettlePayload)
        break
      case 'commit':
        this.#commit(line, payload as CommitPayload)
        break
      case 'rejection':
        this.#checkReasonCode(line, (payload as RejectionPayload).reason_code)
        this.#ended.addRejected(line, payload as RejectionPayload)
        this.#verdicts.auditRejected(line, payload as RejectionPayload)
        break
      case 'pending_approval':
        this.#verdicts.auditSuspended(line)
        break
    }
  }

  #settle(line: Line, settle: SettlePayload): void {
    this.#checkReasonCode(line, settle.reason_code)
    const unsent = this.steps.isAccepted(settle.intent_id)
    const intent = this.steps.auditSettle(line, settle)
    this.#ended.addSettled(line, settle)
    if (intent === undefined) return
    this.#budget.auditSettle(intent, settle, unsent)
    this.holds.auditSettle(intent, settle)
  }

  #checkReasonCode({ trajectory, seq }: Line, code: string): void {
    if (this.#options.codes.has(code)) return
    this.#report('I8', `${trajectory}/${seq} has the code ${code}, which is none`)
  }

  #accept(line: Line, payload: AcceptedPayload): void {
    this.steps.auditAccepted(line, payload)
    this.#facts.auditDecision(line, payload.intent, payload)
    this.#auditDecision(line, payload.intent)
  }

  #auditDecision(line: Line, intent: SignedIntent): void {
    this.#budget.auditDecision(intent)
    // Taking back is what remains to be done in a flow that has ended.
    if (intent.compensation === undefined) this.#ended.auditBegun(intent)
    this.#verdicts.auditStaged(line, intent)
  }

  #dispatch(line: Line): void {
    const payload = line.payload as DispatchPayload | CarryOutPayload
    const intent = this.#auditSend(line, payload)
    if (intent === undefined) return
    this.#authority.auditDispatch(line, intent)
    this.holds.auditDispatch(line, intent, payload.facts)
    this.#authority.auditDeadline(line, intent, intent.dispatch_before)
    this.rules.auditDispatch(line, intent)
    const decided = 'accepted' in payload ? findAcceptedPayload(this.#ledger, payload) : payload
    this.drift.auditDispatch(line, {
      intent,
      facts: payload.facts,
      proposal: decided?.proposal,
      jit: payload.jit,
      contract: this.#authority.contracts.get(intent.contract_hash)?.contract,
    })
    this.#facts.auditDecision(line, intent, { ...payload, proposal: decided?.proposal })
  }

  #auditSend(line: Line, payload: DispatchPayload | CarryOutPayload): SignedIntent | undefined {
    if ('accepted' in payload) {
      const intent = this.steps.auditCarryOut(line, payload)
      if (intent === undefined) return undefined
      this.#ended.auditBegun(intent)
      const { trajectory, seq } = payload.accepted
      const decidedAt = findAcceptedPayload(this.#ledger, payload)?.facts?.now ?? ''
      this.holds.auditCarryOut(line, intent, decidedAt)
      this.#verdicts.auditCarryOut(line, payload, this.#ledger.get(`${trajectory}/${seq}`))
      return intent
    }
    this.steps.auditDispatch(line, payload)
    this.#auditDecision(line, payload.intent)
    return payload.intent
  }

  #commit(line: Line, payload: CommitPayload): void {
    const intent = this.steps.auditCommit(line, payload.intent_id)
    this.#worlds.auditCommit(line, payload)
    if (intent === undefined) return
    this.#budget.auditCommit(intent, payload)
    this.holds.releaseHolds(intent)
  }

  /** After the storm: nothing is open, and everything that is stored follows from the ledger. */
  finish(view: StoreView): void {
    this.steps.finish()
    this.#events.finish(view.flows)
    this.bus.finish(view)
    this.#acknowledged.finish(this.#ledger)
    this.drift.finish()
    this.exceptions.finish(collectHeard(this.#told, view))
    auditLeftovers(this.#report, view, {
      told: this.#told,
      ...this.exceptions.sagas.getEnd(),
      isServed: (agent) => this.#authority.isServed(agent, view.now),
      isOpenable: (agent) => this.#authority.isOpenable(agent, view.now),
      isRetired: (agent) => this.#authority.getStatus(agent) === 'RETIRED',
    })
    this.chains.finish(view)
    auditReplay(this.#report, view, (place) => this.#ledger.get(place)?.payload)
    this.#erasures.finish(view)
    this.ways.finish(view.atoms)
    this.crafts.finish()
    this.holds.finish(view.locks)
    this.#budget.finish(view.counters)
    this.generations.finish(view.generations)
    this.reviews.finish(view.flows, view.counters)
  }
}
