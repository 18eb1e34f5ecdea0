/** What an agent said when it set a timer, after the flow that the timer opened was erased. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMovableClock } from '../../demo/stage.ts'
import { ask } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, served } from '../served.test-support.ts'

const WORDS = 'call Mrs Smith back'
const SHOWN = 'customers.smith.*'

test('a kept answer to a timer has no words of the flow that it opens: by then nothing would find it', async (t) => {
  const clock = createMovableClock(Date.now())
  const it = await served(t, { clock, background: false })
  const bot = await it.agent()
  const at = new Date(clock.now() + 120_000).toISOString()
  const body = { trigger: WORDS, at, state: [SHOWN] }
  const path = `/v1/agents/${AGENT}/timers`
  const set = await ask(bot, 'PUT', `${path}/later`, { body, headers: freshKey() })
  assert.equal(set.status, 200, JSON.stringify(set.body))
  assert.equal((await get(bot, path)).body.timers[0].trigger, WORDS)
  clock.ahead(180_000)
  const { engine, store } = it.runtime
  await engine.runDue()
  const [flow] = await store.listFlows({ limit: 1 })
  assert.equal(flow?.trigger, WORDS)
  assert.ok((await engine.cancel(flow.dfid, 'nobody answers')).ok)
  assert.ok((await engine.oversight.erase({ dfid: flow.dfid, reason: 'asked for' })).ok)

  const due = await store.listRecords('http_reply_due', 'due', { limit: 10 })
  const kept = due.map(({ body: { group, key } }) => store.readRecord('http_reply', group, key))
  const text = JSON.stringify(await Promise.all(kept))
  assert.ok(text.includes('"name":"later"'), 'the answer is kept')
  for (const words of [WORDS, SHOWN]) assert.ok(!text.includes(words), words)
})
