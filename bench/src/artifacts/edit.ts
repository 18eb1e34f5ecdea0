/** An edit that is tried on a file, as it is told to us and to others. */
import type { Delta, SymbolNode } from 'rubicon-artifacts'
import type { PermittedLines } from './touched-lines.ts'

export const EDIT_OPS = ['add', 'replace', 'rename', 'remove'] as const
export type EditOp = (typeof EDIT_OPS)[number]

/** The same edit in terms of places, for those who know no paths. Plain data: it goes to other processes. */
export type PlacedEdit = {
  readonly op: EditOp
  /** A word of its format, as `class`; `module`, `document`: the file itself. */
  readonly kind: string
  /** From the first token of the symbol to its last; of a container that is a value, that of the value. */
  readonly own: readonly [start: number, end: number]
  readonly body: readonly [start: number, end: number] | null
  /** Where the name begins; null: it has none. */
  readonly nameAt: number | null
  /** What is put in, or the new name. */
  readonly text: string
  /** Keys and indexes that lead to the value, where the file is one. */
  readonly keys: readonly (string | number)[]
  readonly value: unknown
}

export type DrawnEdit = {
  readonly op: EditOp
  readonly delta: Delta
  readonly placed: PlacedEdit
  readonly permitted: PermittedLines
}

export function describePlace(
  op: EditOp,
  symbol: SymbolNode | null,
  length: number,
  text = '',
): PlacedEdit {
  const body = symbol?.body ?? null
  return {
    ...{ op, kind: symbol?.kind ?? 'module', keys: [], value: null, text },
    own: symbol === null ? [0, length] : [symbol.own.start, symbol.own.end],
    body: body === null ? null : [body.start, body.end],
    nameAt: symbol?.nameSpan?.start ?? null,
  }
}
