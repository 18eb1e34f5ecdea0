/** What the server's checker says of a text: that it is too long, wrong and on which line, or what a reader makes of it. */
import type { ReactNode } from 'react'
import { Failed } from '../outcomes.tsx'
import { Status } from '../status.tsx'
import { type FoundProblems, ProblemList } from './problem-list.tsx'
import { type CheckedText, LONGEST_TEXT } from './use-check.ts'

export function CheckResult<T extends FoundProblems & { readonly ok: boolean }>({
  checked: { latest, current, isTooLong, problem, again },
  goToLine,
  describe,
}: {
  readonly checked: CheckedText<T>
  readonly goToLine: (line: number) => void
  /** Of a text that can be read. */
  readonly describe: (latest: T) => ReactNode
}): ReactNode {
  if (isTooLong)
    return (
      <p role="status">
        <Status
          standing="rejected"
          word={`longer than ${LONGEST_TEXT} characters: the server reads no more`}
        />
      </p>
    )
  if (problem !== null) return <Failed problem={problem} again={again} />
  if (latest === null)
    return (
      <p className="quiet" role="status">
        Checking…
      </p>
    )
  return (
    <section className="stack" aria-label="check" aria-busy={current === null}>
      {latest.ok ? describe(latest) : <ProblemList checked={latest} goToLine={goToLine} />}
    </section>
  )
}
