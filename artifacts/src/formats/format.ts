/** A format of artifacts. A new one is a folder beside the others, and a line in `formats.ts`. */
import type { ParseResult } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

export interface Format {
  readonly type: 'code' | 'config' | 'spec'
  /** As `text/typescript`. */
  readonly media: string
  /** Endings of file names that it is told by. */
  readonly endings: readonly string[]
  parse(text: string, name: string): ParseResult
  /**
   * A fragment as a member of a container, by itself: what it would be called there, or null where it would be none, or more
   * than the fragment says (one that closes what it did not open).
   */
  parseMember(fragment: string, of: SymbolNode | null): readonly SymbolNode[] | null
}
