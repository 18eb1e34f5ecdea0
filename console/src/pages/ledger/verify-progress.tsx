import type { ReactNode } from 'react'
import { toVisibleText } from '../../parts/visible-text.ts'
import { formatNumber } from './verdict-sentence.ts'
import type { Progress } from './verify-messages.ts'

const RANGES = 40

/** How far it has come: a bar of ranges, and the numbers for whoever does not see it. */
export function VerifyProgress({
  name,
  progress,
  cancel,
}: {
  readonly name: string
  readonly progress: Progress
  readonly cancel: () => void
}): ReactNode {
  const { done, total, found } = progress
  const of = total === null ? '' : ` of ${formatNumber(total)}`
  const share = total === null || total === 0 ? 0 : done / total
  return (
    <div className="stack" role="status">
      <p className="row">
        <span>
          checking {toVisibleText(name)}: {formatNumber(done)}
          {of} entries
        </span>
        {found ? <strong className="status-rejected">✖ problems found</strong> : null}
        <button type="button" onClick={cancel}>
          Stop
        </button>
      </p>
      <div
        className="ranges"
        role="progressbar"
        aria-label="entries checked"
        aria-valuemin={0}
        aria-valuemax={total ?? 0}
        aria-valuenow={done}
      >
        {Array.from({ length: RANGES }, (_, range) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ranges never move
          <span key={range} className={range < share * RANGES ? 'range range-done' : 'range'} />
        ))}
      </div>
    </div>
  )
}
