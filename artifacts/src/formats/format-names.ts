/** What a rename has to know of the names of a format, in one artifact and from one to another. */
import type { Result } from 'rubicon-kernel'
import type { Span } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'

/** A place at which a name is written, and what is written around a new name to keep what else it says: `{ a }` becomes `{ a: b }`. */
export type NameSite = Span & { readonly prefix: string; readonly suffix: string }

/** What a name that was imported is called where it comes from; null: all of the module. */
export type ImportOrigin = { readonly from: string; readonly name: string | null }

/** All places of one symbol in its artifact. */
export type SymbolSites = {
  readonly sites: readonly NameSite[]
  /** What others import it as, if its new name changes that: the names that it is exported by where it is declared. */
  readonly exportedAs: readonly string[]
  /** The symbol that others have to name first to get at it, as an enum for its member; null: it is named by itself. */
  readonly memberOf: string | null
}

/** Why not all places of a symbol can be told. */
export type NameProblem = { readonly detail: string; readonly at: Span | null }

/** A name, and what it stands for: names of one text that have one number stand for one thing. Null: nothing here declares it. */
export type NameInText = Span & {
  readonly thing: number | null
  /** It is declared at this place. */
  readonly isDeclared?: true
}

/** A name that others can import, and what it stands for. */
export type ModuleExport = {
  readonly name: string
  readonly at: Span
  readonly to:
    | { readonly kind: 'symbol'; readonly paths: readonly string[] }
    | ({ readonly kind: 'import' } & ImportOrigin)
    /** A value without a name. */
    | { readonly kind: 'value' }
}

export type ModuleExports = {
  readonly names: readonly ModuleExport[]
  /** Modules of which everything is exported again, but what they export as default. */
  readonly all: readonly string[]
}

export interface FormatNames {
  findSites(parsed: ParsedText, path: string): Result<SymbolSites, NameProblem>
  /** All places of what the name that begins there stands for, documentation with it, in the order of the text; null: nothing does. */
  findSitesAt(parsed: ParsedText, start: number): readonly NameSite[] | null
  /** In the order of the text. */
  listNames(parsed: ParsedText): readonly NameInText[]
  /** Why a text cannot be the name of a symbol; null: it can. */
  refuseName(name: string): string | null
  listExports(parsed: ParsedText): ModuleExports
  /**
   * Where what another module exports is written by the name that it has there. A new name of it goes to these places; a place that
   * declares a name here, as `import { a }`, keeps that name by its suffix. Null: the module is used in a way that does not tell what of
   * it is used.
   */
  findForeign(parsed: ParsedText, from: string, name: string): readonly NameSite[] | null
}
