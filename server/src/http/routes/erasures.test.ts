import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import { freshKey, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const REASON = { reason: 'asked for by the customer' }

async function findings({ runtime }: Served): Promise<readonly string[]> {
  await runtime.engine.checkpoint()
  const lines: string[] = []
  assert.ok((await exportLedger(runtime.store, (line) => void lines.push(line))).ok)
  return verifyAny(lines.join(''), nodeCrypto).findings.map(({ code }) => code)
}

test('an operator looks what would go, and has it erased once', async (t) => {
  const it = await served(t)
  const operator = it.person('olga', 'operator')
  const bot = await it.agent()
  const flow = await it.open(bot)
  const path = `/v1/flows/${flow.dfid}/erasure`
  assert.deepEqual(problemOf(await get(operator, path)), [409, 'ERASURE_WAITS'])
  await it.propose(bot, flow)
  const planned = await get(operator, path)
  assert.equal(planned.body.seq, null)
  assert.ok(planned.body.payloads.length > 2)

  const key = freshKey()
  const erased = await post(operator, path, { body: REASON, headers: key })
  assert.deepEqual([erased.status, erased.body.seq], [200, 1])
  const repeated = await post(operator, path, { body: REASON, headers: key })
  assert.deepEqual(repeated.body, erased.body)
  const again = await post(operator, path, { body: REASON, headers: freshKey() })
  assert.deepEqual(problemOf(again), [409, 'FLOW_ERASED'])
  const shown = await get(operator, `/v1/flows/${flow.dfid}`)
  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body.flow.tags, ['ERASED'])
  assert.equal(shown.body.flow.trigger, '')
  assert.equal((await get(bot, `/v1/flows/${flow.dfid}`)).status, 200)
  for (const list of ['/v1/flows', '/v1/executions', '/v1/decisions', '/v1/ledger/entries'])
    assert.equal((await get(operator, list)).status, 200, list)
  assert.deepEqual(await findings(it), [])
})

test('nobody else may ask for it, and nothing goes without a reason', async (t) => {
  const it = await served(t)
  const operator = it.person('olga', 'operator')
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow)
  const path = `/v1/flows/${flow.dfid}/erasure`
  for (const place of [bot, it.person('ann', 'approver'), it.person('ben', 'auditor')]) {
    const asked = await post(place, path, { body: REASON, headers: freshKey() })
    assert.deepEqual(problemOf(asked), [403, 'ROLE_MISSING'])
  }
  for (const body of [{}, { reason: '' }, { reason: '   ' }]) {
    const asked = await post(operator, path, { body, headers: freshKey() })
    assert.ok(asked.status >= 400, JSON.stringify(body))
  }
  const entries = await it.runtime.store.listFlowEntries(flow.dfid)
  assert.equal(
    entries.some(({ payload }) => payload === null),
    false,
  )
})
