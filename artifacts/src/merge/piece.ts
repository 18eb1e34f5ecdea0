/** A member as it goes into the result: what it is, its separator apart, so that a list has one between any two. */

import { detectLineBreak } from '../text/lines.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { findSeparator, type Holder } from './holder.ts'
import type { MarkerStyle, Segment } from './merge.ts'

export type Piece = {
  readonly before: readonly Segment[]
  readonly separator: Segment | null
  readonly after: readonly Segment[]
  /** It is between conflict markers: nothing is added to it. */
  readonly isConflict: boolean
  /** The line break that it needs where something follows: it was the last of a text that does not end with one. */
  readonly missingBreak?: string
  /** Nothing but blanks stands behind it: its line goes on. */
  readonly isOnOneLine?: boolean
}

export type OutItem =
  | { readonly kind: 'gap'; readonly segment: Segment }
  | { readonly kind: 'member'; readonly piece: Piece }

export function toPiece(holder: Holder, node: SymbolNode): Piece {
  const from = holder.side
  const { own, whole } = node
  const { text } = holder.parsed
  const separator = findSeparator(holder, node)
  const end = separator?.start ?? own.end
  const isOpen = whole.end === text.length && !text.endsWith('\n')
  return {
    before: [{ from, start: whole.start, end }],
    separator: separator === null ? null : { from, start: separator.start, end: separator.end },
    after: [{ from, start: separator?.end ?? end, end: whole.end }],
    isConflict: false,
    isOnOneLine: /^[ \t]*$/u.test(text.slice(separator?.end ?? end, whole.end)),
    ...(isOpen ? { missingBreak: detectLineBreak(text) } : {}),
  }
}

/** Both versions of a member between conflict markers. An empty one: that side does not have it. */
export function toConflictPiece(
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
  { size, labels }: MarkerStyle,
  lineBreak: string,
  reason: string,
): Piece {
  const mark = (sign: string, label: string): string =>
    `${sign.repeat(size)}${label === '' ? '' : ` ${label}`}${lineBreak}`
  const text =
    mark('<', labels.ours) +
    closeLine(ours, lineBreak) +
    mark('=', '') +
    closeLine(theirs, lineBreak) +
    mark('>', `${labels.theirs} (${reason})`)
  return { before: [{ from: 'made', text }], separator: null, after: [], isConflict: true }
}

function closeLine(text: string, lineBreak: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}${lineBreak}`
}

/** How a list ends. */
export type ListEnd = {
  readonly hasTrailing: boolean
  /** Between its last member and its bracket, where both are on one line. */
  readonly blanks: string
}

/** With separators where a list needs them. */
export function joinItems(
  items: readonly OutItem[],
  separator: string,
  end: ListEnd,
): readonly Segment[] {
  const last = items.findLastIndex(({ kind }) => kind === 'member')
  return items.flatMap((item, at): readonly Segment[] => {
    if (item.kind === 'gap') return [item.segment]
    const { piece } = item
    if (separator === ',' && !piece.isConflict) {
      const isBefore = at < last && items[at + 1]?.kind === 'member'
      return at < last || end.hasTrailing ? addSeparator(piece, isBefore) : endList(piece, end)
    }
    const { before, separator: own, after, missingBreak } = piece
    const isOpen = missingBreak !== undefined && at < items.length - 1
    const made: readonly Segment[] = isOpen ? [{ from: 'made', text: missingBreak }] : []
    return [...before, ...(own === null ? [] : [own]), ...after, ...made]
  })
}

/** `isBefore`: another member follows at once. */
function addSeparator({ before, separator, after }: Piece, isBefore: boolean): readonly Segment[] {
  const text = isBefore && isEmpty(after) ? ', ' : ','
  return [...before, separator ?? { from: 'made', text }, ...after]
}

/** The blanks behind a comma go with it. */
function endList(
  { before, separator, after, isOnOneLine }: Piece,
  end: ListEnd,
): readonly Segment[] {
  if (separator === null || !isOnOneLine) return [...before, ...after]
  return [...before, { from: 'made', text: end.blanks }]
}

function isEmpty(segments: readonly Segment[]): boolean {
  return segments.every((one) => (one.from === 'made' ? one.text === '' : one.start === one.end))
}
