/** What went on after the authority for it had ended, over HTTP, one test a sentence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type JsonObject,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { compromiseKey, retireKey } from '../../../../runtime/src/engine/authority/keys.ts'
import { issueWrit } from '../../../../runtime/src/engine/authority/writs.ts'
import { carryOutAccepted } from '../../../../runtime/src/engine/effect/carry-out.ts'
import type { HttpAnswer, HttpPlace } from '../agent-auth/client.ts'
import { AGENT, type OpenFlow, post, refund, type Served, served } from '../served.test-support.ts'

/** A refund, signed by the agent's own key, and left to an executor that comes later. */
async function acceptSigned(it: Served, bot: HttpPlace, flow: OpenFlow): Promise<void> {
  const { key_id, sign } = await it.key(AGENT)
  const text = encodePreAuth(
    toPayloadType('proposal'),
    encodeUtf8(toCanonicalText(refund(flow) as JsonObject)),
  )
  const sig = encodeBase64(await sign(text))
  const body = { ...refund(flow), signature: { key_id, sig } }
  const at = `/v1/flows/${flow.dfid}/proposals?wait_ms=0`
  const answer: HttpAnswer = await post(bot, at, { body })
  assert.equal(answer.body.outcome, 'ACCEPTED', JSON.stringify(answer.body))
}

/** Lets the executor come by, and says what became of the flow and of its step. */
async function carriedOut({ runtime }: Served, dfid: string): Promise<readonly unknown[]> {
  const { context } = runtime.engine
  assert.equal(await carryOutAccepted(context), 1)
  await context.inFlight.awaitDrained()
  const entries = await runtime.store.listFlowEntries(dfid)
  const last = JSON.parse(entries.at(-1)?.payload ?? '{}')
  return [(await runtime.store.readFlow(dfid))?.state, last.status, last.reason_code]
}

test('finding 10a: nothing is sent on a key that was compromised or retired after it was accepted', async (t) => {
  const ends = [
    ['PROPOSAL_SIGNATURE_INVALID', retireKey],
    [
      'KEY_PURPOSE',
      (...[context, key]: Parameters<typeof retireKey>) => compromiseKey(context, key, 0),
    ],
  ] as const
  for (const [code, end] of ends) {
    const it = await served(t, { executors: 'elsewhere', background: false })
    const bot = await it.agent()
    const flow = await it.open(bot)
    await acceptSigned(it, bot, flow)
    const ended = await end(it.runtime.engine.context, (await it.key(AGENT)).key_id)
    assert.ok(ended.ok)
    assert.deepEqual(await carriedOut(it, flow.dfid), ['ACTIVE', 'ABANDONED', code])
    assert.deepEqual(it.calls, [], 'nothing reached the provider')
    await it.close()
  }
  const untouched = await served(t, { executors: 'elsewhere', background: false })
  const bot = await untouched.agent()
  const flow = await untouched.open(bot)
  await acceptSigned(untouched, bot, flow)
  assert.deepEqual((await carriedOut(untouched, flow.dfid))[0], 'CLOSED')
  assert.equal(untouched.calls.length, 1)
})

test('finding 10b: a flow whose own writ is revoked does nothing more, whatever writ a proposal names', async (t) => {
  for (const executors of ['inline', 'elsewhere'] as const) {
    const it = await served(t, { executors, background: false })
    const { engine, store } = it.runtime
    const bot = await it.agent()
    const flow = await it.open(bot, { steps: 'many' })
    const issued = await issueWrit(engine.context, { agent: AGENT })
    assert.ok(issued.ok)
    const named = { writ_id: issued.value.id }
    const own = (await store.readFlow(flow.dfid))?.writs[0]?.id ?? ''
    if (executors === 'elsewhere') {
      const first = await it.propose(bot, flow, named)
      assert.equal(first.body.outcome, 'ACCEPTED', JSON.stringify(first.body))
    }
    const revoked = await engine.revoke({ target: 'writ', id: own, reason: 'test' })
    assert.ok(revoked.ok)
    if (executors === 'elsewhere') {
      assert.deepEqual(await carriedOut(it, flow.dfid), ['ABORTED', 'ABANDONED', 'WRIT_REVOKED'])
    } else {
      const { body } = await it.propose(bot, flow, named)
      assert.deepEqual([body.outcome, body.reason_code], ['REJECTED', 'WRIT_REVOKED'])
      assert.equal((await store.readFlow(flow.dfid))?.state, 'ABORTED')
    }
    assert.deepEqual(it.calls, [])
    await it.close()
  }
})
