/**
 * Was everything put right where a flow is said to be?
 *
 * 1. Where a flow is called COMPENSATED, or a person settles it as a whole, no effect of it, or of a flow below
 *    it, is left: each has failed, was given up or undone, or a person has settled it.
 * 2. What is settled is an effect of that flow or below it, and was left until then. The entry holds the word
 *    of the person: who, why, and that it was put right (COMPENSATED) or stays as it is (SETTLED).
 * 3. SETTLED without naming effects follows what a person said of a step of the flow since it became half done.
 * 4. A flow is half done once at a time, and only one that is half done is put right.
 * 5. Where an effect of a flow fails and another one of it stands, the next entry of the flow says that it is
 *    half done: nothing else would hold its agent back. Where the one that failed says what follows, the entry
 *    after that says that it was begun.
 *
 * Effects are counted in the flow that did them and in every flow above it, so that one number answers for
 * all that is below. Where a flow above was erased, so may be the word of a person: then nothing is said.
 */
import {
  type Address,
  ERASURE,
  isReserved,
  type OnFailure,
  type SagaPayload,
  type SettlePayload,
  type SignedIntent,
} from 'rubicon-kernel'
import type { AuthorityState } from '../authority/authority-state.ts'
import { LONGEST_CHAIN } from '../authority/writs.ts'
import type { PackedMap, Packing } from '../compact-records/packed-map.ts'
import { readOptional, writeOptional } from '../compact-records/packings.ts'
import type { Kept } from '../compact-records/parts.ts'
import { type Capabilities, createCapabilities } from '../effects/capabilities.ts'
import { isWordOfPerson } from '../effects/word-of-person.ts'
import { type ReadEntry, toPlace } from '../reading/read-entry.ts'
import type { Finding } from '../report/report.ts'
import { describeUnsaid, listWantedMoves, type Unsaid } from './after-failure.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Compensated = {
  readonly check: (entry: ReadEntry) => readonly string[]
  /** What was never said of a flow, where it should have been. */
  readonly close: () => readonly Finding[]
}

type Authority = Pick<AuthorityState, 'flows' | 'writs' | 'intents'>

/** Of an effect: whether it may be there and nobody has put it right. Reads and reserved kinds have none. */
type Effect = {
  readonly isLeft: boolean
  /** It has happened. */
  readonly isDone: boolean
  /** What follows where it fails; null: somebody chooses. */
  readonly onFailure: OnFailure | null
}

type FlowEffects = {
  /** In it and below it. */
  readonly left: number
  /** What has happened and is left, in it alone. */
  readonly done: number
  readonly isHalfDone: boolean
  /** A person has said of one of its steps what became of it, since it is half done. */
  readonly hasWord: boolean
}

type State = {
  readonly authority: Authority
  readonly capabilities: Capabilities
  readonly effects: PackedMap<Effect>
  readonly flows: PackedMap<FlowEffects>
  /** Flows that have to be called half done next: where the effect failed. */
  readonly unsaid: Map<string, Unsaid>
  readonly whole: boolean
  /** Dispatches that were erased, and nobody has settled so far: what is settled may have been one of them. */
  erasedDispatches: number
}

const EFFECTS: Packing<Effect> = {
  write(record, { isLeft, isDone, onFailure }) {
    record.writeFlag(isLeft)
    record.writeFlag(isDone)
    writeOptional(record, onFailure, (word) => record.name(word))
  },
  read: (record) => ({
    isLeft: record.readFlag(),
    isDone: record.readFlag(),
    onFailure: readOptional(record, () => record.name() as OnFailure),
  }),
}

const FLOW_EFFECTS: Packing<FlowEffects> = {
  write(record, { left, done, isHalfDone, hasWord }) {
    record.count(left)
    record.count(done)
    record.writeFlag(isHalfDone)
    record.writeFlag(hasWord)
  },
  read: (record) => ({
    left: record.count(),
    done: record.count(),
    isHalfDone: record.readFlag(),
    hasWord: record.readFlag(),
  }),
}

const NOTHING: FlowEffects = { left: 0, done: 0, isHalfDone: false, hasWord: false }

/** After `authority` has taken in the same entry. */
export function createCompensated(authority: AuthorityState, kept: Kept): Compensated {
  const state: State = {
    authority,
    capabilities: createCapabilities(),
    effects: kept.intents.part(EFFECTS),
    flows: kept.flows.part(FLOW_EFFECTS),
    unsaid: new Map(),
    whole: authority.whole,
    erasedDispatches: 0,
  }
  return {
    check: (entry) => [...findUnsaidProblems(state, entry), ...foldSagaEntry(state, entry)],
    close: () =>
      [...state.unsaid.values()].map(({ place, wanted }) => {
        return { ...place, code: 'AUTHORITY_ORDER', detail: describeUnsaid(wanted) }
      }),
  }
}

/** The unit that records the failure says so, right behind it. */
function findUnsaidProblems(
  { unsaid }: State,
  { envelope, payload }: ReadEntry,
): readonly string[] {
  const { dfid = '', trajectory } = envelope
  if (unsaid.size === 0 || trajectory === ERASURE) return []
  const expected = unsaid.get(dfid)
  if (expected === undefined) return []
  unsaid.delete(dfid)
  const { place, wanted } = expected
  const [next, ...rest] = wanted
  const isSaid =
    payload?.kind === 'evidence' && 'status' in payload.payload && payload.payload.status === next
  if (!isSaid) return [describeUnsaid(wanted)]
  if (rest.length > 0) unsaid.set(dfid, { place, wanted: rest })
  return []
}

function foldSagaEntry(state: State, entry: ReadEntry): readonly string[] {
  const { envelope, payload, payloadText } = entry
  const { dfid = '' } = envelope
  if (payloadText === null && envelope.kind === 'dispatch') state.erasedDispatches += 1
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
      const { intent_id, compensates } = payload.payload
      if (compensates === undefined) recordSuccess(state, dfid, intent_id)
      else end(state, compensates)
      return []
    }
    case 'settle': {
      const { intent_id, status } = payload.payload
      if (ENDS.includes(status)) end(state, intent_id)
      const effect = state.effects.get(intent_id)
      if (status === 'FAILED' && effect !== undefined) fail(state, entry, dfid, effect)
      return []
    }
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

function begin(state: State, intent: SignedIntent): void {
  const { intent_id, dfid, policy_kind, capability_hash } = intent
  const onFailure = intent.on_failure ?? null
  const isRead = state.capabilities.get(capability_hash)?.effect === 'read'
  if (isRead || isReserved(policy_kind) || state.effects.has(intent_id)) return
  state.effects.set(intent_id, { isLeft: true, isDone: false, onFailure })
  count(state, dfid, 1)
}

function recordSuccess(state: State, dfid: string, id: Address): void {
  const effect = state.effects.get(id)
  if (effect?.isLeft !== true || effect.isDone) return
  state.effects.set(id, { ...effect, isDone: true })
  countDone(state, dfid, 1)
}

function end(state: State, id: Address): void {
  const effect = state.effects.get(id)
  if (effect?.isLeft !== true) return
  state.effects.set(id, { ...effect, isLeft: false })
  const dfid = state.authority.intents.get(id)?.dfid
  if (dfid === undefined) return
  count(state, dfid, -1)
  if (effect.isDone) countDone(state, dfid, -1)
}

/** An effect of the flow: half of the job stands where another one of it has happened. */
function fail(state: State, entry: ReadEntry, dfid: string, { onFailure }: Effect): void {
  const { done, isHalfDone } = state.flows.get(dfid) ?? NOTHING
  if (done === 0 || isHalfDone || listFlowsUpwards(state.authority, dfid).includes(null)) return
  state.unsaid.set(dfid, { place: toPlace(entry), wanted: listWantedMoves(onFailure) })
}

function countDone(state: State, dfid: string, by: number): void {
  change(state, dfid, { done: Math.max(0, (state.flows.get(dfid)?.done ?? 0) + by) })
}

function count(state: State, dfid: string, by: number): void {
  for (const at of listFlowsUpwards(state.authority, dfid)) {
    // What is above may have become known since it was counted up.
    if (at !== null) change(state, at, { left: Math.max(0, (state.flows.get(at)?.left ?? 0) + by) })
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
    found.push(isBegun ? 'its flow was DIRTY before' : 'its flow is not DIRTY')
  const isAll = status === 'COMPENSATED' || payload.settles !== undefined
  if (isAll && (state.flows.get(dfid)?.left ?? 0) > 0)
    found.push(`it is recorded as ${status}, and an effect is neither undone nor settled`)
  if (status === 'SETTLED' && payload.settles === undefined && !hasWord)
    found.push('it is recorded as SETTLED, and no person decided that')
  return found
}

const OUTCOMES: Readonly<Partial<Record<SagaPayload['status'], string>>> = {
  COMPENSATED: 'applied',
  SETTLED: 'abandon',
}

/** Effects are settled on the word of a person alone. */
function findWordProblems({ status, settles, details }: SagaPayload): string[] {
  if (settles === undefined) return []
  const fits = OUTCOMES[status] !== undefined && OUTCOMES[status] === details.outcome
  return isWordOfPerson(details) && fits ? [] : ['it settles effects, and no person decided that']
}

/** Of what was erased, or left out of a bundle, nobody knows where it was. */
function settle(state: State, dfid: string, id: Address): string[] {
  const { effects, authority } = state
  const of = authority.intents.get(id)?.dfid
  const isLeft = effects.get(id)?.isLeft
  if (of === undefined) {
    if (state.erasedDispatches === 0) return state.whole ? ['it settles an unknown effect'] : []
    state.erasedDispatches -= 1
    return []
  }
  if (isLeft === undefined) return ['it settles an entry that is not an effect']
  end(state, id)
  if (!isLeft) return ['it settles an effect that was undone or settled before']
  const chain = listFlowsUpwards(authority, of)
  return chain.includes(dfid) || chain.includes(null) ? [] : ['it settles what another flow did']
}
