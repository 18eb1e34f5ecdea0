/** How many of the last decisions would have been decided otherwise, and which. */
import { type ReactNode, useState } from 'react'
import type { DecisionOutcome, Flip, LastTried } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { ReasonLink } from '../../parts/reason-link.tsx'
import { getDecisionStanding } from '../../parts/standing.ts'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { When } from '../../parts/when.tsx'
import { Link } from '../../url/link.tsx'
import { type LastTrial, SIZES } from './use-last-tried.ts'

const MOST_SHOWN = 50

export function LastFlips({
  what,
  shown = MOST_SHOWN,
  tried: { reply, again, size, setSize },
}: {
  readonly what: string
  /** So many of them at first. */
  readonly shown?: number
  readonly tried: LastTrial
}): ReactNode {
  return (
    <section className="stack" aria-label="the last decisions">
      <p className="row">
        <label>
          The last{' '}
          <select value={size} onChange={(event) => setSize(event.target.value)}>
            {SIZES.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>{' '}
          decisions
        </label>{' '}
        {what}
      </p>
      {reply.state === 'loading' ? <Loading what="what they would be" shape="lines" /> : null}
      {reply.state === 'failed' ? <Failed problem={reply.problem} again={again} /> : null}
      {reply.state === 'ready' && reply.value !== null ? (
        <Flips tried={reply.value} shown={shown} />
      ) : null}
    </section>
  )
}

function Flips({ tried, shown }: { readonly tried: LastTried; readonly shown: number }): ReactNode {
  const [all, showAll] = useState(false)
  const { decisions, skipped, since, flips } = tried
  if (decisions + skipped === 0) return <p className="quiet">Nothing has been decided yet.</p>
  return (
    <>
      <p role="status">
        <strong>
          <Status
            standing={flips.length === 0 ? 'allowed' : 'waiting'}
            word={`${flips.length} of ${decisions} would be decided differently`}
          />
        </strong>
        <span className="quiet small">
          {' '}
          since <When at={since} />
          {skipped === 0 ? '' : `; ${skipped} cannot be judged again`}
        </span>
      </p>
      {flips.length === 0 ? null : (
        <Table columns={['decision', 'was', 'would be']}>
          <tbody>
            {(all ? flips : flips.slice(0, shown)).map((flip) => (
              <FlipRow key={`${flip.trajectory}/${flip.seq}`} flip={flip} />
            ))}
          </tbody>
        </Table>
      )}
      {all || flips.length <= shown ? null : (
        <button type="button" onClick={() => showAll(true)}>
          All {flips.length}
        </button>
      )}
    </>
  )
}

function FlipRow({ flip }: { readonly flip: Flip }): ReactNode {
  const { trajectory, seq, agent_id, policy_kind, object, dfid, recorded, now, at } = flip
  return (
    <tr>
      <td>
        <Link href={`/policies?decision=${trajectory}/${seq}`}>
          {policy_kind} <AgentText text={object} /> of {agent_id}
        </Link>{' '}
        <span className="quiet small">
          <Link href={`/flows/${dfid}`}>flow</Link> <When at={at} />
        </span>
      </td>
      <td>
        <OutcomeView outcome={recorded} />
      </td>
      <td>
        <OutcomeView outcome={now} />
      </td>
    </tr>
  )
}

export function OutcomeView({ outcome }: { readonly outcome: DecisionOutcome }): ReactNode {
  return (
    <>
      <Status {...getDecisionStanding(outcome.outcome)} />{' '}
      {outcome.code === null ? null : <ReasonLink code={outcome.code} />}
    </>
  )
}
