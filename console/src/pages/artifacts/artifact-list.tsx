/** Which artifacts there are, what is planned, and what changed last. */
import type { ReactNode } from 'react'
import type { ArtifactRow } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { useList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { type Column, MoreRows, NewRows, Rows } from '../../parts/rows.tsx'
import { When } from '../../parts/when.tsx'
import { toArtifactPath } from '../../url/artifact-path.ts'
import { ChangeList } from './change-list.tsx'
import { PlanTable } from './plan-table.tsx'
import { TrajectoryChoice } from './trajectory-choice.tsx'
import { useChanges, usePlans } from './use-artifact.ts'
import './artifacts.css'

const COLUMNS: readonly Column<ArtifactRow>[] = [
  {
    head: 'artifact',
    cell: ({ name }) => (
      <span className="mono wrap">
        <AgentText text={name} />
      </span>
    ),
  },
  { head: 'open plans', cell: ({ plans }) => plans.length, number: true },
  { head: 'bytes', cell: ({ bytes }) => bytes, number: true, wide: true },
  { head: 'entry', cell: ({ entry }) => entry.seq, number: true, wide: true },
  { head: 'touched', cell: ({ entry }) => <When at={entry.at} />, hand: 'corner' },
  {
    head: 'contents',
    cell: ({ content_hash }) => <Id value={content_hash} />,
    wide: true,
    hand: 'none',
  },
]

const COMMAND = 'npx rubicon up --artifacts FOLDER'

export function ArtifactList({ trajectory }: { readonly trajectory: string }): ReactNode {
  const list = useList<ArtifactRow>(
    `artifacts ${trajectory}`,
    ({ name }) => name,
    async (client, cursor, signal) => {
      const query = cursor === undefined ? {} : { cursor }
      const answer = await client.listWorldArtifacts({ params: { id: trajectory }, query, signal })
      if (!answer.ok) return answer
      return { ...answer, body: { rows: answer.body.artifacts, next: answer.body.next } }
    },
  )
  const plans = usePlans(trajectory, '')
  const changes = useChanges(trajectory, '')
  useBell(
    ({ trajectory: moved }) => moved === trajectory,
    () => {
      list.look()
      plans.again()
      changes.look()
    },
  )
  if (list.state === 'loading') return <Loading what="artifacts" />
  if (list.problem !== null) return <Failed problem={list.problem} again={list.look} />
  return (
    <div className="artifacts">
      <TrajectoryChoice trajectory={trajectory} />
      <NewRows count={list.fresh} show={list.showFresh} />
      {list.rows.length === 0 ? (
        <Empty
          what="No file is known yet. Start the server with a folder, and let an agent take over files of it (its contract needs the kind artifact.adopt):"
          command={COMMAND}
        />
      ) : (
        <Rows
          label="artifacts"
          rows={list.rows}
          columns={COLUMNS}
          keyOf={({ name }) => name}
          hrefOf={({ name }) => toArtifactPath(name, { trajectory })}
        />
      )}
      <MoreRows next={list.next} more={list.older} />
      {list.rows.length === 0 ? null : (
        <>
          <section className="artifacts-part stack" aria-label="open plans">
            <h2>Open plans</h2>
            <PlanTable plans={plans} trajectory={trajectory} />
          </section>
          <section className="artifacts-part stack" aria-label="changes">
            <h2>What changed last</h2>
            <ChangeList list={changes} trajectory={trajectory} />
          </section>
        </>
      )}
    </div>
  )
}
