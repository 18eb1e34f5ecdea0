import type { ReactNode } from 'react'
import type { BriefEffect } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { HashValue } from '../../parts/hash-text.tsx'
import { Amount } from '../../parts/value.tsx'

/** What would be different afterwards, and what would be sent: a capability may say nothing of some of it. */
export function EffectRows({ effect }: { readonly effect: BriefEffect }): ReactNode {
  const { changes, params, holds } = effect
  return (
    <div className="stack">
      {changes === null ? (
        <p>The capability does not say what would change.</p>
      ) : (
        <Changes changes={changes} />
      )}
      <Sent params={params} />
      {holds.length === 0 ? null : (
        <p className="small">
          reserves{' '}
          {holds.map(({ id, amount }) => (
            <span key={id} className="mono">
              <AgentText text={`${id} ${amount} `} />
            </span>
          ))}
        </p>
      )}
    </div>
  )
}

function Changes({
  changes,
}: {
  readonly changes: NonNullable<BriefEffect['changes']>
}): ReactNode {
  if (changes.length === 0) return <p>No known value would change.</p>
  return (
    <div className="request-effect-room">
      <table className="request-effect" aria-label="effect">
        <thead className="unseen">
          <tr>
            <th scope="col">what</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ subject, field, before, after, unit }) => (
            <tr key={`${subject} ${field}`}>
              <th scope="row">
                <AgentText text={subject} />{' '}
                <span className="quiet">
                  <AgentText text={field} />
                </span>
              </th>
              <td className="number">
                <Amount value={before} />
              </td>
              <td className="number">
                →{' '}
                <strong>
                  <Amount value={after} />
                </strong>{' '}
                <AgentText text={unit ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Sent({ params }: { readonly params: BriefEffect['params'] }): ReactNode {
  const sent = Object.entries(params)
  if (sent.length === 0) return null
  return (
    <div className="request-sent">
      <p className="small quiet">What would be sent:</p>
      <ul aria-label="sent">
        {sent.map(([name, value]) => (
          <li key={name}>
            <span className="quiet">
              <AgentText text={name} />
            </span>{' '}
            <HashValue value={value} />
          </li>
        ))}
      </ul>
    </div>
  )
}
