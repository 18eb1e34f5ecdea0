/** Names are asked for in the few threads that files need too. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shareLookups } from './resolve-host.ts'

test('a name that nobody answers for is not asked for by each call at once', async () => {
  const asked: string[] = []
  const waiting: PromiseWithResolvers<readonly string[]>[] = []
  const resolve = shareLookups((host) => {
    asked.push(host)
    const answer = Promise.withResolvers<readonly string[]>()
    waiting.push(answer)
    return answer.promise
  })
  const calls = Array.from({ length: 100 }, () => resolve('silent.example'))
  const other = resolve('pay.example')
  assert.deepEqual(asked, ['silent.example', 'pay.example'])
  waiting[1]?.resolve(['192.0.2.1'])
  assert.deepEqual(await other, ['192.0.2.1'])
  waiting[0]?.reject(new Error('ETIMEOUT'))
  const ends = await Promise.allSettled(calls)
  assert.ok(ends.every(({ status }) => status === 'rejected'))
  // What was said then is not said again to whoever asks later.
  const again = resolve('pay.example')
  waiting[2]?.resolve(['192.0.2.2'])
  assert.deepEqual(await again, ['192.0.2.2'])
})
