/** What a format makes of a text. */
import type { Result } from 'rubicon-kernel'
import type { Span } from '../text/span.ts'
import type { Container, SymbolNode } from './symbol-node.ts'
import type { Tile } from './tile.ts'

export type ParsedText = {
  readonly text: string
  readonly tiles: readonly Tile[]
  readonly symbols: readonly SymbolNode[]
  /** Of the artifact itself: where what belongs to nothing else is put. */
  readonly container: Container
}

/** Why a text is none of its format. */
export type ParseProblem = {
  readonly detail: string
  /** Where, where the parser says so. */
  readonly at: Span | null
}

export type ParseResult = Result<ParsedText, ParseProblem>
