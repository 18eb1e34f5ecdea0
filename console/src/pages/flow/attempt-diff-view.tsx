/** Two attempts beside each other: what changed from one to the other, and what that changed in the verdict. */
import type { ReactNode } from 'react'
import type { JsonValue } from 'rubicon-kernel'
import { Status } from '../../parts/status.tsx'
import { Table } from '../../parts/table.tsx'
import { Amount } from '../../parts/value.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { useQuery } from '../../url/location.ts'
import { compareAttempts, type MemberChange } from './attempt-diff.ts'
import type { Attempt } from './story-parts.ts'

export function AttemptDiffView({
  attempts,
  chosen,
}: {
  readonly attempts: readonly Attempt[]
  readonly chosen: Attempt
}): ReactNode {
  const [against, compare] = useQuery('against')
  const others = attempts.filter(({ entry }) => entry.id !== chosen.entry.id)
  const at = attempts.indexOf(chosen)
  const usual = attempts[at - 1] ?? attempts[at + 1]
  const other = others.find(({ entry }) => String(entry.seq) === against) ?? usual
  if (other === undefined) return null
  const [before, after] = attempts.indexOf(other) < at ? [other, chosen] : [chosen, other]
  const lines = compareAttempts(before, after)
  const changed = lines.filter(({ isSame }) => !isSame).length
  return (
    <section className="stack" aria-label="difference between attempts">
      <h3 className="row">
        From attempt {before.attempt} to attempt {after.attempt}
        <span className="small quiet">
          {changed === 0 ? 'nothing changed' : `${changed} of ${lines.length} members changed`}
        </span>
      </h3>
      {others.length < 2 ? null : (
        <label className="row small">
          compare with
          <select value={String(other.entry.seq)} onChange={(event) => compare(event.target.value)}>
            {others.map(({ entry, attempt, outcome }) => (
              <option key={entry.id} value={entry.seq}>
                attempt {attempt}, {outcome}
              </option>
            ))}
          </select>
        </label>
      )}
      <Table
        className="attempt-diff"
        label="members of both attempts"
        columns={['member', `attempt ${before.attempt}`, `attempt ${after.attempt}`]}
      >
        <tbody>
          {lines.map((line) => (
            <Line key={line.member} line={line} />
          ))}
        </tbody>
      </Table>
    </section>
  )
}

function Line({
  line: { member, before, after, isSame },
}: {
  readonly line: MemberChange
}): ReactNode {
  return (
    <tr className={isSame ? 'quiet' : 'attempt-changed'}>
      <th scope="row" className="mono">
        {toVisibleText(member)}
        {isSame ? null : (
          <span className="attempt-changed-word">
            {' '}
            <Status standing="waiting" word="changed" />
          </span>
        )}
      </th>
      <td>
        <Side value={before} />
      </td>
      <td>
        <Side value={after} />
      </td>
    </tr>
  )
}

function Side({ value }: { readonly value: JsonValue | undefined }): ReactNode {
  if (value === undefined || value === null) return <span className="quiet">none</span>
  return <Amount value={value} />
}
