import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { AGENT, done, layerStage, refusedWith } from './layer-stage.test-support.ts'

test('of two who have read the same version one is told that the other was there', async () => {
  const it = await layerStage()
  assert.equal(done(await it.layers.agentState(AGENT)), null)
  const put = (value: unknown, version: number | null) =>
    it.layers.putAgentState(AGENT, value, version)
  assert.equal(done(await put({ seen: 1 }, null)).version, 1)
  assert.equal(refusedWith(await put({ seen: 2 }, null)), 'AGENT_STATE_CONFLICT')
  await it.clock.advance(1)
  const both = await Promise.all([put({ by: 'one' }, 1), put({ by: 'two' }, 1)])
  assert.deepEqual(both.map(refusedWith).sort(), ['AGENT_STATE_CONFLICT', null].sort())
  const late = both.find((result) => !result.ok)
  assert.deepEqual(late?.ok === false ? late.error.meta : null, { version: 2 })
  const state = done(await it.layers.agentState(AGENT))
  assert.deepEqual([state?.version, state?.updated_at], [2, it.now()])
  await it.close()
})

test('what is no JSON, too large, or of nobody is refused', async () => {
  const it = await layerStage()
  const put = async (value: unknown, agent = AGENT): Promise<string | null> =>
    refusedWith(await it.layers.putAgentState(agent, value, null))
  assert.equal(await put(Number.NaN), 'VALUE_NOT_JSON')
  assert.equal(await put('x'.repeat(LIMITS.agentStateBytes - 1)), 'BODY_TOO_LARGE')
  assert.equal(await put({}, 'nobody'), 'AGENT_UNKNOWN')
  assert.equal(await put('x'.repeat(LIMITS.agentStateBytes - 2)), null)
  await it.close()
})

test('an agent reads and writes its own under a session, and nobody else does', async () => {
  const it = await layerStage()
  const { session_token: session } = done(await it.runtime.engine.handshake({ agent: AGENT }))
  assert.equal(refusedWith(await it.layers.putAgentState(AGENT, 1, null, { session })), null)
  assert.equal(done(await it.layers.agentState(AGENT, { session }))?.value, 1)
  assert.equal(refusedWith(await it.layers.agentState('other', { session })), 'SESSION_INVALID')
  await it.close()
})
