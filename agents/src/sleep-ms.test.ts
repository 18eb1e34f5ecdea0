import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { sleepMs } from './sleep-ms.ts'

const LONG_MS = 60_000

test('nobody waits for what was given up before or meanwhile', { timeout: 5_000 }, async () => {
  await sleepMs(LONG_MS, AbortSignal.abort())
  const given = new AbortController()
  const waiting = sleepMs(LONG_MS, given.signal)
  given.abort()
  await waiting
})

test('a wait leaves nothing behind on a signal that goes on', async () => {
  const { signal } = new AbortController()
  for (let times = 0; times < 3; times++) await sleepMs(1, signal)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})
