/**
 * Was everything that was taken back done before, chosen by somebody, and taken back once?
 *
 * 1. An intent that undoes another stands after the commit of that one, in the same flow.
 * 2. It stands after the dispatch of the COMPENSATE that it names, and under the same authority.
 *    It is what was done, by the same capability with the same parameters, in the step kept for that.
 * 3. A commit says what it undoes exactly where its intent does, and nothing is undone twice.
 * 4. What a person has settled is neither sent to be undone, for the first time or again, nor undone.
 */
import {
  type Address,
  type CommitPayload,
  type JsonValue,
  type PayloadOf,
  type SignedIntent,
  undoStep,
} from 'rubicon-kernel'
import { isSameJson } from './fold/same-json.ts'
import type { ReadEntry } from './read-entry.ts'
import type { Problem } from './report.ts'

export type Compensations = { readonly check: (entry: ReadEntry) => readonly Problem[] }

type State = {
  readonly intents: Map<Address, SignedIntent>
  /** Intents that were dispatched, and those that were committed. */
  readonly sent: Set<Address>
  readonly committed: Set<Address>
  readonly undone: Set<Address>
  /** Intents whose effects a person has settled. */
  readonly settled: Set<Address>
  /** Flows of which a dispatch was erased: it may have been the choice. */
  readonly erased: Set<string>
}

export function createCompensations(): Compensations {
  const state: State = {
    intents: new Map(),
    sent: new Set(),
    committed: new Set(),
    undone: new Set(),
    settled: new Set(),
    erased: new Set(),
  }
  return {
    check: (entry) =>
      details(state, entry).map((detail) => ({ code: 'AUTHORITY_ORDER' as const, detail })),
  }
}

function details(state: State, { envelope, payload, payloadText }: ReadEntry): readonly string[] {
  if (payload === null) {
    const isErased = payloadText === null && envelope.kind === 'dispatch'
    if (isErased && envelope.dfid !== undefined) state.erased.add(envelope.dfid)
    return []
  }
  switch (payload.kind) {
    case 'accepted':
      state.intents.set(payload.payload.intent.intent_id, payload.payload.intent)
      return []
    case 'dispatch':
      return dispatched(state, payload.payload)
    case 'resend':
      return sentById(state, payload.payload.body.intent_id)
    case 'commit':
      return committed(state, payload.payload)
    case 'evidence':
      if ('settles' in payload.payload)
        for (const id of payload.payload.settles ?? []) state.settled.add(id)
      return []
    default:
      return []
  }
}

function dispatched(state: State, payload: PayloadOf['dispatch']): readonly string[] {
  if (!('intent' in payload)) return sentById(state, payload.intent_id)
  const { intent } = payload
  state.intents.set(intent.intent_id, intent)
  state.sent.add(intent.intent_id)
  const { compensation } = intent
  if (compensation === undefined) return []
  return [
    ...originProblems(state, intent, compensation.of),
    ...choiceProblems(state, intent, compensation),
    ...settledProblems(state, compensation.of),
  ]
}

/** Its intent stands in an earlier entry. */
function sentById(state: State, id: Address): readonly string[] {
  state.sent.add(id)
  return settledProblems(state, state.intents.get(id)?.compensation?.of)
}

function settledProblems({ settled }: State, of: Address | undefined): string[] {
  return of !== undefined && settled.has(of) ? ['it undoes what a person has settled'] : []
}

function originProblems({ intents, committed }: State, undo: SignedIntent, of: Address): string[] {
  const origin = intents.get(of)
  if (origin === undefined || !committed.has(of)) return ['it undoes what was not committed']
  const isThere = origin.dfid === undo.dfid && origin.trajectory === undo.trajectory
  const found = isThere ? [] : ['it undoes what another flow did']
  return isOfOrigin(undo, origin) ? found : [...found, 'it does something else than to undo']
}

function isOfOrigin(undo: SignedIntent, origin: SignedIntent): boolean {
  const { policy_kind, step_id, constraints, cost } = undo
  const own = { policy_kind, step_id, constraints, cost }
  const wanted = { policy_kind: 'COMPENSATE', step_id: undoStep(origin.step_id) }
  return (
    isSameJson(own as JsonValue, { ...wanted, constraints: {}, cost: {} }) &&
    isSameJson(takenBack(undo), takenBack(origin))
  )
}

function takenBack({ capability, capability_hash, params, resources }: SignedIntent): JsonValue {
  return { capability, capability_hash, params, resources: resources as unknown as JsonValue }
}

function choiceProblems(
  { intents, sent, erased }: State,
  undo: SignedIntent,
  { chosen, dfid }: NonNullable<SignedIntent['compensation']>,
): string[] {
  const choice = intents.get(chosen)
  if (choice === undefined) return erased.has(dfid) ? [] : ['nobody chose to undo it']
  const found: string[] = []
  const isChoice = choice.policy_kind === 'COMPENSATE' && choice.compensation === undefined
  if (!sent.has(chosen) || !isChoice || choice.dfid !== dfid)
    found.push('what it names is no choice to undo it')
  const isSame =
    choice.agent_id === undo.agent_id &&
    choice.writ_id === undo.writ_id &&
    choice.contract_hash === undo.contract_hash &&
    choice.proposal_hash === undo.proposal_hash
  return isSame ? found : [...found, 'it stands on other authority than the choice']
}

function committed(state: State, payload: CommitPayload): readonly string[] {
  const { intent_id, compensates } = payload
  state.committed.add(intent_id)
  const intent = state.intents.get(intent_id)
  if (intent?.compensation?.of !== compensates)
    return ['it says otherwise than its intent what it undoes']
  if (compensates === undefined) return []
  const again = state.undone.has(compensates)
  state.undone.add(compensates)
  return [...(again ? ['it was undone before'] : []), ...settledProblems(state, compensates)]
}
