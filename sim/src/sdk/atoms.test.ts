import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AgentConnection, AgentError, connectAgent, connectInProcess } from 'rubicon-agents'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { buildRefundsContract } from '../../../server/src/demo/refunds.ts'
import { AGENT, post, problemOf, served } from '../../../server/src/http/served.test-support.ts'

const REFUND = { policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } }
const ATOMS = { topologies: [{ topology: 'SDS', agents: [AGENT] }] } as const

for (const where of ['over HTTP', 'in process'])
  test(`an agent that is asked for atoms has its first with the opening, and asks for others: ${where}`, async (t) => {
    const it = await served(t, ATOMS)
    const agent: AgentConnection =
      where === 'in process'
        ? connectInProcess(it.runtime, { agent: AGENT })
        : await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
    t.after(() => agent.close())
    const flow = await agent.open({ trigger: 'a stream', steps: 'many' })
    const plain = await flow.propose(REFUND)
    assert.equal('reason_code' in plain ? plain.reason_code : '', 'TOPOLOGY_MISMATCH')
    const { atom_id, policy_kinds, grammar_hash } = await flow.atom()
    assert.deepEqual(policy_kinds, ['REFUND'])
    assert.match(grammar_hash ?? '', /^[a-z0-9:]+$/)
    const issued = await it.runtime.store.listRecords('atom', flow.dfid, { limit: 10 })
    assert.deepEqual(
      issued.map(({ key }) => key),
      [atom_id],
    )
    const first = await flow.propose({ ...REFUND, atom_id })
    assert.equal(first.outcome, 'ACCEPTED', JSON.stringify(first))
    const next = await flow.atom()
    assert.notEqual(next.atom_id, atom_id)
    const second = { ...REFUND, step_id: 'two', params: { order: 'o_2', amount: '1.00' } }
    const used = await flow.propose({ ...second, atom_id })
    assert.equal('reason_code' in used ? used.reason_code : '', 'ATOM_USED')
    assert.equal((await flow.propose({ ...second, atom_id: next.atom_id })).outcome, 'ACCEPTED')
    await assert.rejects(
      flow.atom({ policy_kinds: ['WITHDRAW'] }),
      (error) => error instanceof AgentError && error.code === 'RBAC_DENIED',
    )
    assert.equal(it.calls.length, 2)
  })

test('nobody gets an atom of a flow that is another agent\u2019s', async (t) => {
  const contracts = [buildRefundsContract(), buildContract('other_bot', ['REFUND'])]
  const it = await served(t, { contracts })
  const flow = await it.open(await it.agent())
  const path = `/v1/flows/${flow.dfid}/atoms`
  assert.equal(
    problemOf(await post(await it.agent('other_bot'), path, { body: {} }))[1],
    'IDENTITY_MISMATCH',
  )
  assert.deepEqual(problemOf(await post(it.person('ann', 'operator'), path, { body: {} })), [
    403,
    'ROLE_MISSING',
  ])
  const unread = await post(await it.agent(), path, { body: { policy_kinds: 'REFUND' } })
  assert.equal(problemOf(unread)[1], 'SCHEMA_INVALID')
})
