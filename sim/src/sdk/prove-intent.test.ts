import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectAgent, connectInProcess } from 'rubicon-agents'
import { AGENT, served } from '../../../server/src/http/served.test-support.ts'

const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }

test('an agent that is asked for proofs proves what it proposes, and one without a key is refused', async (t) => {
  const it = await served(t, { topologies: [{ topology: 'DL_PCI', agents: [AGENT] }] })
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
  t.after(() => agent.close())
  const flow = await agent.open({ trigger: 'proven' })
  assert.ok(flow.context.evidence)
  const first = await flow.propose(REFUND)
  assert.equal(first.outcome, 'ACCEPTED', JSON.stringify(first))
  assert.equal((await flow.propose(REFUND)).outcome, 'REPEATED')
  const keyless = connectInProcess(it.runtime, { agent: AGENT })
  t.after(() => keyless.close())
  const other = await keyless.open({ trigger: 'unproven' })
  const refused = await other.propose(REFUND)
  assert.equal('reason_code' in refused ? refused.reason_code : '', 'TOPOLOGY_MISMATCH')
  assert.equal(it.calls.length, 1)
})
