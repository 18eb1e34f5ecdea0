import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Turns } from './turns.ts'

test('who comes later waits for a turn, in order, and may give up', async () => {
  const turns = new Turns(1, 1)
  const { signal } = new AbortController()
  assert.equal(await turns.take('ann', signal), true)
  const order: string[] = []
  const impatient = new AbortController()
  const second = turns.take('bob', signal).then(() => order.push('second'))
  const third = turns.take('eve', impatient.signal).then((taken) => order.push(`third ${taken}`))
  const fourth = turns.take('bob', signal).then(() => order.push('fourth'))
  impatient.abort()
  await third
  turns.release('ann')
  await second
  turns.release('bob')
  await fourth
  assert.deepEqual(order, ['third false', 'second', 'fourth'])
  turns.release('bob')
  assert.equal(await turns.take('ann', signal), true, 'none is lost')
  assert.equal(await turns.take('ann', AbortSignal.abort()), false)
})

test('programs of one agent take every place there is, and nobody else starts one', async () => {
  const turns = new Turns(4, 2)
  const { signal } = new AbortController()
  const begun: string[] = []
  const ask = async (agent: string): Promise<void> => {
    void turns.take(agent, signal).then(() => begun.push(agent))
    await turn()
  }
  const release = async (agent: string): Promise<void> => {
    turns.release(agent)
    await turn()
  }
  for (const _ of [1, 2, 3, 4, 5]) await ask('mallory')
  await ask('ann')
  await ask('bob')
  assert.deepEqual(begun.splice(0), ['mallory', 'mallory', 'ann', 'bob'])
  // All places are taken: ann, who comes last, does not wait behind what mallory has waiting.
  await ask('ann')
  await release('bob')
  assert.deepEqual(begun.splice(0), ['ann'])
  await release('ann')
  await release('ann')
  assert.deepEqual(begun, [], 'mallory has its share')
  await release('mallory')
  assert.deepEqual(begun, ['mallory'])
})
