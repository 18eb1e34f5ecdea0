/**
 * Was everything that was taken back done before, chosen by somebody, and taken back once?
 *
 * 1. An intent that undoes another stands after the commit of that one, in the same flow.
 * 2. It stands after the dispatch of the COMPENSATE that it names, and under the same authority, is what was
 *    chosen there by an agent that answers for the flow, and undoes what that flow did, or one below it; a choice
 *    that was made in a branch undoes nothing outside of it.
 *    In the place of a COMPENSATE stands a proven intent that has failed, where it says so (REVERT_STATE).
 *    It is what was done, by the same capability with the same parameters, in the step kept for that.
 * 3. A commit says what it undoes exactly where its intent does, and nothing is undone twice.
 * 4. What a person has settled is neither sent to be undone, for the first time or again, nor undone; and
 *    nobody settles what is being undone.
 * 5. COMPENSATING names who chose it for that flow, and stands behind the choice: the dispatch of the COMPENSATE,
 *    or the failure for which it was fixed.
 */
import {
  type Address,
  ALERT_HUMAN,
  type CommitPayload,
  computeAddressOfText,
  type JsonObject,
  mayChooseFor,
  type SagaPayload,
  type SettlePayload,
  type Sha256,
  type SignedIntent,
  toCanonicalText,
  toUndoStep,
} from 'rubicon-kernel'
import type { AuthorityState } from '../authority/authority-state.ts'
import { LONGEST_CHAIN } from '../authority/writs.ts'
import type { PackedMap } from '../compact-records/packed-map.ts'
import type { Kept } from '../compact-records/parts.ts'
import type { MemberTexts } from '../reading/member-texts.ts'
import { getMemberTexts, type ReadEntry } from '../reading/read-entry.ts'
import { KNOWN_INTENT, type Known, NOT_KNOWN, type Origin } from './known-intent.ts'
import { findChoice, formatAuthorityKey } from './undo-choice.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Compensations = { readonly check: (entry: ReadEntry) => readonly string[] }

type State = {
  readonly sha256: Sha256
  readonly authority: Authority
  readonly intents: PackedMap<Known>
  readonly undone: Set<Address>
  /** Intents whose effects a person has settled. */
  readonly settled: Set<Address>
  /** Intents that say what follows their failure, and have failed. */
  readonly failed: Set<Address>
  /** What is being undone: no undoing of it has an outcome. */
  readonly underWay: Set<Address>
  /** Flows of which a dispatch was erased: it may have been the choice. */
  readonly erased: Set<string>
}

type Authority = Pick<AuthorityState, 'flows' | 'writs' | 'contracts' | 'whole'>

/** After `authority` has taken in the same entry. */
export function createCompensations(
  sha256: Sha256,
  authority: Authority,
  kept: Kept,
): Compensations {
  const state: State = {
    sha256,
    authority,
    intents: kept.intents.part(KNOWN_INTENT),
    undone: new Set(),
    settled: new Set(),
    failed: new Set(),
    underWay: new Set(),
    erased: new Set(),
  }
  return {
    check: (entry) => foldCompensationEntry(state, entry),
  }
}

function foldCompensationEntry(state: State, entry: ReadEntry): readonly string[] {
  const { envelope, payload, payloadText } = entry
  if (payload === null) {
    const isErased = payloadText === null && envelope.kind === 'dispatch'
    if (isErased && envelope.dfid !== undefined) state.erased.add(envelope.dfid)
    return []
  }
  switch (payload.kind) {
    case 'accepted':
      return foldIntent(state, payload.payload.intent, getMemberTexts(entry))
    case 'dispatch': {
      if (!('intent' in payload.payload)) return foldDispatchById(state, payload.payload.intent_id)
      const { intent } = payload.payload
      const found = foldIntent(state, intent, getMemberTexts(entry))
      send(state, intent.intent_id)
      return found
    }
    case 'resend':
      return foldDispatchById(state, payload.payload.body.intent_id)
    case 'commit':
      return foldCommit(state, payload.payload)
    case 'settle':
      if (isOver(payload.payload)) endUndoing(state, payload.payload.intent_id)
      fail(state, payload.payload)
      return []
    case 'evidence':
      return 'status' in payload.payload ? foldSagaMove(state, envelope, payload.payload) : []
    default:
      return []
  }
}

function foldSagaMove(
  state: State,
  { dfid = '' }: ReadEntry['envelope'],
  { status, details, settles = [] }: SagaPayload,
): readonly string[] {
  const found = settle(state, settles)
  const isBegun = status === 'COMPENSATING'
  return isBegun ? [...found, ...findBeginningProblems(state, dfid, details)] : found
}

/** Who chose it, and that it was chosen by then: what may still succeed is not being taken back. */
function findBeginningProblems(state: State, dfid: string, details: JsonObject): string[] {
  const { intent_id: id, dfid: by } = details
  if (typeof id !== 'string' || typeof by !== 'string') return ['it says of nobody who decided it']
  const known = getKnownIntent(state, id as Address)
  if (known.origin === null)
    return state.erased.has(by) || !state.authority.whole ? [] : ['nobody decided to undo it']
  const isIt = known.origin.chosen === JSON.stringify([dfid, details.action])
  if (!isIt || details.action === ALERT_HUMAN)
    return ['it names an entry that did not decide to undo it']
  return isChoiceMade(state, id as Address)
    ? []
    : ['it is begun before what decides it has happened']
}

/** A COMPENSATE is made by being sent; what was fixed for a failure, by the failure. */
function isChoiceMade(state: State, id: Address): boolean {
  const { origin, sent } = getKnownIntent(state, id)
  return sent && (origin?.isFixed !== true || state.failed.has(id))
}

/** By a person, with the flow that did it or one above. */
function settle(state: State, ids: readonly Address[]): readonly string[] {
  for (const id of ids) state.settled.add(id)
  return ids.some((id) => state.underWay.has(id)) ? ['it settles what is being undone'] : []
}

function isOver({ status }: SettlePayload): boolean {
  return status === 'FAILED' || status === 'ABANDONED'
}

function fail(state: State, { intent_id, status }: SettlePayload): void {
  if (status !== 'FAILED' || getKnownIntent(state, intent_id).origin?.isFixed !== true) return
  state.failed.add(intent_id)
}

function endUndoing(state: State, id: Address): void {
  const undoes = getKnownIntent(state, id).origin?.undoes ?? null
  if (undoes !== null) state.underWay.delete(undoes)
}

function getKnownIntent({ intents }: State, id: Address): Known {
  return intents.get(id) ?? NOT_KNOWN
}

function know(state: State, intent: SignedIntent, texts: MemberTexts): void {
  const { intent_id, dfid, compensation, step_id } = intent
  const choice = findChoice(intent)
  const origin: Origin = {
    undoing: computeUndoingAddress(state, intent, toUndoStep(step_id), texts),
    undoes: compensation?.of ?? null,
    choice: choice === null ? null : formatAuthorityKey(dfid, intent),
    chosen: choice === null ? null : JSON.stringify([choice.dfid, choice.action]),
    isFixed: choice?.isFixed === true,
  }
  state.intents.set(intent_id, { ...getKnownIntent(state, intent_id), origin })
}

/** Two documents are the same where their canonical texts are. */
function computeUndoingAddress(
  { sha256 }: State,
  { dfid, trajectory }: SignedIntent,
  step: string,
  texts: MemberTexts,
): string {
  const done = DONE.map((name) => texts.getText('intent', name))
  const text = `[${[dfid, trajectory, step].map(toCanonicalText).join(',')},${done.join(',')}]`
  return computeAddressOfText('undoing', text, sha256)
}

const DONE = ['capability', 'capability_hash', 'params', 'resources'] as const

/** Where an intent first stands, whether it is sent there or only accepted. */
function foldIntent(state: State, intent: SignedIntent, texts: MemberTexts): readonly string[] {
  const { compensation } = intent
  know(state, intent, texts)
  if (compensation === undefined) return []
  state.underWay.add(compensation.of)
  return [
    ...findOriginProblems(state, intent, texts, compensation.of),
    ...findChoiceProblems(state, intent, compensation),
    ...findSettledProblems(state, compensation.of),
  ]
}

function send(state: State, id: Address): Known {
  const known = { ...getKnownIntent(state, id), sent: true }
  state.intents.set(id, known)
  return known
}

/** Its intent stands in an earlier entry. */
function foldDispatchById(state: State, id: Address): readonly string[] {
  return findSettledProblems(state, send(state, id).origin?.undoes ?? undefined)
}

function findSettledProblems({ settled }: State, of: Address | undefined): string[] {
  return of !== undefined && settled.has(of) ? ['it undoes what a person has settled'] : []
}

function findOriginProblems(
  state: State,
  undo: SignedIntent,
  texts: MemberTexts,
  of: Address,
): string[] {
  const { origin, committed } = getKnownIntent(state, of)
  if (origin === null || !committed) return ['it undoes what was not committed']
  const { policy_kind, constraints, cost, on_failure } = undo
  const isFree =
    on_failure === undefined &&
    Object.keys(constraints).length === 0 &&
    Object.keys(cost).length === 0
  const isIt = computeUndoingAddress(state, undo, undo.step_id, texts) === origin.undoing
  if (isFree && isIt && policy_kind === 'COMPENSATE') return []
  return ['it undoes an effect of another flow, or is not the inverse of it']
}

function findChoiceProblems(
  state: State,
  undo: SignedIntent,
  { chosen, dfid, action }: NonNullable<SignedIntent['compensation']>,
): string[] {
  const { origin } = getKnownIntent(state, chosen)
  if (origin === null) return state.erased.has(dfid) ? [] : ['nobody decided to undo it']
  if (!isChoiceMade(state, chosen) || origin.choice === null)
    return ['it names an entry that did not decide to undo it']
  const isSame = origin.choice === formatAuthorityKey(dfid, undo)
  if (!isSame) return ['its authority is not that of the decision to undo, or of another flow']
  const [about, wanted] = JSON.parse(origin.chosen ?? '[]') as readonly unknown[]
  const isIt = wanted === action && isBelow(state.authority, undo.dfid, about)
  if (!isIt) return ['another effect was to be undone, or one of another flow']
  const chooser = state.authority.flows.get(dfid)?.trajectory
  if (chooser !== undefined && !mayChooseFor(chooser, undo.trajectory))
    return ['it was chosen in a branch, and stands outside of that']
  return isAnswerableFor(state.authority, undo.agent_id, String(about))
    ? []
    : ['the agent that chose it is not responsible for the flow']
}

/** It is the agent's own flow, below one of its own, or of an agent whose contract names it as the one above. */
function isAnswerableFor(
  { flows, writs, contracts }: Authority,
  agent: string,
  dfid: string,
): boolean {
  const flow = flows.get(dfid)
  if (flow === undefined) return writs.isErasedOf(dfid)
  if (flow.agent === agent) return true
  if (contracts.get(flow.agent, flow.contract)?.contract.parent_agent === agent) return true
  const parent = writs.get(flow.writ)?.parent
  if (parent === undefined) return false
  return writs.isErased(parent) || writs.get(parent)?.subject === agent
}

/** Whether a flow is the other one, or below it: then its writ is made from that of the other one. */
function isBelow({ flows, writs }: Authority, dfid: string, above: unknown): boolean {
  if (dfid === above) return true
  const top = flows.get(String(above))?.writ
  let link = flows.get(dfid)?.writ
  for (let links = 0; link !== undefined && links < LONGEST_CHAIN; links += 1) {
    if (link === top) return true
    const body = writs.get(link)
    // How it goes on was erased.
    if (body === undefined) return writs.isErased(link)
    link = body.parent
  }
  return false
}

function foldCommit(state: State, { intent_id, compensates }: CommitPayload): readonly string[] {
  const known = { ...getKnownIntent(state, intent_id), committed: true }
  state.intents.set(intent_id, known)
  endUndoing(state, intent_id)
  if ((known.origin?.undoes ?? undefined) !== compensates)
    return ['it names another effect to undo than its intent does']
  if (compensates === undefined) return []
  const again = state.undone.has(compensates)
  state.undone.add(compensates)
  return [...(again ? ['it was undone before'] : []), ...findSettledProblems(state, compensates)]
}
