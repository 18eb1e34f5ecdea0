/** A provider that answers at once and confirms later: its confirmation is an observation, and wakes who waits for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AgentFlow, connectAgent } from 'rubicon-agents'
import type { Capability } from '../../../runtime/src/ports/capability.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { AGENT, post, problemOf, served } from '../../../server/src/http/served.test-support.ts'

const FILL = 'orders.o_1'

test('a confirmation that comes late wakes the agent by an event, and counts only from whom the path belongs to', async (t) => {
  const done: string[] = []
  const contract = buildContract(AGENT, ['ORDER', 'BOOK'], {
    permissions: { subscriptions: [{ topic: 'orders.*' }], reads: ['orders.*'] },
  })
  const it = await served(t, {
    contracts: [contract],
    capabilities: ['ORDER', 'BOOK'].map((kind) => createStep(kind, done)),
    sources: [{ source_id: 'broker', label: 'trusted', paths: ['orders.*'] }],
    topologies: [{ topology: 'EOAM', policy_kinds: ['BOOK'] }],
  })
  const agent = await connectAgent({ url: it.server.url, agent: AGENT, key: await it.key(AGENT) })
  t.after(() => agent.close())
  const flow = await agent.open({ trigger: 'buy ten', state: [FILL] })
  const ordered = await flow.propose({ policy_kind: 'ORDER', params: { order: 'o_1' } })
  assert.equal(ordered.outcome, 'ACCEPTED', JSON.stringify(ordered))
  const early = await agent.open({ trigger: 'book it now' })
  const unconfirmed = await early.propose({ policy_kind: 'BOOK', params: { order: 'o_1' } })
  assert.equal('reason_code' in unconfirmed ? unconfirmed.reason_code : '', 'TOPOLOGY_MISMATCH')

  const woken = Promise.withResolvers<AgentFlow>()
  agent.handleFlows((one) => {
    if (one.dfid !== early.dfid && one.dfid !== flow.dfid) woken.resolve(one)
  })
  const confirm = (who: Parameters<typeof post>[0], value: string) =>
    post(who, '/v1/observations', { body: { path: FILL, value } })
  assert.equal(problemOf(await confirm(await it.agent(), 'FILLED'))[1], 'FACT_NOT_OWNED')
  const broker = it.person('broker', 'source')
  // The stream of the agent may not be open yet: what wakes it is said until it has heard.
  const heard = { flow: null as AgentFlow | null }
  void woken.promise.then((one) => {
    heard.flow = one
  })
  for (let part = 1; heard.flow === null && part < 200; part++) {
    assert.equal((await confirm(broker, `FILLED in ${part} parts`)).status, 200)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const found = heard.flow ?? assert.fail('nobody was woken')
  const seen = found.context.state.find(({ path }) => path === FILL)
  assert.match(String(seen?.value), /^FILLED in \d+ parts$/)
  assert.equal(seen?.label, 'trusted')
  const booked = await found.propose({ policy_kind: 'BOOK', params: { order: 'o_1' } })
  assert.equal(booked.outcome, 'ACCEPTED', JSON.stringify(booked))
  assert.deepEqual(done, ['ORDER o_1', 'BOOK o_1'])
})

/** The answer of a provider says that it has the order, and not what becomes of it. */
function createStep(kind: string, done: string[]): Capability {
  return {
    kind,
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    params: {
      type: 'object',
      properties: { order: { type: 'string' } },
      required: ['order'],
      additionalProperties: false,
    },
    execute({ params }) {
      done.push(`${kind} ${String(params.order)}`)
      return { result: { received: params.order ?? null } }
    },
  }
}
