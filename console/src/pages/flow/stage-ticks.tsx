/** What the stages said about a proposal, as ticks in their order, and what the last one had read. */
import type { ReactNode } from 'react'
import type { StageTrace, Trace } from 'rubicon-kernel'
import { AgentText } from '../../parts/agent-text.tsx'
import type { Standing } from '../../parts/status.tsx'
import { listStageNumbers } from './stage-numbers.ts'
import type { Attempt } from './story-parts.ts'
import './stage-ticks.css'

const TICKS: Readonly<Record<Trace[number]['said'], readonly [Standing, string]>> = {
  pass: ['allowed', '✔'],
  reject: ['rejected', '✖'],
  suspend: ['waiting', '⚠'],
  repeat: ['repeated', '↺'],
}

export function StageTicks({ trace, lifted }: Pick<Attempt, 'trace' | 'lifted'>): ReactNode {
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
export function StageReads({ trace }: { readonly trace: Trace }): ReactNode {
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
