/** One resource: what it is at this moment, and every entry that made it so. */
import type { ReactNode } from 'react'
import type { ResourceChange, WorldMoment } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { MoreRows, NewRows } from '../../parts/rows.tsx'
import { Term } from '../../parts/term/term.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { replaceQuery } from '../../url/location.ts'
import { toResourceName } from './world-rows.ts'

export type ResourceDetailProps = {
  readonly trajectory: string
  readonly now: WorldMoment
  /** It is followed, and not a moment that somebody chose. */
  readonly live: boolean
  readonly kind: string
  readonly id: string
}

export function ResourceDetail({
  trajectory,
  now,
  live,
  kind,
  id,
}: ResourceDetailProps): ReactNode {
  const found = now.resources.find((one) => toResourceName(one) === toResourceName({ kind, id }))
  return (
    <article className="resource-detail">
      <h2>
        {kind} <AgentText text={id} />
      </h2>
      {found === undefined ? (
        <p className="quiet">It did not exist at entry {now.moment.seq}.</p>
      ) : (
        <>
          <Members>
            <Member name="version">{found.version}</Member>
            <Member name="state">{found.retracted ? 'retracted' : 'present'}</Member>
            <Member name="changed last">
              entry {found.entry.seq}, <When at={found.entry.at} />
            </Member>
            {found.entry.dfid === null ? null : (
              <Member
                name={
                  <>
                    by <Term word="flow" />
                  </>
                }
              >
                <Id value={found.entry.dfid} href={`/flows/${found.entry.dfid}`} />
              </Member>
            )}
          </Members>
          <Json value={found.value} open label="value" />
        </>
      )}
      <h3>What changed it</h3>
      <Changes trajectory={trajectory} kind={kind} id={id} at={live ? null : now.moment.seq} />
    </article>
  )
}

type ChangesProps = {
  readonly trajectory: string
  readonly kind: string
  readonly id: string
  /** Null: followed. The list stays while entries come, however long it takes to look through them. */
  readonly at: number | null
}

function Changes({ trajectory, kind, id, at }: ChangesProps): ReactNode {
  const list = useList<ResourceChange>(
    `changes ${trajectory} ${kind} ${id} ${at ?? 'live'}`,
    (change) => change.id,
    async (client, cursor, signal) => {
      const moment = at === null ? {} : { at: String(at) }
      const paged = cursor === undefined ? {} : { cursor }
      const query = { kind, resource: id, ...moment, ...paged }
      const answer = await client.listChanges({ params: { id: trajectory }, query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.changes, next: answer.body.next } }
    },
  )
  useBell(({ trajectory: moved }) => at === null && moved === trajectory, list.look)
  if (list.state === 'loading') return <Loading what="changes" shape="lines" />
  if (list.problem !== null) return <Failed problem={list.problem} again={list.look} />
  if (list.rows.length === 0 && list.next === null)
    return (
      <Empty what="No entry of this trajectory changed it; it may have been changed before this branch began." />
    )
  return (
    <>
      <NewRows count={list.fresh} show={list.showFresh} />
      <ul className="stack">
        {list.rows.map((change) => (
          <li key={change.id} className="row">
            <Link href={replaceQuery({ at: String(change.seq) })}>entry {change.seq}</Link>
            <span>{change.ops.map(getOpName).join(', ')}</span>
            <When at={change.at} />
            {change.leaf === null ? null : (
              <Link href={`/ledger/${change.leaf}`}>in the ledger</Link>
            )}
            {change.dfid === null ? null : <Link href={`/flows/${change.dfid}`}>flow</Link>}
            <Json value={change.ops} label="what it did" />
          </li>
        ))}
      </ul>
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function getOpName(op: unknown): string {
  return typeof op === 'object' && op !== null && 'op' in op ? String(op.op) : ''
}
