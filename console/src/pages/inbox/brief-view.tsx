/** What somebody reads before they decide, in the order in which it matters. */
import type { ReactNode, RefObject } from 'react'
import type { EscalationBrief, Outlook } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Measured } from '../../parts/measured.tsx'
import { Member, Members } from '../../parts/members.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { formatMeasured } from '../../parts/unit.ts'
import { Amount, Value } from '../../parts/value.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { StakeWords } from './at-stake.tsx'
import { BriefClaims } from './brief-claims.tsx'
import { BriefFacts } from './brief-facts.tsx'
import { BriefWhy } from './brief-why.tsx'
import { DecidedBeforeLine } from './decided-before-line.tsx'
import { EffectRows } from './effect-rows.tsx'
import { describeRequest } from './inbox-words.ts'
import { toSimilarPath } from './similar-path.ts'
import { listImpactWords } from './stake-words.ts'

export function BriefView({
  brief,
  outlook,
  facts,
}: {
  readonly brief: EscalationBrief
  /** As of now, whatever is on the screen. */
  readonly outlook: Outlook | null
  readonly facts: RefObject<HTMLElement | null>
}): ReactNode {
  const { effect, object, summary } = brief
  return (
    <>
      <header className="stack">
        <Stakes brief={brief} />
        <h2 className="request-head">
          {describeRequest(brief)} {object === null ? null : <AgentText text={object} />}
        </h2>
        {summary === null || summary === '' ? null : <p className="quiet">{summary}</p>}
      </header>
      <Members>
        <Member name="Effect">
          {effect === null ? 'Nothing is sent: the agent continues its flow.' : null}
          {effect === null ? null : <EffectRows effect={effect} />}
        </Member>
        {outlook === null ? null : (
          <Member name="If approved">
            <OutlookLine outlook={outlook} />
          </Member>
        )}
        <Member name="Reason">
          <BriefWhy why={brief.why} />
        </Member>
        <Member name="Facts">
          <BriefFacts facts={brief.facts} place={facts} />
        </Member>
        {brief.state === 'open' ? (
          <Member name="Budget">
            <Budgets brief={brief} />
          </Member>
        ) : null}
        <Member name="Similar requests">
          <DecidedBeforeLine before={brief.before} href={toSimilarPath(brief)} />
        </Member>
      </Members>
      <BriefClaims claims={brief.claims} />
      <RunsAs brief={brief} />
    </>
  )
}

function Stakes({ brief }: { readonly brief: EscalationBrief }): ReactNode {
  const { impact, exposure, agent_id } = brief
  return (
    <p className="request-stakes row">
      <strong title={impact}>{impact === 'HIGH_IMPACT' ? 'High impact' : 'Low impact'}</strong>
      <StakeWords words={listImpactWords(brief)} />
      {exposure === null ? null : (
        <span>
          at stake <Measured amount={exposure.value} measure={exposure.measure} />
        </span>
      )}
      <Link href={`/agents/${agent_id}`}>{agent_id}</Link>
    </p>
  )
}

function OutlookLine({ outlook }: { readonly outlook: Outlook }): ReactNode {
  const { kind, code } = outlook
  if (kind === 'runs') return <Status standing="allowed" word="it runs, on the current facts" />
  const word = kind === 'refused' ? 'it would be refused' : 'it would need another approval'
  return (
    <>
      <Status standing="rejected" word={word} />{' '}
      {code === undefined ? null : <ReasonLink code={code} />}
    </>
  )
}

function Budgets({ brief }: { readonly brief: EscalationBrief }): ReactNode {
  const { budgets, asked_this_hour: asked } = brief
  return (
    <ul className="request-lines">
      {asked === null ? null : (
        <li>
          requests this hour <Amount value={String(asked.asked)} /> of{' '}
          <Amount value={String(asked.of)} />
        </li>
      )}
      {budgets.map(({ measure, granted, used, after, until }) => (
        <li key={`${until} ${measure}`}>
          {measure} <Value value={formatMeasured(used, measure)} />
          {after === null ? null : (
            <>
              {' → '}
              <Value value={formatMeasured(after, measure)} />
            </>
          )}{' '}
          of <Value value={formatMeasured(granted, measure)} />
          {until === null ? null : (
            <>
              , in all flows of the agent; resets <When at={until} />
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function RunsAs({ brief }: { readonly brief: EscalationBrief }): ReactNode {
  const { binds, dfid, requested_at, why, kind } = brief
  return (
    <div className="stack">
      <p className="row small">
        <span>
          requested <When at={requested_at} />
        </span>
        <Link href={`/flows/${dfid}`}>flow</Link>
        {why[0] === undefined ? null : (
          <a href={`/docs/reasons/${why[0].code}`}>about this reason</a>
        )}
      </p>
      <details className="json">
        <summary>What your approval is bound to</summary>
        <Members>
          <Member name={kind === 'proposal' ? 'intent' : 'request'}>
            <Id value={binds.intent_digest} />
          </Member>
          <Member name="rules">
            <Id value={binds.rules_hash} />
          </Member>
        </Members>
        <Json value={brief} />
      </details>
    </div>
  )
}
