import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { ServerTime } from './server-time.ts'
import type { DatabaseSession } from './session.ts'

const START = Date.parse('2026-06-01T12:00:00.000Z')

test('a server whose clock is set back a little is not followed back, by more it is', async () => {
  let now = START
  const session = { run: async () => [{ now }] } as unknown as DatabaseSession
  const time = new ServerTime(() => START, false)
  const askAt = (ms: number): Promise<string> => {
    now = ms
    return time.ask(session)
  }
  assert.equal(await askAt(START), formatInstant(START))
  assert.equal(await askAt(START - LIMITS.clockSkewMs), formatInstant(START))
  assert.equal(await askAt(START + 1), formatInstant(START + 1))
  const far = START - LIMITS.clockSkewMs - 1
  assert.equal(await askAt(far), formatInstant(far))
})
