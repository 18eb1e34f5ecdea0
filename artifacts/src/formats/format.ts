/** A format of artifacts. A new one is a folder beside the others, and a line in `formats.ts`. */
import type { ParseResult } from '../tree/parsed.ts'

export interface Format {
  readonly type: 'code' | 'config' | 'spec'
  /** As `text/typescript`. */
  readonly media: string
  /** Endings of the names of files that are read by it. */
  readonly endings: readonly string[]
  /**
   * `free`: lines of a fragment are indented where they begin in white space, and nowhere else. `syntax`: every line is, since the
   * indent says what a line belongs to.
   */
  readonly indentation: 'free' | 'syntax'
  parse(text: string): ParseResult
}
