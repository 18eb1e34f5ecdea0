/** What the server's checker says of a contract: what is wrong and on which line, or what it would change. */
import type { ReactNode } from 'react'
import type { CheckedContract } from 'rubicon-agents/client'
import { CheckResult } from '../../parts/editor/check-result.tsx'
import type { CheckedText } from '../../parts/editor/use-check.ts'
import { Status } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'

export function CheckView({
  checked,
  goToLine,
}: {
  readonly checked: CheckedText<CheckedContract>
  readonly goToLine: (line: number) => void
}): ReactNode {
  return (
    <CheckResult
      checked={checked}
      goToLine={goToLine}
      describe={(latest) => <Readable checked={latest} />}
    />
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
