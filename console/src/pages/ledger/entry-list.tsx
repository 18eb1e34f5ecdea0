/** Entries, newest first, and the search that understands what they are found by. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { LedgerRow } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useList } from '../../api/use-list.ts'
import { shortenId } from '../../parts/id.tsx'
import { DEMO_COMMAND, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { When } from '../../parts/when.tsx'
import { useQuery } from '../../url/location.ts'

const COLUMNS: readonly Column<LedgerRow>[] = [
  { head: 'entry', cell: ({ leaf }) => <span className="mono">#{leaf}</span> },
  { head: 'kind', cell: ({ kind }) => kind },
  { head: 'place', cell: ({ trajectory, seq }) => <Mono text={`${trajectory}/${seq}`} /> },
  { head: 'code', cell: ({ code }) => (code === null ? '' : <ReasonLink code={code} />) },
  { head: 'at', cell: ({ at }) => <When at={at} /> },
]

/** Where nothing is open beside them there is room for the chain. */
const CHAINED: readonly Column<LedgerRow>[] = [
  ...COLUMNS,
  { head: 'agent', cell: ({ agent_id }) => agent_id ?? '', wide: true },
  { head: 'id', cell: ({ id }) => <Mono text={shortenId(id)} />, wide: true },
  {
    head: 'parent',
    cell: ({ parent }) => <Mono text={parent === null ? 'none' : `← ${shortenId(parent)}`} />,
    wide: true,
  },
]

function Mono({ text }: { readonly text: string }): ReactNode {
  return <span className="mono ledger-mono">{text}</span>
}

export function EntryList({ leaf }: { readonly leaf: string }): ReactNode {
  const [q, setQ] = useQuery('q')
  const list = useList<LedgerRow>(
    `ledger ${q}`,
    (row) => row.id,
    async (client, cursor, signal) => {
      const query = { ...(q === '' ? {} : { q }), ...(cursor === undefined ? {} : { cursor }) }
      const answer = await client.findEntries({ query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.entries, next: answer.body.next } }
    },
  )
  useBell(() => true, list.look)
  return (
    <>
      <Search q={q} search={setQ} />
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.state === 'loading' ? <Loading what="entries" /> : null}
      {list.problem === null ? null : <Failed problem={list.problem} again={list.look} />}
      {list.state === 'ready' && list.rows.length === 0 ? (
        <NoEntries filtered={q !== ''} more={list.next !== null} />
      ) : null}
      {list.rows.length === 0 ? null : (
        <Rows
          label="entries of the ledger"
          rows={list.rows}
          columns={leaf === '' ? CHAINED : COLUMNS}
          keyOf={(row) => String(row.leaf)}
          hrefOf={(row) => `/ledger/${row.leaf}${location.search}`}
          selected={leaf}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

/** Sent by enter: half a word would be refused. */
function Search({
  q,
  search,
}: {
  readonly q: string
  readonly search: (q: string) => void
}): ReactNode {
  const [text, setText] = useState(q)
  useEffect(() => setText(q), [q])
  const send = (event: FormEvent): void => {
    event.preventDefault()
    search(text.trim())
  }
  return (
    <search>
      <form className="ledger-search" onSubmit={send}>
        <label>
          <span className="unseen">search the ledger</span>
          <input
            type="search"
            placeholder="search: agent:NAME kind:rejection"
            value={text}
            aria-describedby="ledger-syntax"
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p className="small quiet" id="ledger-syntax">
          an entry by its number <code>#53</code>, its place <code>main/12</code>, its id{' '}
          <code>sha256:9f3c22a1…</code> or its flow’s dfid; <code>agent:NAME</code>{' '}
          <code>kind:commit</code> <code>code:LIMIT_EXCEEDED</code> <code>trajectory:main</code>,
          several together. What agents wrote is not searched.
        </p>
      </form>
    </search>
  )
}

function NoEntries({
  filtered,
  more,
}: {
  readonly filtered: boolean
  readonly more: boolean
}): ReactNode {
  if (more) return <Empty what="Nothing fits among the newer entries. There are older ones." />
  if (filtered) return <Empty what="No entry fits this search." />
  return (
    <Empty
      what="The ledger is empty. To see one that is not, beside this:"
      command={DEMO_COMMAND}
    />
  )
}
