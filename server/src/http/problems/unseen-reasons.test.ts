import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseContract } from 'rubicon-kernel'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { freshKey, post, problemOf, served } from '../served.test-support.ts'

/** Zero width, bidi, soft hyphen, tags, variation selectors, fillers, blanks; and nothing at all. */
const UNSEEN = [
  '',
  ' \u00a0\u3000',
  '\u200b\u200d\u2060\ufeff',
  '\u202e\u2066\u2069',
  '\u00ad',
  '\u{e0041}\u{e007f}',
  '\ufe0f\u{e0100}',
  '\u3164\u2800',
  '\u{1bca0}\u{13430}',
]

test('what nobody can see is a reason or a trigger', async (t) => {
  const it = await served(t)
  const { engine } = it.runtime
  const bot = await it.agent()
  const ann = it.person('ann', 'operator', 'auditor')
  const flow = await it.open(bot)

  await t.test('of a flow, by an agent and in process', async () => {
    const before = await it.runtime.store.countLeaves()
    for (const trigger of UNSEEN) {
      const opened = await post(bot, '/v1/flows', { body: { trigger }, headers: freshKey() })
      assert.deepEqual(problemOf(opened), [422, 'SCHEMA_INVALID'], JSON.stringify(trigger))
    }
    assert.equal(await it.runtime.store.countLeaves(), before)
  })

  await t.test('of a timer', async () => {
    for (const trigger of UNSEEN) {
      const set = await engine.timers.schedule({
        agent: 'refunds_bot',
        trigger,
        every_ms: 3_600_000,
      })
      assert.equal(set.ok ? '' : set.error.code, 'TIMER_INVALID', JSON.stringify(trigger))
    }
  })

  await t.test('of an erasure, a withdrawal, a clock, and a restore', async () => {
    for (const reason of UNSEEN) {
      const asked = { body: { reason }, headers: freshKey() }
      const erased = await post(ann, `/v1/flows/${flow.dfid}/erasure`, asked)
      const paths = ['/v1/monitors/mean_refund/withdrawal', '/v1/clock/confirmation']
      const others = await Promise.all(paths.map((path) => post(ann, path, asked)))
      for (const answer of [erased, ...others])
        assert.deepEqual(problemOf(answer), [422, 'JUSTIFICATION_REQUIRED'], JSON.stringify(reason))
      const accepted = await engine.acceptRestore(reason)
      assert.equal(accepted.ok ? '' : accepted.error.code, 'JUSTIFICATION_REQUIRED')
    }
  })

  await t.test('of a contract: its mission', () => {
    for (const mission of UNSEEN)
      assert.equal(parseContract({ ...buildRefundsContract(), mission }).ok, false)
  })
})
