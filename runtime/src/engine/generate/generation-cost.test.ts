import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from '../../ports/model.ts'
import { computeLargestCost, computeUsageCost, isPrice } from './generation-cost.ts'

const REQUEST: ModelRequest = { model: 'm', messages: [], max_tokens: 100 }
const WORDS = { name: 'words', count: (text: string) => text.split(' ').length }
const go = async (): Promise<void> => {}

test('C1 the most is half as much again as is counted, what stands around it, and all that is generated', async () => {
  const price = { input: '1', output: '10' }
  assert.deepEqual(await computeLargestCost(WORDS, REQUEST, 'a b c d', price, go), {
    tokens: String(6 + 32 + 1_024 + 100),
    usd: '0.002062',
  })
  const two = { ...REQUEST, messages: [{ role: 'user', text: '' } as const] }
  const { tokens } = await computeLargestCost(WORDS, two, 'a b c d', undefined, go)
  assert.equal(tokens, String(6 + 64 + 1_024 + 100))
})

test('C2 a long request is counted in slices, and others have the thread between them', async () => {
  const slices: number[] = []
  let pauses = 0
  const counted = { name: 'slices', count: (text: string) => slices.push(text.length) }
  await computeLargestCost(counted, REQUEST, 'x'.repeat(3_000), undefined, async () => {
    pauses += 1
  })
  assert.deepEqual([slices, pauses], [[1_024, 1_024, 952], 2])
})

test('C3 money is rounded up, to a millionth', () => {
  const usage = { input_tokens: 3, output_tokens: 1, cached_tokens: 2 }
  const price = { input: '0.15', output: '0.60', cached: '0.075' }
  // 0.15 + 0.15 + 0.6, each up.
  assert.deepEqual(computeUsageCost(usage, price), { tokens: '4', usd: '0.000003' })
  assert.deepEqual(computeUsageCost(usage, { input: '1', output: '1' }).usd, '0.000004')
  assert.deepEqual(computeUsageCost(usage, { input: '0', output: '0' }).usd, '0')
  assert.deepEqual(computeUsageCost(usage, undefined), { tokens: '4' })
})

test('a price that cannot be counted with is none', () => {
  assert(isPrice({ input: '0', output: '10000' }))
  for (const bad of ['-1', '', '1,5', '1e3', '10000.01'])
    assert(!isPrice({ input: '1', output: bad }), bad)
})
