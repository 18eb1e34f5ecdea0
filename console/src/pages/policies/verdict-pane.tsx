/** What the law says of the decision: the verdict, the rules behind it, and every stage. */
import type { ReactNode } from 'react'
import type { Trial } from 'rubicon-agents/client'
import { Json } from '../../parts/json.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { Status } from '../../parts/status.tsx'
import { OutcomeView } from './last-flips.tsx'
import { SaveCase } from './save-case.tsx'
import { StageTicks } from './stage-ticks.tsx'
import type { Tried } from './use-trial.ts'

export function VerdictPane({
  decision,
  trial: tried,
}: {
  readonly decision: string
  readonly trial: Tried
}): ReactNode {
  const { trial, problem, busy } = tried
  return (
    <>
      <h2>Verdict</h2>
      {decision === '' ? (
        <p className="quiet">Choose a decision to judge it again. Nothing is recorded or sent.</p>
      ) : null}
      {problem === null ? null : <Failed problem={problem} />}
      {trial === null && busy && decision !== '' ? (
        <Loading what="the verdict" shape="lines" />
      ) : null}
      {trial === null ? null : (
        <div className={busy ? 'stack playground-older' : 'stack'} aria-busy={busy}>
          <Verdict trial={trial} />
          <SaveCase decision={decision} question={tried.question} />
        </div>
      )}
    </>
  )
}

function Verdict({ trial }: { readonly trial: Trial }): ReactNode {
  const { recorded, now, flips, reasons, determining, erroring, trace, stage } = trial
  return (
    <>
      <p role="status" className="row">
        <strong>
          <OutcomeView outcome={now} />
        </strong>
        {flips ? (
          <span>
            <Status standing="waiting" word="recorded:" /> <OutcomeView outcome={recorded} />
          </span>
        ) : (
          <span className="quiet">same as recorded</span>
        )}
      </p>
      <StageTicks trace={trace} />
      {stage === null ? <p className="quiet small">Every stage passed.</p> : null}
      {reasons.map(({ id, code, domain_code, details }) => (
        <div key={`${id} ${code} ${JSON.stringify(details)}`} className="playground-reason">
          <p>
            {stage}: <ReasonLink code={domain_code ?? code} />
          </p>
          <Json value={details} open label="what it found" />
        </div>
      ))}
      <Rules title="Rules that decided" rules={determining.map(formatRuleName)} />
      <Rules
        title="Rules with errors"
        rules={erroring.map((one) => `${formatRuleName(one)}: ${one.detail}`)}
      />
      <Json value={trace} label="trace" />
    </>
  )
}

function Rules({
  title,
  rules,
}: {
  readonly title: string
  readonly rules: readonly string[]
}): ReactNode {
  if (rules.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {rules.map((rule) => (
          <li key={rule} className="mono">
            {rule}
          </li>
        ))}
      </ul>
    </section>
  )
}

function formatRuleName({
  policy,
  rule,
}: {
  readonly policy: string
  readonly rule: string
}): string {
  return `${policy} / ${rule}`
}
