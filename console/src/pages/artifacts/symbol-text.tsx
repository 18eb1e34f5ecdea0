/** A symbol as it is written at a moment, with the numbers of its lines. */
import type { ReactNode } from 'react'
import type { ArtifactText } from 'rubicon-agents/client'
import { useBell } from '../../api/live.tsx'
import { Copy, Id } from '../../parts/id.tsx'
import { Json } from '../../parts/json.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { type ArtifactAsked, useText } from './use-artifact.ts'

export type SymbolTextProps = {
  readonly asked: ArtifactAsked
  readonly path: string
  readonly seq: number
}

/** What was not there yet, or is not any more, is no failure. */
const MISSING: readonly string[] = ['ARTIFACT_UNKNOWN', 'TARGET_MISSING']

export function SymbolText({ asked, path, seq }: SymbolTextProps): ReactNode {
  const text = useText(asked, path)
  useBell(({ trajectory }) => trajectory === asked.trajectory && asked.at === '', text.again)
  if (text.state === 'loading') return <Loading what="the text" shape="lines" />
  if (text.state === 'failed')
    return MISSING.includes(text.problem.code) ? (
      <p className="quiet">It was not there at entry {seq}.</p>
    ) : (
      <Failed problem={text.problem} again={text.again} />
    )
  return <Lines reply={text.value} />
}

function Lines({ reply }: { readonly reply: ArtifactText }): ReactNode {
  const { text, lines, content_hash, definition_hash, at } = reply
  const [first = 1, last = first] = lines
  const shown = text.replace(/\r?\n$/u, '').split('\n')
  return (
    <>
      <p className="row small quiet">
        <span>
          {first === last ? `line ${first}` : `lines ${first} to ${last}`}, at entry {at}
        </span>
        <span>
          contents <Id value={content_hash} />
        </span>
        {definition_hash === null ? null : (
          <span>
            definition <Id value={definition_hash} />
          </span>
        )}
        <span>
          copy the text <Copy value={text} what="copy the text" />
        </span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
      <pre className="symbol-text" tabIndex={0}>
        {shown.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text never move
          <span key={index} className="symbol-line" data-line={first + index}>
            {toVisibleText(line)}
            {'\n'}
          </span>
        ))}
      </pre>
      <Json value={reply} />
    </>
  )
}
