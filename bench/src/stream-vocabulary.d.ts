import type { Vocabulary } from '../../runtime/src/ports/decoder.ts'
export type TokenTable = {
  readonly vocabulary: Vocabulary
  decodeTokens(tokens: readonly number[]): string
}
export declare function loadTokenTable(size: number): TokenTable
