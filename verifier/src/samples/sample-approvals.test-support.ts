/** A request, its approval and its dispatch, as a ledger says them: each as a case has it. */
import {
  type Address,
  type ApprovalBody,
  type ApprovalFact,
  type Contract,
  computeAddress,
  computeApprovedDigest,
  type Facts,
  type Impact,
  type IntentBody,
  isObject,
  type JsonObject,
  type JsonValue,
  type JudgedModification,
  type SignedIntent,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { places, verifyTwice } from './agreement.test-support.ts'
import { LedgerBuilder } from './ledger-builder.test-support.ts'
import { type SampleKey, sampleKey } from './sample-keys.test-support.ts'
import {
  bootstrap,
  capability,
  contract,
  DEPLOY,
  DFID,
  decide,
  dispatch,
  grant,
  move,
  OWNER,
  rulesBody,
  secondsAfter,
  writBody,
} from './sample-ledger.test-support.ts'

/** They go to the agent above, which may be asked: people, where it is not, are asked as operators. */
const TRIGGERS = [{ id: 'kind', channel: 'agent:lead' }]

const { sha256 } = nodeCrypto
export const OTHER: Address = `sha256:${'0'.repeat(64)}`
export const REQUEST: string = `${DFID}:1`
const ASKED = 21
export const TRACE: JsonValue = [{ stage: 'policy', said: 'suspend', read: [], triggers: TRIGGERS }]

export type Case = {
  readonly request?: JsonObject
  readonly body?: Partial<ApprovalBody>
  /** What its body leaves out. */
  readonly without?: keyof ApprovalBody
  readonly vouched_by?: 'approver' | 'operator' | 'kernel'
  readonly signer?: (builder: LedgerBuilder) => SampleKey
  readonly releases?: Address | null
  readonly modification?: JudgedModification
  /** It says that whoever approves answers for the agent. */
  readonly self_approval?: 'allowed'
  /** The flow that the approval stands in. */
  readonly stands?: string
  readonly approval?: Partial<ApprovalFact> | null
  readonly proposal?: JsonObject
  readonly trace?: JsonValue
  /** Who spoke when it was asked, and when it ran. */
  readonly asked?: Facts['auth']
  readonly ran?: Facts['auth']
  /** What the step of the agent above says; else what is written down. */
  readonly leadSays?: JsonObject
  /** The agent that decides; the one that the contract names as the one above if nobody says. */
  readonly lead?: string
  /** The capability that it is about, as it is recorded. */
  readonly capability?: JsonObject
}

/** An agent above, that may be asked. */
export const LEAD = 'lead'
export const LEAD_FLOW = '019c1200-0000-7000-8000-0000000000aa'

function contractOfLead(agent_id: string): { readonly contract: Contract; readonly hash: Address } {
  const { parent_agent: _, ...alone } = contract
  const permissions = { ...contract.permissions, policy_kinds: ['RESOLVE_ESCALATION'] }
  const ofLead = { ...alone, agent_id, permissions }
  return { contract: ofLead, hash: computeAddress('contract', ofLead, sha256) }
}

/** Its own step, in its own flow; whether anybody writes down what it says is another thing. */
function leadDecides(builder: LedgerBuilder, lead: string, params: JsonObject): void {
  const scopes = [{ kind: 'RESOLVE_ESCALATION' }]
  const { hash } = contractOfLead(lead)
  const body = writBody(builder, { subject: lead, nonce: LEAD_FLOW, scopes })
  const flow = { dfid: LEAD_FLOW, agent_id: lead, contract: { hash, seq: 9 } }
  const step = { policy_kind: 'RESOLVE_ESCALATION', params }
  const own = { dfid: LEAD_FLOW, agent_id: lead, contract_hash: hash }
  dispatch(builder, grant(builder, body, flow), { ...own, ...step })
}

/** A request, its approval, and the dispatch; each as the case says. */
export function ledger(change: Case = {}): { readonly builder: LedgerBuilder; again(): void } {
  const builder = new LedgerBuilder()
  const described = { ...capability, ...ratedBy(change.request), ...change.capability }
  const own = { capability_hash: computeAddress('capability', described, sha256) }
  const resolving = { ...capability, kind: 'RESOLVE_ESCALATION' }
  const capabilities = [
    { capability: described, ...own },
    { capability: resolving, capability_hash: computeAddress('capability', resolving, sha256) },
  ]
  bootstrap(builder, rulesBody({ capabilities }))
  const { lead = LEAD } = change
  const { contract: ofLead, hash: contract_hash } = contractOfLead(lead)
  builder.decree('contract', { ...DEPLOY, contract: ofLead, contract_hash })
  move(builder, null, 'INITIALIZING', 'operator', lead)
  move(builder, 'INITIALIZING', 'ACTIVE', 'registry', lead)
  for (const key of [ANN, BOB, JANE, SECOND]) builder.addKey(key)
  if (change.asked !== undefined) builder.addKey(BOT)
  register(builder, 'p_ann', { key_id: ANN.id })
  register(builder, 'p_bob', { key_id: BOB.id })
  register(builder, OWNER, { key_id: JANE.id })
  register(builder, 'p_ann2', { commitment: OTHER }, { key_id: SECOND.id })
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const effect_ceiling = { read: true, write: true, external: true, irreversible: true }
  const writId = grant(builder, writBody(builder, { effect_ceiling }))
  const { trace = TRACE, asked, ran } = change
  const then = { ...own, staged_at: ASKED_AT }
  const { record } = decide(builder, writId, then, {
    trace: [...measuredBy(change.request), ...(TRACE as readonly JsonValue[])],
    proposal: isModified(change) ? {} : (change.proposal ?? {}),
    ...(asked ? { auth: asked } : {}),
  })
  const { intent: _, jit: __, ...decision } = record
  const proposal = writtenOver(decision, change)
  const bound = { trace, proposal }
  const digest = digestOf(decide(builder, writId, own, bound).intent)
  const { reversible, kind } = described
  const words = change.request?.impact === 'HIGH_IMPACT' ? { acknowledge: kind } : {}
  asks(builder, digest, { reversible, ...words, ...change.request }, decision)
  const { vouched_by = 'operator', releases = digest } = change
  const typed = change.body?.acknowledged_impact === undefined ? {} : { acknowledgement: kind }
  const body =
    change.request?.acknowledge === undefined ? { ...typed, ...change.body } : (change.body ?? {})
  const word = body.decision ?? 'OVERRIDE'
  const {
    approver: _a,
    person: _p,
    dfid: _d,
    modification: _m,
    ...said
  } = {
    ...approvalOf(digest),
    ...body,
  }
  leadDecides(builder, lead, { ...(said as unknown as JsonObject), ...change.leadSays })
  approves(builder, { ...approvalOf(digest), ...body }, { ...change, vouched_by, releases })
  const fact: ApprovalFact = {
    request_id: REQUEST,
    decision: word === 'MODIFY' ? 'MODIFY' : 'OVERRIDE',
    approver: body.approver ?? 'ann@example.com',
    decisions: 1,
    binds: releases ?? digest,
    rules_hash: OTHER,
    lifts: body.lifts ?? ['kind'],
    impact: (change.modification?.impact ?? change.request?.impact ?? 'LOW_IMPACT') as Impact,
    past: (change.request?.past ?? PAST) as ApprovalFact['past'],
    valid_until: '2026-02-01T09:50:00.000Z',
    decided_at: builder.now(),
    ...change.approval,
  }
  let isFirst = true
  const again = (): void => {
    const approval: Partial<IntentBody> = change.approval === null ? {} : { approval: fact }
    const spoken = { ...bound, ...(ran === undefined ? {} : { auth: ran }) }
    // What was approved is one step; without an approval the next is another.
    const step_id = isFirst || change.approval !== null ? 'step-1' : 'step-2'
    isFirst = false
    const { record } = decide(builder, writId, { ...own, step_id, ...approval }, spoken)
    const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
    builder.append('main', 'dispatch', { ...record, send: 1 }, place)
  }
  again()
  return { builder, again }
}

export const PAST = { successes: 0, of_kind: 0, largest: null }
export const ANN: SampleKey = sampleKey('approver', 'ann')
/** Once somebody has a key for approving, everybody who decides has one. */
export const BOB: SampleKey = sampleKey('approver', 'bob')
export const JANE: SampleKey = sampleKey('approver', 'jane')
export const SECOND: SampleKey = sampleKey('approver', 'ann2')
/** A key of the agent's own. */
export const BOT: SampleKey = { ...sampleKey('agent', 'bot'), subject: contract.agent_id }

export function register(
  builder: LedgerBuilder,
  person_id: string,
  ...identities: JsonObject[]
): void {
  builder.decree('person', { action: 'register', person_id, identities })
}

export function digestOf(intent: JsonObject): Address {
  return computeApprovedDigest(intent as unknown as SignedIntent, 'OVERRIDE', sha256)
}

/** Long enough ago for everybody to have read it. */
const ASKED_AT = '2026-02-01T09:00:05.000Z'
/** The earliest at which that may be. */
export const READ: string = secondsAfter(ASKED_AT, 10)

export function asks(
  builder: LedgerBuilder,
  intent_digest: Address,
  change: JsonObject = {},
  decision: JsonObject = {},
  dfid: string = DFID,
): void {
  const { now = ASKED_AT } = isObject(decision.facts) ? decision.facts : {}
  const requested_at = String(now)
  const request = {
    id: REQUEST,
    ...namesOf(decision),
    dfid,
    intent_digest,
    shown_snapshot: 'snapshot-1',
    expires_at: secondsAfter(requested_at, 3600),
    triggers: TRIGGERS,
    impact: 'LOW_IMPACT',
    impact_reasons: change.impact === 'HIGH_IMPACT' ? [RATED] : [],
    exposure: null,
    past: PAST,
    needs: 1,
    agent_id: contract.agent_id,
    persons: { owner: OWNER, approvers: [] },
    approvers: [],
    requested_at,
    not_before: secondsAfter(requested_at, 10),
    channel: 'operator',
    rules_hash: OTHER,
    ...change,
  }
  const payload = { salt: '', attempt: 1, ...decision, request }
  builder.append('main', 'pending_approval', payload, { dfid })
}

/** A capability that is as much as a request says, for the reasons that it gives. */
function ratedBy({ impact, impact_reasons = [RATED], exposure }: JsonObject = {}): JsonObject {
  const reasons = impact_reasons as readonly string[]
  if (isObject(exposure)) {
    const { measure = '', threshold = '' } = exposure
    return { exposure: { measure, threshold } }
  }
  if (impact !== 'HIGH_IMPACT') return {}
  const risk = reasons.includes(RATED) ? 'high' : 'low'
  return { risk, reversible: !reasons.includes('irreversible') }
}

/** What was computed is what the request says. */
function measuredBy({ exposure }: JsonObject = {}): readonly JsonValue[] {
  if (!isObject(exposure)) return []
  const measures = { [String(exposure.measure)]: exposure.value ?? null }
  return [{ stage: 'preconditions', said: 'pass', read: [], measures }]
}

/** A person wrote it: it takes the place of what was asked. */
function isModified({ proposal }: Case): boolean {
  return proposal?.supersedes !== undefined
}

function writtenOver({ proposal: asked = null }: JsonObject, change: Case): JsonObject {
  if (!isModified(change)) return change.proposal ?? {}
  return { ...change.proposal, supersedes: computeAddress('proposal', asked, sha256) }
}

/** The proposal that people are shown. */
export function shownIn({ entries }: LedgerBuilder): JsonObject {
  const { payload } = entries.find(({ envelope }) => envelope.kind === 'pending_approval') ?? {}
  return (JSON.parse(payload ?? '{}') as { proposal: JsonObject }).proposal
}

/** The request once more, as it is put before others. */
export function forwards(builder: LedgerBuilder, change: JsonObject): void {
  const { payload } =
    builder.entries.find(({ envelope }) => envelope.kind === 'pending_approval') ?? {}
  const { request } = JSON.parse(payload ?? '{}') as { request: JsonObject }
  const again = { salt: '', attempt: 1, request: { ...request, ...change } }
  builder.append('main', 'pending_approval', again, { dfid: DFID })
}

const RATED = 'risk_high'

/** What a request says of the proposal that it shows. */
function namesOf({ proposal, facts_hash = null }: JsonObject): JsonObject {
  if (!isObject(proposal)) return { kind: 'asked', step_id: null, attempt: 1, proposal_hash: null }
  const proposal_hash = computeAddress('proposal', proposal, sha256)
  const { step_id = 'step-1' } = proposal
  return { kind: 'proposal', step_id, attempt: 1, proposal_hash, facts_digest: facts_hash }
}

export function approvalOf(intent_digest: Address): ApprovalBody {
  return {
    request_id: REQUEST,
    dfid: DFID,
    decision: 'OVERRIDE',
    approver: 'ann@example.com',
    person: 'p_ann',
    intent_digest,
    shown_snapshot: 'snapshot-1',
    lifts: ['kind'],
    valid_until: '2026-02-01T09:50:00.000Z',
    justification: 'needed',
  }
}

export function approves(
  builder: LedgerBuilder,
  { person, ...said }: ApprovalBody,
  change: Case,
): void {
  const { vouched_by = 'operator', releases = null, signer, without, stands = DFID } = change
  const { modification, self_approval } = change
  const isPerson = person !== undefined && person !== ''
  const whole = isPerson ? { ...said, person } : said
  const body = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== without))
  const own = { approver: ANN, operator: builder.operator, kernel: builder.kernel }[vouched_by]
  const signature = { ...(signer?.(builder) ?? own).sign('approval', body as unknown as JsonValue) }
  const judged = modification === undefined ? {} : { modification }
  const itself = self_approval === undefined ? {} : { self_approval }
  const entry = { salt: '', body, vouched_by, releases, signature, ...judged, ...itself }
  const payload = entry as unknown as JsonObject
  builder.append('main', 'approval', payload, { dfid: stands })
}

export async function found(change: Case = {}): Promise<string[]> {
  return places(await verifyTwice(ledger(change).builder.text()))
}

export const ORDER = (leaf: number): string => `${leaf} AUTHORITY_ORDER`
export const SIGNED = (leaf: number): string => `${leaf} ENTRY_SIGNATURE`
export const DECIDED: number = ASKED + 4
export const RAN: number = ASKED + 5
export const REQUESTED: number = ASKED + 1

export function dispatchedIn(builder: LedgerBuilder): JsonObject {
  const { payload } = builder.entries.findLast(({ envelope }) => envelope.kind === 'dispatch') ?? {}
  return (JSON.parse(payload ?? '{}') as { intent: JsonObject }).intent
}
