/** One flow: what happened, and why? */

import type { ReactNode } from 'react'
import type { FlowTree, GetFlowReply } from 'rubicon-agents/client'
import { useNamings } from '../../api/use-namings.ts'
import { type Reply, useReply } from '../../api/use-reply.ts'
import { AgentText } from '../../parts/agent-text.tsx'
import { describeDeed } from '../../parts/deed.ts'
import { describeFlowOutcome } from '../../parts/flow-outcome.ts'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { formatMeasured } from '../../parts/unit.ts'
import { toVisibleText } from '../../parts/visible-text.ts'
import { When } from '../../parts/when.tsx'
import { formatDuration } from '../../time/clock.ts'
import { toConversationPath } from '../../url/conversation-path.ts'
import { Link } from '../../url/link.tsx'
import { BundleButton } from './bundle-button.tsx'
import { CancelFlow } from './cancel-flow.tsx'
import { type Erased, findErasure, parseProposed } from './entry-payload.ts'
import { FlowExecutions } from './flow-executions.tsx'
import { FlowReview } from './flow-review.tsx'
import { FlowStory } from './flow-story.tsx'
import { FlowTimeline } from './flow-timeline.tsx'
import { HalfDone } from './half-done.tsx'
import { NewEntries } from './new-entries.tsx'
import { listProofSteps } from './proof-steps.ts'
import { StatementButton } from './statement-button.tsx'
import { buildStory } from './story.ts'
import type { Span } from './story-parts.ts'
import './flow-detail.css'

export function FlowDetail({ dfid }: { readonly dfid: string }): ReactNode {
  const { reply, again } = useReply(`flow ${dfid}`, (client, signal) =>
    client.getFlow({ params: { dfid }, signal }),
  )
  if (reply.state === 'loading') return <Loading what="the flow" shape="detail" />
  if (reply.state === 'failed') return <Failed problem={reply.problem} again={again} />
  return <FlowView found={reply.value} again={again} />
}

function FlowView({
  found,
  again,
}: {
  readonly found: GetFlowReply
  readonly again: () => void
}): ReactNode {
  const { flow, entries, executions, budget, archive, conversation, withheld } = found
  const tree = useReply(`tree of ${flow.dfid}`, (client, signal) =>
    client.getFlowTree({ params: { dfid: flow.dfid }, query: {}, signal }),
  )
  const look = (): void => {
    again()
    tree.again()
  }
  const last = buildStory(entries).steps.findLast((step) => step.kind === 'attempt')
  const outcome = last?.outcome === 'rejected' ? last.outcome : null
  const { kind, params } = parseProposed(last?.proposal)
  const namings = useNamings()
  const erased = findErasure(entries)
  const title = erased === null ? flow.trigger : 'erased flow'
  return (
    <article className="flow-detail">
      <NewEntries flow={flow.dfid} entries={entries} show={look} />
      <header className="stack">
        <h2 className="row">
          <AgentText text={last === undefined ? title : describeDeed(namings, kind, params)} />
          <Status {...describeFlowOutcome({ ...flow, outcome })} />
        </h2>
        <p className="row small">
          <Link href={`/agents/${flow.agent_id}`}>{flow.agent_id}</Link>
          <span>{formatDuration(Date.parse(flow.updated_at) - Date.parse(flow.opened_at))}</span>
          <span>
            opened <When at={flow.opened_at} />
          </span>
          <Id value={flow.dfid} />
          <Link href={`/ledger?bundle=${flow.dfid}`}>Verify</Link>
          <BundleButton dfid={flow.dfid} />
          <CancelFlow flow={flow} cancelled={look} />
        </p>
      </header>
      <Members>
        <Origin trigger={flow.trigger} erased={erased} />
        {archive === null ? null : (
          <Member name="archived">
            <span className="row">
              <When at={archive.archived_at} />
              <span>{toVisibleText(archive.file)}</span>
              <Id value={archive.archive} />
            </span>
          </Member>
        )}
        {withheld === 0 ? null : (
          <Member name="left out">
            the text of {withheld} entries and effects: the flow is too long to be shown whole, and
            the ledger has each of them
          </Member>
        )}
        {flow.event === null ? null : (
          <Member name="woken by">
            <Link href={`/events/${flow.event.event_id}`}>
              an event of {toVisibleText(flow.event.topic)}
            </Link>
          </Member>
        )}
        <Conversation agent={flow.agent_id} name={conversation} />
        <Used budget={budget} />
        {flow.tags.length === 0 ? null : <Member name="tags">{flow.tags.join(', ')}</Member>}
      </Members>
      <HalfDone flow={flow} settled={look} />
      <FlowReview found={found} reviewed={again} />
      <FlowStory
        entries={entries}
        executions={executions}
        withheld={withheld}
        linked
        ended={flow.state === 'CLOSED' || flow.state === 'ABORTED'}
        timeline={(spans) => <TimelineOf spans={spans} tree={tree.reply} />}
      />
      {isProven(entries) ? <StatementButton dfid={flow.dfid} /> : null}
      <FlowExecutions executions={executions} />
      <Json value={found} />
    </article>
  )
}

/** While the relatives are asked for nothing is shown that they would push away. */
function TimelineOf({
  spans,
  tree,
}: {
  readonly spans: readonly Span[]
  readonly tree: Reply<FlowTree>
}): ReactNode {
  if (tree.state === 'loading') return <Loading what="the flows around it" />
  const found = tree.state === 'ready' ? tree.value : null
  return (
    <>
      {tree.state === 'failed' ? <Failed problem={tree.problem} /> : null}
      {/* With other children its pages begin elsewhere. */}
      <FlowTimeline key={found?.children[0]?.dfid ?? ''} spans={spans} tree={found} linked />
    </>
  )
}

/** A statement is made of proven intents that were accepted. */
function isProven(entries: GetFlowReply['entries']): boolean {
  return buildStory(entries).steps.some(
    (step) =>
      step.kind === 'attempt' && step.outcome === 'accepted' && listProofSteps(step) !== null,
  )
}

function Conversation({
  agent,
  name,
}: {
  readonly agent: string
  readonly name: string | null
}): ReactNode {
  if (name === null) return null
  return (
    <Member name="conversation">
      <Link href={toConversationPath(agent, name)}>{name}</Link>
    </Member>
  )
}

function Used({ budget }: Pick<GetFlowReply, 'budget'>): ReactNode {
  if (budget.length === 0) return null
  return (
    <Member name="used">
      {budget.map(({ measure, used, granted, estimate }) => (
        <span key={measure} className="row mono">
          {measure} {estimate ? 'about ' : ''}
          {formatMeasured(used, measure)}
          {granted === null ? '' : ` of ${formatMeasured(granted, measure)}`}
        </span>
      ))}
    </Member>
  )
}

/** Why it began, or who had that and everything else erased. */
function Origin({
  trigger,
  erased,
}: {
  readonly trigger: string
  readonly erased: Erased | null
}): ReactNode {
  if (erased === null)
    return (
      <Member name="trigger">
        <AgentText text={trigger} />
      </Member>
    )
  return (
    <Member name="erased">
      <span className="row">
        <When at={erased.at} />
        {erased.by === null ? null : <span>by {toVisibleText(erased.by)}</span>}
        <span>{toVisibleText(erased.reason)}</span>
      </span>
    </Member>
  )
}
