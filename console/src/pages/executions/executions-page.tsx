/** Effects on the outside: what is uncertain first. */
import type { ReactNode } from 'react'
import type { ExecutionView, FilterCounts, FoundExecution } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { type Namings, useNamings } from '../../api/use-namings.ts'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import { IndexNote } from '../../parts/filter-bar/index-note.tsx'
import {
  formatFilterKey,
  parseListFilter,
  toServerFilter,
} from '../../parts/filter-bar/list-filter.ts'
import { useRowOrder } from '../../parts/filter-bar/use-row-order.ts'
import { shortenUuids } from '../../parts/hash-pieces.ts'
import { HashText } from '../../parts/hash-text.tsx'
import { ListDetail } from '../../parts/list-detail.tsx'
import { Measured } from '../../parts/measured.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { Page } from '../../parts/page.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { getExecutionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { usePlace, useQuery } from '../../url/location.ts'
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

function buildEffectColumn(namings: Namings): Column<FoundExecution> {
  return {
    head: 'effect',
    cell: (row) => <HashText text={shortenUuids(describeEffect(namings, row))} />,
    sort: 'kind',
    cut: { share: 40, text: (row) => toVisibleText(describeEffect(namings, row)) },
  }
}

const AMOUNT: Column<FoundExecution> = {
  head: 'amount',
  cell: ({ amount, measure }) =>
    amount === null ? '' : <Measured amount={amount} measure={measure ?? ''} />,
  sort: '-amount',
  number: true,
  hand: 'bare',
}

const COLUMNS: readonly Column<FoundExecution>[] = [
  {
    head: 'status',
    cell: ({ status }) => <Status {...getExecutionStanding(status)} />,
    sort: 'status',
    hand: 'corner',
  },
  { head: 'agent', cell: (row) => row.agent_id, sort: 'agent', wide: true, hand: 'bare' },
  {
    head: 'sent',
    cell: ({ dispatched_at }) => <When at={dispatched_at} />,
    sort: '-dispatched',
    wide: true,
    hand: 'bare',
  },
]

/** Where no effect is open beside them there is room for more. */
const WIDE_COLUMNS: readonly Column<FoundExecution>[] = [
  {
    head: 'reason',
    cell: ({ reason_code }) => (reason_code === null ? '' : <ReasonLink code={reason_code} />),
    sort: 'reason',
    wide: true,
    hand: 'bare',
  },
  ...COLUMNS,
  { head: 'times sent', cell: ({ sends }) => sends, number: true, wide: true },
  {
    head: 'next check',
    cell: ({ next_at }) => (next_at === null ? '' : <When at={next_at} />),
    wide: true,
  },
]

export function ExecutionsPage({ id }: { readonly id: string }): ReactNode {
  const [tab] = useQuery('in', 'uncertain')
  const { list, isFiltered } = useExecutions(tab)
  return (
    <Page name="executions">
      <ListDetail
        list={
          <>
            <FilterBar page="executions" label="search effects: an order, an id, words" />
            <Tabs
              label="which effects"
              name="in"
              tabs={countTabs(list.beside.counts)}
              value={tab}
            />
            <IndexNote indexed={list.beside.indexed} look={list.look} />
            <ExecutionList list={list} tab={isFiltered ? 'filtered' : tab} id={id} />
          </>
        }
        detail={id === '' ? null : <ExecutionDetail key={id} id={id} settled={list.look} />}
      />
    </Page>
  )
}

/** How many effects each tab has with the other filters. */
function countTabs(counts: FilterCounts | null): readonly Tab[] {
  if (counts === null) return TABS
  return TABS.map((tab) => {
    const statuses = STATUSES.get(tab.value)?.split(',') ?? Object.keys(counts.by)
    const count = statuses.reduce((sum, status) => sum + (counts.by[status] ?? 0), 0)
    return { ...tab, count }
  })
}

type FoundExecutions = { readonly list: LiveList<FoundExecution>; readonly isFiltered: boolean }

function useExecutions(tab: string): FoundExecutions {
  const { query } = usePlace()
  const filter = parseListFilter(query)
  const status = STATUSES.get(tab)
  const sort = query.get('sort') ?? undefined
  const list = useList<FoundExecution>(
    `executions ${tab} ${sort ?? ''} ${formatFilterKey(filter)}`,
    toExecutionId,
    async (client, cursor, signal) => {
      const asked = { ...toServerFilter(filter, Date.now()), status, sort, cursor }
      const answer = await client.listExecutions({ query: asked, signal })
      if (!answer.ok) return answer
      const { executions, ...beside } = answer.body
      return { ...answer, body: { rows: executions, ...beside } }
    },
  )
  useBell(({ kind }) => MOVING.includes(kind), list.look)
  return { list, isFiltered: Object.keys(filter).length > 0 }
}

const MOVING: readonly string[] = ['dispatch', 'accepted', 'commit', 'settle', 'evidence']

function ExecutionList({
  list,
  tab,
  id,
}: {
  readonly list: LiveList<FoundExecution>
  readonly tab: string
  readonly id: string
}): ReactNode {
  const order = useRowOrder('-opened', list.rows)
  const effect = buildEffectColumn(useNamings())
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
          columns={[effect, AMOUNT, ...(id === '' ? WIDE_COLUMNS : COLUMNS)]}
          keyOf={toExecutionId}
          hrefOf={(row) =>
            `/executions/${encodeURIComponent(toExecutionId(row))}${location.search}`
          }
          selected={id}
          order={order}
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
  if (tab === 'filtered') return <Empty what="No effect matches these filters." />
  if (tab === 'uncertain')
    return <Empty what="Nothing is uncertain: every effect that was sent has an outcome." />
  if (tab !== 'all') return <Empty what="No effect is in this state." />
  return <Empty what={`Nothing has been sent yet. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
}
