/** The inbox as it is read again and again while somebody works in it. */
import { useState } from 'react'
import type {
  AnyProblem,
  ClaimedRequest,
  Inbox,
  InboxRow,
  ListInboxAsked,
} from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useLookAgain } from '../../api/use-look-again.ts'
import { type Reply, useReply } from '../../api/use-reply.ts'
import { useSkew } from '../../time/skew.ts'
import { deriveShownInbox, type InboxShown } from './inbox-state.ts'

export type InboxTab = NonNullable<NonNullable<ListInboxAsked['query']>['tab']>

export type InboxSort = NonNullable<NonNullable<ListInboxAsked['query']>['sort']>

const SORTS: readonly InboxSort[] = [
  'expires',
  '-expires',
  'requested',
  '-requested',
  'amount',
  '-amount',
]

export type OpenInbox = {
  readonly reply: Reply<Inbox>
  readonly shown: InboxShown
  /** Who looks after what, by the id of the request. */
  readonly claimed: ReadonlyMap<string, ClaimedRequest>
  /** How far the clock that decides is ahead of this one. */
  readonly skew: number
  readonly stale: AnyProblem | null
  /** Of what waits; null: what is over has an order of its own. */
  readonly sort: InboxSort | null
  /** The order of the tab where nobody asks for another. */
  readonly usual: InboxSort
  /** There are more than were read. */
  readonly more: boolean
  readonly showFresh: () => void
  readonly loadMore: () => void
  readonly look: () => void
}

/** What can be decided together begins with the least at stake; everything else with what ends first. */
export function getUsualSort(tab: InboxTab): InboxSort {
  return tab === 'fast' ? 'amount' : 'expires'
}

const PAGE = 100
const MOST = 1_000
/** Claims are no entries of the ledger, and ring no bell. */
const LOOK_MS = 5_000

type Held = {
  readonly list: string
  readonly limit: number
  readonly rows: readonly InboxRow[]
}

/** `grouped`: as many as there are, since groups are counted. */
export function useInbox(tab: InboxTab, wanted: string, grouped: boolean): OpenInbox {
  const [paged, setLimit] = useState(PAGE)
  const limit = grouped ? MOST : paged
  const isOver = tab === 'decided' || tab === 'expired'
  const sort = isOver ? null : (SORTS.find((known) => known === wanted) ?? getUsualSort(tab))
  const list = `${tab} ${sort ?? ''}`
  const { reply, again } = useReply(`inbox ${list} ${grouped}`, async (client, signal) => {
    const order = sort === null ? {} : { sort }
    const asked = { tab, limit: String(limit), ...order }
    const answer = await client.listInbox({ query: asked, signal })
    return answer.ok ? { ...answer, body: { ...answer.body, limit } } : answer
  })
  const [held, hold] = useState<Held>()
  const value = reply.state === 'ready' ? reply.value : null
  const adopt = (): void => {
    if (value !== null) hold({ list, limit, rows: value.requests })
  }
  const rows = held?.list === list && held.rows.length > 0 ? held : null
  // What is shown first is what stays, until the reader asks for others, or for more.
  const isFirst = rows === null && value !== null && value.requests.length > 0
  if (isFirst || (rows !== null && rows.limit !== limit && value?.limit === limit)) adopt()
  useBell(({ kind }) => MOVING.includes(kind), again)
  useLookAgain(again, LOOK_MS)
  return {
    reply,
    shown: deriveShownInbox(rows?.rows ?? null, value?.requests ?? []),
    claimed: new Map(value?.claimed.map((claim) => [claim.id, claim])),
    skew: useSkew(value?.now),
    stale: reply.state === 'ready' ? reply.stale : null,
    sort,
    usual: getUsualSort(tab),
    more: value !== null && value.next !== null,
    showFresh: adopt,
    loadMore() {
      setLimit((before) => Math.min(MOST, before + PAGE))
      again()
    },
    look: again,
  }
}

/** Entries after which something may wait that did not, or not any more. */
const MOVING: readonly string[] = ['pending_approval', 'approval', 'rejection', 'dispatch']
