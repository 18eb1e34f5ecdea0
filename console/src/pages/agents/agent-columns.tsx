/** What the list of agents says of each: its state, how it did in the last day, and what is left to it. */
import type { ReactNode } from 'react'
import type { AgentActivity, AgentSummary } from 'rubicon-agents/client'
import { BarMeter } from '../../parts/bar-meter.tsx'
import type { Column } from '../../parts/rows.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { Status } from '../../parts/status.tsx'
import { formatMeasured } from '../../parts/unit.ts'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { AgentStanding } from './agent-standing.tsx'

/** Undefined: nothing is known of it, or not yet. */
export type ListedAgent = AgentSummary & { readonly activity: AgentActivity | undefined }

const AGENT: Column<ListedAgent> = { head: 'agent', cell: ({ agent_id }) => agent_id }
const STATE: Column<ListedAgent> = {
  head: 'state',
  hand: 'corner',
  cell: (agent) => (
    <>
      <AgentStanding agent={agent} />
      {agent.activity?.silent === true && agent.status === 'ACTIVE' ? (
        <>
          {' '}
          <Status standing="unknown" word="silent" />
        </>
      ) : null}
      {agent.problems === 0 ? null : (
        <>
          {' '}
          <Status
            standing="waiting"
            word={agent.problems === 1 ? '1 problem' : `${agent.problems} problems`}
          />
        </>
      )}
    </>
  ),
}
const CONTRACT: Column<ListedAgent> = {
  head: 'contract',
  cell: ({ version, revoked }) => (revoked ? 'none in force' : version),
  wide: true,
  hand: 'none',
}
const DECISIONS: Column<ListedAgent> = {
  head: 'last 24 h',
  cell: ({ agent_id, activity }) => <Decisions agent={agent_id} activity={activity} />,
  wide: true,
  hand: 'none',
}
const MIX: Column<ListedAgent> = {
  head: 'verdicts',
  cell: ({ activity }) => <Mix activity={activity} />,
  wide: true,
  hand: 'bare',
}
const BUDGET: Column<ListedAgent> = {
  head: 'fullest budget',
  cell: ({ activity }) => <Budget activity={activity} />,
  wide: true,
  hand: 'bare',
}
const SEEN: Column<ListedAgent> = {
  head: 'last seen',
  cell: ({ activity }) => (activity === undefined ? '' : <When at={activity.last_seen} />),
  wide: true,
}
const ABOVE: Column<ListedAgent> = {
  head: 'answers to',
  cell: ({ instance_of, parent_agent, owner }) =>
    toVisibleText(instance_of ?? parent_agent ?? owner ?? 'nobody'),
  wide: true,
  hand: 'none',
}

/** Beside an agent that is open. */
export const FEW_COLUMNS: readonly Column<ListedAgent>[] = [AGENT, STATE, CONTRACT]
export const ALL_COLUMNS: readonly Column<ListedAgent>[] = [
  AGENT,
  STATE,
  DECISIONS,
  MIX,
  BUDGET,
  SEEN,
  ABOVE,
  CONTRACT,
]

type Known = { readonly activity: AgentActivity | undefined }

function Decisions({ agent, activity }: Known & { readonly agent: string }): ReactNode {
  if (activity === undefined) return null
  const total = activity.series.reduce((sum, count) => sum + count, 0)
  return <Sparkline label={`decisions of ${agent}`} values={activity.series} last={String(total)} />
}

function Mix({ activity }: Known): ReactNode {
  if (activity === undefined) return null
  const { accepted, rejected, escalated } = activity
  return (
    <span className="agent-mix">
      <span title="accepted" className={accepted === 0 ? 'agent-mix-none' : ''}>
        <Status standing="allowed" word={String(accepted)} />
        <span className="unseen"> accepted</span>
      </span>
      <span title="rejected" className={rejected === 0 ? 'agent-mix-none' : ''}>
        <Status standing="rejected" word={String(rejected)} />
        <span className="unseen"> rejected</span>
      </span>
      <span title="sent to a person" className={escalated === 0 ? 'agent-mix-none' : ''}>
        <Status standing="waiting" word={String(escalated)} />
        <span className="unseen"> sent to a person</span>
      </span>
    </span>
  )
}

function Budget({ activity }: Known): ReactNode {
  const budget = activity?.budget ?? null
  if (budget === null) return null
  const { measure, used, limit, share } = budget
  return (
    <span className="agent-budget">
      <BarMeter label={null} used={Math.min(100, share * 100)} />
      <span className="small quiet">
        {toVisibleText(measure)} {formatMeasured(used, measure)} of {formatMeasured(limit, measure)}
      </span>
    </span>
  )
}
