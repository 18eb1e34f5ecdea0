/** What the engine keeps in memory that nobody collects, with the library itself. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { CompiledGrammars } from './compiled-grammars.ts'
import { loadXGrammar } from './load-xgrammar.ts'
import { VOCABULARY } from './random-model.test-support.ts'
import { createXGrammarEngine } from './xgrammar.ts'

type Counted = { compiled: number; alive: number; keeps: boolean[] }

/** Counts the grammars of compilers that are made from now on. */
async function countGrammars(t: TestContext): Promise<Counted> {
  const { GrammarCompiler } = await loadXGrammar()
  const counted: Counted = { compiled: 0, alive: 0, keeps: [] }
  const { createGrammarCompiler } = GrammarCompiler
  t.mock.method(
    GrammarCompiler,
    'createGrammarCompiler',
    async (...given: Parameters<typeof createGrammarCompiler>) => {
      counted.keeps.push(given[1])
      const compiler = await createGrammarCompiler.apply(GrammarCompiler, given)
      const compile = compiler.compileGrammar.bind(compiler)
      compiler.compileGrammar = async (ebnf) => {
        const grammar = await compile(ebnf)
        const dispose = grammar.dispose.bind(grammar)
        counted.compiled += 1
        counted.alive += 1
        grammar.dispose = () => {
          counted.alive -= 1
          dispose()
        }
        return grammar
      }
      return compiler
    },
  )
  return counted
}

const bound = (maximum: number): JsonObject => ({ type: 'integer', minimum: 0, maximum })

test('an engine keeps the grammars that were used last, and not every one that it was ever asked for', async (t) => {
  const counted = await countGrammars(t)
  const engine = await createXGrammarEngine(VOCABULARY)
  assert.deepEqual(counted.keeps, [false], 'the library keeps none itself')
  const early = await engine.createMask(bound(5))
  for (let most = 10; most < 110; most += 1) (await engine.createMask(bound(most))).close()
  assert.equal(counted.compiled, 101)
  assert.equal(counted.alive, 32)
  const again = await Promise.all([engine.createMask(bound(109)), engine.createMask(bound(109))])
  assert.equal(counted.compiled, 101, 'what is kept is not compiled again')
  // A mask outlives the place of its grammar.
  const bits = await early.computeNext()
  const mayCome = VOCABULARY.tokens.filter((_, token) => {
    return (((bits[token >>> 5] ?? 0) >>> (token & 31)) & 1) === 1
  })
  assert.deepEqual(mayCome, ['0', '1', '2', '3', '4', '5'])
  for (const mask of [early, ...again]) mask.close()
  engine.close()
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(counted.alive, 0)
})

test('what could not be compiled is not kept: the next one tries again', async () => {
  let tried = 0
  const grammars = new CompiledGrammars({
    async compileGrammar() {
      tried += 1
      throw new Error('no memory')
    },
  })
  const never = (): Promise<never> => assert.fail('there is no grammar')
  for (let nth = 1; nth <= 2; nth += 1) {
    await assert.rejects(grammars.lend('root ::= "a"', never), /no memory/)
    assert.equal(tried, nth)
  }
})
