/** Effects on the outside: what is uncertain first. */
import type { ReactNode } from 'react'
import type { ExecutionView } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { getExecutionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'
import { describeEffect } from './effect-words.ts'
import { ExecutionDetail } from './execution-detail.tsx'

const TABS: readonly Tab[] = [
  { value: 'uncertain', label: 'Uncertain' },
  { value: 'running', label: 'Running' },
  { value: 'failed', label: 'Failed' },
  { value: 'all', label: 'All' },
]

const STATUSES: ReadonlyMap<string, string> = new Map([
  ['uncertain', 'UNKNOWN,MANUAL_REVIEW,NOT_APPLIED'],
  ['running', 'ACCEPTED,DISPATCHED'],
  ['failed', 'FAILED,ABANDONED'],
])

const EFFECT: Column<ExecutionView> = {
  head: 'effect',
  cell: (row) => <AgentText text={describeEffect(row)} />,
}
const COLUMNS: readonly Column<ExecutionView>[] = [
  { head: 'agent', cell: (row) => row.agent_id, wide: true },
  { head: 'status', cell: ({ status }) => <Status {...getExecutionStanding(status)} /> },
  { head: 'last sent', cell: ({ last_sent_at }) => <When at={last_sent_at} />, wide: true },
]

/** Where no effect is open beside them there is room for more. */
const ALL_COLUMNS: readonly Column<ExecutionView>[] = [
  EFFECT,
  { head: 'flow', cell: ({ dfid }) => <Id value={dfid} href={`/flows/${dfid}`} /> },
  ...COLUMNS,
  { head: 'sent', cell: ({ sends }) => sends, number: true, wide: true },
  {
    head: 'next check',
    cell: ({ next_at }) => (next_at === null ? '' : <When at={next_at} />),
    wide: true,
  },
]

export function ExecutionsPage({ id }: { readonly id: string }): ReactNode {
  const [tab] = useQuery('in', 'uncertain')
  const list = useExecutions(tab)
  return (
    <Page name="executions">
      <ListDetail
        list={
          <>
            <Tabs label="which effects" name="in" tabs={TABS} value={tab} />
            <ExecutionList list={list} tab={tab} id={id} />
          </>
        }
        detail={id === '' ? null : <ExecutionDetail key={id} id={id} settled={list.look} />}
      />
    </Page>
  )
}

function useExecutions(tab: string): LiveList<ExecutionView> {
  const status = STATUSES.get(tab)
  const list = useList<ExecutionView>(
    `executions ${tab}`,
    toExecutionId,
    async (client, cursor, signal) => {
      const answer = await client.listExecutions({ query: { status, cursor }, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.executions, next: answer.body.next } }
    },
  )
  useBell(({ kind }) => MOVING.includes(kind), list.look)
  return list
}

const MOVING: readonly string[] = ['dispatch', 'accepted', 'commit', 'settle', 'evidence']

function ExecutionList({
  list,
  tab,
  id,
}: {
  readonly list: LiveList<ExecutionView>
  readonly tab: string
  readonly id: string
}): ReactNode {
  return (
    <>
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="effects" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? <NoEffects tab={tab} /> : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="effects"
          rows={list.rows}
          columns={id === '' ? ALL_COLUMNS : [EFFECT, ...COLUMNS]}
          keyOf={toExecutionId}
          hrefOf={(row) =>
            `/executions/${encodeURIComponent(toExecutionId(row))}${location.search}`
          }
          selected={id}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

export function toExecutionId({ dfid, step_id }: ExecutionView): string {
  return `${dfid}:${step_id}`
}

function NoEffects({ tab }: { readonly tab: string }): ReactNode {
  if (tab === 'uncertain')
    return <Empty what="Nothing is uncertain: every effect that was sent has an outcome." />
  if (tab !== 'all') return <Empty what="No effect is in this state." />
  return <Empty what={`Nothing has been sent yet. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
}
