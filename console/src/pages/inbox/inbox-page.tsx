/** What would happen if I say yes? Requests on the left, the one that is being decided on the right. */
import type { ReactNode } from 'react'
import { useKeys } from '../../keys/keys.tsx'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { parseListFilter } from '../../parts/filter-bar/list-filter.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { NewRows } from '../../parts/rows.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { Link } from '../../url/link.tsx'
import { go, usePlace, useQuery } from '../../url/location.ts'
import { FoundRequests } from './found-requests.tsx'
import { InboxRows } from './inbox-rows.tsx'
import { findNextWaiting } from './inbox-state.ts'
import { createInboxOrder, INBOX_SORTS, ListControls } from './list-controls.tsx'
import { RequestDetail } from './request-detail.tsx'
import { parseGrouping } from './request-groups.ts'
import { type InboxTab, type OpenInbox, useInbox } from './use-inbox.ts'
import './inbox-page.css'

const TABS: readonly (Tab & { readonly value: InboxTab })[] = [
  { value: 'mine', label: 'Waiting on me' },
  { value: 'fast', label: 'Fast track' },
  { value: 'team', label: 'Team' },
  { value: 'decided', label: 'Decided' },
  { value: 'expired', label: 'Expired' },
]

export function InboxPage({ id }: { readonly id: string }): ReactNode {
  const [named] = useQuery('in', 'mine')
  const tab = TABS.find(({ value }) => value === named)?.value ?? 'mine'
  const { query } = usePlace()
  const isGrouped = parseGrouping(query.get('group')) !== null
  const inbox = useInbox(tab, query.get('sort') ?? '', isGrouped)
  const next = findNextWaiting(inbox.shown, id)
  const goOn = (): void => {
    inbox.showFresh()
    go(`/inbox${next === null ? '' : `/${encodeURIComponent(next)}`}${location.search}`)
  }
  useKeys([{ keys: 'n', does: 'show new requests', run: inbox.showFresh }])
  return (
    <Page name="inbox">
      <ListDetail
        list={
          <>
            <FilterBar page="inbox" label="search all requests: an order, an agent, words" />
            <Requests inbox={inbox} tab={tab} id={id} />
          </>
        }
        detail={
          id === '' ? null : (
            <RequestDetail key={id} id={id} next={next} goOn={goOn} look={inbox.look} />
          )
        }
      />
    </Page>
  )
}

type RequestsProps = {
  readonly inbox: OpenInbox
  readonly tab: InboxTab
  readonly id: string
}

/** Those of a tab; with a filter those that it finds, whichever tab they would be in. */
function Requests({ inbox, tab, id }: RequestsProps): ReactNode {
  const { query } = usePlace()
  const filter = parseListFilter(query)
  if (Object.keys(filter).length > 0) return <FoundRequests filter={filter} id={id} />
  return (
    <>
      <div className="list-bar">
        <Tabs label="which requests" name="in" tabs={buildTabs(inbox)} value={tab} />
        <ListControls sorts={INBOX_SORTS} order={createInboxOrder(inbox.sort, inbox.usual)} />
      </div>
      <InboxList inbox={inbox} tab={tab} id={id} />
    </>
  )
}

function buildTabs({ reply }: OpenInbox): readonly Tab[] {
  if (reply.state !== 'ready') return TABS
  const waiting: Readonly<Record<string, number>> = reply.value.waiting
  return TABS.map((tab) => {
    const count = waiting[tab.value]
    return count === undefined ? tab : { ...tab, count }
  })
}

function InboxList({ inbox, tab, id }: RequestsProps): ReactNode {
  const { reply, shown, stale } = inbox
  if (reply.state === 'loading') return <Loading what="requests" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={inbox.look} />
  return (
    <>
      <NewRows count={shown.fresh.length} show={inbox.showFresh} />
      {stale === null ? null : <Failed problem={stale} again={inbox.look} />}
      <UnderReview count={reply.value.under_review} />
      {shown.rows.length === 0 ? (
        <NoRequests tab={tab} fast={reply.value.waiting.fast} />
      ) : (
        <InboxRows inbox={inbox} id={id} />
      )}
      {reply.value.next === null ? null : (
        <p className="inbox-more">
          <button type="button" onClick={inbox.loadMore}>
            More
          </button>
        </p>
      )}
    </>
  )
}

/** They wait for a person too, and are settled where effects are. */
function UnderReview({ count }: { readonly count: number }): ReactNode {
  if (count === 0) return null
  return (
    <p className="inbox-review small">
      {count === 1 ? 'One effect needs' : `${count} effects need`} a person to find out the outcome:{' '}
      <Link href="/executions">Executions</Link>
    </p>
  )
}

const EMPTY: Readonly<Record<InboxTab, string>> = {
  mine: 'Nothing waits for you.',
  fast: 'Nothing of low impact waits for you.',
  team: 'Nothing waits for others, and others have claimed nothing.',
  decided: 'Nothing has been decided yet.',
  expired: 'Nothing has expired.',
}

/** `fast`: how many of low impact wait. Who opens the inbox is not to believe that nothing does. */
function NoRequests({ tab, fast }: { readonly tab: InboxTab; readonly fast: number }): ReactNode {
  if (tab !== 'mine') return <Empty what={EMPTY[tab]} />
  if (fast > 0)
    return (
      <p className="inbox-review">
        Nothing of high impact waits for you.{' '}
        {fast === 1 ? 'One request of low impact waits' : `${fast} requests of low impact wait`}:{' '}
        <Link href="/inbox?in=fast">Fast track</Link>
      </p>
    )
  return <Empty what={`${EMPTY.mine} ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
}
