/**
 * Was everything that asked for somebody approved by somebody, as it ran, in time, and once?
 *
 * 1. A dispatch whose trace names triggers stands after an approval of that request, which asked about the
 *    triggers of its own trace, and lifts no others (`as-asked.ts`).
 * 2. What ran is what the approval binds to, by the key of whoever had proposed it; a MODIFY ran as the
 *    person wrote it.
 * 3. An approval is about a request before it, comes before the request expired, and from as many
 *    different persons as it asked for, who waited for and typed what HIGH_IMPACT asks for.
 *    A MODIFY was judged before, for whoever decided, and owes what its own impact asks for.
 *    Approvals of one request say the same, and were judged at the same impact.
 *    A flow that was itself asked about does nothing until then.
 *    Its release uses it up, whatever it comes to.
 * 4. An agent decides only while it is ACTIVE, by a step, what it was asked, and nothing that is for people.
 * 5. Persons are those that are registered at that place (`approving-person.ts`).
 */
import {
  type AcceptedPayload,
  type ApprovalPayload,
  computeApprovedDigest,
  computeModificationDigest,
  type DispatchPayload,
  type JudgedModification,
  type PayloadOf,
  type Sha256,
  sayOf,
} from 'rubicon-kernel'
import { findCountedPerson, type PeopleAtPlace } from '../authority/people-at-place.ts'
import { findSpeakerKey } from '../authority/speaker.ts'
import { copyText } from '../compact-records/own-text.ts'
import { createPackedMap, type PackedMap, type Packing } from '../compact-records/packed-map.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { AGENT, findAgentDecisionProblems, isForAgents, mayAskAgents } from './agent-decision.ts'
import { findPersonProblems, isJudgedFor } from './approving-person.ts'
import { isAsWritten, isStated, listTriggerIds } from './as-approved.ts'
import { findCareProblems, liftProblems, requestProblems } from './as-asked.ts'
import { findSaidProblems } from './as-said.ts'
import { findShownProblems, getShown, isAsModified, isOfShown, type Shown } from './as-shown.ts'
import { findChannelProblems } from './asked-channel.ts'
import { isMoreThan, type Weighed } from './raised-impact.ts'
import { findReleasedId, isSameRequest } from './same-request.ts'

/** Whatever is wrong is an AUTHORITY_ORDER; said is, in words, what. */
export type Approvals = { readonly check: (entry: ReadEntry) => readonly string[] }

type Request = PayloadOf['pending_approval']['request']

type Known = {
  /** As it was put before somebody last. */
  readonly request: Request
  readonly shown: Shown
  /** The key of whoever proposed it. */
  readonly speaker: string | null
  /** Persons who have approved it. */
  readonly approved: string[]
  readonly logins: string[]
  /** What the first of them said; null: nobody has approved it. */
  said: string | null
  /** The earliest end of what they said; null: nobody has approved it. */
  until: string | null
  /** The decision that let it run, until it did. */
  released: ApprovalPayload | null
  isDecided: boolean
  isUsed: boolean
}

const REQUESTS: Packing<Known> = {
  write: (record, known) => record.text(JSON.stringify(known)),
  read: (record) => JSON.parse(record.text()) as Known,
}

type State = {
  readonly sha256: Sha256
  readonly people: PeopleAtPlace
  readonly requests: PackedMap<Known>
  /** What was asked last about a flow itself: it waits until enough have sent it back to its agent. */
  readonly held: Map<string, string>
}

/** A request is large, and most are decided soon. */
const HELD = 256

export function createApprovals(sha256: Sha256, people: PeopleAtPlace): Approvals {
  const state: State = {
    sha256,
    people,
    requests: createPackedMap(REQUESTS, HELD),
    held: new Map(),
  }
  return {
    check: (entry) => foldApprovalEntry(state, entry),
  }
}

function foldApprovalEntry(state: State, entry: ReadEntry): readonly string[] {
  const { envelope, payload } = entry
  switch (payload?.kind) {
    case 'pending_approval':
      endReleased(state, payload.payload)
      return foldRequest(state, envelope, payload.payload)
    case 'rejection':
      endReleased(state, payload.payload)
      return []
    case 'approval':
      return foldDecision(state, entry, payload.payload)
    case 'accepted':
      return findRunProblems(state, entry, payload.payload)
    case 'dispatch':
      return 'intent' in payload.payload ? findRunProblems(state, entry, payload.payload) : []
    default:
      return []
  }
}

/** A release uses its approval up, whatever it comes to; a request that was asked anew has ended. */
function endReleased(state: State, payload: Parameters<typeof findReleasedId>[0]): void {
  const known = state.requests.get(findReleasedId(payload) ?? '')
  if (known === undefined) return
  state.requests.set(known.request.id, { ...known, isUsed: true, isDecided: true })
}

/** The same request may be put before somebody else. */
function foldRequest(
  state: State,
  { at, dfid = '' }: ReadEntry['envelope'],
  payload: PayloadOf['pending_approval'],
): string[] {
  const { request } = payload
  const known = state.requests.get(request.id)
  const speaker = findSpeakerKey('facts' in payload ? payload.facts?.auth : undefined)
  const found = request.dfid === dfid ? [] : ['the request is about another flow']
  if (state.people.names(dfid, request.agent_id, request) === false)
    found.push('the contract of its flow names another agent or other approvers')
  found.push(...findChannelProblems(request, known?.request, mayBeAgents(request)))
  if (known === undefined) {
    const trace = 'trace' in payload ? payload.trace : undefined
    found.push(...requestProblems(request, trace, at, state.people.answerWindow(dfid)))
    found.push(...findShownProblems(payload, state.sha256))
    const fresh = { said: null, until: null, released: null, isDecided: false, isUsed: false }
    const shown = getShown(payload)
    const first = { request, shown, speaker, approved: [], logins: [], ...fresh }
    state.requests.set(request.id, first)
    if (isAboutFlow(request)) state.held.set(copyText(dfid), request.id)
    return found
  }
  if (!isSameRequest(known.request, request))
    return [...found, 'the same request was recorded before with other content']
  state.requests.set(request.id, { ...known, request })
  return found
}

function foldDecision(state: State, entry: ReadEntry, payload: ApprovalPayload): string[] {
  const { request_id } = payload.body
  const known = state.requests.get(request_id)
  if (known === undefined) return ['there is no such request before the decision']
  const found = applyDecision(state, known, entry, payload)
  state.requests.set(request_id, known)
  return found
}

/** Changes what is known of the request. */
function applyDecision(
  state: State,
  known: Known,
  { envelope }: ReadEntry,
  payload: ApprovalPayload,
): string[] {
  const { body, releases } = payload
  const { at, dfid = '' } = envelope
  const { request } = known
  const found: string[] = []
  if (known.isDecided) found.push('the request was decided before')
  if (body.dfid !== dfid || request.dfid !== dfid) found.push('the decision is about another flow')
  const isSame =
    body.intent_digest === request.intent_digest && body.shown_snapshot === request.shown_snapshot
  if (!isSame) found.push('the decision is about another proposal than the request')
  const isLate = at >= request.expires_at
  if (isLate !== (body.decision === 'EXPIRED'))
    found.push(isLate ? 'the request had expired' : 'it is called expired before its time')
  const word = body.decision === 'OVERRIDE' || body.decision === 'MODIFY' ? body.decision : null
  const isApproval = word !== null
  const isAgent = body.approver.startsWith(AGENT)
  if (isAgent) found.push(...findAgentDecisionProblems(state.people, request, body))
  const { modification } = payload
  if (body.decision === 'MODIFY' && modification === undefined)
    found.push('its modification was not judged')
  if (body.decision !== 'MODIFY' && modification !== undefined)
    found.push('it has the judgement of a modification, and modifies nothing')
  if (modification !== undefined)
    found.push(...findJudgementProblems(state, known, payload, modification))
  const weighed = modification ?? request
  if (isApproval && isAgent && !(mayAskAgents(request) && isForAgents(weighed)))
    found.push('only a person may approve it')
  found.push(...findSaidProblems(request, body, at))
  if (isApproval) found.push(...liftProblems(request, body, at))
  if (word !== null && !isAgent)
    found.push(
      ...findCareProblems(weighed, body, at),
      ...findDivergenceProblems(known, word, body, weighed),
    )
  found.push(
    ...findPersonProblems(state.people, known, payload, isApproval ? weighed.impact : null),
  )
  if (isApproval) known.until = pickEarlier(known.until, body.valid_until ?? '')
  const people = new Set(known.approved.map((id) => findCountedPerson(state.people, id)))
  const isSentBack = isAboutFlow(request) && people.size >= request.needs
  known.isDecided = known.isDecided || !isApproval || releases !== null || isSentBack
  if (releases === null) return found
  if (!isApproval) found.push('it was released without an approval')
  if (!isAgent && people.size < request.needs) found.push('it has too few approvals')
  if (body.decision === 'OVERRIDE' && releases !== request.intent_digest)
    found.push('it releases another proposal than the request is about')
  known.released = payload
  return found
}

function pickEarlier(before: string | null, until: string): string {
  return before === null || until < before ? until : before
}

/** There is no proposal: the flow itself waits. */
function isAboutFlow({ kind }: Request): boolean {
  return kind === 'silence' || kind === 'failure' || kind === 'asked'
}

/** About a flow itself an agent is asked where its trigger says so: nothing runs when it is let go on. */
function mayBeAgents(request: Request): boolean {
  return isAboutFlow(request) || mayAskAgents(request)
}

/** The decision names the judgement, which is about what it releases, for whoever gave it. */
function findJudgementProblems(
  { sha256, people }: State,
  { shown, request }: Known,
  { body, releases }: ApprovalPayload,
  judged: JudgedModification,
): string[] {
  const isNamed = computeModificationDigest(judged, sha256) === body.modification
  const isAsked = judged.request_id === body.request_id
  const isIt = releases === null || releases === judged.proposal_hash
  const isSame = isAsModified(shown, request, body, judged, sha256)
  const fits = isNamed && isAsked && isIt && isSame && isJudgedFor(people, judged, body)
  return fits ? [] : ['the modification that was judged is not the one in the decision']
}

/** Approvals of different things are not as many of one. */
function findDivergenceProblems(
  known: Known,
  decision: 'OVERRIDE' | 'MODIFY',
  { lifts, modified }: ApprovalPayload['body'],
  { impact }: Weighed,
): string[] {
  const said = sayOf({ decision, lifts, modified, impact })
  known.said ??= said
  return known.said === said ? [] : ['it approves something other than the approvals before it']
}

function findRunProblems(
  state: State,
  { envelope: { at, dfid = '' } }: ReadEntry,
  { intent, trace, proposal, facts }: AcceptedPayload | DispatchPayload,
): string[] {
  // What is taken back was chosen elsewhere, and approved there if that asked for somebody.
  if (intent.compensation !== undefined) return []
  const triggers = listTriggerIds(trace)
  const { approval } = intent
  const held = state.held.get(dfid)
  if (held !== undefined && state.requests.get(held)?.isDecided === false)
    return ['its flow waits for a decision']
  if (approval === undefined)
    return triggers.length === 0 ? [] : ['it needed an approval, and there is none']
  const known = state.requests.get(approval.request_id)
  const released = known?.released ?? null
  if (known === undefined || released === null) return ['there is no approval before it']
  const found: string[] = []
  const { body, releases } = released
  if (known.isUsed) found.push('the approval was used before')
  state.requests.set(approval.request_id, { ...known, isUsed: true })
  if (computeApprovedDigest(intent, approval.decision, state.sha256) !== releases)
    found.push('what ran is not what was approved')
  if (!isOfShown(known.shown, known.request, approval.decision, intent.proposal_hash))
    found.push('what ran was not shown to whoever approved it')
  if (!isStated(known, released, approval))
    found.push('the approval that it states is not the recorded one')
  // A person speaks in what they modified.
  if (body.decision === 'OVERRIDE' && findSpeakerKey(facts?.auth) !== known.speaker)
    found.push('its proposal was sent with another key than when approval was requested')
  if (body.decision === 'MODIFY' && !isAsWritten(known, body.modified, proposal))
    found.push('what ran is not what the person wrote')
  if (isMoreThan(released.modification ?? known.request, known.request, trace))
    found.push('it ran with a higher impact than it was judged at')
  const lifted = new Set(body.lifts)
  if (triggers.some((id) => !lifted.has(id)))
    found.push('the approval does not lift all of its triggers')
  if (at >= (body.valid_until ?? '') || at >= approval.valid_until)
    found.push('the approval had expired')
  return found
}
