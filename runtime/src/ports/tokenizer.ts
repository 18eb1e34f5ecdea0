/** Counts tokens as a model would. One, pinned, for everything that a runtime counts. */
export interface Tokenizer {
  /** It is part of what is recorded with a context. */
  readonly name: string
  /** Tokens of a text. */
  count(text: string): number
}

/** Its tables are large: they are loaded when something is counted for the first time. */
export type LoadTokenizer = () => Promise<Tokenizer>
