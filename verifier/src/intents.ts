/**
 * What becomes of intents: accepted, dispatched, sent again, committed, settled, abandoned, each after
 * what it needs to come after, and every send inside authority that stood at its place.
 *
 * With executors of their own an intent is accepted first, and a later dispatch names the place where
 * that was; it answers to the authority of its own moment. Without them the first dispatch carries it.
 */
import {
  type AcceptedPayload,
  type Address,
  type CarryOutPayload,
  type CommitPayload,
  countingHashes,
  type DispatchPayload,
  type RecordedHash,
  type RedispatchPayload,
  type SettlePayload,
  type SignedIntent,
} from 'rubicon-kernel'
import type { AuthorityState, Intent, Ruled } from './authority-state.ts'
import { spawnIn } from './openings.ts'
import type { ReadEntry } from './read-entry.ts'
import { speakerProblem, spokenBy } from './speaker.ts'

/** Decided and not sent: only whether it can have been decided so. */
export function accepted(
  state: AuthorityState,
  entry: ReadEntry,
  { intent, facts }: AcceptedPayload,
  authoritySeq: number,
): string[] {
  const found = [...knownBefore(state, intent), ...rulesProblem(state, intent)]
  // A bundle leaves authority entries out, so that there it cannot be seen how many there were.
  if (state.whole && facts !== undefined && facts.authority_seq > authoritySeq)
    found.push('its facts are newer than the authority before it')
  if (state.intents.has(intent.intent_id)) return found
  const known = remember(state, entry, intent, null, facts)
  // Nor what it stood on.
  return state.whole ? [...found, ...standing(state, known, entry.envelope.at)] : found
}

export function dispatched(
  state: AuthorityState,
  entry: ReadEntry,
  { intent, facts }: DispatchPayload,
): string[] {
  const found = [...knownBefore(state, intent), ...factsProblem(entry, facts)]
  found.push(...rulesProblem(state, intent))
  const known = remember(state, entry, intent, 1, facts)
  if (known.spawns !== null) state.spawns.add(known.spawns)
  // What is taken back stands on a choice, and carries the facts of that.
  if (intent.compensation === undefined)
    found.push(...speakerProblem(state.keys, facts?.auth, intent.agent_id))
  const { at } = entry.envelope
  return [...found, ...ruleOrder(state, known, at), ...standing(state, known, at)]
}

/** The dispatch of what was accepted: from here on an intent like any other. */
export function carriedOut(
  state: AuthorityState,
  entry: ReadEntry,
  { intent_id, accepted: place, facts }: CarryOutPayload,
): string[] {
  const { envelope } = entry
  const known = state.intents.get(intent_id)
  const found = factsProblem(entry, facts)
  if (known === undefined) return [...found, 'its intent was not accepted before it']
  if (known.spawns !== null) state.spawns.add(known.spawns)
  found.push(...flowProblem(entry, known, 'accepted'))
  if (known.trajectory !== place.trajectory || known.acceptedSeq !== place.seq)
    found.push('its intent was accepted elsewhere')
  if (spokenBy(facts.auth) !== known.speaker) found.push('somebody else spoke when it was accepted')
  found.push(...speakerProblem(state.keys, facts.auth, known.agent))
  if (known.abandoned) found.push('the intent was abandoned before')
  if (known.sends !== null) found.push('the intent was dispatched before')
  else state.intents.set(intent_id, { ...known, seq: envelope.seq, sends: 1 })
  const { at } = envelope
  return [...found, ...ruleOrder(state, known, at), ...standing(state, known, at)]
}

/** A resend is an effect like the first: revoked in between means too late. */
export function sentAgain(
  state: AuthorityState,
  entry: ReadEntry,
  { intent_id, first, send }: RedispatchPayload,
): string[] {
  const found = outcomeProblem(state, entry, intent_id)
  const known = state.intents.get(intent_id)
  if (known === undefined) return found
  const sends = known.sends ?? send - 1
  state.intents.set(intent_id, { ...known, sends: send })
  if (known.trajectory !== first.trajectory || known.seq !== first.seq)
    found.push('the first dispatch is elsewhere')
  if (send !== sends + 1) found.push(`send ${send} follows send ${sends}`)
  if (known.hashes === null) found.push('it was committed before')
  return [...found, ...standing(state, known, entry.envelope.at)]
}

/** What was accepted and not sent can be given back; everything else comes after a dispatch. */
export function settled(
  state: AuthorityState,
  entry: ReadEntry,
  { intent_id, status }: Pick<SettlePayload, 'intent_id' | 'status'>,
): string[] {
  const known = state.intents.get(intent_id)
  const isWaiting = known !== undefined && known.sends === null
  if (!isWaiting || status !== 'ABANDONED') return outcomeProblem(state, entry, intent_id)
  state.intents.set(intent_id, { ...known, abandoned: true })
  const found = flowProblem(entry, known, 'accepted')
  return known.abandoned ? [...found, 'the intent was abandoned before'] : found
}

export type Committed = {
  /** Its hashes are those of the intent. */
  readonly fits: boolean
  readonly found: string[]
}

export function committed(
  state: AuthorityState,
  entry: ReadEntry,
  payload: CommitPayload,
): Committed {
  const found = outcomeProblem(state, entry, payload.intent_id)
  const known = state.intents.get(payload.intent_id)
  state.compilers.add(payload.compiler_version)
  if (known === undefined) return { fits: true, found }
  state.intents.set(payload.intent_id, { ...known, hashes: null })
  if (known.hashes === null) {
    return { fits: true, found: [...found, 'the intent was committed before'] }
  }
  return { fits: known.hashes === hashesOf(payload), found }
}

export function outcomeProblem(
  state: AuthorityState,
  entry: ReadEntry,
  intentId: Address,
): string[] {
  const known = state.intents.get(intentId)
  const isSent = known !== undefined && known.sends !== null
  // A flow is erased whole: an outcome that is still there has its dispatch.
  const found = isSent ? [] : ['there is no dispatch of its intent before it']
  return known === undefined ? found : [...found, ...flowProblem(entry, known, 'dispatched')]
}

function flowProblem({ envelope }: ReadEntry, known: Intent, by: string): string[] {
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
    speaker: spokenBy(facts?.auth),
    bearer: intent.compensation?.dfid ?? intent.dfid,
    ruledBy: ruledBy(intent),
    hashes: hashesOf(intent),
    sends,
    abandoned: false,
    spawns: spawnIn(intent),
  }
  state.intents.set(intent.intent_id, known)
  return known
}

function knownBefore(state: AuthorityState, { intent_id }: SignedIntent): string[] {
  const known = state.intents.get(intent_id)
  if (known === undefined) return []
  return [`the intent was ${known.sends === null ? 'accepted' : 'dispatched'} before`]
}

function rulesProblem(state: AuthorityState, intent: SignedIntent): string[] {
  state.compilers.add(intent.compiler_version)
  return state.rules.has(intent.rules_hash) ? [] : ['no policy entry before it has its rules']
}

function factsProblem({ envelope }: ReadEntry, facts: DispatchPayload['facts']): string[] {
  const isNewer = facts !== undefined && facts.authority_seq > (envelope.authority_seq ?? -1)
  return isNewer ? ['its facts are newer than the authority it cites'] : []
}

function ruledBy(intent: SignedIntent): Ruled | null {
  const { compensation, rules_hash: rules, policy_kind: kind, capability_hash: capability } = intent
  return compensation === undefined ? { rules, kind, capability } : null
}

/** The rules and the capability that it was decided by count at its place, and at its time. */
function ruleOrder({ ruled }: AuthorityState, { ruledBy: by }: Intent, at: string): string[] {
  if (by === null) return []
  const found: string[] = []
  const counts = (recorded: RecordedHash | undefined, hash: string): boolean =>
    countingHashes(recorded, at).some((one) => one === hash)
  if (!counts(ruled?.law, by.rules)) found.push(`its rules \`${by.rules}\` are not in force`)
  if (!counts(ruled?.hashes.get(by.kind), by.capability))
    found.push(`capability \`${by.kind}\` is recorded with another hash`)
  return found
}

/** The agent, its contract and the whole chain of its writ, at this moment. */
function standing(
  state: AuthorityState,
  { agent, contract, writ, bearer }: Intent,
  at: string,
): string[] {
  const found = flowIsOver(state, bearer) ? ['the writ of its flow is revoked'] : []
  const flow = state.flows.get(bearer)
  if (flow !== undefined && (flow.agent !== agent || flow.contract !== contract))
    found.push('its flow was opened for another agent, or under another contract')
  const status = state.statuses.get(agent)
  if (status !== 'ACTIVE') found.push(`agent \`${agent}\` is ${status ?? 'unknown'}`)
  // What stops a class stops its instances; a class that never acted itself is INITIALIZING.
  const ofClass = state.statuses.get(state.contracts.classOf(agent) ?? agent)
  if (ofClass === 'SUSPENDED' || ofClass === 'RETIRED') found.push(`its class is ${ofClass}`)
  const problem = state.contracts.problem(contract, agent)
  if (problem !== undefined) found.push(problem)

  let link: Address | undefined = writ
  while (link !== undefined) {
    const body = state.writs.get(link)
    if (state.revokedWrits.has(link)) found.push(`writ \`${link}\` is revoked`)
    if (body === undefined) {
      const isErased = link === writ ? state.writs.wasOf(bearer, link) : state.writs.isErased(link)
      if (!isErased) found.push(`writ \`${link}\` is not in the ledger`)
      return found
    }
    if (link === writ && body.subject !== agent) found.push('the writ was issued to another agent')
    const { not_before, expires_at } = body.window
    if (at < not_before || at >= expires_at) found.push(`writ \`${link}\` is not in force at ${at}`)
    link = body.parent
  }
  return found
}

/** Whatever writ an intent names: with its own, or one above it, the flow ended. */
function flowIsOver({ flows, revokedWrits, writs }: AuthorityState, dfid: string): boolean {
  let link = flows.get(dfid)?.writ
  while (link !== undefined) {
    if (revokedWrits.has(link)) return true
    link = writs.get(link)?.parent
  }
  return false
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
function hashesOf(of: Hashes): string {
  return (
    of.proposal_hash +
    of.writ_id +
    of.policy_trace_hash +
    of.rules_hash +
    of.facts_hash +
    of.compiler_version
  )
}
