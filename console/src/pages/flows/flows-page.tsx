/** Flows, found by what they were about; the one that is open beside them. */
import type { ReactNode } from 'react'
import type { FlowSummary } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { IndexNote } from '../../parts/filter-bar/index-note.tsx'
import {
  formatFilterKey,
  parseListFilter,
  toServerFilter,
} from '../../parts/filter-bar/list-filter.ts'
import { useRowOrder } from '../../parts/filter-bar/use-row-order.ts'
import { ListDetail } from '../../parts/list-detail.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { usePlace } from '../../url/location.ts'
import { FlowDetail } from '../flow/flow-detail.tsx'
import { ALL_COLUMNS, FEW_COLUMNS } from './flow-columns.tsx'
import { getStates, listOutcomeTabs, parseOutcome, STATE_CHOICE } from './flow-filters.ts'
import './flows-page.css'

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
  const { query } = usePlace()
  const { list, isFiltered } = useFlows()
  const { rows, beside } = list
  const order = useRowOrder('-opened', rows)
  const outcome = parseOutcome(query.get('outcome') ?? '')
  const conversation = query.get('conversation')
  return (
    <>
      <FilterBar
        page="flows"
        label="search flows: an order, an id, words"
        choices={[STATE_CHOICE]}
        measures={listMeasures(rows)}
        also={
          conversation === null
            ? []
            : [{ names: ['conversation'], label: 'conversation', value: conversation }]
        }
      />
      <Tabs
        label="outcome of a decision"
        name="outcome"
        tabs={listOutcomeTabs(beside.counts, outcome)}
        value={outcome ?? 'all'}
      />
      <IndexNote indexed={beside.indexed} look={list.look} />
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="flows" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && rows.length === 0 ? <NoFlows filtered={isFiltered} /> : null}
      {rows.length === 0 ? null : (
        <Rows
          label="flows"
          rows={rows}
          columns={dfid === '' ? ALL_COLUMNS : FEW_COLUMNS}
          keyOf={(row) => row.dfid}
          hrefOf={(row) => `/flows/${row.dfid}${location.search}`}
          selected={dfid}
          order={order}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

type FoundFlows = { readonly list: LiveList<FlowSummary>; readonly isFiltered: boolean }

/** What the address asks for. */
function useFlows(): FoundFlows {
  const { query } = usePlace()
  const filter = parseListFilter(query)
  const own = {
    state: getStates(query.get('in') ?? ''),
    outcome: parseOutcome(query.get('outcome') ?? ''),
    // It is one of an agent: without its agent it names nothing.
    conversation: filter.agent === undefined ? undefined : (query.get('conversation') ?? undefined),
  }
  const sort = query.get('sort') ?? undefined
  const list = useList<FlowSummary>(
    `flows ${formatFilterKey(filter)} ${JSON.stringify({ ...own, sort })}`,
    (row) => row.dfid,
    async (client, cursor, signal) => {
      const asked = { ...toServerFilter(filter, Date.now()), ...own, sort, cursor }
      const answer = await client.listFlows({ query: asked, signal })
      if (!answer.ok) return answer
      const { flows, ...beside } = answer.body
      return { ...answer, body: { rows: flows, ...beside } }
    },
  )
  useBell(({ dfid: moved }) => moved !== null, list.look)
  const set = [...Object.values(filter), ...Object.values(own)]
  return { list, isFiltered: set.some((value) => value !== undefined) }
}

function listMeasures(rows: readonly FlowSummary[]): readonly string[] {
  return [...new Set(rows.flatMap(({ measure }) => (measure === null ? [] : [measure])))].sort()
}

function NoFlows({ filtered }: { readonly filtered: boolean }): ReactNode {
  if (filtered)
    return (
      <Empty what="No flow matches these filters. Remove one of them above, or clear them all." />
    )
  return (
    <Empty
      what={`No agent has asked for anything yet. ${DEMO_INVITATION}`}
      command={DEMO_COMMAND}
    />
  )
}
