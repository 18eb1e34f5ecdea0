/** Masks from XGrammar's WebAssembly build. A compiled schema is kept by the library; a mask is for one document. */
import type { JsonObject } from 'rubicon-kernel'
import type { MaskEngine, TokenMask, Vocabulary } from '../../ports/decoder.ts'
import { loadXGrammar, type XCompiler, type XGrammar } from './load-xgrammar.ts'
import { formatSchema } from './schema-ebnf.ts'

/** The engine for one vocabulary; preparing it takes some hundred milliseconds for 100,000 tokens. */
export async function createXGrammarEngine(vocabulary: Vocabulary): Promise<MaskEngine> {
  const library = await loadXGrammar()
  const { tokens, encoding, stop } = vocabulary
  const tokenizer = await library.TokenizerInfo.createTokenizerInfo(
    tokens,
    encoding,
    false,
    tokens.length,
    stop,
  )
  const compiler = await library.GrammarCompiler.createGrammarCompiler(tokenizer)
  return {
    name: 'xgrammar',
    createMask: (schema) => createMask(library, compiler, schema, tokens.length),
    close() {
      compiler.dispose()
      tokenizer.dispose()
    },
  }
}

async function createMask(
  library: XGrammar,
  compiler: XCompiler,
  schema: JsonObject,
  size: number,
): Promise<TokenMask> {
  const compiled = await compiler.compileGrammar(formatSchema(schema))
  const matcher = await library.GrammarMatcher.createGrammarMatcher(compiled)
  return {
    async computeNext() {
      const bits = await matcher.getNextTokenBitmask()
      clearBeyond(bits, size)
      return bits
    },
    accept: (token) => matcher.acceptToken(token),
    isEnded: () => matcher.isTerminated(),
    close() {
      matcher.dispose()
      compiled.dispose()
    },
  }
}

const BITS = 32

/** Behind the last token the library sets bits that stand for none. */
function clearBeyond(bits: Int32Array, size: number): void {
  const last = Math.floor(size / BITS)
  const rest = size % BITS
  if (rest > 0 && last < bits.length) bits[last] = (bits[last] ?? 0) & ((1 << rest) - 1)
}
