/** How a format whose text is a value is read as one, and how a part of it is written. */
import type { JsonValue, Result } from 'rubicon-kernel'
import type { Splice } from '../text/splice.ts'
import type { ParsedText, ParseProblem } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'

/** Where a value is put. */
export type ValuePlace = {
  readonly parsed: ParsedText
  /** What it is the value of, as it is now; null: of a member that is not there yet. */
  readonly target: SymbolNode | null
  /** In one line, since what it is put into is written so. */
  readonly isFlow: boolean
}

export interface ValueNotation {
  /** Names of its keys are those of its symbols. A value that JSON has not (a number that is none) is a problem. */
  read(parsed: ParsedText): Result<JsonValue, ParseProblem>
  /** Whether the members of a container are written in one line. */
  isFlow(parsed: ParsedText, holder: SymbolNode | null): boolean
  /** Splices that put a value in the place of another; null: its place is part of what it is (an anchor, a tag). */
  replace(
    place: ValuePlace & { readonly target: SymbolNode },
    value: JsonValue,
  ): readonly Splice[] | null
  /** A key with its value, or an item (`name` is null), as a fragment that is not indented. */
  write(place: ValuePlace, name: string | null, value: JsonValue): string
  /** Whether a container without members takes its first in the line that it is on. */
  readonly opensInLine: boolean
}
