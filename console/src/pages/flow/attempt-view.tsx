/** A proposal of the flow: the stages as ticks, why it was not simply allowed, and what its agent said. */
import type { ReactNode } from 'react'
import { isReasonCode, REASONS, type StageTrace, type Trace } from 'rubicon-kernel'
import { AgentText } from '../../parts/agent-text.tsx'
import { Claims } from '../../parts/claims.tsx'
import { describeDeed } from '../../parts/deed.ts'
import { Json } from '../../parts/json.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Standing, Status } from '../../parts/status.tsx'
import { When } from '../../parts/when.tsx'
import { Why } from '../../parts/why.tsx'
import { parseProposed } from './entry-payload.ts'
import { listProofSteps } from './proof-steps.ts'
import { ProofView } from './proof-view.tsx'
import { listStageNumbers } from './stage-numbers.ts'
import type { Attempt, Finding } from './story-parts.ts'

const STANDINGS: Readonly<Record<Attempt['outcome'], Standing>> = {
  accepted: 'allowed',
  rejected: 'rejected',
  escalated: 'waiting',
}

/** What came of it, in one line. */
export function AttemptLine({
  attempt: of,
  coded = true,
}: {
  readonly attempt: Attempt
  readonly coded?: boolean
}): ReactNode {
  const { entry, attempt, outcome, code, proposal, lifted } = of
  const { kind, params } = parseProposed(proposal)
  return (
    <p className="row">
      <span className="quiet">attempt {attempt}</span>
      <strong>
        <AgentText text={describeDeed(kind, params)} />
      </strong>
      <Status standing={STANDINGS[outcome]} word={outcome} />
      {coded && code !== null ? <ReasonLink code={code} /> : null}
      {lifted === null ? null : (
        <span>
          as <AgentText text={lifted.by} /> approved it
        </span>
      )}
      <span className="small quiet">
        <When at={entry.at} />
      </span>
    </p>
  )
}

export function AttemptView({ attempt }: { readonly attempt: Attempt }): ReactNode {
  const { outcome, trace, proposal, facts, why, lifted } = attempt
  const { justification, confidence } = parseProposed(proposal)
  const proof = listProofSteps(attempt)
  return (
    <>
      <AttemptLine attempt={attempt} coded={false} />
      <Ticks trace={trace} lifted={lifted} />
      {proof === null ? null : <ProofView steps={proof} />}
      {outcome === 'accepted' && why.length === 0 ? null : (
        <div className="attempt-why">
          <p className="quiet small">{describeWhy(attempt)}</p>
          {why.map((finding) => (
            <p key={JSON.stringify(finding)}>
              <Why {...addMeaning(finding)} />
            </p>
          ))}
          {outcome === 'accepted' ? null : <StageReads trace={trace} />}
        </div>
      )}
      {/* What is released was said before, or is what a person made of it. */}
      {justification === null || lifted !== null ? null : (
        <Claims about={`attempt ${attempt.attempt}`}>
          <p>
            <AgentText text={justification} />
            {confidence === null ? null : <span className="quiet"> (confidence {confidence})</span>}
          </p>
        </Claims>
      )}
      <div className="row">
        <Json value={proposal ?? null} label="proposal" />
        <Json value={facts ?? null} label="facts" />
        <Json value={trace} label="trace" />
      </div>
    </>
  )
}

function describeWhy({ outcome, stage }: Attempt): string {
  if (outcome === 'escalated') return 'why a person has to decide'
  if (outcome === 'accepted') return 'it ran without approval, and needs a review'
  return stage === null ? 'why it was refused' : `found by the stage ${stage}`
}

/** What an agent that asks for a person gives as its reason is no finding: it stands in its proposal. */
function addMeaning({ code, domain_code, details }: Finding): Finding & { readonly means: string } {
  const means = isReasonCode(code) ? REASONS[code].means : ''
  const { reason: _, ...computed } = details
  return { code, domain_code, means, details: code === 'AGENT_ASKS' ? computed : details }
}

const TICKS: Readonly<Record<Trace[number]['said'], readonly [Standing, string]>> = {
  pass: ['allowed', '✔'],
  reject: ['rejected', '✖'],
  suspend: ['waiting', '⚠'],
  repeat: ['repeated', '↺'],
}

function Ticks({ trace, lifted }: Pick<Attempt, 'trace' | 'lifted'>): ReactNode {
  const numbers = listStageNumbers(trace.map(({ stage }) => stage))
  return (
    <ol className="ticks" aria-label="stages">
      {trace.map((said, index) => {
        const by = findLifter(said, lifted)
        const [standing, icon] = TICKS[by === null ? said.said : 'pass']
        return (
          <li
            key={said.stage}
            className={`tick status-${standing}`}
            title={`${said.stage}: ${said.said}`}
          >
            <span className="tick-number">{numbers[index]}</span> {said.stage}{' '}
            <span aria-hidden="true">{icon}</span>
            {said.covered === true ? <span className="quiet"> partly by the atom</span> : null}
            {by === null ? (
              <span className="unseen"> {said.said}</span>
            ) : (
              <span>
                {' '}
                approved by <AgentText text={by} />
              </span>
            )}
          </li>
        )
      })}
    </ol>
  )
}

/** Who lifted everything that the stage would have sent to a person; null: nobody, or not all of it. */
function findLifter({ said, triggers = [] }: StageTrace, lifted: Attempt['lifted']): string | null {
  if (said !== 'suspend' || lifted === null) return null
  return triggers.every(({ id }) => lifted.triggers.includes(id)) ? lifted.by : null
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
        inputs of {last.stage}: <span className="mono">{last.read.join(', ')}</span>
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
