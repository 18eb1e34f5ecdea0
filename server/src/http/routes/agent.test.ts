import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildContract } from '../../demo/contract.ts'
import { AGENT, freshKey, get, post, problemOf, refund, served } from '../served.test-support.ts'

const MOVES = `/v1/agents/${AGENT}/transitions`

test('an operator suspends an agent and lets it go again, in their own name', async (t) => {
  const { person, agent, open } = await served(t)
  const bot = await agent()
  await open(bot)
  const olga = person('olga', 'operator')
  const move = (body: object): ReturnType<typeof post> =>
    post(olga, MOVES, { body, headers: freshKey() })
  const stopped = await move({ to: 'SUSPENDED', justification: 'odd refunds' })
  assert.deepEqual(
    [stopped.status, stopped.body.from, stopped.body.to],
    [200, 'ACTIVE', 'SUSPENDED'],
  )
  const { body } = await get(olga, `/v1/agents/${AGENT}`)
  const { actor, by, justification, from } = body.state
  assert.deepEqual([actor, by, justification, from], ['operator', 'olga', 'odd refunds', 'ACTIVE'])
  assert.equal(body.open_flows.length, 1)
  assert.deepEqual(problemOf(await get(bot, '/v1/flows')), [401, 'SESSION_INVALID'])
  const silent = await move({ to: 'ACTIVE', justification: '  ' })
  assert.deepEqual(problemOf(silent), [422, 'JUSTIFICATION_REQUIRED'])
  assert.equal((await move({ to: 'ACTIVE', justification: 'looked into' })).status, 200)
})

test('a move is made once for a key, and refused where the lifecycle has none', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const body = { to: 'SUSPENDED', justification: 'a drill' }
  assert.deepEqual(problemOf(await post(olga, MOVES, { body })), [400, 'IDEMPOTENCY_KEY_MISSING'])
  const headers = freshKey()
  assert.equal((await post(olga, MOVES, { body, headers })).status, 200)
  const again = await post(olga, MOVES, { body, headers })
  assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [200, 'true'])
  const twice = await post(olga, MOVES, { body, headers: freshKey() })
  assert.deepEqual(problemOf(twice), [409, 'LIFECYCLE_REFUSED'])
})

test('an agent may end itself and do nothing else to itself or to others', async (t) => {
  const { agent, runtime } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const bot = await agent()
  const ask = (id: string, to: string): ReturnType<typeof post> =>
    post(bot, `/v1/agents/${id}/transitions`, {
      body: { to, justification: 'it is time' },
      headers: freshKey(),
    })
  assert.deepEqual(problemOf(await ask(AGENT, 'SUSPENDED')), [409, 'LIFECYCLE_REFUSED'])
  assert.deepEqual(problemOf(await ask('other_bot', 'RETIRED')), [403, 'IDENTITY_MISMATCH'])
  assert.equal((await ask(AGENT, 'RETIRED')).status, 200)
  const { statuses } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(statuses.get(AGENT), 'RETIRED')
})

test('approvers and auditors look, and move nobody; a stranger is nobody\u2019s', async (t) => {
  const { person } = await served(t)
  const ann = person('ann', 'auditor', 'approver')
  const body = { to: 'RETIRED', justification: 'no' }
  const headers = freshKey()
  assert.deepEqual(problemOf(await post(ann, MOVES, { body, headers })), [403, 'ROLE_MISSING'])
  assert.equal((await get(ann, `/v1/agents/${AGENT}`)).status, 200)
  assert.deepEqual(problemOf(await get(ann, '/v1/agents/nobody')), [404, 'AGENT_UNKNOWN'])
  const olga = person('olga', 'operator')
  const nobody = await post(olga, '/v1/agents/nobody/transitions', { body, headers })
  assert.deepEqual(problemOf(nobody), [404, 'AGENT_UNKNOWN'])
  for (const bad of [
    {},
    { to: 'HAPPY', justification: 'x' },
    { ...body, more: 1 },
    { ...body, revoke: true },
  ])
    assert.deepEqual(problemOf(await post(olga, MOVES, { body: bad, headers: freshKey() })), [
      422,
      'SCHEMA_INVALID',
    ])
})

test('the kill switch suspends and revokes in one move', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const body = { to: 'SUSPENDED', justification: 'stop everything', revoke: true }
  assert.equal((await post(olga, MOVES, { body, headers: freshKey() })).status, 200)
  const { body: found } = await get(olga, `/v1/agents/${AGENT}`)
  assert.deepEqual([found.status, found.revoked, found.source], ['SUSPENDED', true, null])
  assert.deepEqual(found.problems, [
    { summary: 'no contract is in force', fix: 'rubicon contract deploy FILE' },
  ])
})

test('an agent is shown with its verdicts, budgets and sentences', async (t) => {
  const { agent, open, propose, person } = await served(t)
  const bot = await agent()
  await propose(bot, await open(bot))
  const large = await open(bot)
  await propose(bot, large, refund(large, '1200.00'))
  const huge = await open(bot)
  await propose(bot, huge, refund(huge, '9000.00'))
  const { body } = await get(person('ann', 'auditor'), `/v1/agents/${AGENT}`)
  assert.deepEqual(body.verdicts.outcomes, { SUCCESS: 1, ESCALATED: 1, REJECTED: 1 })
  assert.deepEqual(
    body.verdicts.reasons.map(({ code }: { code: string }) => code),
    ['AUTHORITY_CEILING', 'LIMIT_EXCEEDED'],
  )
  assert.deepEqual([body.status, body.waiting], ['ESCALATED', 1])
  assert.equal(body.last_seen, body.verdicts.last)
  const [asking, ...flows] = body.budgets
  assert.deepEqual([asking.measure, asking.of, asking.limit], ['escalations', 'agent', '3'])
  const calls = flows.filter(({ measure }: { measure: string }) => measure === 'calls')
  assert.deepEqual(
    calls.map(({ dfid }: { dfid: string }) => dfid),
    [huge.dfid, large.dfid],
  )
  const said = body.sentences.map(({ text }: { text: string }) => text)
  assert.ok(said.includes('it may propose REFUND'), said.join('\n'))
  assert.match(body.source, /^api_version: rubicon\/v1/)
  assert.deepEqual(body.problems, [])
})

test('agents are listed by name, in pages that a new one does not move', async (t) => {
  const { runtime, person } = await served(t)
  const ann = person('ann', 'auditor')
  for (const name of ['b_bot', 'z_bot', 'a_bot'])
    await runtime.deploy(buildContract(name, ['REFUND']))
  const listed = async (query: string): Promise<readonly [readonly string[], string | null]> => {
    const { body } = await get(ann, `/v1/agents?${query}`)
    return [body.agents.map(({ agent_id }: { agent_id: string }) => agent_id), body.next]
  }
  const [first, next] = await listed('limit=2')
  assert.deepEqual(first, ['a_bot', 'b_bot'])
  await runtime.deploy(buildContract('aa_bot', ['REFUND']))
  assert.deepEqual(await listed(`limit=2&cursor=${next}`), [[AGENT, 'z_bot'], null])
  assert.deepEqual(await listed('limit=5'), [['a_bot', 'aa_bot', 'b_bot', AGENT, 'z_bot'], null])
  assert.deepEqual(problemOf(await get(ann, '/v1/agents?cursor=x')), [422, 'SCHEMA_INVALID'])
})

test('a misconfigured agent is listed with what is wrong', async (t) => {
  const { runtime, person } = await served(t)
  const permissions = { limits: [{ id: 'most', measure: 'weight', max: '10' }] }
  await runtime.deploy(buildContract('lost_bot', ['REFUND', 'TELEPORT'], { permissions }))
  const ann = person('ann', 'auditor')
  const { body } = await get(ann, '/v1/agents')
  const counts = body.agents.map(
    ({ agent_id, problems }: { agent_id: string; problems: number }) => [agent_id, problems],
  )
  assert.deepEqual(counts, [
    ['lost_bot', 2],
    [AGENT, 0],
  ])
  const { body: lost } = await get(ann, '/v1/agents/lost_bot')
  assert.deepEqual(
    lost.problems.map(({ summary }: { summary: string }) => summary),
    [
      'no capability carries out `TELEPORT`',
      '`REFUND` is always refused: its capability has no value for `permissions.limits.most` (a rule for other kinds needs `applies_to`)',
    ],
  )
})
