/** What people said about a request, after its flow was erased. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BUYER,
  createPurchaseCapability,
  purchaseContracts,
} from '../../../../scenarios/src/escalation.ts'
import { freshKey, get, post, served } from '../served.test-support.ts'

const WORDS = 'the customer is called Smith'

test('a kept answer to a comment goes with the flow that it was about', async (t) => {
  const it = await served(t, { background: false, capabilities: [createPurchaseCapability([])] })
  for (const contract of purchaseContracts()) await it.runtime.deploy(contract)
  const ann = it.person('ann@example.com', 'approver')
  const flow = await it.runtime.open({ agent: BUYER, trigger: 'paper is wanted' })
  await flow.propose({ policy_kind: 'PURCHASE', params: { usd: '5000' } })
  const { store } = it.runtime
  const listKept = async (): Promise<string> => {
    const due = await store.listRecords('http_reply_due', 'due', { limit: 100 })
    const kept = due.map(({ body }) => store.readRecord('http_reply', body.group, body.key))
    return JSON.stringify(await Promise.all(kept))
  }
  const at = `/v1/escalations/${flow.dfid}:1/comments`
  const said = await post(ann, at, { body: { text: WORDS }, headers: freshKey() })
  assert.equal(said.status, 200, JSON.stringify(said.body))
  const kept = await listKept()
  assert.ok(kept.includes(`${flow.dfid}:1`))
  assert.ok(!kept.includes(WORDS), 'an answer under way would be kept behind the erasure')
  const shown = await get(ann, `/v1/escalations/${flow.dfid}:1/brief`)
  const { intent_digest, shown_snapshot } = shown.body.binds
  const decided = await post(ann, `/v1/escalations/${flow.dfid}:1/decision`, {
    body: { decision: 'ABORT', intent_digest, shown_snapshot, justification: 'not needed' },
    headers: freshKey(),
  })
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  const olga = it.person('olga@example.com', 'operator')
  const body = { reason: 'asked for by the customer' }
  const erased = await post(olga, `/v1/flows/${flow.dfid}/erasure`, { body, headers: freshKey() })
  assert.equal(erased.status, 200, JSON.stringify(erased.body))
  assert.ok(!(await listKept()).includes(`${flow.dfid}:1`))
})
