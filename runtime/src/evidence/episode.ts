/**
 * A flow as an example to learn from: what its agent was shown, what it proposed, what the law and people said, and
 * what came of it. Everything is taken from the ledger. Who decided is left out: an agent learns from what was
 * decided, and the names of people are in no dataset.
 */
import type {
  Address,
  ApprovalPayload,
  CommitPayload,
  DecisionRecord,
  Delta,
  DispatchPayload,
  ExecutionStatus,
  JsonObject,
  JsonValue,
  PendingApprovalPayload,
  RejectionPayload,
  SettlePayload,
  WritPayload,
} from 'rubicon-kernel'
import type { FlowRow, StoredEntry } from '../ports/store.ts'
import { type CaseOutcome, findRecordedOutcome } from './decision-case.ts'

export const EPISODE_FORMAT = 'rubicon/episode/1'

export type Episode = {
  readonly format: typeof EPISODE_FORMAT
  readonly dfid: string
  readonly agent_id: string
  readonly parent_dfid: string | null
  readonly trigger: string
  readonly state: FlowRow['state']
  readonly opened_at: string
  readonly updated_at: string
  readonly contract_hash: Address
  readonly mission_hash: string
  /** What the agent was shown, by the `context_ref` of its proposals. */
  readonly contexts: Readonly<Record<string, JsonObject>>
  readonly steps: readonly EpisodeStep[]
  /** Payloads that were erased: what they said is missing here. */
  readonly erased: number
  readonly reward: EpisodeReward
}

export type EpisodeStep = {
  /** Where in its trajectory the decision is recorded. */
  readonly trajectory: string
  readonly seq: number
  readonly at: string
  readonly attempt: number
  /** Null: what came was no JSON. */
  readonly proposal: JsonValue
  readonly rules_hash: string | null
  readonly capability_hash: Address | null
  readonly verdict: CaseOutcome & {
    readonly stage: RejectionPayload['stage'] | null
    readonly details: JsonObject
  }
  /** What people or agents above said to it, in order. */
  readonly decisions: readonly EpisodeDecision[]
  readonly effect: EpisodeEffect | null
}

export type EpisodeDecision = {
  readonly decision: ApprovalPayload['body']['decision']
  /** With MODIFY: what ran in place of the proposal. */
  readonly proposal?: JsonValue
}

export type EpisodeEffect = {
  readonly status: ExecutionStatus
  readonly code: string | null
  readonly at: string
  readonly observations: readonly JsonValue[]
  readonly delta: Delta
  readonly cost: Readonly<Record<string, string>>
  /** It was undone afterwards. */
  readonly taken_back: boolean
}

/** Counts that a reward is made of; what they are worth is for whoever trains to say. */
export type EpisodeReward = {
  readonly accepted: number
  readonly rejected: number
  readonly escalated: number
  readonly succeeded: number
  readonly failed: number
  readonly uncertain: number
  readonly taken_back: number
}

/** A step while its entries are gone through. */
type OpenStep = { -readonly [Name in keyof EpisodeStep]: EpisodeStep[Name] } & {
  decisions: EpisodeDecision[]
}

export function buildEpisode(flow: FlowRow, entries: readonly StoredEntry[]): Episode {
  const builder = new EpisodeBuilder()
  for (const entry of entries) builder.add(entry)
  const { dfid, agent_id, parent_dfid, trigger, state, opened_at, updated_at } = flow
  const { contract_hash, mission_hash } = flow
  const { contexts, steps, erased } = builder
  return {
    format: EPISODE_FORMAT,
    ...{ dfid, agent_id, parent_dfid, trigger, state, opened_at, updated_at },
    ...{ contract_hash, mission_hash, contexts, steps, erased },
    reward: countReward(steps),
  }
}

class EpisodeBuilder {
  readonly contexts: Record<string, JsonObject> = Object.create(null)
  readonly steps: OpenStep[] = []
  erased = 0
  readonly #byIntent = new Map<string, OpenStep>()
  readonly #byRequest = new Map<string, OpenStep>()

  add(entry: StoredEntry): void {
    const { payload } = entry
    if (payload === null) {
      this.erased += 1
      return
    }
    const outcome = findRecordedOutcome(entry)
    const body: unknown = JSON.parse(payload)
    this.#keepContext(body)
    if (outcome !== null) this.#addDecision(entry, body as DecisionRecord, outcome)
    if (entry.envelope.kind === 'approval') this.#addApproval(body as ApprovalPayload)
    if (entry.envelope.kind === 'commit') this.#addCommit(entry, body as CommitPayload)
    if (entry.envelope.kind === 'settle') this.#addSettle(entry, body as SettlePayload)
  }

  /** Of the opening, of a refusal that shows the world anew, or of a refreshed look. */
  #keepContext(body: unknown): void {
    const { flow, snapshot, snapshot_id } = body as Partial<RejectionPayload & WritPayload>
    if (flow !== undefined) this.contexts[flow.snapshot_id] = flow.snapshot
    if (snapshot !== undefined && snapshot_id !== undefined) this.contexts[snapshot_id] = snapshot
  }

  #addDecision(entry: StoredEntry, body: DecisionRecord, outcome: CaseOutcome): void {
    const { intent } = body as Partial<DispatchPayload>
    const { request } = body as Partial<PendingApprovalPayload>
    // What takes an effect back was chosen in another flow, which has it as its step.
    if (intent?.compensation !== undefined) return
    const approval = body.facts?.approval ?? null
    const asked = approval === null ? undefined : this.#byRequest.get(approval.request_id)
    const step = asked ?? buildStep(entry, body, outcome)
    if (asked === undefined) this.steps.push(step)
    else addReleased(asked, body, approval?.decision)
    if (intent !== undefined) this.#byIntent.set(intent.intent_id, step)
    if (request !== undefined) this.#byRequest.set(request.id, step)
  }

  #addApproval({ body }: ApprovalPayload): void {
    this.#byRequest.get(body.request_id)?.decisions.push({ decision: body.decision })
  }

  #addCommit({ envelope }: StoredEntry, payload: CommitPayload): void {
    const { intent_id, observations, delta, cost, compensates } = payload
    const undone = this.#byIntent.get(compensates ?? '')
    if (undone !== undefined && undone.effect !== null)
      undone.effect = { ...undone.effect, taken_back: true }
    const step = this.#byIntent.get(intent_id)
    if (step === undefined) return
    const { at } = envelope
    const done = { observations, delta, cost, taken_back: false }
    step.effect = { ...done, status: 'SUCCESS', code: null, at }
  }

  #addSettle({ envelope }: StoredEntry, { intent_id, status, reason_code }: SettlePayload): void {
    const step = this.#byIntent.get(intent_id)
    if (step === undefined) return
    const before = step.effect ?? { observations: [], delta: [], cost: {}, taken_back: false }
    step.effect = { ...before, status, code: reason_code, at: envelope.at }
  }
}

function buildStep(
  { envelope: { trajectory, seq, at } }: StoredEntry,
  body: DecisionRecord,
  outcome: CaseOutcome,
): OpenStep {
  const { attempt, proposal = null, facts } = body
  const { stage = null, details = {} } = body as Partial<RejectionPayload>
  return {
    ...{ trajectory, seq, at, attempt, proposal },
    rules_hash: facts?.rules_hash ?? null,
    capability_hash: facts?.capability?.hash ?? null,
    verdict: { ...outcome, stage, details },
    decisions: [],
    effect: null,
  }
}

/** With MODIFY, what runs is not what the agent proposed: the last decision says what does. */
function addReleased(asked: OpenStep, body: DecisionRecord, decision: string | undefined): void {
  const last = asked.decisions.at(-1)
  if (decision !== 'MODIFY' || last === undefined || body.proposal === undefined) return
  asked.decisions[asked.decisions.length - 1] = { ...last, proposal: body.proposal }
}

function countReward(steps: readonly EpisodeStep[]): EpisodeReward {
  const countOutcome = (outcome: CaseOutcome['outcome']): number =>
    steps.filter(({ verdict }) => verdict.outcome === outcome).length
  const countStatus = (...statuses: readonly ExecutionStatus[]): number =>
    steps.filter(({ effect }) => effect !== null && statuses.includes(effect.status)).length
  return {
    accepted: countOutcome('ACCEPTED'),
    rejected: countOutcome('REJECTED'),
    escalated: countOutcome('ESCALATED'),
    succeeded: countStatus('SUCCESS'),
    failed: countStatus('FAILED', 'NOT_APPLIED', 'ABANDONED'),
    uncertain: countStatus('UNKNOWN', 'MANUAL_REVIEW'),
    taken_back: steps.filter(({ effect }) => effect?.taken_back === true).length,
  }
}
