/** One policy in force: its rules, whom they hold, how often each decided, and its text. */
import { type ReactNode, useState } from 'react'
import type { LoadedPolicy, LoadedRule, RuleCoverage } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Editor } from '../../parts/editor/editor.tsx'
import { Id } from '../../parts/id.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import { toPolicyPlace, toRulePlace } from '../../url/policies-path.ts'
import { describeCoverage } from './coverage.ts'
import { draftFragment, NO_DRAFT } from './draft.ts'
import { describeEffect, listActions } from './law-words.ts'
import { useLinkedPlace } from './use-linked-place.ts'

const ignoreChange = (): void => {}

export function LoadedPolicyView({
  policy,
  coverage,
}: {
  readonly policy: LoadedPolicy
  /** Null: nobody knows yet. */
  readonly coverage: readonly RuleCoverage[] | null
}): ReactNode {
  const { name, version, language, hash, source, rules } = policy
  const [isShown, show] = useState(false)
  const place = useLinkedPlace<HTMLElement>(toPolicyPlace(name))
  const href = `/policies?view=try${draftFragment({ ...NO_DRAFT, policy: name, cedar: source })}`
  return (
    <section className="law-policy stack" aria-label={`policy ${toVisibleText(name)}`} {...place}>
      <header className="row">
        <h3 className="mono">{toVisibleText(name)}</h3>
        <span className="quiet small">
          {toVisibleText(version)}, {language === 'unpinned' ? 'in code, not pinned' : language}
        </span>
        {hash === null ? null : <Id value={hash} />}
        {source === null ? null : (
          <span className="law-deeds row">
            <button type="button" aria-expanded={isShown} onClick={() => show(!isShown)}>
              {isShown ? 'Hide the text' : 'Show the text'}
            </button>
            <Link href={href}>Try a change</Link>
          </span>
        )}
      </header>
      {rules.length === 0 ? <WithoutRules policy={policy} /> : null}
      {rules.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
        <div className="law-table" tabIndex={0}>
          <Table columns={['rule', 'does', 'actions', 'agents', 'lately']}>
            <tbody>
              {rules.map((rule) => (
                <RuleRow
                  key={`${rule.id} ${rule.line}`}
                  policy={policy}
                  rule={rule}
                  coverage={coverage?.find((one) => one.rule === rule.id) ?? null}
                  isKnown={coverage !== null}
                />
              ))}
            </tbody>
          </Table>
        </div>
      )}
      {isShown && source !== null ? (
        <Editor
          label={`text of ${name}`}
          language="cedar"
          size="short"
          value={source}
          change={ignoreChange}
          isReadOnly
        />
      ) : null}
    </section>
  )
}

function WithoutRules({ policy: { applies_to } }: { readonly policy: LoadedPolicy }): ReactNode {
  const about = applies_to === null ? 'every action' : applies_to.join(', ')
  return <p className="quiet">It is written as code, about {about}: its rules cannot be shown.</p>
}

function RuleRow({
  policy,
  rule,
  coverage,
  isKnown,
}: {
  readonly policy: LoadedPolicy
  readonly rule: LoadedRule
  readonly coverage: RuleCoverage | null
  readonly isKnown: boolean
}): ReactNode {
  const { id, line, reason, agents } = rule
  const actions = listActions(policy, rule)
  const place = useLinkedPlace<HTMLTableRowElement>(toRulePlace(policy.name, id))
  return (
    <tr {...place}>
      <td>
        <span className="mono">{toVisibleText(id)}</span>{' '}
        <span className="quiet small">line {line}</span>
        {reason === null ? null : (
          <p className="small quiet">
            <AgentText text={reason} />
          </p>
        )}
      </td>
      <td>
        <Status {...describeEffect(rule)} />
      </td>
      <td>{actions === null ? 'every action' : actions.map(toVisibleText).join(', ')}</td>
      <td>
        {agents === null
          ? 'every agent'
          : agents.map((agent) => (
              <Link key={agent} href={`/agents/${encodeURIComponent(agent)}`}>
                {toVisibleText(agent)}
              </Link>
            ))}
      </td>
      <td className="small">{describeLately(coverage, isKnown)}</td>
    </tr>
  )
}

function describeLately(coverage: RuleCoverage | null, isKnown: boolean): string {
  if (coverage !== null) return describeCoverage(coverage).word
  return isKnown ? 'never evaluated' : '…'
}
