/**
 * The tree of a flow beside one axis of time: the flows above it, its own steps, the flows opened in it. Each bar has its
 * name, how long it took, and the way to what it is.
 */
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { FlowTree } from 'rubicon-agents/client'
import { formatDuration } from '../../time/clock.ts'
import type { Span } from './story-parts.ts'
import { buildTimeAxis, type TimeAxis } from './time-axis.ts'
import { FlowBarRow, MoreRow, SpanBarRow } from './timeline-row.tsx'
import {
  cutMiddle,
  type FlowRow,
  type SpanRow,
  sortBranches,
  toFlowRow,
  toSpanRow,
  toStretch,
} from './timeline-rows.ts'
import { type BranchesOf, useBranches } from './use-branches.ts'
import './flow-timeline.css'

/** Own steps that are shown at once. */
const MOST_STEPS = 24

export function FlowTimeline({
  spans,
  tree,
  linked,
}: {
  readonly spans: readonly Span[]
  /** Null: only its own steps are known. */
  readonly tree: FlowTree | null
  readonly linked: boolean
}): ReactNode {
  const [unfolded, setUnfolded] = useState(false)
  const [all, showAll] = useState(false)
  const branches = useBranches()
  const lines = listLines({ spans, tree, branches, most: all ? spans.length : MOST_STEPS })
  const stretches = lines.flatMap((line) => (line.kind === 'more' ? [] : [toStretch(line)]))
  const axis = buildTimeAxis(stretches, unfolded)
  const hasFolds = buildTimeAxis(stretches, false).folds.length > 0
  if (lines.length === 0) return <p className="quiet">Nothing has happened since.</p>
  return (
    <figure className="timeline">
      <figcaption className="timeline-caption small quiet">
        <span>{formatDuration(axis.ms)} in total</span>
        {hasFolds ? (
          <button type="button" className="plain" onClick={() => setUnfolded(!unfolded)}>
            {unfolded ? 'Shorten idle time' : 'Show idle time to scale'}
          </button>
        ) : null}
      </figcaption>
      <AxisHead axis={axis} />
      <ol className="timeline-rows" aria-label="flows and steps in time" onKeyDown={walkRows}>
        {lines.map((line) => (
          <Line
            key={line.key}
            line={line}
            axis={axis}
            linked={linked}
            branches={branches}
            showAll={() => showAll(true)}
          />
        ))}
      </ol>
    </figure>
  )
}

/** More of something that is asked for by a button. */
type MoreLine = {
  readonly kind: 'more'
  readonly key: string
  readonly level: number
  readonly label: string
  /** Whose children; null: own steps. */
  readonly of: string | null
  /** Where the first page of them that is asked for begins. */
  readonly after?: string | null
}

type TimelineLine = FlowRow | SpanRow | MoreLine

function Line({
  line,
  axis,
  linked,
  branches,
  showAll,
}: {
  readonly line: TimelineLine
  readonly axis: TimeAxis
  readonly linked: boolean
  readonly branches: BranchesOf
  readonly showAll: () => void
}): ReactNode {
  if (line.kind === 'span') return <SpanBarRow row={line} axis={axis} linked={linked} />
  if (line.kind === 'flow') return <FlowBarRow row={line} axis={axis} branches={branches} />
  const { of, level, label, after = null } = line
  const handleMore = (): void => (of === null ? showAll() : branches.load(of, after))
  return <MoreRow level={level} label={label} more={handleMore} />
}

function AxisHead({ axis: { ms, folds } }: { readonly axis: TimeAxis }): ReactNode {
  return (
    <div className="timeline-row timeline-axis small quiet" aria-hidden="true">
      <span />
      <span className="timeline-track">
        <span className="timeline-begin">0</span>
        {folds.filter(hasRoom).map((fold) => (
          <span key={fold.left} className="timeline-fold-text" style={toPlace(fold)}>
            ⋯ {formatDuration(fold.ms)}
          </span>
        ))}
        <span className="timeline-end">{formatDuration(ms)}</span>
      </span>
      <span />
    </div>
  )
}

/** Beside the figures at both ends. */
function hasRoom({ left, width }: { readonly left: number; readonly width: number }): boolean {
  return width >= 10 && left + width / 2 > 6 && left + width / 2 < 90
}

function toPlace({ left, width }: { readonly left: number; readonly width: number }) {
  return { left: `${left}%`, width: `${width}%` }
}

type Lines = {
  readonly spans: readonly Span[]
  readonly tree: FlowTree | null
  readonly branches: BranchesOf
  readonly most: number
}

function listLines({ spans, tree, branches, most }: Lines): readonly TimelineLine[] {
  const parents = tree?.parents ?? []
  const level = parents.length
  const { first, left, last } = cutMiddle(spans, most)
  const below = tree === null ? 0 : level + 1
  const toRow = (span: Span): SpanRow => toSpanRow(span, below)
  const steps: readonly TimelineLine[] = [
    ...first.map(toRow),
    ...(left === 0
      ? []
      : [
          {
            kind: 'more',
            key: 'steps',
            level: below,
            label: `${left} more steps`,
            of: null,
          } as const,
        ]),
    ...last.map(toRow),
  ]
  if (tree === null) return steps
  const parent = parents.at(-1)
  return [
    ...parents.map((branch, index) => toFlowRow(branch, 'parent', index)),
    toFlowRow(tree.flow, 'this', level),
    ...steps,
    ...listChildren(tree, branches, below),
    ...(parent === undefined ? [] : listBeside(parent, tree.flow.dfid, branches, level)),
  ]
}

/** The first page came with the tree. Who is asked for next was opened before those that are there. */
function listChildren(
  { flow, children, next }: FlowTree,
  branches: BranchesOf,
  level: number,
): readonly TimelineLine[] {
  const toRows = (branch: FlowTree['flow']): readonly TimelineLine[] => [
    toFlowRow(branch, 'child', level),
    ...listBelow(branch.dfid, branches, level + 1, new Set([flow.dfid, branch.dfid])),
  ]
  const later = branches.find(flow.dfid)
  const rows = sortBranches([...children, ...(later?.rows ?? [])]).flatMap(toRows)
  if (later !== undefined) return [...listRest(flow.dfid, later, level), ...rows]
  if (next === null) return rows
  return [{ ...toMore(flow.dfid, level, 'more flows opened in it'), after: next }, ...rows]
}

/** Whoever was opened in a child, where somebody asked; a circle ends where it began. */
function listBelow(
  of: string,
  branches: BranchesOf,
  level: number,
  above: ReadonlySet<string>,
): readonly TimelineLine[] {
  const found = branches.find(of)
  if (found === undefined) return []
  const rows = sortBranches(found.rows.filter(({ dfid }) => !above.has(dfid)))
  return [
    ...listRest(of, found, level),
    ...rows.flatMap((branch) => [
      toFlowRow(branch, 'child', level),
      ...listBelow(branch.dfid, branches, level + 1, new Set([...above, branch.dfid])),
    ]),
  ]
}

function listBeside(
  { dfid }: FlowTree['flow'],
  own: string,
  branches: BranchesOf,
  level: number,
): readonly TimelineLine[] {
  const found = branches.find(dfid)
  if (found === undefined) return [toMore(dfid, level, 'flows beside it')]
  const rows = sortBranches(found.rows.filter((branch) => branch.dfid !== own))
  const none = rows.length === 0 && found.next === null && found.problem === null
  return [
    ...listRest(dfid, found, level),
    ...rows.map((branch) => toFlowRow(branch, 'beside', level)),
    ...(none ? [{ ...toMore(dfid, level, 'whether there are flows beside it now') }] : []),
  ]
}

function listRest(
  of: string,
  { next, problem }: { readonly next: string | null; readonly problem: unknown },
  level: number,
): readonly TimelineLine[] {
  if (problem !== null) return [toMore(of, level, 'the server did not answer; ask again')]
  return next === null ? [] : [toMore(of, level, 'more of them')]
}

function toMore(of: string, level: number, label: string): MoreLine {
  return { kind: 'more', key: `more ${of} ${level}`, level, label, of }
}

/** Up and down walk what can be opened. */
function walkRows(event: KeyboardEvent<HTMLOListElement>): void {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
  if (by === undefined) return
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('.timeline-link')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[Math.min(links.length - 1, Math.max(0, at + by))]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}
