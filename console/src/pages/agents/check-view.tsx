/** What the server's checker says of a contract: what is wrong and on which line, or what it would change. */
import type { ReactNode } from 'react'
import type { CheckedContract } from 'rubicon-agents/client'
import { ProblemList } from '../../parts/editor/problem-list.tsx'
import { type CheckedText, LONGEST_TEXT } from '../../parts/editor/use-check.ts'
import { Failed } from '../../parts/outcomes.tsx'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'

export function CheckView({
  checked: { latest, current, isTooLong, problem, again },
  goToLine,
}: {
  readonly checked: CheckedText<CheckedContract>
  readonly goToLine: (line: number) => void
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
      {latest.ok ? (
        <Readable checked={latest} />
      ) : (
        <ProblemList checked={latest} goToLine={goToLine} />
      )}
    </section>
  )
}

function Readable({ checked }: { readonly checked: CheckedContract }): ReactNode {
  const { changes, not_enforced, unanswered } = checked
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`
  return (
    <>
      <p role="status">
        <Status
          standing="allowed"
          word={changes.length === 0 ? 'can be read; no changes' : `can be read; ${count}`}
        />
      </p>
      {changes.length === 0 ? null : (
        <ul className="check-list" aria-label="changes">
          {changes.map(({ path, before, after }) => (
            <li key={path}>
              <span className="mono">{toVisibleText(path)}</span>: {toVisibleText(before ?? 'none')}{' '}
              → {toVisibleText(after ?? 'none')}
            </li>
          ))}
        </ul>
      )}
      {not_enforced.map((rule) => (
        <p key={rule}>
          <Status standing="waiting" word={`${rule} is recorded, but nothing enforces it yet`} />
        </p>
      ))}
      {unanswered.map(({ policy_kind, rule }) => (
        <p key={`${policy_kind} ${rule}`}>
          <Status
            standing="waiting"
            word={
              rule === null
                ? `no capability for ${policy_kind} is registered yet`
                : `${policy_kind} is always refused: its capability does not support ${rule}`
            }
          />
        </p>
      ))}
    </>
  )
}
