/** A line of the time axis: its name and what it leads to, its bar, and how long it took. */
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { formatDuration } from '../../time/clock.ts'
import { Link } from '../../url/link.tsx'
import type { TimeAxis } from './time-axis.ts'
import type { FlowRow, Kinship, SpanRow } from './timeline-rows.ts'
import type { BranchesOf } from './use-branches.ts'

const KINSHIPS: Readonly<Record<Kinship, string>> = {
  parent: 'opened it',
  this: 'this flow',
  beside: 'beside it',
  child: 'opened in it',
}

export function FlowBarRow({
  row,
  axis,
  branches,
}: {
  readonly row: FlowRow
  readonly axis: TimeAxis
  readonly branches: BranchesOf
}): ReactNode {
  const { branch, kinship, level } = row
  const { dfid, agent_id, kind, object, trigger, has_children } = branch
  const { standing, word } = describeFlowOutcome(branch)
  const name = kind === null ? trigger : `${kind} ${object ?? ''}`
  return (
    <li className={`timeline-row timeline-flow timeline-${kinship}`}>
      <span className="timeline-name" style={toIndent(level)}>
        <Toggle row={row} branches={branches} shown={has_children} />
        <span className="timeline-text">
          {kinship === 'this' ? (
            <strong className="timeline-cut" aria-current="true">
              <AgentText text={name} />
            </strong>
          ) : (
            <Link className="timeline-link timeline-cut" href={`/flows/${dfid}`}>
              <AgentText text={name} />
            </Link>
          )}
          <span className="small quiet timeline-cut">
            <span className="unseen">{KINSHIPS[kinship]}: </span>
            <Status standing={standing} word={word} /> {toVisibleText(agent_id)}
          </span>
        </span>
      </span>
      <Track axis={axis} row={row} look={`timeline-bar-flow status-${standing}`} />
      <span className="number small">{formatDuration(row.to - row.from)}</span>
    </li>
  )
}

/** Children of children are asked for when somebody wants to see them. */
function Toggle({
  row: { branch, kinship },
  branches,
  shown,
}: {
  readonly row: FlowRow
  readonly branches: BranchesOf
  readonly shown: boolean
}): ReactNode {
  if (kinship !== 'child' || !shown) return null
  const isOpen = branches.find(branch.dfid) !== undefined
  const Mark = isOpen ? ChevronDown : ChevronRight
  return (
    <button
      type="button"
      className="plain timeline-toggle"
      aria-expanded={isOpen}
      aria-label={`flows opened in ${branch.dfid}`}
      onClick={() => (isOpen ? branches.close(branch.dfid) : branches.load(branch.dfid))}
    >
      <Mark className="icon" aria-hidden="true" />
    </button>
  )
}

export function SpanBarRow({
  row,
  axis,
  linked,
}: {
  readonly row: SpanRow
  readonly axis: TimeAxis
  readonly linked: boolean
}): ReactNode {
  const { span, level } = row
  const { to, what, who, ms } = span
  const name = (
    <>
      {what} <span className="quiet">→ {to.kind}</span>
    </>
  )
  return (
    <li className="timeline-row">
      <span className="timeline-name small" style={toIndent(level)}>
        {linked && to.leaf !== null ? (
          <Link className="timeline-link timeline-cut" href={`/ledger/${to.leaf}`}>
            {name}
          </Link>
        ) : (
          <span className="timeline-cut">{name}</span>
        )}
      </span>
      <Track axis={axis} row={row} look={`timeline-bar-${who}`} />
      <span className="number small">{formatDuration(ms)}</span>
    </li>
  )
}

function Track({
  axis: { folds, place },
  row: { from, to },
  look,
}: {
  readonly axis: TimeAxis
  readonly row: { readonly from: number; readonly to: number }
  readonly look: string
}): ReactNode {
  const [left, right] = [place(from), place(to)]
  return (
    <span className="timeline-track" aria-hidden="true">
      {folds.map((fold) => (
        <span
          key={fold.left}
          className="timeline-fold"
          style={{ left: `${fold.left}%`, width: `${fold.width}%` }}
        />
      ))}
      <span
        className={`timeline-bar ${look}`}
        style={{ left: `min(${left}%, calc(100% - 4px))`, width: `${right - left}%` }}
      />
    </span>
  )
}

export function MoreRow({
  level,
  label,
  more,
}: {
  readonly level: number
  readonly label: string
  readonly more: () => void
}): ReactNode {
  return (
    <li className="timeline-row">
      <span className="timeline-name small" style={toIndent(level)}>
        <button type="button" className="plain timeline-link" onClick={more}>
          Show {label}
        </button>
      </span>
    </li>
  )
}

/** Deep trees stay readable where there is little room. */
const DEEPEST = 8

function toIndent(level: number): { readonly paddingInlineStart: string } {
  return { paddingInlineStart: `${Math.min(level, DEEPEST) * 14}px` }
}
