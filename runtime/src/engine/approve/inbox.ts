/**
 * Requests as somebody finds them who comes to decide: what waits for them, what takes one key, what
 * waits for others, and what became of the rest.
 *
 * Boundary: a tab is a place to look, not a permission. Who may decide is judged with the decision.
 */
import {
  type Authority,
  type DecisionWord,
  describeObject,
  type EscalationKind,
  type Exposure,
  findChannelAgent,
  type Impact,
  isObject,
  isSamePerson,
  type JsonObject,
  LIMITS,
  listAnsweringPersons,
  MAIN,
  NOBODY,
  UNKNOWN_NAMING,
} from 'rubicon-kernel'
import { identifyPerson } from '../authority/persons/person-behind.ts'
import type { Context } from '../engine-context.ts'
import type {
  Ended,
  Escalation,
  EscalationState,
  StoredEscalation,
} from '../rows/stored-escalation.ts'
import { isRegistered } from './approver.ts'
import type { Onlooker } from './brief/standing.ts'
import { type Claim, findStandingClaim, readClaims, type ShownClaim } from './claim.ts'
import { createInboxOrder, type InboxSort, loadInboxPlace, toInboxPlace } from './inbox-order.ts'
import { describeStakes, type Stakes } from './stakes.ts'

/** `fast`: LOW_IMPACT, which asks for no more than a look. `team`: somebody else decides it, or has claimed it. */
export const INBOX_TABS = ['mine', 'fast', 'team', 'decided', 'expired'] as const
export type InboxTab = (typeof INBOX_TABS)[number]
type OpenTab = Extract<InboxTab, 'mine' | 'fast' | 'team'>

export type InboxQuestion = {
  readonly tab: InboxTab
  readonly sort?: InboxSort
  readonly cursor?: string
  readonly limit: number
}

export type InboxRow = {
  readonly id: string
  readonly kind: EscalationKind
  readonly state: EscalationState
  readonly dfid: string
  readonly agent_id: string
  /** The kind of action, and what it is about; null: there is no proposal. */
  readonly action: string | null
  readonly object: string | null
  readonly reason_code: string
  readonly impact: Impact
  readonly exposure: Exposure | null
  readonly requested_at: string
  readonly not_before: string
  readonly expires_at: string
  readonly needs: number
  readonly approvals: number
  readonly ended: { readonly as: Ended; readonly at: string } | null
  /** What was decided, and by whom, the last of them; null: nobody did. */
  readonly decided: { readonly decision: DecisionWord; readonly by: string } | null
  readonly stakes: Stakes
}

export type Inbox = {
  readonly now: string
  readonly requests: readonly InboxRow[]
  readonly waiting: Readonly<Record<OpenTab, number>>
  /** Who looks after which of those that wait. */
  readonly claimed: readonly (ShownClaim & { readonly id: string })[]
  /** There are more than were counted. */
  readonly more: boolean
  /** Effects that only a person can settle; that is done where effects are. */
  readonly under_review: number
  readonly next: string | null
}

export async function loadInbox(
  context: Context,
  question: InboxQuestion,
  onlooker: Onlooker,
): Promise<Inbox> {
  const { store, authorities } = context
  const { now } = await store.readNow(MAIN)
  const authority = await authorities.loadLatest()
  const most = LIMITS.listed
  const open = await store.listRecords('escalation', 'open', { limit: most })
  const under_review = await store.countRows({ of: 'executions', status: ['MANUAL_REVIEW'] })
  const claims = await readClaims(store, most)
  // Asked once: there may be many requests, and many keys.
  const person = await identifyPerson(context, authority, { ...onlooker, principal: onlooker.name })
  const mayDecide = onlooker.approver && person !== NOBODY && isRegistered(authority, person)
  const who = { person, mayDecide }
  const placed = open.map((stored) => {
    const claim = findStandingClaim(claims.get(stored.key), stored.body, authority.persons, now)
    return { stored, claim, tab: chooseTab(stored.body, claim, authority, who) }
  })
  const count = (wanted: OpenTab): number => placed.filter(({ tab }) => tab === wanted).length
  const { tab } = question
  const page =
    tab === 'decided' || tab === 'expired'
      ? await readClosedPage(context, tab, question)
      : await readOpenPage(
          context,
          placed.filter((one) => one.tab === tab).map(({ stored }) => stored),
          question,
        )
  return {
    now,
    ...page,
    waiting: { mine: count('mine'), fast: count('fast'), team: count('team') },
    claimed: placed.flatMap(({ stored: { key: id }, claim }) =>
      claim === null
        ? []
        : [{ id, ...claim, yours: isSamePerson(authority.persons, claim.person, who.person) }],
    ),
    more: open.length === most,
    under_review,
  }
}

function chooseTab(
  { request, counted }: Escalation,
  claim: Claim | null,
  authority: Authority,
  who: { readonly person: string; readonly mayDecide: boolean },
): OpenTab {
  const isMe = (id: string): boolean => isSamePerson(authority.persons, id, who.person)
  const { approvers, persons, impact, kind, channel, self_approval } = request
  const isRefused = impact === 'HIGH_IMPACT' && self_approval === undefined
  const isTheirs =
    who.mayDecide &&
    (approvers.length === 0 || persons.approvers.some(isMe)) &&
    !(isRefused && listAnsweringPersons(persons).some(isMe)) &&
    !counted.some((one) => isMe(one.person ?? NOBODY)) &&
    findChannelAgent(channel) === undefined &&
    (claim === null || isMe(claim.person))
  if (!isTheirs) return 'team'
  return impact === 'LOW_IMPACT' && kind === 'proposal' ? 'fast' : 'mine'
}

type Page = Pick<Inbox, 'requests' | 'next'>

/** Behind the cursor's own place, also where its request was decided meanwhile. */
async function readOpenPage(
  context: Context,
  open: readonly StoredEscalation[],
  { cursor, limit, sort = 'expires' }: InboxQuestion,
): Promise<Page> {
  const compare = createInboxOrder(sort)
  const last = cursor === undefined ? null : await loadInboxPlace(context, cursor)
  const sorted = open
    .filter((stored) => last === null || compare(stored, last) > 0)
    .toSorted(compare)
  const shown = sorted.slice(0, limit)
  const end = shown.at(-1)
  return {
    requests: shown.map((stored) => toInboxRow(context, stored, 'open')),
    next: sorted.length > limit && end !== undefined ? toInboxPlace(end) : null,
  }
}

/** Newest first. What is approved and not yet carried out is decided. */
async function readClosedPage(
  context: Context,
  tab: 'decided' | 'expired',
  { cursor, limit }: InboxQuestion,
): Promise<Page> {
  const { store } = context
  const before = cursor === undefined ? {} : { until: cursor }
  const range = { ...before, newest: true, limit: LIMITS.listed }
  const closed = (await store.listRecords('escalation', 'closed', range)).filter(
    ({ key }) => key !== cursor,
  )
  const wanted = closed.filter(({ body }) => (body.ended?.as === 'expired') === (tab === 'expired'))
  const shown = wanted.slice(0, limit)
  const onTheWay =
    tab === 'decided' && cursor === undefined
      ? await store.listRecords('escalation', 'approved', { limit })
      : []
  const last = shown.length < wanted.length ? shown.at(-1) : closed.at(-1)
  const isAll = shown.length === wanted.length && closed.length < LIMITS.listed - 1
  return {
    requests: [
      ...onTheWay.map((stored) => toInboxRow(context, stored, 'approved')),
      ...shown.map((stored) => toInboxRow(context, stored, 'closed')),
    ],
    next: isAll ? null : (last?.key ?? null),
  }
}

function toInboxRow(
  { book }: Context,
  { body }: StoredEscalation,
  state: EscalationState,
): InboxRow {
  const { request, counted, ended } = body
  const { id, kind, dfid, agent_id, impact, exposure, needs } = request
  const { requested_at, not_before, expires_at } = request
  const { action, params } = parseEscalationAction(body)
  const description = action === null ? undefined : book.capability(action)?.law.description
  return {
    ...{ id, kind, state, dfid, agent_id, action },
    object: action === null ? null : describeObject(description ?? UNKNOWN_NAMING, params),
    reason_code: request.domain_code ?? request.reason_code,
    ...{ impact, exposure, requested_at, not_before, expires_at, needs },
    approvals: counted.length,
    ended,
    decided: findInboxDecision(body),
    stakes: describeStakes(request),
  }
}

function findInboxDecision({ decided, approval }: Escalation): InboxRow['decided'] {
  return approval === null
    ? (decided ?? null)
    : { decision: approval.decision, by: approval.approver }
}

export function parseEscalationAction({ proposal }: Escalation): {
  readonly action: string | null
  readonly params: JsonObject
} {
  if (!isObject(proposal) || typeof proposal.policy_kind !== 'string')
    return { action: null, params: {} }
  return {
    action: proposal.policy_kind,
    params: isObject(proposal.params) ? proposal.params : {},
  }
}
