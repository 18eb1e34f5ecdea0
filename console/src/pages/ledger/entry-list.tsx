/** Entries, newest first, and the search that understands what they are found by. */
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { LedgerRow } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useList } from '../../api/use-list.ts'
import { shortenId } from '../../parts/id.tsx'
import { DEMO_COMMAND, DEMO_INVITATION, Empty, Failed, Loading } from '../../parts/outcomes.tsx'
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
          By number <code>#53</code>, place <code>main/12</code>, id <code>sha256:9f3c22a1…</code>{' '}
          or the dfid of a flow; or by <code>agent:NAME</code> <code>kind:commit</code>{' '}
          <code>code:LIMIT_EXCEEDED</code> <code>trajectory:main</code>, alone or together. Text
          written by agents is not searched.
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
  if (more) return <Empty what="No match among the newer entries. There are older ones." />
  if (filtered) return <Empty what="No entry matches this search." />
  return <Empty what={`The ledger is empty. ${DEMO_INVITATION}`} command={DEMO_COMMAND} />
}
