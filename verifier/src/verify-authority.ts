/**
 * Was every dispatch inside authority that stood at its place in the tree?
 *
 * A dispatch that cites authority entry n stands between n and n + 1, so that the state folded up to
 * here is the one it must answer to: no earlier state is ever needed.
 */
import type { Address, CommitPayload, DispatchPayload, RedispatchPayload } from 'rubicon-kernel'
import {
  type AuthorityState,
  createAuthorityState,
  foldAuthorityEntry,
  type Intent,
} from './authority-state.ts'
import type { ReadEntry } from './read-entry.ts'
import type { Problem } from './report.ts'
import type { Writs } from './writs.ts'

export type AuthorityCheck = {
  readonly check: (entry: ReadEntry, authoritySeq: number) => readonly Problem[]
  readonly compilers: () => readonly string[]
  readonly rules: () => readonly string[]
  /** The epoch of the last anchor. */
  readonly epoch: () => number
}

export function createAuthorityCheck(writs: Writs, whole: boolean): AuthorityCheck {
  const state = createAuthorityState(writs, whole)
  return {
    check: (entry, authoritySeq) =>
      details(state, entry, authoritySeq).map(([code, detail]) => ({ code, detail })),
    compilers: () => [...state.compilers].sort(),
    rules: () => [...state.rules].sort(),
    epoch: () => state.epoch,
  }
}

type Detail = readonly ['AUTHORITY_ORDER' | 'ENTRY_SIGNATURE', string]

function details(state: AuthorityState, entry: ReadEntry, authoritySeq: number): Detail[] {
  const { envelope, payload } = entry
  if (envelope.kind === 'dispatch') {
    const found = orderProblem(state, envelope.authority_seq ?? -1, authoritySeq)
    if (payload === null) state.erased.add(envelope.trajectory)
    if (payload?.kind !== 'dispatch') return orders(found)
    const sent =
      'intent' in payload.payload
        ? dispatched(state, entry, payload.payload)
        : sentAgain(state, entry, payload.payload)
    return orders([...found, ...sent])
  }
  if (payload === null) {
    if (envelope.kind === 'writ') state.writs.erase()
    return []
  }
  switch (payload.kind) {
    case 'lifecycle':
    case 'contract':
    case 'revocation':
    case 'policy':
    case 'anchor':
      return orders([...early(state, envelope.seq), ...foldAuthorityEntry(state, payload)])
    case 'key':
      return orders(early(state, envelope.seq))
    case 'commit':
      return committed(state, entry, payload.payload)
    case 'settle':
    case 'evidence':
      return orders(outcomeProblem(state, entry, payload.payload.intent_id))
    default:
      return []
  }
}

function orders(found: readonly string[]): Detail[] {
  return found.map((detail) => ['AUTHORITY_ORDER', detail])
}

function orderProblem(state: AuthorityState, cited: number, last: number): string[] {
  state.cited = Math.max(state.cited, cited)
  // A bundle leaves authority entries out, so that there only the order can be seen.
  if (cited === last || (!state.whole && cited > last)) return []
  return [`it cites authority entry ${cited} and stands after ${last}`]
}

/** Only a bundle can show this by itself: in a whole ledger the dispatch was found before. */
function early(state: AuthorityState, seq: number): string[] {
  return state.whole || seq > state.cited
    ? []
    : [`a dispatch before it cites authority entry ${state.cited}`]
}

function dispatched(state: AuthorityState, entry: ReadEntry, payload: DispatchPayload): string[] {
  const { intent, facts } = payload
  const { envelope } = entry
  const found = state.intents.has(intent.intent_id) ? ['the intent was dispatched before'] : []
  const known: Intent = {
    trajectory: envelope.trajectory,
    dfid: intent.dfid,
    seq: envelope.seq,
    agent: intent.agent_id,
    contract: intent.contract_hash,
    writ: intent.writ_id,
    hashes: hashesOf(intent),
    sends: 1,
  }
  if (facts !== undefined && facts.authority_seq > (envelope.authority_seq ?? -1)) {
    found.push('its facts are newer than the authority it cites')
  }
  if (!state.rules.has(intent.rules_hash)) found.push('no policy entry before it has its rules')
  state.compilers.add(intent.compiler_version)
  state.intents.set(intent.intent_id, known)
  return [...found, ...standing(state, known, envelope.at)]
}

/** A resend is an effect like the first: revoked in between means too late. */
function sentAgain(state: AuthorityState, entry: ReadEntry, payload: RedispatchPayload): string[] {
  const { intent_id, first, send } = payload
  const found = outcomeProblem(state, entry, intent_id)
  const known = state.intents.get(intent_id)
  if (known === undefined) return found
  state.intents.set(intent_id, { ...known, sends: send })
  if (known.trajectory !== first.trajectory || known.seq !== first.seq) {
    found.push('the first dispatch is elsewhere')
  }
  if (send !== known.sends + 1) found.push(`send ${send} follows send ${known.sends}`)
  if (known.hashes === null) found.push('it was committed before')
  return [...found, ...standing(state, known, entry.envelope.at)]
}

/** The agent, its contract and the whole chain of its writ, at this moment. */
function standing(state: AuthorityState, { agent, contract, writ }: Intent, at: string): string[] {
  const found: string[] = []
  const status = state.statuses.get(agent)
  if (status !== 'ACTIVE') found.push(`agent \`${agent}\` is ${status ?? 'unknown'}`)
  const problem = state.contracts.problem(contract, agent)
  if (problem !== undefined) found.push(problem)

  let link: Address | undefined = writ
  while (link !== undefined) {
    const body = state.writs.get(link)
    if (state.revokedWrits.has(link)) found.push(`writ \`${link}\` is revoked`)
    if (body === undefined) {
      if (!state.writs.mayBeErased()) found.push(`writ \`${link}\` is not in the ledger`)
      return found
    }
    if (link === writ && body.subject !== agent) found.push('the writ was issued to another agent')
    const { not_before, expires_at } = body.window
    if (at < not_before || at >= expires_at) found.push(`writ \`${link}\` is not in force at ${at}`)
    link = body.parent
  }
  return found
}

function committed(state: AuthorityState, entry: ReadEntry, payload: CommitPayload): Detail[] {
  const found = outcomeProblem(state, entry, payload.intent_id)
  const known = state.intents.get(payload.intent_id)
  state.compilers.add(payload.compiler_version)
  if (known === undefined) return orders(found)
  state.intents.set(payload.intent_id, { ...known, hashes: null })
  if (known.hashes === null) return orders([...found, 'the intent was committed before'])
  if (known.hashes === hashesOf(payload)) return orders(found)
  return [['ENTRY_SIGNATURE', 'the commit does not fit the intent'], ...orders(found)]
}

function outcomeProblem(state: AuthorityState, entry: ReadEntry, intentId: Address): string[] {
  const { trajectory, dfid } = entry.envelope
  const known = state.intents.get(intentId)
  if (known === undefined) {
    return state.erased.has(trajectory) ? [] : ['there is no dispatch of its intent before it']
  }
  const isSame = known.trajectory === trajectory && known.dfid === dfid
  return isSame ? [] : ['its intent was dispatched by another flow']
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
