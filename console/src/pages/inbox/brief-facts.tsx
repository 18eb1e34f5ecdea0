import type { ReactNode, RefObject } from 'react'
import type { BriefFact } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Amount } from '../../parts/value.tsx'
import { When } from '../../parts/when.tsx'

/** What the decision stands on: value, source, label and age; and what has moved since it was asked. */
export function BriefFacts({
  facts,
  place,
}: {
  readonly facts: readonly BriefFact[]
  readonly place: RefObject<HTMLElement | null>
}): ReactNode {
  return (
    <section ref={place} tabIndex={-1} aria-label="facts">
      {facts.length === 0 ? (
        <span className="quiet">none were read</span>
      ) : (
        <ul className="request-lines">
          {facts.map((fact) => (
            <Fact key={`${fact.layer} ${fact.name}`} fact={fact} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Fact({ fact }: { readonly fact: BriefFact }): ReactNode {
  const { name, was, is, moved, source, label, observed_at, version, layer } = fact
  return (
    <li className={moved ? 'request-fact-moved' : ''}>
      <span className="mono">
        <AgentText text={name} />
      </span>{' '}
      {moved ? (
        <>
          <span className="status-waiting">⚠ changed</span> <Amount value={was} /> →{' '}
        </>
      ) : null}
      <Amount value={is} />{' '}
      <span className="quiet small">
        ({source}, {label}, {layer === 'world' ? `version ${version}` : <When at={observed_at} />})
      </span>
    </li>
  )
}
