/** Flows, newest first; the one that is open beside them. */
import { type ReactNode, useState } from 'react'
import type { FlowSummary } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'
import { FlowDetail } from '../flow/flow-detail.tsx'
import { CountedNote, useCountedFilter } from './counted-filter.tsx'
import './flows-page.css'

const TABS: readonly Tab[] = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting for a person' },
  { value: 'running', label: 'Running' },
  { value: 'aborted', label: 'Aborted' },
  { value: 'closed', label: 'Closed' },
]

const STATES: ReadonlyMap<string, string> = new Map([
  ['waiting', 'ESCALATED'],
  ['running', 'CREATED,ACTIVE,VALIDATING,ACCEPTED,EXECUTING'],
  ['aborted', 'ABORTED'],
  ['closed', 'CLOSED'],
])

const COLUMNS: readonly Column<FlowSummary>[] = [
  { head: 'flow', cell: ({ trigger }) => <AgentText text={trigger} /> },
  {
    head: 'state',
    cell: (flow) => (
      <span className="flows-state">
        <Status {...describeFlowOutcome(flow)} />
      </span>
    ),
  },
  { head: 'agent', cell: ({ agent_id }) => agent_id },
  { head: 'opened', cell: ({ opened_at }) => <When at={opened_at} />, wide: true },
]

/** Where no flow is open beside them there is room for more. */
const ALL_COLUMNS: readonly Column<FlowSummary>[] = [
  ...COLUMNS,
  { head: 'attempts', cell: ({ attempts }) => attempts, number: true, wide: true },
]

export function FlowsPage({ dfid }: { readonly dfid: string }): ReactNode {
  return (
    <Page name="flows">
      <ListDetail
        list={<FlowList dfid={dfid} />}
        detail={dfid === '' ? null : <FlowDetail key={dfid} dfid={dfid} />}
      />
    </Page>
  )
}

function FlowList({ dfid }: { readonly dfid: string }): ReactNode {
  const [tab] = useQuery('in', 'all')
  const [agent, setAgent] = useQuery('agent')
  const [conversation, setConversation] = useQuery('conversation')
  const counted = useCountedFilter()
  const [total, setTotal] = useState<number | null>(null)
  const query = {
    ...counted,
    ...(STATES.get(tab) === undefined ? {} : { state: STATES.get(tab) }),
    ...(agent === '' ? {} : { agent }),
    // It is one of an agent: without its agent it names nothing.
    ...(agent === '' || conversation === '' ? {} : { conversation }),
  }
  const list = useList<FlowSummary>(
    `flows ${tab} ${agent} ${conversation} ${Object.values(counted).join(' ')}`,
    (row) => row.dfid,
    async (client, cursor, signal) => {
      const paged = cursor === undefined ? query : { ...query, cursor }
      const answer = await client.listFlows({ query: paged, signal })
      if (!answer.ok) return answer
      if (cursor === undefined) setTotal(answer.body.counts?.total ?? null)
      return { ...answer, body: { rows: answer.body.flows, next: answer.body.next } }
    },
  )
  useBell(({ dfid: moved }) => moved !== null, list.look)
  return (
    <>
      <Tabs label="which flows" name="in" tabs={TABS} value={tab} />
      <p className="flows-filter">
        <label>
          <span className="unseen">filter by agent</span>
          <input
            type="search"
            placeholder="filter by agent"
            value={agent}
            onChange={(event) => setAgent(event.target.value)}
          />
        </label>
      </p>
      {conversation === '' ? null : (
        <p className="row small flows-filter">
          <span>Only calls of the conversation {toVisibleText(conversation)}.</span>
          <button type="button" onClick={() => setConversation('')}>
            Show all flows of the agent
          </button>
        </p>
      )}
      <CountedNote filter={counted} total={list.state === 'ready' ? total : null} />
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="flows" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <NoFlows
          filtered={
            tab !== 'all' || `${agent}${conversation}` !== '' || Object.keys(counted).length > 0
          }
        />
      ) : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="flows"
          rows={list.rows}
          columns={dfid === '' ? ALL_COLUMNS : COLUMNS}
          keyOf={(row) => row.dfid}
          hrefOf={(row) => `/flows/${row.dfid}${location.search}`}
          selected={dfid}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function NoFlows({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (filtered) return <Empty what="No flow matches these filters." />
  return (
    <Empty
      what={`No agent has asked for anything yet. ${DEMO_INVITATION}`}
      command={DEMO_COMMAND}
    />
  )
}
