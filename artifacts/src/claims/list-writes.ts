/** Which symbols a plan writes, and which it puts in. */
import type { InsertClaim, WriteClaim, WrittenPart } from 'rubicon-kernel'
import { type Delta, ROOT } from '../delta/delta.ts'
import { listPutSpans } from '../text/moved-span.ts'
import { isInside, type Span } from '../text/span.ts'
import { findSymbol } from '../tree/find-symbol.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import type { ClaimedStep } from './claimed-step.ts'
import { toSegments } from './symbol-segments.ts'

export type Written = {
  readonly writes: readonly WriteClaim[]
  readonly inserts: readonly InsertClaim[]
}

const NOTHING: Written = { writes: [], inserts: [] }

/** Of a step that a delta describes. */
export function listWrites(step: ClaimedStep, delta: Delta): Written {
  const { before } = step
  switch (delta.op) {
    case 'addMember':
    case 'addSection':
      return { writes: [], inserts: listInserts(step, delta.target, delta.at) }
    case 'move':
      return {
        writes: [write(delta.target, 'subtree')],
        inserts: listInserts(step, delta.to, delta.at),
      }
    case 'remove':
    case 'removeKey':
    case 'replaceSection':
      return { writes: [write(delta.target, 'subtree')], inserts: [] }
    case 'replaceBody':
    case 'setValue':
      return { writes: [write(delta.target, toValuePart(before, delta))], inserts: listNew(step) }
    case 'setSignature':
      return { writes: [write(delta.target, 'signature')], inserts: [] }
    case 'rename':
      return { writes: [write(delta.target, 'name'), ...listTouched(step)], inserts: listNew(step) }
    case 'putBinary':
      return { writes: [write(ROOT, 'subtree')], inserts: [] }
    // Derived: whoever needs an import adds it, and nobody is in anybody's way.
    case 'addImport':
      return NOTHING
  }
}

function write(path: string, part: WrittenPart): WriteClaim {
  return { path: toSegments(path), part }
}

/** Whoever writes the value of what has members writes all of them. */
function toValuePart(
  before: ParsedText,
  { op, target }: Extract<Delta, { op: 'replaceBody' | 'setValue' }>,
): WrittenPart {
  const found = findSymbol(before, target)
  if (found.ok && found.value.container !== null) return 'subtree'
  return op === 'setValue' ? 'value' : 'body'
}

function listInserts(
  { splices, after }: ClaimedStep,
  target: string,
  at: { readonly after: string | null } | undefined,
): readonly InsertClaim[] {
  const put = listPutSpans(splices)
  const found = target === ROOT ? null : findSymbol(after, target)
  const children = found === null ? after.symbols : found.ok ? found.value.children : []
  const behind = at === undefined ? {} : { after: toSegments(at.after ?? '').at(-1) ?? null }
  return children
    .filter(({ own }) => put.some((span) => isInside(own, span)))
    .map(({ path, order }) => ({
      container: toSegments(target),
      segment: toSegments(path).at(-1) ?? '',
      order,
      ...behind,
    }))
}

/** What has a path behind the plan that nothing had before. */
function listNew({ before, after }: ClaimedStep): readonly InsertClaim[] {
  const known = new Set(listSymbols(before.symbols).map(({ path }) => path))
  const isNew = ({ path }: SymbolNode): boolean => !known.has(path)
  return listSymbols(after.symbols)
    .filter(isNew)
    .map(({ path, order }) => ({ segments: toSegments(path), order }))
    .filter(({ segments }) => known.has(segments.slice(0, -1).join('/')) || segments.length === 1)
    .map(({ segments, order }) => ({
      container: segments.slice(0, -1),
      segment: segments.at(-1) ?? '',
      order,
    }))
}

/** What the splices lie in, comments with it: a new name is written wherever the old one stood. Outside of all symbols it is the artifact. */
function listTouched({ before, splices }: ClaimedStep): readonly WriteClaim[] {
  return splices.map((splice) => {
    const symbol = findInnermost(before.symbols, splice)
    const isInBody = symbol?.body != null && isInside(splice, symbol.body)
    return write(symbol?.path ?? ROOT, symbol === null || isInBody ? 'body' : 'signature')
  })
}

function findInnermost(level: readonly SymbolNode[], span: Span): SymbolNode | null {
  const holder =
    level.find(({ own }) => isInside(span, own)) ?? level.find(({ whole }) => isInside(span, whole))
  return holder === undefined ? null : (findInnermost(holder.children, span) ?? holder)
}

function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)])
}
