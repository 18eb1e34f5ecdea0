import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildContract } from '../../demo/contract.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { AGENT, get, problemOf, served } from '../served.test-support.ts'

const OTHER = 'other_bot'
const CONTRACTS = [buildRefundsContract(), buildContract(OTHER, ['REFUND'])]

test('an agent is told what became of its proposal, and that it is still waited for', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow, { params: { order: 'o_1', amount: '1200.00' } })
  const path = `/v1/flows/${flow.dfid}/outcome`
  const waiting = await get(bot, `${path}?wait_ms=300`)
  assert.deepEqual([waiting.status, waiting.body], [200, { settled: false }])
  const heard = get(bot, `${path}?wait_ms=9000`)
  assert.ok((await it.runtime.engine.cancel(flow.dfid, 'not needed')).ok)
  const { body } = await heard
  assert.deepEqual([body.settled, body.answer.outcome], [true, 'REJECTED'])
})

test('what becomes of a flow, and what may be proposed in it, is nobody else\u2019s business', async (t) => {
  const it = await served(t, { contracts: CONTRACTS })
  const flow = await it.open(await it.agent())
  const other = await it.agent(OTHER)
  for (const what of ['outcome', 'tools']) {
    const path = `/v1/flows/${flow.dfid}/${what}`
    assert.deepEqual(problemOf(await get(other, path))[1], 'IDENTITY_MISMATCH')
    assert.deepEqual(problemOf(await get(it.person('ann', 'operator'), path)), [
      403,
      'ROLE_MISSING',
    ])
    assert.deepEqual(problemOf(await get(it.server, path)), [401, 'TOKEN_MISSING'])
    const unknown = await get(other, `/v1/flows/01890000-0000-7000-8000-000000000000/${what}`)
    assert.deepEqual(problemOf(unknown), [404, 'FLOW_UNKNOWN'])
  }
})

test('a session that ends while it waits is told nothing more', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow, { params: { order: 'o_1', amount: '1200.00' } })
  const heard = get(bot, `/v1/flows/${flow.dfid}/outcome?wait_ms=1500`)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification: 'x' } as const
  assert.ok((await it.runtime.engine.moveAgent(move)).ok)
  assert.deepEqual(problemOf(await heard), [401, 'SESSION_INVALID'])
})

test('of what a contract lists, a child flow is offered what its parent has and what is registered', async (t) => {
  const [parent, child] = ['lead', 'clerk']
  const contracts = [
    buildContract(parent, ['REFUND', 'SPAWN_CHILD']),
    buildContract(child, ['REFUND', 'NOTIFY', 'GHOST'], { parent_agent: parent }),
  ]
  const notify = { ...refundCapability([]), kind: 'NOTIFY' }
  const capabilities = [refundCapability([]), notify]
  const { runtime } = await served(t, { contracts, capabilities })
  const listKinds = async (parentFlow?: string): Promise<readonly string[]> => {
    const below = parentFlow === undefined ? {} : { parent: parentFlow }
    const flow = await runtime.open({ agent: child, trigger: 'x', ...below })
    return (await flow.listTools()).map(({ kind }) => kind).sort()
  }
  assert.deepEqual(await listKinds(), ['ESCALATE', 'NOTIFY', 'REFUND', 'RETIRE'])
  const above = await runtime.open({ agent: parent, trigger: 'x', steps: 'many' })
  assert.deepEqual(await listKinds(above.dfid), ['ESCALATE', 'REFUND', 'RETIRE'])
  const observer = buildContract('watcher', ['REFUND'], { authority: 'OBSERVE' })
  await runtime.deploy(observer)
  const watching = await runtime.open({ agent: 'watcher', trigger: 'x' })
  assert.deepEqual(await watching.listTools(), [])
})
