/** What is wrong with a text, line by line: the same as what is underlined, for whoever does not see it, and by keys. */
import type { ReactNode } from 'react'
import type { DocumentProblem } from 'rubicon-agents/client'
import { Status } from '../status.tsx'
import { toVisibleText } from '../visible-text.ts'

const SHOWN = 100

/** What is wrong with a text. */
export type FoundProblems = {
  readonly problems: readonly DocumentProblem[]
  readonly summary: string | null
}

export function ProblemList({
  checked: { problems, summary },
  says = 'It cannot be deployed',
  goToLine,
}: {
  readonly checked: FoundProblems
  readonly says?: string
  readonly goToLine: (line: number) => void
}): ReactNode {
  return (
    <section aria-label="problems" className="change-problems">
      <Status standing="rejected" word={says} />
      <ul>
        {problems.slice(0, SHOWN).map(({ line, column, path, detail }) => (
          <li key={`${line}:${column} ${path} ${detail}`}>
            <button type="button" className="plain" onClick={() => goToLine(line)}>
              line {line}
            </button>
            : {toVisibleText(path)} {toVisibleText(detail)}
          </li>
        ))}
        {problems.length > SHOWN ? <li>and {problems.length - SHOWN} more</li> : null}
        {problems.length === 0 ? <li>{toVisibleText(summary ?? '')}</li> : null}
      </ul>
    </section>
  )
}
