/** What woke agents: the picture of who listens to what, the events, and the one that is open beside them. */
import type { ReactNode } from 'react'
import type { ListedEvent, ListedTopic } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { useReply } from '../../api/use-reply.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'
import { DeadLetters } from './dead-letters.tsx'
import { EventDetail } from './event-detail.tsx'
import { describeEventOutcome } from './event-words.ts'
import { MeshPicture } from './mesh-picture.tsx'

const COLUMNS: readonly Column<ListedEvent>[] = [
  { head: 'observed', cell: ({ paths }) => paths.map(toVisibleText).join(', ') },
  {
    head: 'outcome',
    hand: 'bare',
    cell: ({ outcome, winners: [winner] }) => (
      <>
        <Status {...describeEventOutcome(outcome)} /> {winner?.policy_kind}
      </>
    ),
  },
  {
    head: 'woken',
    cell: ({ woken, not_woken }) => (not_woken === 0 ? woken : `${woken} of ${woken + not_woken}`),
    number: true,
  },
  { head: 'when', cell: ({ at }) => <When at={at} />, hand: 'corner' },
]

const ALL_COLUMNS: readonly Column<ListedEvent>[] = [
  ...COLUMNS,
  { head: 'topic', cell: ({ topic }) => toVisibleText(topic), wide: true },
  { head: 'agents', cell: ({ agents }) => agents.join(', '), wide: true },
]

export function EventsPage({ id }: { readonly id: string }): ReactNode {
  return (
    <Page name="events">
      <ListDetail
        list={<EventList id={id} />}
        detail={id === '' ? null : <EventDetail key={id} id={id} />}
      />
    </Page>
  )
}

function useEvents(topic: string): LiveList<ListedEvent> {
  const list = useList<ListedEvent>(
    `events ${topic}`,
    (row) => row.event_id,
    async (client, cursor, signal) => {
      const query = {
        ...(topic === '' ? {} : { topic }),
        ...(cursor === undefined ? {} : { cursor }),
      }
      const answer = await client.listTopicEvents({ query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.events, next: answer.body.next } }
    },
  )
  useBell(({ kind }) => MOVING.includes(kind), list.look)
  return list
}

/** Kinds of entries after which an event may stand otherwise. */
const MOVING: readonly string[] = ['event', 'dispatch', 'accepted', 'rejection', 'commit']

function EventList({ id }: { readonly id: string }): ReactNode {
  const [topic, setTopic] = useQuery('topic')
  const list = useEvents(topic)
  return (
    <>
      {id === '' && topic === '' ? <DeadLetters /> : null}
      {id === '' && topic === '' ? <Topics events={list.rows} /> : null}
      {topic === '' ? null : (
        <p className="row small flows-filter">
          <span>Only events of the topic {toVisibleText(topic)}.</span>
          <button type="button" onClick={() => setTopic('')}>
            Show all events
          </button>
        </p>
      )}
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="events" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <NoEvents isFiltered={topic !== ''} />
      ) : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="events"
          rows={list.rows}
          columns={id === '' ? ALL_COLUMNS : COLUMNS}
          keyOf={(row) => row.event_id}
          hrefOf={(row) => `/events/${row.event_id}${location.search}`}
          selected={id}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function NoEvents({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  if (isFiltered) return <Empty what="No event has this topic yet." />
  return (
    <Empty
      what={`No observation has woken an agent yet. ${DEMO_INVITATION}`}
      command={DEMO_COMMAND}
    />
  )
}

/** Who listens, as far as the first page of topics goes. */
function Topics({ events }: { readonly events: readonly ListedEvent[] }): ReactNode {
  const { reply, again } = useReply<{ readonly topics: readonly ListedTopic[] }>(
    'topics',
    (client, signal) => client.listTopics({ signal }),
  )
  useBell(({ kind }) => AUTHORITY.includes(kind), again)
  if (reply.state === 'loading') return <Loading what="topics" />
  // The list below says what is wrong.
  if (reply.state === 'failed' || reply.value.topics.length === 0) return null
  return <MeshPicture topics={reply.value.topics} events={events} />
}

/** Kinds of entries that change who listens. */
const AUTHORITY: readonly string[] = ['contract', 'lifecycle', 'policy']
