/** A proof, step by step: what was held against what, and where it ended. */
import type { ReactNode } from 'react'
import { Id } from '../../parts/id.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import type { Comparison, ProofStep } from './proof-steps.ts'
import './checked-steps.css'

const OUTCOMES: Readonly<Record<ProofStep['outcome'], StatusProps>> = {
  held: { standing: 'allowed', word: 'yes' },
  failed: { standing: 'rejected', word: 'no' },
  'not asked': { standing: 'repeated', word: 'not asked' },
}

export function ProofView({ steps }: { readonly steps: readonly ProofStep[] }): ReactNode {
  return (
    <section className="checked">
      <h3>Proof</h3>
      <ol className="checked-steps" aria-label="steps of the proof">
        {steps.map(({ name, question, outcome, compared }) => (
          <li key={name} className="checked-step">
            <p className="row">
              <span>{question}</span>
              <Status {...OUTCOMES[outcome]} />
            </p>
            {compared.map((one) => (
              <Compared key={one.what} compared={one} isFailed={outcome === 'failed'} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  )
}

function Compared({
  compared: { what, said, wanted },
  isFailed,
}: {
  readonly compared: Comparison
  readonly isFailed: boolean
}): ReactNode {
  return (
    <p className="row small">
      <span className="quiet">{toVisibleText(what)}</span>
      <Id value={toVisibleText(said)} />
      {wanted === null || wanted === said ? null : (
        <>
          <span className={isFailed ? 'status-rejected' : 'quiet'}>against</span>
          <Id value={toVisibleText(wanted)} />
        </>
      )}
      {wanted === said ? <span className="quiet">the same</span> : null}
    </p>
  )
}
