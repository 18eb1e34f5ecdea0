/** What somebody said about a path of State, as it is kept. */
import type { FactLabel, JsonValue } from 'rubicon-kernel'

export type SaidFact = {
  readonly value: JsonValue
  readonly source: string
  readonly label: FactLabel
  readonly observed_at: string
  readonly flags: readonly string[]
  /** Of a source with a key: what it signed, as it came. */
  readonly signed?: { readonly text: string; readonly sig: string }
}

/** It does not count any more once an operator has spoken after it; its time is still the last. */
export type OwnerWord = SaidFact & { readonly overruled?: true }

/** It stands in front of what the owner says, and ends. */
export type OperatorWord = SaidFact & { readonly until: string }
