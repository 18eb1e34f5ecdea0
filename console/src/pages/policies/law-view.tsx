/** What is in force: policies with their rules, whom each holds and how often it decided lately, and capabilities. */
import type { ReactNode } from 'react'
import type { CapabilityInForce, Law, LoadedPolicy } from 'rubicon-agents/client'
import { EffectClass } from '../../parts/effect-class.tsx'
import { Copy, Id } from '../../parts/id.tsx'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import { toActionPlace } from '../../url/policies-path.ts'
import { listPoliciesOf } from './law-words.ts'
import { LoadedPolicyView } from './loaded-policy-view.tsx'
import { SIZES, useLastTried } from './use-last-tried.ts'
import { useLinkedPlace } from './use-linked-place.ts'
import './law-view.css'

const NOTHING_CHANGED = {}

export function LawView({ law }: { readonly law: Law }): ReactNode {
  const tried = useLastTried(NOTHING_CHANGED)
  const { policies } = law
  return (
    <div className="law">
      <LawStanding law={law} />
      <section className="stack" aria-label="policies in force">
        <h2 className="row">
          Policies
          <label className="small quiet law-last">
            decided in the last{' '}
            <select value={tried.size} onChange={(event) => tried.setSize(event.target.value)}>
              {SIZES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>{' '}
            decisions
          </label>
        </h2>
        {tried.reply.state === 'failed' ? (
          <Failed problem={tried.reply.problem} again={tried.again} />
        ) : null}
        {policies.length === 0 ? <NoPolicies /> : null}
        {policies.map((policy) => (
          <LoadedPolicyView
            key={policy.name}
            policy={policy}
            coverage={tried.latest?.coverage.filter((rule) => rule.policy === policy.name) ?? null}
          />
        ))}
      </section>
      <CapabilitiesInForce law={law} policies={policies} />
      <p className="quiet small">
        Policies are files that the runtime loads when it starts, and an operator accepts their
        digest: <a href="/docs/guides/policies-in-cedar">how they are changed</a>. Limits of one
        agent stand in its contract, which is <Link href="/agents">edited with the agent</Link>.
      </p>
    </div>
  )
}

function NoPolicies(): ReactNode {
  return (
    <p className="quiet">
      No policies are loaded: contracts and capabilities alone decide.{' '}
      <Link href="/policies?view=try">Try one in the playground</Link>
    </p>
  )
}

function LawStanding({ law }: { readonly law: Law }): ReactNode {
  const { standing, rules_hash, compiler_version } = law
  const { kind, changes } = standing
  return (
    <section className="stack" aria-label="standing">
      <h2>
        {kind === 'in_force' ? (
          <Status standing="allowed" word="These rules are in force" />
        ) : (
          <Status standing="waiting" word="These rules are not in force: proposals are refused" />
        )}
      </h2>
      <p className="row small quiet">
        <span>
          {law.policies.length} {law.policies.length === 1 ? 'policy' : 'policies'},{' '}
          {law.capabilities.length} actions
        </span>
        <span>{compiler_version}</span>
        <span>
          digest <Id value={rules_hash} />
        </span>
      </p>
      {changes.length === 0 ? null : (
        <ul aria-label="what differs from what is recorded">
          {changes.map(({ what, name, change }) => (
            <li key={`${what} ${name}`}>
              {what} <span className="mono">{toVisibleText(name)}</span> {change}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function CapabilitiesInForce({
  law,
  policies,
}: {
  readonly law: Law
  readonly policies: readonly LoadedPolicy[]
}): ReactNode {
  return (
    <section className="stack" aria-label="capabilities in force">
      <h2>Actions</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <div className="law-table" tabIndex={0}>
        <Table columns={['action', 'effect', 'risk', 'policies about it']}>
          <tbody>
            {law.capabilities.map((capability) => (
              <CapabilityRow key={capability.kind} capability={capability} policies={policies} />
            ))}
          </tbody>
        </Table>
      </div>
    </section>
  )
}

function CapabilityRow({
  capability: { kind, version, effect, risk, hash },
  policies,
}: {
  readonly capability: CapabilityInForce
  readonly policies: readonly LoadedPolicy[]
}): ReactNode {
  const place = useLinkedPlace<HTMLTableRowElement>(toActionPlace(kind))
  return (
    <tr {...place}>
      <td>
        <span className="mono">{kind}</span>{' '}
        <span className="quiet small" title={`version ${version}, ${hash}`}>
          {version}
        </span>
        <Copy value={hash} what={`copy the digest of ${kind}`} />
      </td>
      <td>
        <EffectClass effect={effect} />
      </td>
      <td>{risk}</td>
      <td>{listPoliciesOf(policies, kind).join(', ') || <span className="quiet">none</span>}</td>
    </tr>
  )
}
