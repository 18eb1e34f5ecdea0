/** Counts tokens as a model would. One, pinned, for everything that a runtime counts. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

/** Its tables are large: they are loaded when something is counted for the first time. */
export type LoadTokenizer = () => Promise<Tokenizer>
