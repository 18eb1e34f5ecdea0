import { type ProgressOf } from '../../server/src/cli/progress.ts'
export type StreamOptions = {
  readonly generations: number
  readonly vocabulary: number
  readonly seed: number
  readonly progressOf?: ProgressOf
}
export type StreamReport = {
  readonly generations: number
  /** Of these, what fits the grammar and is refused by none of the stages that it covers. */
  readonly inside: number
  /** The first that is not, and why; null: there is none. */
  readonly outside: string | null
  /** How often each kind was chosen. */
  readonly kinds: Readonly<Record<string, number>>
  readonly tokens: number
  readonly vocabulary: number
  readonly mask_us: {
    readonly p50: number
    readonly p99: number
  }
  /** Building the grammar, the median. */
  readonly grammar_us: number
  /** Preparing the vocabulary, and compiling the grammar for the first time. */
  readonly prepare_ms: number
  readonly seed: number
}
export declare function runStreamBench(options: StreamOptions): Promise<StreamReport>
