/**
 * `rubicon bench stream`: a model that chooses at random is held to the grammar of an agent, token by token. What it
 * writes is judged by the stages that the grammar claims to cover, and every mask is timed.
 *
 * Of logits drawn independently for every token, the largest among those that are allowed is each of them equally
 * likely: the model draws one of the allowed tokens, which is the same and takes no time of the measurement.
 */
import { type Grammar, readWritten } from 'rubicon-kernel'
import { createMaskedProvider } from '../../runtime/src/adapters/decoders/masked-provider.ts'
import { createXGrammarEngine } from '../../runtime/src/adapters/decoders/xgrammar.ts'
import { matchesRegex as regex } from '../../runtime/src/policies/regex.ts'
import type { MaskEngine, TokenMask, TokenModel } from '../../runtime/src/ports/decoder.ts'
import type { ModelProvider } from '../../runtime/src/ports/model.ts'
import { ignoreProgress, type ProgressOf } from '../../server/src/cli/progress.ts'
import { computePercentile, roundFigure } from './measure.ts'
import { createStreamLaw, type StreamLaw } from './stream-law.ts'
import { loadTokenTable, type TokenTable } from './stream-vocabulary.ts'

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
  readonly mask_us: { readonly p50: number; readonly p99: number }
  /** Building the grammar, the median. */
  readonly grammar_us: number
  /** Preparing the vocabulary, and compiling the grammar for the first time. */
  readonly prepare_ms: number
  readonly seed: number
}

const GRAMMARS = 50
const MAX_TOKENS = 1_024

export async function runStreamBench(options: StreamOptions): Promise<StreamReport> {
  const { vocabulary, seed } = options
  const law = createStreamLaw()
  const grammar = law.buildGrammar()
  const table = loadTokenTable(vocabulary)
  const started = performance.now()
  const engine = await createXGrammarEngine(table.vocabulary)
  const first = await engine.createMask(grammar.schema)
  first.close()
  const prepare_ms = performance.now() - started
  const times: number[] = []
  const model = createDrawingModel(table, seed)
  const provider = createMaskedProvider({ model, engine: measureMasks(engine, times) })
  const written = await writeProposals(options, { law, grammar, provider })
  engine.close()
  return {
    ...written,
    seed,
    vocabulary: table.vocabulary.tokens.length,
    mask_us: {
      p50: roundFigure(computePercentile(times, 0.5)),
      p99: roundFigure(computePercentile(times, 0.99)),
    },
    grammar_us: roundFigure(measureGrammar(law)),
    prepare_ms: roundFigure(prepare_ms),
  }
}

type Written = Pick<StreamReport, 'generations' | 'inside' | 'outside' | 'kinds' | 'tokens'>
type Writing = {
  readonly law: StreamLaw
  readonly grammar: Grammar
  readonly provider: ModelProvider
}

async function writeProposals(
  { generations, progressOf = ignoreProgress }: StreamOptions,
  { law, grammar, provider }: Writing,
): Promise<Written> {
  const progress = progressOf('generations')
  const kinds: Record<string, number> = {}
  let [inside, tokens, outside]: [number, number, string | null] = [0, 0, null]
  const output = { name: 'proposal', schema: grammar.schema }
  const request = { model: 'drawn', messages: [], max_tokens: MAX_TOKENS, output }
  for (let nth = 0; nth < generations; nth++) {
    const reply = await provider.generate(request, { signal: new AbortController().signal })
    tokens += reply.usage?.output_tokens ?? 0
    const written = readWritten(grammar, reply.text, regex)
    const { policy_kind: kind, params } = written.ok
      ? written.value
      : { policy_kind: 'none', params: {} }
    const problems = written.ok ? law.listRefusals(kind, params) : [written.error]
    kinds[kind] = (kinds[kind] ?? 0) + 1
    if (problems.length === 0) inside += 1
    else outside ??= `${problems.join(', ')}: ${reply.text}`
    progress.tell(nth + 1, generations)
  }
  progress.end()
  return { generations, inside, outside, kinds, tokens }
}

/** Microseconds of each mask. */
function measureMasks(engine: MaskEngine, times: number[]): MaskEngine {
  return {
    name: engine.name,
    async createMask(schema): Promise<TokenMask> {
      const mask = await engine.createMask(schema)
      return {
        async computeNext() {
          const started = performance.now()
          const bits = await mask.computeNext()
          times.push((performance.now() - started) * 1_000)
          return bits
        },
        accept: (token) => mask.accept(token),
        isEnded: () => mask.isEnded(),
        close: () => mask.close(),
      }
    },
    close: () => engine.close(),
  }
}

function measureGrammar(law: StreamLaw): number {
  const times = Array.from({ length: GRAMMARS }, () => {
    const started = performance.now()
    law.buildGrammar()
    return (performance.now() - started) * 1_000
  })
  return computePercentile(times, 0.5)
}

function createDrawingModel({ vocabulary, decodeTokens }: TokenTable, seed: number): TokenModel {
  let state = seed >>> 0
  const draw = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  return {
    ...{ name: 'drawn', vocabulary, decodeTokens },
    countInput: () => 1,
    chooseNext: (_request, _written, mask) => findSetBit(mask, draw(countSetBits(mask))),
  }
}

function countSetBits(mask: Int32Array): number {
  let bits = 0
  for (const word of mask) bits += countBits(word)
  return bits
}

function countBits(word: number): number {
  let left = word - ((word >>> 1) & 0x55555555)
  left = (left & 0x33333333) + ((left >>> 2) & 0x33333333)
  return Math.imul((left + (left >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The token of the nth bit that is set; −1: there are not so many. */
function findSetBit(mask: Int32Array, nth: number): number {
  let left = nth
  for (const [index, word] of mask.entries()) {
    const bits = countBits(word)
    if (left >= bits) {
      left -= bits
      continue
    }
    for (let bit = 0; bit < 32; bit++)
      if (((word >>> bit) & 1) === 1 && left-- === 0) return index * 32 + bit
  }
  return -1
}
