/** What a flow shows on one axis of time: the flows above it, its own steps, and the flows opened in it. */
import type { FlowTree } from 'rubicon-agents/client'
import type { Span } from './story-parts.ts'
import type { Stretch } from './time-axis.ts'

type Branch = FlowTree['flow']

/** Where it stands in the tree of the flow that is open. */
export type Kinship = 'parent' | 'this' | 'beside' | 'child'

export type FlowRow = {
  readonly kind: 'flow'
  readonly key: string
  readonly level: number
  readonly kinship: Kinship
  readonly branch: Branch
  readonly from: number
  readonly to: number
}

export type SpanRow = {
  readonly kind: 'span'
  readonly key: string
  readonly level: number
  readonly span: Span
  readonly from: number
  readonly to: number
}

export function toFlowRow(branch: Branch, kinship: Kinship, level: number): FlowRow {
  const from = Date.parse(branch.opened_at)
  const to = Math.max(from, Date.parse(branch.updated_at))
  return { kind: 'flow', key: branch.dfid, level, kinship, branch, from, to }
}

/** The server sends the newest first; on an axis of time the oldest stands above. */
export function sortBranches<T extends Pick<Branch, 'opened_at' | 'dfid'>>(
  branches: readonly T[],
): readonly T[] {
  return branches.toSorted(
    (a, b) => compareTexts(a.opened_at, b.opened_at) || compareTexts(a.dfid, b.dfid),
  )
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

export function toSpanRow(span: Span, level: number): SpanRow {
  const [from, to] = [Date.parse(span.from.at), Date.parse(span.to.at)]
  return { kind: 'span', key: span.to.id, level, span, from, to: Math.max(from, to) }
}

const IDLE: readonly Span['who'][] = ['agent', 'person', 'executor', 'unknown']
/** A flow that took longer mostly waited for somebody. */
const AT_WORK_MS = 60_000

/** What the axis has to hold. */
export function toStretch(row: FlowRow | SpanRow): Stretch {
  const { from, to } = row
  if (row.kind === 'span') return { from, to, isWork: !IDLE.includes(row.span.who) }
  const isShort = to - from <= AT_WORK_MS
  return { from, to, isWork: row.kinship !== 'parent' && row.kinship !== 'this' && isShort }
}

export type Cut<T> = {
  readonly first: readonly T[]
  readonly left: number
  readonly last: readonly T[]
}

/** A long list by its beginning and its end. */
export function cutMiddle<T>(rows: readonly T[], most: number): Cut<T> {
  if (rows.length <= most) return { first: rows, left: 0, last: [] }
  const half = Math.floor(most / 2)
  return { first: rows.slice(0, half), left: rows.length - 2 * half, last: rows.slice(-half) }
}
