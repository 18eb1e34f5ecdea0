import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from './turns.ts'

test('who comes later waits for a turn, in order, and may give up', async () => {
  const turns = new Turns(1)
  const { signal } = new AbortController()
  assert.equal(await turns.take(signal), true)
  const order: string[] = []
  const impatient = new AbortController()
  const second = turns.take(signal).then(() => order.push('second'))
  const third = turns.take(impatient.signal).then((taken) => order.push(`third ${taken}`))
  const fourth = turns.take(signal).then(() => order.push('fourth'))
  impatient.abort()
  await third
  turns.release()
  await second
  turns.release()
  await fourth
  assert.deepEqual(order, ['third false', 'second', 'fourth'])
  turns.release()
  assert.equal(await turns.take(signal), true, 'none is lost')
  assert.equal(await turns.take(AbortSignal.abort()), false)
})
