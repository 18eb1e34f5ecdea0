/** The rules: a Cedar policy, or the contract of the agent, as text that can be changed. */
import { type ReactNode, useRef } from 'react'
import type { Law, Trial } from 'rubicon-agents/client'
import { Id } from '../../parts/id.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { useQuery } from '../../url/location.ts'
import type { PolicyDraft } from './draft.ts'
import { RuleCoverageList } from './rule-coverage-list.tsx'
import type { LastTrial } from './use-last-tried.ts'

const TABS: readonly Tab[] = [
  { value: 'cedar', label: 'Cedar' },
  { value: 'contract', label: 'Contract' },
  { value: 'law', label: 'Rules loaded here' },
]

export type PolicyPaneProps = {
  readonly law: Law
  readonly draft: PolicyDraft
  readonly change: (members: Partial<PolicyDraft>) => void
  readonly recorded: Trial | null
  /** The same rules, held against the last decisions. */
  readonly tried: LastTrial
}

export function PolicyPane(props: PolicyPaneProps): ReactNode {
  const [rules] = useQuery('rules', 'cedar')
  return (
    <>
      <h2>Policy</h2>
      <Tabs label="which rules" name="rules" tabs={TABS} value={rules} />
      {rules === 'cedar' ? <CedarText {...props} /> : null}
      {rules === 'contract' ? <ContractText {...props} /> : null}
      {rules === 'law' ? <LawInForce {...props} /> : null}
    </>
  )
}

const EXAMPLE = `@id("large_refunds")
@reason("refunds above 100 wait for a person")
@require_approval("operator")
forbid(principal, action == Action::"REFUND", resource)
when { context.measures.refund_usd.greaterThan(decimal("100.0")) };
`

function CedarText({ law, draft, change, tried }: PolicyPaneProps): ReactNode {
  const text = useRef<HTMLTextAreaElement>(null)
  const written = law.policies.filter(({ source }) => source !== null)
  const loaded = written.find(({ name }) => name === draft.policy)?.source ?? ''
  return (
    <>
      <label>
        replaces{' '}
        <select
          value={draft.policy}
          onChange={(event) => change({ policy: event.target.value, cedar: null })}
        >
          <option value="draft">nothing: adds a rule</option>
          {written.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label className="playground-text">
        <span className="unseen">Cedar</span>
        <textarea
          ref={text}
          className="mono"
          spellCheck={false}
          placeholder={EXAMPLE}
          value={draft.cedar ?? loaded}
          onChange={(event) => change({ cedar: event.target.value })}
        />
      </label>
      {draft.cedar === null && loaded === '' ? (
        <p>
          <button type="button" onClick={() => change({ cedar: EXAMPLE })}>
            Start with an example
          </button>
        </p>
      ) : null}
      <RuleCoverageList
        tried={tried}
        concerns={({ policy }) => policy === draft.policy}
        goTo={(line) => text.current !== null && selectLine(text.current, line)}
      />
    </>
  )
}

function selectLine(text: HTMLTextAreaElement, line: number): void {
  const lines = text.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0)
  text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
  text.focus()
}

function ContractText({ draft, change, recorded, tried }: PolicyPaneProps): ReactNode {
  const loaded = recorded?.contract ?? ''
  if (recorded === null)
    return <p className="quiet">Choose a decision, and edit its contract here.</p>
  return (
    <>
      <label className="playground-text">
        <span className="unseen">contract</span>
        <textarea
          className="mono"
          spellCheck={false}
          value={draft.contract ?? loaded}
          onChange={(event) => change({ contract: event.target.value })}
        />
      </label>
      <RuleCoverageList tried={tried} concerns={({ policy }) => policy === null} />
    </>
  )
}

function LawInForce({ law, tried }: PolicyPaneProps): ReactNode {
  return (
    <div className="stack">
      <p>
        rules <Id value={law.rules_hash} />
      </p>
      <h3>Policies</h3>
      {law.policies.length === 0 ? (
        <p className="quiet">None are loaded: only contracts and capabilities decide.</p>
      ) : null}
      <ul>
        {law.policies.map(({ name, version, language, hash }) => (
          <li key={name} className="row">
            {name} {version} <span className="quiet">{language}</span>
            {hash === null ? null : <Id value={hash} />}
          </li>
        ))}
      </ul>
      <RuleCoverageList tried={tried} concerns={({ policy }) => policy !== null} />
      <h3>Capabilities</h3>
      <ul>
        {law.capabilities.map(({ kind, version, risk, effect, hash }) => (
          <li key={kind} className="row">
            {kind} {version}{' '}
            <span className="quiet">
              {effect}, risk {risk}
            </span>
            <Id value={hash} />
          </li>
        ))}
      </ul>
    </div>
  )
}
