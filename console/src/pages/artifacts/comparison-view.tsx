/** What differs between two moments: by structure first, then line by line. */
import type { ReactNode } from 'react'
import type { ArtifactComparison, LineDifference, SymbolDifference } from 'rubicon-agents/client'
import { AgentText } from '../../parts/agent-text.tsx'
import { Json } from '../../parts/json.tsx'
import { Failed, Loading } from '../../parts/outcomes.tsx'
import { Status, type StatusProps } from '../../parts/status.tsx'
import { toVisibleText } from '../../parts/visible-text.ts'
import { Link } from '../../url/link.tsx'
import { replaceQuery } from '../../url/location.ts'
import type { SymbolMark } from './symbol-rows.ts'
import type { Kept } from './use-artifact.ts'
import '../agents/versions-view.css'

export type ComparisonViewProps = {
  readonly comparison: Kept<ArtifactComparison | null>
  readonly since: number
  readonly seq: number
  /** By choice; else with where the reader stopped last. */
  readonly isCompared: boolean
}

export function ComparisonView(props: ComparisonViewProps): ReactNode {
  const { comparison, since, seq, isCompared } = props
  if (since === seq)
    return (
      <p className="quiet">
        {isCompared
          ? `Both moments are entry ${seq}: move the slider, or press an arrow key.`
          : 'Choose “Compare with another moment”, or move the slider.'}
      </p>
    )
  if (comparison.state === 'loading') return <Loading what="the difference" shape="lines" />
  if (comparison.state === 'failed')
    return comparison.problem.code === 'ARTIFACT_UNKNOWN' ? (
      <p className="quiet">It was not known at either of these entries.</p>
    ) : (
      <Failed problem={comparison.problem} again={comparison.again} />
    )
  const { value } = comparison
  // The answer before this one is still there.
  if (value === null || value.from.seq !== since || value.to.seq !== seq)
    return <Loading what="the difference" shape="lines" />
  return <Difference compared={value} />
}

const GROUPS: readonly (StatusProps & { readonly mark: SymbolMark })[] = [
  { mark: 'added', standing: 'allowed', word: 'added' },
  { mark: 'removed', standing: 'rejected', word: 'removed' },
  { mark: 'changed', standing: 'waiting', word: 'changed' },
  { mark: 'renamed', standing: 'repeated', word: 'renamed' },
  { mark: 'moved', standing: 'repeated', word: 'moved' },
]

function Difference({ compared }: { readonly compared: ArtifactComparison }): ReactNode {
  const { from, to, by, cut, lines } = compared
  const isSame = from.content_hash === to.content_hash
  return (
    <>
      <p>
        From entry <strong className="mono">{from.seq}</strong>
        {from.content_hash === null ? ', where it was not known,' : ''} to entry{' '}
        <strong className="mono">{to.seq}</strong>
        {to.content_hash === null ? ', where it is not known' : ''}
        {isSame ? ': nothing differs.' : ':'}
      </p>
      {by === 'lines' && !isSame ? (
        <p className="quiet">One of the texts cannot be parsed: only its lines are compared.</p>
      ) : null}
      <ul className="stack" aria-label="symbols that differ">
        {GROUPS.flatMap(({ mark, ...status }) =>
          compared[mark].map((one) => (
            <li key={`${mark} ${one.path}`} className="row">
              <Status {...status} />
              <Different different={one} isGone={mark === 'removed'} />
            </li>
          )),
        )}
      </ul>
      {lines.length === 0 ? null : <Hunks lines={lines} />}
      {cut ? <p className="quiet">There is more than is shown.</p> : null}
      <Json value={compared} />
    </>
  )
}

function Different({
  different: { kind, path, was, parts, lines },
  isGone,
}: {
  readonly different: SymbolDifference
  readonly isGone: boolean
}): ReactNode {
  const text = <AgentText text={path} />
  return (
    <>
      <span className="mono wrap">
        {isGone ? text : <Link href={replaceQuery({ path, view: '' })}>{text}</Link>}
      </span>
      <span className="small quiet">
        {kind}
        {parts.length === 0 ? '' : `: ${parts.join(', ')}`}, line {lines[0]}
      </span>
      {was === null || was === path ? null : (
        <span className="small quiet wrap">
          was <AgentText text={was} />
        </span>
      )}
    </>
  )
}

function Hunks({ lines }: { readonly lines: readonly LineDifference[] }): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <pre className="diff" tabIndex={0}>
      {lines.map(({ from, to, removed, added }) => (
        <span key={`${from} ${to}`}>
          <span className="diff-line diff-place quiet">
            line {from} → {to}
            {'\n'}
          </span>
          <Side lines={removed} kind="removed" sign="−" />
          <Side lines={added} kind="added" sign="+" />
        </span>
      ))}
    </pre>
  )
}

function Side({
  lines,
  kind,
  sign,
}: {
  readonly lines: readonly string[]
  readonly kind: 'added' | 'removed'
  readonly sign: string
}): ReactNode {
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: lines of one difference never move
    <span key={index} className={`diff-line diff-${kind}`}>
      <span aria-hidden="true">{sign} </span>
      <span className="unseen">{kind}: </span>
      {toVisibleText(line)}
      {'\n'}
    </span>
  ))
}
