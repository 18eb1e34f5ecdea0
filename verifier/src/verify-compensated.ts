/**
 * Was everything put right where a flow is said to be?
 *
 * 1. Where a flow is called COMPENSATED, no effect of it, or of a flow below it, is left: each has failed,
 *    was given up or undone, or a person has settled it.
 * 2. What is settled is of that flow or below it, and was left until then. The entry holds the word of the
 *    person: who, why, and that it was put right (COMPENSATED) or stays as it is (SETTLED).
 * 3. SETTLED without naming effects follows what a person said of a step of the flow since it became half done.
 * 4. A flow is half done once at a time, and only one that is half done is put right.
 *
 * Effects are counted in the flow that did them and in every flow above it, so that one number answers for
 * all that is below. Where a flow above was erased, so may be the word of a person: then nothing is said.
 */
import {
  type Address,
  isReserved,
  type SagaPayload,
  type SettlePayload,
  type SignedIntent,
} from 'rubicon-kernel'
import type { AuthorityState } from './authority-state.ts'
import { type Capabilities, createCapabilities } from './fold/capabilities.ts'
import type { PackedMap, Packing } from './kept/packed-map.ts'
import type { Kept } from './kept/parts.ts'
import type { ReadEntry } from './read-entry.ts'
import { LONGEST_CHAIN } from './writs.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Compensated = { readonly check: (entry: ReadEntry) => readonly string[] }

type Authority = Pick<AuthorityState, 'flows' | 'writs' | 'intents'>

/** Of an effect: whether it may be there and nobody has put it right. Reads and reserved kinds have none. */
type Effect = { readonly isLeft: boolean }

type FlowEffects = {
  /** In it and below it. */
  readonly left: number
  readonly isHalfDone: boolean
  /** A person has said of one of its steps what became of it, since it is half done. */
  readonly hasWord: boolean
}

type State = {
  readonly authority: Authority
  readonly capabilities: Capabilities
  readonly effects: PackedMap<Effect>
  readonly flows: PackedMap<FlowEffects>
}

const EFFECTS: Packing<Effect> = {
  write: (record, { isLeft }) => record.writeFlag(isLeft),
  read: (record) => ({ isLeft: record.readFlag() }),
}

const FLOW_EFFECTS: Packing<FlowEffects> = {
  write(record, { left, isHalfDone, hasWord }) {
    record.count(left)
    record.writeFlag(isHalfDone)
    record.writeFlag(hasWord)
  },
  read: (record) => ({
    left: record.count(),
    isHalfDone: record.readFlag(),
    hasWord: record.readFlag(),
  }),
}

const NOTHING: FlowEffects = { left: 0, isHalfDone: false, hasWord: false }

/** After `authority` has taken in the same entry. */
export function createCompensated(authority: Authority, kept: Kept): Compensated {
  const state: State = {
    authority,
    capabilities: createCapabilities(),
    effects: kept.intents.part(EFFECTS),
    flows: kept.flows.part(FLOW_EFFECTS),
  }
  return { check: (entry) => foldSagaEntry(state, entry) }
}

function foldSagaEntry(state: State, { envelope, payload }: ReadEntry): readonly string[] {
  const { dfid = '' } = envelope
  switch (payload?.kind) {
    case 'policy':
      state.capabilities.fold(payload.payload.body)
      return []
    case 'accepted':
      begin(state, payload.payload.intent)
      return []
    case 'dispatch':
      if ('intent' in payload.payload) begin(state, payload.payload.intent)
      return []
    case 'commit': {
      const { compensates } = payload.payload
      if (compensates !== undefined) end(state, compensates)
      return []
    }
    case 'settle':
      if (ENDS.includes(payload.payload.status)) end(state, payload.payload.intent_id)
      return []
    case 'evidence':
      if ('status' in payload.payload) return foldSagaMove(state, dfid, payload.payload)
      if (payload.payload.source === 'person') change(state, dfid, { hasWord: true })
      return []
    default:
      return []
  }
}

/** It did not happen, or a person has given it up. */
const ENDS: readonly SettlePayload['status'][] = ['FAILED', 'ABANDONED']

function begin(
  state: State,
  { intent_id, dfid, policy_kind, capability_hash }: SignedIntent,
): void {
  const isRead = state.capabilities.get(capability_hash)?.effect === 'read'
  if (isRead || isReserved(policy_kind) || state.effects.has(intent_id)) return
  state.effects.set(intent_id, { isLeft: true })
  count(state, dfid, 1)
}

function end(state: State, id: Address): void {
  if (state.effects.get(id)?.isLeft !== true) return
  state.effects.set(id, { isLeft: false })
  const dfid = state.authority.intents.get(id)?.dfid
  if (dfid !== undefined) count(state, dfid, -1)
}

function count(state: State, dfid: string, by: number): void {
  for (const at of listFlowsUpwards(state.authority, dfid)) {
    if (at !== null) change(state, at, { left: (state.flows.get(at)?.left ?? 0) + by })
  }
}

function change({ flows }: State, dfid: string, changed: Partial<FlowEffects>): void {
  flows.set(dfid, { ...(flows.get(dfid) ?? NOTHING), ...changed })
}

/** The flow and those above it; null at the end: what is above was erased, or is left out. */
function listFlowsUpwards({ flows, writs }: Authority, dfid: string): readonly (string | null)[] {
  const found: (string | null)[] = [dfid]
  let link = flows.get(dfid)?.writ
  if (link === undefined) return [dfid, null]
  while (found.length < LONGEST_CHAIN) {
    const parent: Address | undefined = link === undefined ? undefined : writs.get(link)?.parent
    if (parent === undefined) return found
    const above = writs.get(parent)?.nonce ?? null
    found.push(above)
    if (above === null) return found
    link = parent
  }
  return found
}

function foldSagaMove(state: State, dfid: string, payload: SagaPayload): readonly string[] {
  const { status, settles = [] } = payload
  const { isHalfDone, hasWord } = state.flows.get(dfid) ?? NOTHING
  const chain = listFlowsUpwards(state.authority, dfid)
  const isKnown = !chain.includes(null)
  const found = findWordProblems(payload)
  for (const id of settles) found.push(...settle(state, dfid, id))
  const isOver = status === 'COMPENSATED' || status === 'SETTLED'
  const isBegun = status === 'PARTIAL_SUCCESS_DIRTY'
  if (isBegun || isOver) change(state, dfid, { isHalfDone: isBegun, hasWord: false })
  if (!isKnown) return found
  if (isHalfDone === isBegun)
    found.push(isBegun ? 'its flow was half done before' : 'its flow is not half done')
  if (status === 'COMPENSATED' && (state.flows.get(dfid)?.left ?? 0) > 0)
    found.push('it is called COMPENSATED, and an effect is neither undone nor settled')
  if (status === 'SETTLED' && payload.settles === undefined && !hasWord)
    found.push('it is called SETTLED, and no person said so')
  return found
}

const OUTCOMES: Readonly<Partial<Record<SagaPayload['status'], string>>> = {
  COMPENSATED: 'applied',
  SETTLED: 'abandon',
}

/** Effects are settled on the word of a person alone. */
function findWordProblems({ status, settles, details }: SagaPayload): string[] {
  if (settles === undefined) return []
  const { by, justification, outcome } = details
  const isSaid = [by, justification].every((text) => typeof text === 'string' && text !== '')
  const fits = OUTCOMES[status] !== undefined && OUTCOMES[status] === outcome
  return isSaid && fits ? [] : ['it settles effects without the word of a person']
}

/** Of what was erased, or left out of a bundle, nobody knows where it was. */
function settle(state: State, dfid: string, id: Address): string[] {
  const { effects, authority } = state
  const of = authority.intents.get(id)?.dfid
  const isLeft = effects.get(id)?.isLeft
  if (of === undefined || isLeft === undefined) return []
  end(state, id)
  if (!isLeft) return ['it settles what was over before']
  const chain = listFlowsUpwards(authority, of)
  return chain.includes(dfid) || chain.includes(null) ? [] : ['it settles what another flow did']
}
