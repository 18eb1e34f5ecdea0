/** Entries, newest first, and the search that understands what they are found by. */
import type { ReactNode } from 'react'
import type { LedgerRow } from 'rubicon-agents/client'
import { ENTRY_KINDS } from 'rubicon-kernel'
import { useBell } from '../../api/live.tsx'
import { type LiveList, useList } from '../../api/use-list.ts'
import { formatAmount } from '../../parts/amount.ts'
import { FilterBar } from '../../parts/filter-bar/filter-bar.tsx'
import type { FilterChoice } from '../../parts/filter-bar/filter-form.tsx'
import { IndexNote } from '../../parts/filter-bar/index-note.tsx'
import {
  formatFilterKey,
  parseListFilter,
  toServerFilter,
} from '../../parts/filter-bar/list-filter.ts'
import { useRowOrder } from '../../parts/filter-bar/use-row-order.ts'
import { shortenId } from '../../parts/id.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { When } from '../../parts/when.tsx'
import { changeQuery, readPlace, usePlace } from '../../url/location.ts'
import { isLedgerQuery } from './ledger-query.ts'

const COLUMNS: readonly Column<LedgerRow>[] = [
  { head: 'entry', cell: ({ leaf }) => <span className="mono">#{leaf}</span>, sort: '-leaf' },
  { head: 'kind', cell: ({ kind }) => kind, sort: 'kind', hand: 'corner' },
  {
    head: 'place',
    cell: ({ trajectory, seq }) => <Mono text={`${trajectory}/${seq}`} />,
    hand: 'bare',
  },
  {
    head: 'reason',
    cell: ({ code }) => (code === null ? '' : <ReasonLink code={code} />),
    sort: 'reason',
    hand: 'bare',
  },
  { head: 'at', cell: ({ at }) => <When at={at} />, hand: 'bare' },
]

/** Where nothing is open beside them there is room for the chain. */
const CHAINED: readonly Column<LedgerRow>[] = [
  ...COLUMNS,
  {
    head: 'agent',
    cell: ({ agent_id }) => agent_id ?? '',
    sort: 'agent',
    wide: true,
    hand: 'bare',
  },
  { head: 'id', cell: ({ id }) => <Mono text={shortenId(id)} />, wide: true, hand: 'none' },
  {
    head: 'parent',
    cell: ({ parent }) => <Mono text={parent === null ? 'none' : `← ${shortenId(parent)}`} />,
    wide: true,
    hand: 'none',
  },
]

function Mono({ text }: { readonly text: string }): ReactNode {
  return <span className="mono ledger-mono">{text}</span>
}

/** Of the decision that an entry records. */
const OUTCOME_CHOICE: FilterChoice = {
  name: 'outcome',
  label: 'outcome',
  options: [
    { value: '', label: 'any' },
    { value: 'accepted', label: 'accepted' },
    { value: 'rejected', label: 'rejected' },
    { value: 'escalated', label: 'sent to a person' },
    { value: 'ended', label: 'ended early' },
  ],
}

export function EntryList({ leaf }: { readonly leaf: string }): ReactNode {
  const { list, isFiltered } = useEntries()
  const { query } = usePlace()
  const order = useRowOrder('-leaf')
  const { counts, indexed } = list.beside
  return (
    <>
      <FilterBar
        page="ledger"
        label="search: #53, main/12, agent:NAME, words"
        alone="q"
        search={{ text: query.get('q') ?? query.get('words') ?? '', change: searchFor }}
        kinds={ENTRY_KINDS}
        choices={[OUTCOME_CHOICE]}
      />
      <IndexNote indexed={indexed} look={list.look} />
      {counts === null ? null : (
        <p className="small quiet ledger-count" role="status">
          {formatAmount(String(counts.total))} {counts.total === 1 ? 'entry' : 'entries'}
        </p>
      )}
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="entries" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <NoEntries filtered={isFiltered} more={list.next !== null} />
      ) : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="entries of the ledger"
          rows={list.rows}
          columns={leaf === '' ? CHAINED : COLUMNS}
          keyOf={(row) => String(row.leaf)}
          hrefOf={(row) => `/ledger/${row.leaf}${location.search}`}
          selected={leaf}
          order={order}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

type FoundEntries = { readonly list: LiveList<LedgerRow>; readonly isFiltered: boolean }

function useEntries(): FoundEntries {
  const { query } = usePlace()
  const filter = parseListFilter(query)
  const own = {
    q: query.get('q') ?? undefined,
    outcome: OUTCOMES.find((outcome) => outcome === query.get('outcome')),
    sort: query.get('sort') ?? undefined,
  }
  const list = useList<LedgerRow>(
    `ledger ${JSON.stringify(own)} ${formatFilterKey(filter)}`,
    (row) => row.id,
    async (client, cursor, signal) => {
      const asked = { ...toServerFilter(filter, Date.now()), ...own, cursor }
      const answer = await client.findEntries({ query: asked, signal })
      if (!answer.ok) return answer
      const { entries, ...beside } = answer.body
      return { ...answer, body: { rows: entries, ...beside } }
    },
  )
  useBell(() => true, list.look)
  const isFiltered =
    Object.keys(filter).length > 0 || own.q !== undefined || own.outcome !== undefined
  return { list, isFiltered }
}

const OUTCOMES = ['accepted', 'rejected', 'escalated', 'ended'] as const

/** What a place or an id stands for is looked up by itself; anything else is words, beside the other filters. */
function searchFor(text: string): void {
  const others = [...readPlace().query.keys()].filter((name) => name !== 'in')
  const dropped = Object.fromEntries(others.map((name) => [name, '']))
  changeQuery(isLedgerQuery(text) ? { ...dropped, q: text } : { q: '', words: text })
}

function NoEntries({
  filtered,
  more,
}: {
  readonly filtered: boolean
  readonly more: boolean
}): ReactNode {
  if (more) return <Empty what="Nothing fits among the newest entries. Show older ones to go on." />
  if (filtered) return <Empty what="No entry matches these filters." />
  return <Empty what={`The ledger is empty. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
}
