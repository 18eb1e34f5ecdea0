/** A model that chooses any token that its mask allows, by a seed: whatever it writes, only the mask made it so. */
import type { TokenModel, Vocabulary } from '../../ports/decoder.ts'

const CHARACTERS = Array.from({ length: 95 }, (_, nth) => String.fromCharCode(32 + nth))
const PIECES = [
  '":"',
  '","',
  '{"',
  '"}',
  '"}}',
  '00',
  '.50',
  'é',
  '€',
  '\n',
  '\t',
  '\u0001',
  'REFUND',
  '12',
]

export const VOCABULARY: Vocabulary = {
  tokens: ['</s>', ...CHARACTERS, ...PIECES],
  encoding: 'raw',
  stop: [0],
}

export function createRandomModel(seed: number, change: Partial<TokenModel> = {}): TokenModel {
  let state = seed >>> 0
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
  return {
    name: 'random',
    vocabulary: VOCABULARY,
    countInput: () => 10,
    chooseNext(_, __, mask) {
      const allowed = VOCABULARY.tokens.flatMap((_, token) =>
        (((mask[token >>> 5] ?? 0) >>> (token & 31)) & 1) === 1 ? [token] : [],
      )
      return allowed[draw(allowed.length)] ?? -1
    },
    decodeTokens: (tokens) => tokens.map((token) => VOCABULARY.tokens[token]).join(''),
    ...change,
  }
}
