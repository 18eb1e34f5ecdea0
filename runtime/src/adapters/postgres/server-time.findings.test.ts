/** Processes whose clocks are wrong, on a server whose clock is the one that counts. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { AUTHORITY, LIMITS, parseInstant } from 'rubicon-kernel'
import type { Store } from '../../ports/store.ts'
import { createFreshDatabase, describeWithServer, open } from './testing.ts'

const YEARS_MS = 400 * 86_400_000

/** A process whose clock is so far ahead. */
function openAhead(address: string, ms: number): Promise<Store> {
  return open(address, { clock: () => Date.now() + ms, clockIsServers: false })
}

function assertNow(at: string, what: string): void {
  const off = Math.abs((parseInstant(at) ?? 0) - Date.now())
  assert.ok(off < LIMITS.clockSkewMs, `${what}: ${at}`)
}

describeWithServer('the time of the server', () => {
  it('finding 21a: an engine whose clock is 400 days ahead dates nothing, and ends nothing', async () => {
    const address = await createFreshDatabase()
    const right = await openAhead(address, 0)
    const wrong = await openAhead(address, YEARS_MS)
    const before = new Date(Date.now() + 60_000).toISOString()
    const outcome = await wrong.commit({
      guards: [{ kind: 'before', at: before }],
      writes: [{ kind: 'append', trajectory: AUTHORITY, entry: 'root', payload: '{}' }],
    })
    assert.ok(outcome.ok)
    assertNow(outcome.at, 'a batch')
    assertNow((await wrong.readNow(AUTHORITY)).now, 'now')
    assertNow((await right.readNow(AUTHORITY)).now, 'the other process')
    assertNow(new Date(wrong.time.getNow()).toISOString(), 'what the process counts on from')
  })

  it('finding 21a: an engine whose clock is behind does not bring back what has ended', async () => {
    const address = await createFreshDatabase()
    const wrong = await openAhead(address, -YEARS_MS)
    const ended = new Date(Date.now() - 60_000).toISOString()
    const outcome = await wrong.commit({
      guards: [{ kind: 'before', at: ended }],
      writes: [{ kind: 'append', trajectory: AUTHORITY, entry: 'root', payload: '{}' }],
    })
    assert.equal(outcome.ok, false)
  })
})
