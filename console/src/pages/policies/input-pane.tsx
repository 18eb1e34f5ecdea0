/** What is judged: a decision of the past, with parameters and facts that can be changed. */
import type { ReactNode } from 'react'
import type { Trial } from 'rubicon-agents/client'
import { Link } from '../../url/link.tsx'
import { replaceQuery } from '../../url/location.ts'
import { DecisionPicker } from './decision-picker.tsx'
import type { Asked, PolicyDraft } from './draft.ts'

export function InputPane({
  decision,
  agent,
  draft,
  change,
  recorded,
  wrong,
}: {
  readonly decision: string
  readonly agent: string
  readonly draft: PolicyDraft
  readonly change: (members: Partial<PolicyDraft>) => void
  readonly recorded: Trial | null
  readonly wrong: Extract<Asked, { readonly ok: false }> | null
}): ReactNode {
  if (decision === '')
    return (
      <>
        <h2>Input</h2>
        <DecisionPicker agent={agent} />
      </>
    )
  return (
    <>
      <h2 className="row">
        Input
        <Link className="small" href={replaceQuery({ decision: '' })}>
          choose another decision
        </Link>
      </h2>
      {recorded === null ? null : (
        <>
          <p className="small">
            {recorded.decision.policy_kind} of {recorded.decision.agent_id},{' '}
            <Link href={`/flows/${recorded.decision.dfid}`}>its flow</Link>
          </p>
          <Json
            label="parameters"
            where="params"
            text={draft.params ?? formatJson(getParams(recorded))}
            change={(params) => change({ params })}
            wrong={wrong}
          />
          <Json
            label="facts by path"
            where="state"
            text={draft.state ?? formatJson(toFacts(recorded))}
            change={(state) => change({ state })}
            wrong={wrong}
          />
        </>
      )}
    </>
  )
}

function Json({
  label,
  where,
  text,
  change,
  wrong,
}: {
  readonly label: string
  readonly where: 'params' | 'state'
  readonly text: string
  readonly change: (text: string) => void
  readonly wrong: Extract<Asked, { readonly ok: false }> | null
}): ReactNode {
  const why = wrong?.where === where ? wrong.why : null
  return (
    <label className="playground-text">
      {label}
      <textarea
        className="mono"
        spellCheck={false}
        aria-invalid={why !== null}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
      <span className="status-rejected small" role="status">
        {why === null ? '' : `✖ ${why}`}
      </span>
    </label>
  )
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

function getParams({ proposal }: Trial): unknown {
  const isProposal = typeof proposal === 'object' && proposal !== null && 'params' in proposal
  return isProposal ? proposal.params : {}
}

function toFacts({ state }: Trial): Readonly<Record<string, unknown>> {
  return Object.fromEntries(state.map(({ path, value }) => [path, value]))
}
