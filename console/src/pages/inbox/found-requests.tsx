/** Requests that a filter finds, among all of them: whoever waits for them, and whatever became of them. */
import type { ReactNode } from 'react'
import type { EscalationSummary } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { IndexNote } from '../../parts/filter-bar/index-note.tsx'
import {
  formatFilterKey,
  type ListFilter,
  toServerFilter,
} from '../../parts/filter-bar/list-filter.ts'
import { useRowOrder } from '../../parts/filter-bar/use-row-order.ts'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Column, MoreRows, NewRows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { TimeLeft, When } from '../../parts/when.tsx'
import { usePlace } from '../../url/location.ts'
import { AtStake, StakeWords } from './at-stake.tsx'
import { describeEnd } from './inbox-words.ts'
import { ListControls } from './list-controls.tsx'
import { RequestTable } from './request-table.tsx'
import { listStakeWords } from './stake-words.ts'

const STATES = [
  { value: 'open', label: 'Waiting' },
  { value: 'approved', label: 'Approved, not done yet' },
  { value: 'closed', label: 'Over' },
] as const

const SORTS = [
  { value: 'requested', label: 'Oldest' },
  { value: '-requested', label: 'Newest' },
  { value: 'expires', label: 'Least time left' },
  { value: '-amount', label: 'Most at stake' },
  { value: 'amount', label: 'Least at stake' },
] as const

const COLUMNS: readonly Column<EscalationSummary>[] = [
  { head: 'request', cell: (row) => <Request row={row} />, sort: 'kind' },
  {
    head: 'at stake',
    cell: (row) => <AtStake {...row} />,
    number: true,
    sort: '-amount',
    hand: 'bare',
  },
  {
    head: 'reason',
    cell: ({ reason_code }) => <ReasonLink code={reason_code} />,
    sort: 'reason',
    wide: true,
    hand: 'bare',
  },
  { head: 'agent', cell: ({ agent_id }) => agent_id, sort: 'agent', wide: true, hand: 'bare' },
  {
    head: 'asked',
    cell: ({ requested_at }) => <When at={requested_at} />,
    sort: '-requested',
    wide: true,
  },
  { head: 'time left', cell: (row) => <Left row={row} />, sort: 'expires', hand: 'corner' },
]

export function FoundRequests({
  filter,
  id,
}: {
  readonly filter: ListFilter
  /** The one that is open. */
  readonly id: string
}): ReactNode {
  const { query } = usePlace()
  const { value: state } = STATES.find(({ value }) => value === query.get('state')) ?? STATES[0]
  const list = useFoundRequests(filter, state)
  const order = useRowOrder(
    'requested',
    list.rows.map(({ exposure }) => ({ measure: exposure?.measure ?? null })),
  )
  return (
    <>
      <div className="list-bar">
        <Tabs label="which requests" name="state" tabs={countTabs(list)} value={state} />
        <ListControls sorts={SORTS} order={order} />
      </div>
      <IndexNote indexed={list.beside.indexed} look={list.look} />
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="requests" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <Empty what="No request matches these filters. Those that are over may: they are in a tab of their own." />
      ) : null}
      {list.rows.length === 0 ? null : (
        <RequestTable
          rows={list.rows}
          columns={COLUMNS}
          id={id}
          order={order}
          more={list.next !== null}
          look={list.look}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function countTabs({ beside: { counts } }: LiveList<EscalationSummary>): readonly Tab[] {
  if (counts === null) return STATES
  return STATES.map((tab) => ({ ...tab, count: counts.by[tab.value] ?? 0 }))
}

function useFoundRequests(
  filter: ListFilter,
  state: (typeof STATES)[number]['value'],
): LiveList<EscalationSummary> {
  const { query } = usePlace()
  // Without an order of its own the store would answer, and it knows no words.
  const sort = query.get('sort') ?? 'requested'
  const list = useList<EscalationSummary>(
    `requests ${state} ${sort} ${formatFilterKey(filter)}`,
    (row) => row.id,
    async (client, cursor, signal) => {
      const asked = { ...toServerFilter(filter, Date.now()), state, sort, cursor }
      const answer = await client.listEscalations({ query: asked, signal })
      if (!answer.ok) return answer
      const { escalations, ...beside } = answer.body
      return { ...answer, body: { rows: escalations, ...beside } }
    },
  )
  useBell(({ kind }) => MOVING.includes(kind), list.look)
  return list
}

const MOVING: readonly string[] = ['pending_approval', 'approval', 'rejection', 'dispatch']

function Request({ row: { stakes, what } }: { readonly row: EscalationSummary }): ReactNode {
  return (
    <>
      <span className="request-title">
        <AgentText text={what} />
      </span>
      <StakeWords words={stakes === null ? [] : listStakeWords(stakes)} />
    </>
  )
}

function Left({
  row: { ended, state, expires_at },
}: {
  readonly row: EscalationSummary
}): ReactNode {
  if (ended !== null) return <Status {...describeEnd(ended)} />
  if (state === 'approved') return <Status standing="running" word="approved" />
  return expires_at === null ? '' : <TimeLeft until={expires_at} />
}
