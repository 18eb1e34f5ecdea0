/** How an agent stands right now. */
import type { ReactNode } from 'react'
import type { AgentDetail, StateSince } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { getAgentStanding, getFlowStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { BudgetBars } from './budget-bars.tsx'
import { LastDecision } from './last-decision.tsx'
import { VerdictShares } from './verdict-shares.tsx'

export function AgentOverview({ agent }: { readonly agent: AgentDetail }): ReactNode {
  const { problems, state, verdicts, budgets, open_flows, instances } = agent
  return (
    <>
      {problems.length === 0 ? null : <Problems problems={problems} />}
      <Members>
        <Member name="state">{state === null ? 'as registered' : <Since state={state} />}</Member>
        <Member name="owner">{agent.owner ?? 'nobody'}</Member>
        <Member name="mission">
          <AgentText text={agent.mission ?? ''} />
        </Member>
        <Member name="contract">{agent.revoked ? 'none in force' : agent.version}</Member>
        <Member name="last seen">
          <When at={agent.last_seen} />
        </Member>
        {agent.instance_of === null ? null : (
          <Member name="instance of">
            <AgentLink id={agent.instance_of} />
          </Member>
        )}
        {agent.parent_agent === null ? null : (
          <Member name="escalates to">
            <AgentLink id={agent.parent_agent} />
          </Member>
        )}
      </Members>
      <VerdictShares agent={agent.agent_id} verdicts={verdicts} />
      <BudgetBars budgets={budgets} flows={open_flows} />
      <LastDecision agent={agent.agent_id} />
      <section className="stack">
        <h3>
          Open flows{' '}
          <Link href={`/flows?agent=${encodeURIComponent(agent.agent_id)}`}>all flows</Link>
        </h3>
        {open_flows.length === 0 ? <p className="quiet">It has no open flows.</p> : null}
        <ul className="stack">
          {open_flows.map(({ dfid, state: flowState, trigger, updated_at }) => (
            <li key={dfid} className="row">
              <Link href={`/flows/${dfid}`} title={dfid}>
                <AgentText text={trigger} />
              </Link>
              <Status {...getFlowStanding(flowState)} />
              <When at={updated_at} />
            </li>
          ))}
        </ul>
      </section>
      {instances.length === 0 ? null : (
        <section className="stack">
          <h3>Instances</h3>
          <ul className="row">
            {instances.map(({ agent_id, status }) => (
              <li key={agent_id} className="row">
                <AgentLink id={agent_id} /> <Status {...getAgentStanding(status)} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <Json value={agent} />
    </>
  )
}

/** The runtime signs for itself: which of its keys did is written in the entry. */
const RUNTIME_KEY = /^kernel-[0-9a-f]+$/

/** Whoever suspended it over the API is named; else the key that signed. */
function Since({ state }: { readonly state: StateSince }): ReactNode {
  const { at, actor, by, justification } = state
  return (
    <>
      set <When at={at} /> by {actor}
      {RUNTIME_KEY.test(by) ? null : (
        <>
          {' '}
          <AgentText text={by} />
        </>
      )}
      {justification === '' ? null : (
        <>
          : <AgentText text={justification} />
        </>
      )}
    </>
  )
}

function Problems({ problems }: { readonly problems: AgentDetail['problems'] }): ReactNode {
  return (
    <section className="agent-problems" aria-label="problems">
      <h3>
        <Status standing="waiting" word="Something in its contract does not work" />
      </h3>
      <ul>
        {problems.map(({ summary, fix }) => (
          <li key={summary}>
            {summary}; fix: <code>{fix}</code>
          </li>
        ))}
      </ul>
    </section>
  )
}

function AgentLink({ id }: { readonly id: string }): ReactNode {
  return <Link href={`/agents/${encodeURIComponent(id)}`}>{id}</Link>
}
