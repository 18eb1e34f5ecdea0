/** What one artifact of a language with modules takes from others and gives to them, as it is written: nothing is resolved here. */
import type { Span } from '../text/span.ts'

export type ModuleLinks = {
  readonly imports: readonly ImportLink[]
  readonly exports: readonly ExportLink[]
  readonly wholes: readonly WholeLink[]
  /** Properties that are written by one name for both, `{a}`: another name there is another property, unless it is spelled out. */
  readonly shorthands: readonly Span[]
}

/** A name of this artifact that stands for what another one exports. */
export type ImportLink = {
  /** As it is written: `./x.ts`, `node:fs`. */
  readonly from: string
  /** As the other one exports it; null: all of it. */
  readonly name: string | null
  /** Where that name is written; null: nowhere, as in a default import. The same span as `localSpan` where one word is both. */
  readonly nameSpan: Span | null
  readonly local: string
  readonly localSpan: Span
}

/** A name by which others can import something. */
export type ExportLink = {
  /** Null: everything that `from` exports, under its own names. */
  readonly name: string | null
  /** Null: it is written nowhere, as in a default export. */
  readonly nameSpan: Span | null
  /** Null: it is of this artifact. */
  readonly from: string | null
  /** What it is called in `from`, or here; null: all of it. */
  readonly local: string | null
  /** Of a name that is declared without one: its declaration. */
  readonly localSpan: Span | null
}

/** A module that is asked for as a value or a type, in the middle of the text. */
export type WholeLink = {
  /** Null: computed, nobody can say which. */
  readonly from: string | null
  readonly at: Span
  /** What is taken of it by name; null: it is handed on, nobody can say what is taken. */
  readonly taken: readonly TakenName[] | null
}

/** The name of what `export =` exports: it is the module itself. */
export const EXPORT_EQUALS = 'export='

export type TakenName = { readonly name: string; readonly at: Span }
