/** What of an artifact can be named and changed. Spans lie over the stored text, which is the truth. */
import type { Span } from '../text/span.ts'

export type SymbolNode = {
  /** As `class`, `method`, `key`, `section`: a word of its format. */
  readonly kind: string
  readonly name: string
  readonly path: string
  /** From its first token to its last. */
  readonly own: Span
  /** With what goes with it when it is removed: its comments, its separator, its lines. */
  readonly whole: Span
  /** Null: it has no name that could be written otherwise. */
  readonly nameSpan: Span | null
  /** What others see of it: everything of its own but its body. */
  readonly body: Span | null
  /** Null: nothing can be put into it. */
  readonly container: Container | null
  /** Whether it can stand before or behind its siblings with the same meaning. */
  readonly order: MemberOrder
  readonly children: readonly SymbolNode[]
}

/**
 * `free`: it means the same in any place among its siblings. `fixed`: its place is part of its meaning (an enum member that
 * takes its number, a field whose initialiser runs, a statement, a key that overwrites an earlier one).
 */
export type MemberOrder = 'free' | 'fixed'

/** Where members are put. */
export type Container = {
  /** Between the brackets, or the whole of what has none. */
  readonly inside: Span
  /** What stands between two members beside white space. */
  readonly separator: ',' | ';' | ''
}
