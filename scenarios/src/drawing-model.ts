/** A model that knows nothing: of the tokens that a mask allows it draws one, each as likely as the others. A token is a character. */
import type { ModelProvider } from 'rubicon-runtime/ports'
import { createMaskedProvider } from '../../runtime/src/adapters/decoders/masked-provider.ts'
import { createXGrammarEngine } from '../../runtime/src/adapters/decoders/xgrammar.ts'
import type { MaskEngine, TokenModel, Vocabulary } from '../../runtime/src/ports/decoder.ts'

const FIRST = 0x20
const CHARACTERS = Array.from({ length: 95 }, (_, index) => String.fromCodePoint(FIRST + index))
const VOCABULARY: Vocabulary = {
  tokens: [...CHARACTERS, '<end>'],
  encoding: 'raw',
  stop: [CHARACTERS.length],
}

export type DrawingModel = {
  readonly provider: ModelProvider
  close(): void
}

export async function createDrawingModel(seed: number): Promise<DrawingModel> {
  const engine: MaskEngine = await createXGrammarEngine(VOCABULARY)
  const provider = createMaskedProvider({ model: createTokenModel(seed), engine })
  return { provider, close: () => engine.close() }
}

function createTokenModel(seed: number): TokenModel {
  let state = seed >>> 0
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return {
    ...{ name: 'drawn', vocabulary: VOCABULARY },
    countInput: () => 1,
    chooseNext(_, __, mask) {
      const allowed = VOCABULARY.tokens.flatMap((___, token) => {
        const word = mask[token >> 5] ?? 0
        return ((word >>> (token & 31)) & 1) === 1 ? [token] : []
      })
      return allowed[draw(allowed.length)] ?? -1
    },
    decodeTokens: (tokens) => tokens.map((token) => CHARACTERS[token] ?? '').join(''),
  }
}
