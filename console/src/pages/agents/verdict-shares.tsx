/** How an agent's proposals of the last day ended. */
import type { ReactNode } from 'react'
import type { VerdictMix } from 'rubicon-agents/client'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { type Standing, Status } from '../../parts/status.tsx'
import { Term } from '../../parts/term/term.tsx'
import { Link } from '../../url/link.tsx'
import { share } from './share.ts'
import './verdict-shares.css'

/** Where the word of the protocol is none that people count with. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ['SUCCESS', 'succeeded'],
  ['ESCALATED', 'sent to a person'],
])

const STANDINGS: ReadonlyMap<string, Standing> = new Map([
  ['SUCCESS', 'allowed'],
  ['REJECTED', 'rejected'],
  ['EXHAUSTED', 'rejected'],
  ['FAILED', 'rejected'],
  ['ABANDONED', 'rejected'],
  ['ESCALATED', 'waiting'],
  ['UNKNOWN', 'unknown'],
])

export function VerdictShares({
  agent,
  verdicts,
}: {
  readonly agent: string
  readonly verdicts: VerdictMix
}): ReactNode {
  const { outcomes, reasons } = verdicts
  const counts = Object.entries(outcomes).sort(([, a], [, b]) => b - a)
  const total = String(counts.reduce((sum, [, count]) => sum + count, 0))
  return (
    <section className="stack">
      <h3 className="row">
        Verdicts <span className="small quiet">the latest, up to 24 hours old</span>
        <Link href={`/policies?agent=${encodeURIComponent(agent)}`}>try other rules</Link>
      </h3>
      {counts.length === 0 ? <p className="quiet">No proposals.</p> : null}
      <div className="verdict-bar" aria-hidden="true">
        {counts.map(([outcome, count]) => (
          <span
            key={outcome}
            className={`verdict-share verdict-${STANDINGS.get(outcome) ?? 'repeated'}`}
            style={{ width: `${share(String(count), total)}%` }}
          />
        ))}
      </div>
      <ul className="row">
        {counts.map(([outcome, count]) => (
          <li key={outcome}>
            <Outcome outcome={outcome} count={count} />
          </li>
        ))}
      </ul>
      {reasons.length === 0 ? null : (
        <ul className="row small">
          {reasons.map(({ code, count }) => (
            <li key={code}>
              <span className="mono">{count}</span> <ReasonLink code={code} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What its word does not say by itself is explained. */
function Outcome({
  outcome,
  count,
}: {
  readonly outcome: string
  readonly count: number
}): ReactNode {
  const status = (
    <Status
      standing={STANDINGS.get(outcome) ?? 'repeated'}
      word={`${count} ${WORDS.get(outcome) ?? outcome.toLowerCase()}`}
    />
  )
  return outcome === 'EXHAUSTED' ? <Term word="exhausted">{status}</Term> : status
}
