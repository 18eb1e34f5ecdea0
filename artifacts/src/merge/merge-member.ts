/**
 * Merges one symbol that is in all three texts. What one side changed is taken from it; what both changed is merged by its members,
 * then by its lines, and is a conflict around that symbol alone if neither can be done.
 */
import { detectLineBreak, isLineStart } from '../text/lines.ts'
import { isInside, type Span, sliceSpan } from '../text/span.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { findSeparator, type Holder, readCore, toHolder } from './holder.ts'
import type { MergeInput, Segment, SideName } from './merge.ts'
import {
  findForced,
  type Holders,
  type MergeContext,
  SIDES,
  type Versions,
} from './merge-context.ts'
import { keepMissedNames, mergeKnownImport } from './merge-imports.ts'
import { mergeMembers } from './merge-members.ts'
import { type Piece, toConflictPiece, toPiece } from './piece.ts'

/** Null: whoever holds it has to show the conflict, since this has no lines for itself. */
export function mergeMember(
  context: MergeContext,
  holders: Holders,
  versions: Versions,
): Piece | null {
  const [base, ours, theirs] = SIDES.map((side) => readCore(holders[side], versions[side]))
  const forced = findForced(context, versions)
  if (forced !== null && (ours !== base || theirs !== base)) {
    const within = forced.isWithin ? mergeWithin(context, holders, versions) : null
    return within ?? showConflict(context, holders, versions, forced.reason)
  }
  if (ours === base && theirs === base) return toPiece(holders.base, versions.base)
  const kept = keepMissedNames(context, holders, versions)
  if (kept !== null) return kept
  if (ours === theirs || theirs === base) return toPiece(holders.ours, versions.ours)
  if (ours === base) return toPiece(holders.theirs, versions.theirs)
  return (
    mergeKnownImport(context, holders, versions) ??
    mergeWithin(context, holders, versions) ??
    mergeByLines(context, holders, versions)
  )
}

/** By its members, and what stands around them. */
function mergeWithin(context: MergeContext, holders: Holders, versions: Versions): Piece | null {
  const within = SIDES.map((side) => toHolder(holders[side], versions[side]))
  const [base, ours, theirs] = within
  if (base == null || ours == null || theirs == null) return null
  if (new Set(within.map((holder) => holder?.container.separator)).size > 1) return null
  if (!SIDES.every((side) => isAroundMembers(versions[side]))) return null
  const known = context.conflicts.length
  const mergePart = (cut: CutPart): readonly Segment[] | null =>
    mergeParts(context, holders, versions, cut)
  const head = mergePart(({ whole, container }) => ({
    start: whole.start,
    end: container?.inside.start ?? whole.start,
  }))
  const members = head === null ? null : mergeMembers(context, { base, ours, theirs }, mergeMember)
  const foot = mergePart((node, holder) => ({
    start: node.container?.inside.end ?? node.own.end,
    end: findCoreEnd(holder, node),
  }))
  const tail = mergePart(cutTail)
  if (head === null || members === null || foot === null || tail === null) {
    context.conflicts.splice(known)
    return null
  }
  const from = SIDES.find((side) => findSeparator(holders[side], versions[side]) !== null)
  const separator = from === undefined ? null : findSeparator(holders[from], versions[from])
  return {
    before: [...head, ...members, ...foot],
    separator:
      from === undefined || separator === null
        ? null
        : { from, start: separator.start, end: separator.end },
    after: tail,
    isConflict: false,
  }
}

/** A block without brackets ends with the line of its last member. */
function isAroundMembers({ whole, container }: SymbolNode): boolean {
  return container !== null && isInside(container.inside, whole)
}

/** Where its separator is, or would be. */
function findCoreEnd(holder: Holder, node: SymbolNode): number {
  const end = Math.max(node.own.end, node.container?.inside.end ?? 0)
  return findSeparator(holder, node)?.start ?? end
}

/** What follows it, without its separator: white space and a comment. */
function cutTail(node: SymbolNode, holder: Holder): Span {
  const start = findSeparator(holder, node)?.end ?? findCoreEnd(holder, node)
  return { start, end: Math.max(start, node.whole.end) }
}

/** Null: both changed it, and their lines do not merge. */
export function mergeSpans(
  { mergeLines }: MergeContext,
  holders: Holders,
  spans: Readonly<Record<SideName, Span>>,
): readonly Segment[] | null {
  const [base = '', ours = '', theirs = ''] = SIDES.map((side) =>
    sliceSpan(holders[side].parsed.text, spans[side]),
  )
  if (ours === theirs || theirs === base) {
    const from = ours === base ? 'base' : 'ours'
    return [{ from, ...toPlain(spans[from]) }]
  }
  if (ours === base) return [{ from: 'theirs', ...toPlain(spans.theirs) }]
  const merged = mergeLines({ base, ours, theirs })
  return merged.isClean ? [{ from: 'made', text: merged.text }] : null
}

function toPlain({ start, end }: Span): Span {
  return { start, end }
}

function mergeByLines(context: MergeContext, holders: Holders, versions: Versions): Piece | null {
  const isLeaf = versions.base.container === null
  if (isLeaf || context.trustsLines) {
    const before = mergeParts(context, holders, versions, (node, holder) => ({
      start: node.whole.start,
      end: findCoreEnd(holder, node),
    }))
    const after = mergeParts(context, holders, versions, cutTail)
    if (before !== null && after !== null)
      return { ...toPiece(holders.ours, versions.ours), before, after }
  }
  return showConflict(context, holders, versions, null)
}

type CutPart = (node: SymbolNode, holder: Holder) => Span

/** The same part of all three versions. */
function mergeParts(
  context: MergeContext,
  holders: Holders,
  versions: Versions,
  cut: CutPart,
): readonly Segment[] | null {
  return mergeSpans(context, holders, {
    base: cut(versions.base, holders.base),
    ours: cut(versions.ours, holders.ours),
    theirs: cut(versions.theirs, holders.theirs),
  })
}

/** Around this symbol alone. `reason`: its lines would merge, and must not. */
function showConflict(
  context: MergeContext,
  holders: Holders,
  versions: Versions,
  reason: string | null,
): Piece | null {
  if (!SIDES.every((side) => hasOwnLines(holders[side], versions[side]))) return null
  const [base = '', ours = '', theirs = ''] = SIDES.map((side) =>
    sliceSpan(holders[side].parsed.text, versions[side].whole),
  )
  const { path } = versions.base
  if (reason !== null)
    return toConflictPiece({ ours, theirs }, context.markers, detectLineBreak(base), reason)
  const why = 'both sides changed it'
  context.conflicts.push({ kind: 'overlap', path, reason: why })
  const merged = context.mergeLines({ base, ours, theirs } satisfies MergeInput)
  return merged.isClean
    ? toConflictPiece({ ours, theirs }, context.markers, detectLineBreak(base), why)
    : {
        before: [{ from: 'made', text: merged.text }],
        separator: null,
        after: [],
        isConflict: true,
      }
}

function hasOwnLines({ parsed: { text } }: Holder, { whole }: SymbolNode): boolean {
  return isLineStart(text, whole.start) && text[whole.end - 1] === '\n'
}
