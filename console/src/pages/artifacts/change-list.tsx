/** What changed an artifact: who, in which flow, when, by which plan, and what was taken back since. */
import type { ReactNode } from 'react'
import type { ArtifactChange } from 'rubicon-agents/client'
import type { LiveList } from '../../api/use-list.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Empty, Failed, Loading } from '../../parts/outcomes.tsx'
import { MoreRows, NewRows } from '../../parts/rows.tsx'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { toArtifactPath } from '../../url/artifact-path.ts'
import { Link } from '../../url/link.tsx'
import { describeChange, describeStanding, isAbout, listUndone } from './change-words.ts'

export type ChangeListProps = {
  readonly list: LiveList<ArtifactChange>
  readonly trajectory: string
  /** Only what concerns this symbol of the one artifact. */
  readonly path?: string
  /** The entry that is shown. */
  readonly at?: number
}

export function ChangeList({ list, trajectory, path = '', at }: ChangeListProps): ReactNode {
  if (list.state === 'loading') return <Loading what="changes" shape="lines" />
  if (list.problem !== null) return <Failed problem={list.problem} again={list.look} />
  const shown = list.rows.filter((change) => isAbout(change, path))
  const undone = listUndone(list.rows)
  return (
    <>
      <NewRows count={list.fresh} show={list.showFresh} />
      {shown.length === 0 ? <Empty what="No entry of this trajectory changed it yet." /> : null}
      <ol className="changes" aria-label="changes, newest first">
        {shown.map((change) => (
          <li
            key={`${change.entry} ${change.name}`}
            className={`change ${change.seq === at ? 'change-shown' : ''}`}
          >
            <Change
              change={change}
              standing={describeStanding(change, undone)}
              trajectory={trajectory}
              path={path}
              isNamed={at === undefined}
            />
          </li>
        ))}
      </ol>
      <MoreRows next={list.next} more={list.older} />
    </>
  )
}

function Change({
  change,
  standing,
  trajectory,
  path,
  isNamed,
}: {
  readonly change: ArtifactChange
  readonly standing: ReturnType<typeof describeStanding>
  readonly trajectory: string
  readonly path: string
  readonly isNamed: boolean
}): ReactNode {
  const { seq, name, agent_id, dfid, plan, summary, symbols } = change
  const show = (members: Readonly<Record<string, string>>): string =>
    toArtifactPath(name, { trajectory, path, ...members })
  return (
    <>
      <p className="row">
        <Link href={show({ at: String(seq), view: 'history' })}>entry {seq}</Link>
        <When at={change.at} />
        {agent_id === null ? null : (
          <Link href={`/agents/${encodeURIComponent(agent_id)}`}>{agent_id}</Link>
        )}
        <span>{describeChange(change)}</span>
        {isNamed ? (
          <span className="mono wrap">
            <AgentText text={name} />
          </span>
        ) : null}
        {standing === null ? null : <Status {...standing} />}
      </p>
      {summary === null || summary === change.what ? null : (
        <p className="wrap">
          <AgentText text={summary} />
        </p>
      )}
      {symbols.length === 0 ? null : (
        <p className="mono small quiet wrap">
          <AgentText text={symbols.join(', ')} />
        </p>
      )}
      <div className="row small">
        <Link
          href={show({ since: String(Math.max(0, seq - 1)), at: String(seq), view: 'compare' })}
        >
          what it changed
        </Link>
        {dfid === null ? null : <Link href={`/flows/${dfid}`}>flow</Link>}
        <Link href={`/ledger?q=${encodeURIComponent(change.entry)}`}>in the ledger</Link>
        {plan === null ? null : (
          <span>
            plan <Id value={plan} />
          </span>
        )}
        <Json value={change} />
      </div>
    </>
  )
}
