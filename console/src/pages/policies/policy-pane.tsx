/** The rules: a Cedar policy, or the contract of the agent, as text that can be changed. */
import { type ReactNode, useMemo, useRef } from 'react'
import type { CheckedPolicy, Client, Law, Trial } from 'rubicon-agents/client'
import { completeCedar } from '../../parts/editor/complete-cedar.ts'
import { completeYaml } from '../../parts/editor/complete-yaml.ts'
import { CONTRACT_SHAPE } from '../../parts/editor/contract-shape.ts'
import { Editor, type EditorHandle } from '../../parts/editor/editor.tsx'
import { ProblemList } from '../../parts/editor/problem-list.tsx'
import { toTextProblems } from '../../parts/editor/text-problem.ts'
import { LONGEST_TEXT, useCheck } from '../../parts/editor/use-check.ts'
import { useKnownNames } from '../../parts/editor/use-known-names.ts'
import { Id } from '../../parts/id.tsx'
import { Status } from '../../parts/status.tsx'
import { type Tab, Tabs } from '../../parts/tabs.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { useQuery } from '../../url/location.ts'
import type { PolicyDraft } from './draft.ts'
import { EXAMPLE_POLICY } from './example-policy.ts'
import { toPolicyProblems } from './policy-problems.ts'
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

const askPolicy = (
  client: Client,
  text: string,
  signal: AbortSignal,
): ReturnType<Client['checkPolicy']> =>
  client.checkPolicy({ body: { name: 'draft', text }, signal })

function CedarText({ law, draft, change, tried }: PolicyPaneProps): ReactNode {
  const editor = useRef<EditorHandle>(null)
  const known = useKnownNames()
  const written = law.policies.filter(({ source }) => source !== null)
  const loaded = written.find(({ name }) => name === draft.policy)?.source ?? ''
  const text = draft.cedar ?? loaded
  const { current, latest, isTooLong } = useCheck('policy', text, askPolicy)
  const problems = useMemo(() => toPolicyProblems(current), [current])
  const goTo = (line: number): void => editor.current?.goToLine(line)
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
      <Editor
        ref={editor}
        label="Cedar"
        language="cedar"
        size="short"
        value={text}
        change={(cedar) => change({ cedar })}
        problems={problems}
        complete={(typed, at, explicit) => completeCedar(typed, at, known, explicit)}
      />
      {draft.cedar === null && loaded === '' ? (
        <p>
          <button type="button" onClick={() => change({ cedar: EXAMPLE_POLICY })}>
            Start with an example
          </button>
        </p>
      ) : null}
      {isTooLong ? (
        <p role="status">
          <Status
            standing="rejected"
            word={`longer than ${LONGEST_TEXT} characters: the server reads no more`}
          />
        </p>
      ) : null}
      {latest === null || text.trim() === '' ? null : <CedarCheck checked={latest} goTo={goTo} />}
      <RuleCoverageList
        tried={tried}
        concerns={({ policy }) => policy === draft.policy}
        goTo={goTo}
      />
    </>
  )
}

/** Names that nothing has are no errors: a rule on a misspelt action never speaks. */
function CedarCheck({
  checked,
  goTo,
}: {
  readonly checked: CheckedPolicy
  readonly goTo: (line: number) => void
}): ReactNode {
  const { ok, unknown, rules } = checked
  if (!ok) return <ProblemList checked={checked} says="It cannot be read" goToLine={goTo} />
  return (
    <section aria-label="check" className="stack small">
      <p role="status">
        <Status
          standing={unknown.length === 0 ? 'allowed' : 'waiting'}
          word={`${rules.length} ${rules.length === 1 ? 'rule' : 'rules'}${unknown.length === 0 ? '' : '; names that nothing has:'}`}
        />
      </p>
      <ul className="check-list">
        {unknown.slice(0, SHOWN).map(({ line, name, why }) => (
          <li key={`${line} ${name}`}>
            <button type="button" className="plain" onClick={() => goTo(line ?? 1)}>
              line {line}
            </button>
            : <code>{toVisibleText(name)}</code>: {toVisibleText(why)}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SHOWN = 50

function ContractText({ draft, change, recorded, tried }: PolicyPaneProps): ReactNode {
  const known = useKnownNames()
  const loaded = recorded?.contract ?? ''
  const text = draft.contract ?? loaded
  const { current } = useCheck('contract', text, askContract)
  const problems = useMemo(() => toTextProblems(current), [current])
  if (recorded === null)
    return <p className="quiet">Choose a decision, and edit its contract here.</p>
  return (
    <>
      <Editor
        label="contract"
        language="yaml"
        size="short"
        value={text}
        change={(contract) => change({ contract })}
        problems={problems}
        complete={(typed, at, explicit) => completeYaml(CONTRACT_SHAPE, typed, at, known, explicit)}
      />
      <RuleCoverageList tried={tried} concerns={({ policy }) => policy === null} />
    </>
  )
}

const askContract = (
  client: Client,
  source: string,
  signal: AbortSignal,
): ReturnType<Client['checkContract']> => client.checkContract({ body: { source }, signal })

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
