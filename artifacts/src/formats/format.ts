/** A format of artifacts. A new one is a folder beside the others, and a line in `formats.ts`. */
import type { Span } from '../text/span.ts'
import type { ParsedText, ParseResult } from '../tree/parsed.ts'
import type { FormatNames } from './format-names.ts'
import type { ModuleLinks } from './module-links.ts'
import type { SharedValues } from './shared-values.ts'
import type { ValueNotation } from './value-notation.ts'

/** A name in a text that stands for something else, and for what. */
export type Reference = {
  readonly name: string
  readonly at: Span
  readonly to:
    | { readonly kind: 'symbol'; readonly path: string }
    /** What another artifact exports; `name` is null for all of it. */
    | { readonly kind: 'import'; readonly from: string; readonly name: string | null }
    /** Nothing in this text declares it: a global, or nobody knows. */
    | { readonly kind: 'free' }
}

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
  /** Whose declarations of imports it has. Absent: none. */
  readonly imports?: 'ecmascript'
  parse(text: string): ParseResult
  /** What lies below an external root is read, and never written. */
  readonly isReadOnly?: true
  /** Every name within a span that refers to what stands outside of it. Absent: names mean nothing in this format. */
  readonly findReferences?: (parsed: ParsedText, within: Span) => readonly Reference[]
  /** Every place at which a symbol is named, its declarations with it; null: nobody can say. */
  readonly findOccurrences?: (parsed: ParsedText, path: string) => readonly Span[] | null
  /** What it takes from others and gives to them. Absent: its artifacts are no modules; null: it is none of this format. */
  readonly readLinks?: (parsed: ParsedText) => ModuleLinks | null
  /** What names mean beyond that, as a rename needs it. */
  readonly names?: FormatNames
  /** How the text is read as one value, and values are written into it. Absent: it is none. */
  readonly values?: ValueNotation
  /** Values that it means in several places. Absent: there are none in this format. */
  readonly readShared?: (parsed: ParsedText) => SharedValues
}
