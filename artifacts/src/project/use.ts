/** A place of a project at which a symbol is named. */
import type { Span } from '../text/span.ts'

export type UseRole = 'declaration' | 'use' | 'import' | 'export' | 'member' | 'taken'

export type Use = {
  readonly artifact: string
  readonly at: Span
  readonly role: UseRole
  /** It goes by another name here: the symbol's own name may change without it. */
  readonly isAliased: boolean
}

export type Uses = {
  readonly uses: readonly Use[]
  /** Where it may be used, and nobody can say. */
  readonly unknown: readonly { readonly artifact: string; readonly at: Span }[]
  /** Under which names others import it, where that is its own name. */
  readonly exported: readonly { readonly artifact: string; readonly name: string }[]
  /** Artifacts in which its own name is a name at the top level. */
  readonly bound: readonly string[]
}

export function isSame(one: Span | null, other: Span | null): boolean {
  return one !== null && one.start === other?.start && one.end === other.end
}
