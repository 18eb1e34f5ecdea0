/**
 * The vocabulary of `cl100k_base`, which models really write with, from the tables of `gpt-tokenizer`; the token that ends
 * a text stands behind them. Bytes stand in its tokens as GPT-2 writes them, since some are half of a character.
 */
import ranks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import type { Vocabulary } from '../../runtime/src/ports/decoder.ts'

export type TokenTable = {
  readonly vocabulary: Vocabulary
  decodeTokens(tokens: readonly number[]): string
}

const END = '<|endoftext|>'

export function loadTokenTable(size: number): TokenTable {
  const alphabet = buildByteAlphabet()
  const bytes: Uint8Array[] = []
  for (const rank of ranks.slice(0, size - 1)) bytes.push(toBytes(rank))
  const tokens = bytes.map((one) => Array.from(one, (byte) => alphabet[byte]).join(''))
  return {
    vocabulary: { tokens: [...tokens, END], encoding: 'byte_level', stop: [tokens.length] },
    decodeTokens: (written) =>
      Buffer.concat(written.map((token) => bytes[token] ?? new Uint8Array())).toString('utf8'),
  }
}

function toBytes(rank: string | readonly number[] | undefined): Uint8Array {
  return typeof rank === 'string' ? Buffer.from(rank, 'utf8') : Uint8Array.from(rank ?? [])
}

/** Printable bytes as themselves, the others behind U+0100 in their order. */
function buildByteAlphabet(): readonly string[] {
  let next = 0x100
  return Array.from({ length: 256 }, (_, byte) => {
    const isPrintable =
      (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae
    return String.fromCodePoint(isPrintable ? byte : next++)
  })
}
