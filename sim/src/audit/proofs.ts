/**
 * I27, of proof-carrying intents.
 *
 * P1 where the rules ask for a proof, nothing is decided without one but what a person wrote.
 * P2 a proof is signed by a key that was the agent's at that place, over what was proposed, and binds the flow, what was
 *    shown, the contract and the rules: all of it computed here once more.
 * P3 one proof, one intent; what was given back before anything was sent leaves its proof unused.
 * P4 what follows a failure is fixed where there is a proof, and nowhere else, and is what capability and contract have.
 * P5 what was fixed happens: the flow in which it failed is taken back on that word, or goes to a person, and nobody chooses.
 */
import { hash } from 'node:crypto'
import type {
  CapabilityDescription,
  Contract,
  JsonObject,
  KeyPayload,
  OnFailure,
  PolicyPayload,
  SagaPayload,
  SettlePayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { AskedClasses } from './asked-class.ts'
import { toCanonicalJson } from './bytes.ts'
import { type FirstDecision, findFirstDecision } from './decided.ts'
import type { Line, Report } from './report.ts'
import { listCapabilityRecords } from './rules.ts'
import { isSignedBy, type VerifySignature } from './signed.ts'

export type ProofOptions = {
  readonly classes: AskedClasses
  readonly findContract: (hash: string) => Contract | undefined
  readonly verify: VerifySignature
}

type AgentKey = { readonly agent: string; readonly public_key: string; isEnded: boolean }

type Failed = { readonly intent: SignedIntent; isDirty: boolean }

const NEXT: Readonly<Record<OnFailure, SagaPayload['status']>> = {
  REVERT_STATE: 'COMPENSATING',
  ALERT_HUMAN: 'MANUAL_REVIEW',
}

export class AuditedProofs {
  readonly #report: Report
  readonly #options: ProofOptions
  readonly #keys = new Map<string, AgentKey>()
  readonly #capabilities = new Map<string, CapabilityDescription>()
  readonly #intents = new Map<string, SignedIntent>()
  /** By signature: the intent that it was good for. */
  readonly #proofs = new Map<string, string>()
  /** By flow: the proven intent whose failure was the last word about it. */
  readonly #failed = new Map<string, Failed>()

  constructor(report: Report, options: ProofOptions) {
    this.#report = report
    this.#options = options
  }

  add(line: Line): void {
    const { kind, payload } = line
    if (kind === 'policy') this.#addCapabilities(payload as PolicyPayload)
    if (kind === 'key') this.#addKey(payload as KeyPayload)
    if (kind === 'settle') this.#giveBack(payload as SettlePayload)
    this.#auditCourse(line)
    const decided = findFirstDecision(line)
    if (decided !== null) this.#auditDecision(line, decided)
  }

  #addCapabilities({ body }: PolicyPayload): void {
    for (const { capability, capability_hash } of listCapabilityRecords(body))
      this.#capabilities.set(capability_hash, capability)
  }

  #addKey({ body: { action, key_id, purpose, public_key, subject: agent } }: KeyPayload): void {
    const key = this.#keys.get(key_id)
    if (purpose !== 'agent') return
    if (action === 'add') this.#keys.set(key_id, { agent, public_key, isEnded: false })
    else if (key !== undefined) key.isEnded = true
  }

  #auditDecision(line: Line, decided: FirstDecision): void {
    const { intent, proposal, isPersons } = decided
    this.#intents.set(intent.intent_id, intent)
    const reportProblem = (detail: string): void =>
      this.#report('I27', `${line.trajectory}/${line.seq} decides ${intent.step_id}: ${detail}`)
    const contract = this.#options.findContract(intent.contract_hash)
    const isProven = proposal.evidence_hash !== undefined
    if (!isProven && !isPersons && this.#isAskedForOne(decided, contract))
      reportProblem('the rules ask for a proof, and it has none')
    if (isProven) this.#auditProof(decided, contract, reportProblem)
    const fixed =
      isProven && contract !== undefined ? this.#chooseCourse(intent, contract) : undefined
    if (intent.on_failure !== fixed)
      reportProblem(`it fixes ${intent.on_failure} for its failure, and not ${fixed}`)
  }

  #isAskedForOne({ intent, facts }: FirstDecision, contract: Contract | undefined): boolean {
    const { rules_hash: rules, agent_id, policy_kind: kind } = intent
    const agents = [agent_id, contract?.instance_of ?? agent_id]
    const topic = facts.flow.event?.topic ?? null
    return this.#options.classes.find({ rules, agents, kind, topic }) === 'DL_PCI'
  }

  #auditProof(
    { intent, proposal }: FirstDecision,
    contract: Contract | undefined,
    reportProblem: (detail: string) => void,
  ): void {
    const { dfid, agent_id, context_ref, evidence_hash, signature, ...said } = proposal
    const { key_id = '', sig = '' } = (signature ?? {}) as Partial<Record<string, string>>
    const key = this.#keys.get(key_id)
    if (key === undefined || key.isEnded || key.agent !== intent.agent_id)
      reportProblem('the key of its proof is none of the agent')
    const document = { dfid, intent_payload: said, context_ref, evidence_hash, key_id }
    const isSigned =
      key !== undefined &&
      isSignedBy(this.#options.verify, key.public_key, { type: 'pci', document, sig })
    if (!isSigned) reportProblem('its proof is not signed')
    if (agent_id !== intent.agent_id || dfid !== intent.dfid || context_ref !== intent.snapshot_id)
      reportProblem('its proof is about something else')
    if (!isSame(said, intent)) reportProblem('what is done is not what was proven')
    const h_c = hash('sha256', toCanonicalJson(contract ?? null))
    const h_r = intent.rules_hash.replace('sha256:', '')
    const bound = hash('sha256', `${intent.dfid}${hash('sha256', intent.snapshot_id)}${h_c}${h_r}`)
    if (evidence_hash !== bound) reportProblem('its proof binds something else')
    const before = this.#proofs.get(sig)
    if (before !== undefined && before !== intent.intent_id)
      reportProblem('its proof was used before')
    this.#proofs.set(sig, intent.intent_id)
  }

  #giveBack({ intent_id, status }: SettlePayload): void {
    if (status !== 'ABANDONED') return
    for (const [sig, intent] of this.#proofs) if (intent === intent_id) this.#proofs.delete(sig)
  }

  #chooseCourse({ capability_hash }: SignedIntent, { compensation }: Contract): OnFailure {
    const { world_only = false, compensations = [] } = this.#capabilities.get(capability_hash) ?? {}
    const isOffered = world_only || compensations.includes('REVERT')
    return isOffered && compensation.includes('REVERT') ? 'REVERT_STATE' : 'ALERT_HUMAN'
  }

  /** What the next entries of a flow say once a proven step of it has failed. */
  #auditCourse({ kind, payload, dfid = '', trajectory, seq }: Line): void {
    if (kind === 'settle') {
      const { intent_id, status } = payload as SettlePayload
      const intent = this.#intents.get(intent_id)
      if (status === 'FAILED' && intent?.on_failure !== undefined)
        this.#failed.set(dfid, { intent, isDirty: false })
      return
    }
    const failed = this.#failed.get(dfid)
    if (failed === undefined) return
    const { status, details } = (payload ?? {}) as Partial<SagaPayload>
    if (kind === 'evidence' && status === 'PARTIAL_SUCCESS_DIRTY' && !failed.isDirty) {
      failed.isDirty = true
      return
    }
    this.#failed.delete(dfid)
    const { intent_id, on_failure } = failed.intent
    const isBegun = status === NEXT[on_failure ?? 'ALERT_HUMAN'] && details?.intent_id === intent_id
    if (failed.isDirty && !isBegun)
      this.#report('I27', `${trajectory}/${seq}: ${dfid} does not go the way that was fixed`)
  }
}

function isSame({ step_id, policy_kind, params }: JsonObject, intent: SignedIntent): boolean {
  return (
    (step_id ?? intent.step_id) === intent.step_id &&
    policy_kind === intent.policy_kind &&
    toCanonicalJson(params ?? {}) === toCanonicalJson(intent.params)
  )
}
