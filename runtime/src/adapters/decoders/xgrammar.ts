/** Masks from XGrammar's WebAssembly build. Compiled schemas are kept for a while; a mask is for one document. */
import type { JsonObject } from 'rubicon-kernel'
import type { MaskEngine, TokenMask, Vocabulary } from '../../ports/decoder.ts'
import { CompiledGrammars } from './compiled-grammars.ts'
import { loadXGrammar, type XGrammar } from './load-xgrammar.ts'
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
  const compiler = await library.GrammarCompiler.createGrammarCompiler(tokenizer, false)
  const grammars = new CompiledGrammars(compiler)
  return {
    name: 'xgrammar',
    createMask: (schema) => createMask(library, grammars, schema, tokens.length),
    close() {
      grammars.close()
      compiler.dispose()
      tokenizer.dispose()
    },
  }
}

async function createMask(
  library: XGrammar,
  grammars: CompiledGrammars,
  schema: JsonObject,
  size: number,
): Promise<TokenMask> {
  const matcher = await grammars.lend(formatSchema(schema), (grammar) =>
    library.GrammarMatcher.createGrammarMatcher(grammar),
  )
  return {
    async computeNext() {
      const bits = await matcher.getNextTokenBitmask()
      clearBeyond(bits, size)
      return bits
    },
    accept: (token) => matcher.acceptToken(token),
    isEnded: () => matcher.isTerminated(),
    close: () => matcher.dispose(),
  }
}

const BITS = 32

/** Behind the last token the library sets bits that stand for none. */
function clearBeyond(bits: Int32Array, size: number): void {
  const last = Math.floor(size / BITS)
  const rest = size % BITS
  if (rest > 0 && last < bits.length) bits[last] = (bits[last] ?? 0) & ((1 << rest) - 1)
}
