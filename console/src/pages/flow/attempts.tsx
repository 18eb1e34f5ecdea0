/** Each proposal of the flow: the stages as ticks, the one that refused opened. */

import type { ReactNode } from 'react'
import type { Trace } from 'rubicon-kernel'
import { AgentText } from '../../parts/agent-text.tsx'
import { Claims } from '../../parts/claims.tsx'
import { deedOf } from '../../parts/deed.ts'
import { Json } from '../../parts/json.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Standing, Status } from '../../parts/status.tsx'
import { parseProposed } from './entry-payload.ts'
import type { Attempt } from './story-parts.ts'
import './attempts.css'

const STANDINGS: Readonly<Record<Attempt['outcome'], Standing>> = {
  accepted: 'allowed',
  rejected: 'rejected',
  escalated: 'waiting',
}

export function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }): ReactNode {
  if (attempts.length === 0) return <p className="quiet">Nothing was proposed yet.</p>
  return (
    <ol className="attempts">
      {attempts.map((attempt) => (
        <li key={attempt.entry.id} className="attempt">
          <AttemptView attempt={attempt} />
        </li>
      ))}
    </ol>
  )
}

function AttemptView({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { outcome, code, trace, proposal, details, stage } = attempt
  const { kind, params, justification, confidence } = parseProposed(proposal)
  return (
    <>
      <p className="row">
        <span className="quiet">attempt {attempt.attempt}</span>
        <strong>
          <AgentText text={deedOf(kind, params)} />
        </strong>
        <Status standing={STANDINGS[outcome]} word={outcome} />
        {code === null ? null : <ReasonLink code={code} />}
      </p>
      <Ticks trace={trace} />
      {outcome === 'accepted' ? null : (
        <div className="attempt-why">
          <p className="quiet small">
            {stage === null ? 'why somebody has to decide' : `what stage ${stage} found`}
          </p>
          <Json value={details} open label="details" />
          <StageReads trace={trace} />
        </div>
      )}
      {justification === null ? null : (
        <Claims>
          <p>
            <AgentText text={justification} />
            {confidence === null ? null : <span className="quiet"> (confidence {confidence})</span>}
          </p>
        </Claims>
      )}
      <div className="row">
        <Json value={proposal ?? null} label="proposal" />
        <Json value={attempt.facts ?? null} label="facts" />
        <Json value={trace} label="trace" />
      </div>
    </>
  )
}

const TICKS: Readonly<Record<Trace[number]['said'], readonly [Standing, string]>> = {
  pass: ['allowed', '✔'],
  reject: ['rejected', '✖'],
  suspend: ['waiting', '⚠'],
  repeat: ['repeated', '↺'],
}

function Ticks({ trace }: { readonly trace: Trace }): ReactNode {
  return (
    <ol className="ticks" aria-label="stages">
      {trace.map(({ stage, said }, index) => {
        const [standing, icon] = TICKS[said]
        return (
          <li key={stage} className={`tick status-${standing}`} title={`${stage}: ${said}`}>
            <span className="tick-number">{index}</span> {stage}{' '}
            <span aria-hidden="true">{icon}</span>
            <span className="unseen"> {said}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** What the stage that ended it had read. */
function StageReads({ trace }: { readonly trace: Trace }): ReactNode {
  const last = trace.at(-1)
  if (last === undefined) return null
  const rules = trace
    .flatMap(({ policies = [] }) => policies)
    .filter(({ said }) => said !== 'permit')
  return (
    <>
      <p className="small quiet">
        {last.stage} read: <span className="mono">{last.read.join(', ')}</span>
      </p>
      {rules.map(({ policy, said, determining }) => (
        <p key={policy} className="small">
          rule <span className="mono">{policy}</span> said {said}
          {determining.length === 0 ? '' : `, by ${determining.join(', ')}`}
        </p>
      ))}
    </>
  )
}
