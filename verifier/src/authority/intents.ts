/**
 * What becomes of intents: accepted, dispatched, committed, settled, abandoned, each after what it needs
 * to come after, and every send inside authority that stood at its place; sent again in `resends.ts`.
 *
 * With executors of their own an intent is accepted first, and a later dispatch names the place where
 * that was; it answers to the authority of its own moment. Without them the first dispatch carries it.
 */
import type {
  AcceptedPayload,
  Address,
  CarryOutPayload,
  CommitPayload,
  DispatchPayload,
  SettlePayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { Intent, Ruled } from '../compact-records/flow-rows.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { findAskedStep } from './asked-steps.ts'
import type { AuthorityState } from './authority-state.ts'
import { findSpeakerKey, findSpeakerProblems } from './speaker.ts'
import { findRuleOrderProblems, findStandingProblems } from './standing.ts'

/** Decided and not sent: only whether it can have been decided so. */
export function foldAccepted(
  state: AuthorityState,
  entry: ReadEntry,
  { intent, facts }: AcceptedPayload,
  authoritySeq: number,
): string[] {
  const found = [...findRepeatProblems(state, intent), ...findRulesProblems(state, intent)]
  // A bundle leaves authority entries out, so that there it cannot be seen how many there were.
  if (state.whole && facts !== undefined && facts.authority_seq > authoritySeq)
    found.push('its facts are newer than the authority before it')
  if (state.intents.has(intent.intent_id)) return found
  const known = remember(state, entry, intent, null, facts)
  // Nor what it stood on.
  return state.whole ? [...found, ...findStandingProblems(state, known, entry.envelope.at)] : found
}

export function foldDispatched(
  state: AuthorityState,
  entry: ReadEntry,
  { intent, facts }: DispatchPayload,
): string[] {
  const found = [...findRepeatProblems(state, intent), ...findNewerFactsProblems(entry, facts)]
  found.push(...findRulesProblems(state, intent))
  const known = remember(state, entry, intent, 1, facts)
  if (known.asks !== null) state.asked.add(known.asks)
  // What is taken back stands on a choice, and carries the facts of that.
  if (intent.compensation === undefined)
    found.push(...findSpeakerProblems(state.keys, facts?.auth, intent.agent_id))
  const { at } = entry.envelope
  return [
    ...found,
    ...findRuleOrderProblems(state, known, at),
    ...findStandingProblems(state, known, at),
  ]
}

/** The dispatch of what was accepted: from here on an intent like any other. */
export function foldCarriedOut(
  state: AuthorityState,
  entry: ReadEntry,
  { intent_id, accepted: place, facts }: CarryOutPayload,
): string[] {
  const { envelope } = entry
  const known = state.intents.get(intent_id)
  const found = findNewerFactsProblems(entry, facts)
  if (known === undefined) return [...found, 'its intent was not accepted before it']
  if (known.asks !== null) state.asked.add(known.asks)
  found.push(...findFlowProblems(entry, known, 'accepted'))
  if (known.trajectory !== place.trajectory || known.acceptedSeq !== place.seq)
    found.push('its intent was accepted at another place than it states')
  if (findSpeakerKey(facts.auth) !== known.speaker)
    found.push('its proposal was sent with another key than when it was accepted')
  found.push(...findSpeakerProblems(state.keys, facts.auth, known.agent))
  if (known.abandoned) found.push('the intent was abandoned before')
  if (known.sends !== null) found.push('the intent was dispatched before')
  else state.intents.set(intent_id, { ...known, seq: envelope.seq, sends: 1 })
  const { at } = envelope
  return [
    ...found,
    ...findRuleOrderProblems(state, known, at),
    ...findStandingProblems(state, known, at),
  ]
}

/** What was accepted and not sent can be given back; everything else comes after a dispatch. */
export function foldSettled(
  state: AuthorityState,
  entry: ReadEntry,
  { intent_id, status }: Pick<SettlePayload, 'intent_id' | 'status'>,
): string[] {
  const known = state.intents.get(intent_id)
  const isWaiting = known !== undefined && known.sends === null
  if (!isWaiting || status !== 'ABANDONED') return findOutcomeProblems(state, entry, intent_id)
  state.intents.set(intent_id, { ...known, abandoned: true })
  const found = findFlowProblems(entry, known, 'accepted')
  return known.abandoned ? [...found, 'the intent was abandoned before'] : found
}

export type Committed = {
  /** Its hashes are those of the intent. */
  readonly fits: boolean
  readonly found: string[]
}

export function foldCommitted(
  state: AuthorityState,
  entry: ReadEntry,
  payload: CommitPayload,
): Committed {
  const found = findOutcomeProblems(state, entry, payload.intent_id)
  const known = state.intents.get(payload.intent_id)
  state.compilers.add(payload.compiler_version)
  if (known === undefined) return { fits: true, found }
  state.intents.set(payload.intent_id, { ...known, hashes: null })
  if (known.hashes === null) {
    return { fits: true, found: [...found, 'the intent was committed before'] }
  }
  return { fits: known.hashes === joinHashes(payload), found }
}

export function findOutcomeProblems(
  state: AuthorityState,
  entry: ReadEntry,
  intentId: Address,
): string[] {
  const known = state.intents.get(intentId)
  const isSent = known !== undefined && known.sends !== null
  // A flow is erased whole: an outcome that is still there has its dispatch.
  const found = isSent ? [] : ['there is no dispatch of its intent before it']
  return known === undefined ? found : [...found, ...findFlowProblems(entry, known, 'dispatched')]
}

function findFlowProblems({ envelope }: ReadEntry, known: Intent, by: string): string[] {
  const isSame = known.trajectory === envelope.trajectory && known.dfid === envelope.dfid
  return isSame ? [] : [`its intent was ${by} by another flow`]
}

function remember(
  state: AuthorityState,
  { envelope }: ReadEntry,
  intent: SignedIntent,
  sends: 1 | null,
  facts: DispatchPayload['facts'],
): Intent {
  const known: Intent = {
    trajectory: envelope.trajectory,
    dfid: intent.dfid,
    seq: envelope.seq,
    acceptedSeq: sends === null ? envelope.seq : null,
    agent: intent.agent_id,
    contract: intent.contract_hash,
    writ: intent.writ_id,
    speaker: findSpeakerKey(facts?.auth),
    bearer: intent.compensation?.dfid ?? intent.dfid,
    ruledBy: toRuled(intent),
    approvedUntil: intent.approval?.valid_until ?? null,
    hashes: joinHashes(intent),
    sends,
    abandoned: false,
    asks: findAskedStep(intent),
  }
  state.intents.set(intent.intent_id, known)
  return known
}

function findRepeatProblems(state: AuthorityState, { intent_id }: SignedIntent): string[] {
  const known = state.intents.get(intent_id)
  if (known === undefined) return []
  return [`the intent was ${known.sends === null ? 'accepted' : 'dispatched'} before`]
}

function findRulesProblems(state: AuthorityState, intent: SignedIntent): string[] {
  state.compilers.add(intent.compiler_version)
  return state.rules.has(intent.rules_hash) ? [] : ['its rules were not recorded before it']
}

/** Of what is sent: nobody has seen what comes after it. */
export function findNewerFactsProblems(
  { envelope }: ReadEntry,
  facts: DispatchPayload['facts'],
): string[] {
  const isNewer = facts !== undefined && facts.authority_seq > (envelope.authority_seq ?? -1)
  return isNewer ? ['its facts are newer than the authority it cites'] : []
}

function toRuled(intent: SignedIntent): Ruled | null {
  const { compensation, rules_hash: rules, policy_kind: kind, capability_hash: capability } = intent
  return compensation === undefined ? { rules, kind, capability } : null
}

type Hashes = Pick<
  CommitPayload,
  | 'proposal_hash'
  | 'writ_id'
  | 'policy_trace_hash'
  | 'compiler_version'
  | 'rules_hash'
  | 'facts_hash'
>

/** The addresses have a fixed length, so that joining them keeps them apart. */
function joinHashes(of: Hashes): string {
  return (
    of.proposal_hash +
    of.writ_id +
    of.policy_trace_hash +
    of.rules_hash +
    of.facts_hash +
    of.compiler_version
  )
}
