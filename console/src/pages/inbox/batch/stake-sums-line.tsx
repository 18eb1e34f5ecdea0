import { Fragment, type ReactNode } from 'react'
import { AgentText } from '../../../parts/agent-text.tsx'
import { Amount } from '../../../parts/value.tsx'
import type { StakeSums } from './sum-stakes.ts'

/** What several requests come to, by measure, and how many have no amount. */
export function StakeSumsLine({
  sums: { sums, unmeasured },
}: {
  readonly sums: StakeSums
}): ReactNode {
  return (
    <span className="batch-sums">
      {sums.map(({ measure, total }, at) => (
        <Fragment key={measure}>
          {at === 0 ? '' : ' + '}
          <strong>
            <Amount value={total} />
          </strong>{' '}
          <AgentText text={measure} />
        </Fragment>
      ))}
      {unmeasured === 0 ? null : (
        <span className="quiet">
          {sums.length === 0 ? '' : ', '}
          {unmeasured} without an amount
        </span>
      )}
    </span>
  )
}
