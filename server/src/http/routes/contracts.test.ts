import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { issueWrit } from '../../../../runtime/src/engine/authority/writs.ts'
import { buildContract } from '../../demo/contract.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { AGENT, freshKey, get, post, problemOf, served } from '../served.test-support.ts'

const AT = `/v1/contracts/${AGENT}`

function put(place: HttpPlace, path: string, body: object): Promise<HttpAnswer> {
  return ask(place, 'PUT', path, { body })
}

function next(version: string, mission = 'Be quick.'): string {
  return formatContract({ ...buildRefundsContract(), version, mission })
}

test('a contract is put in force as text, YAML or JSON, and the same again changes nothing', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const deployed = await put(olga, AT, { source: next('2.0.0') })
  assert.deepEqual([deployed.status, deployed.body.unchanged], [200, false])
  const again = await put(olga, AT, { source: next('2.0.0') })
  assert.deepEqual([again.status, again.body.unchanged], [200, true])
  const json = JSON.stringify({ ...buildRefundsContract(), version: '3.0.0' })
  assert.equal((await put(olga, AT, { source: json })).status, 200)
  const { body } = await get(olga, AT)
  const rows = body.versions.map((one: Record<string, unknown>) => [
    one.version,
    one.in_force,
    one.signed_by,
  ])
  assert.deepEqual(rows, [
    ['3.0.0', true, 'operator'],
    ['2.0.0', false, 'operator'],
    [buildRefundsContract().version, false, 'operator'],
  ])
  assert.equal(body.versions[1].source, next('2.0.0'))
})

test('the person who puts a contract in force, or ends it, is on the record', async (t) => {
  const { person, runtime } = await served(t)
  const olga = person('olga', 'operator')
  const fresh = formatContract(buildContract('new_bot', ['REFUND']))
  assert.equal((await put(olga, '/v1/contracts/new_bot', { source: fresh })).status, 200)
  const { seq } = await runtime.engine.context.authorities.loadLatest()
  const body = { reason: 'a mistake' }
  await post(olga, '/v1/contracts/new_bot/revocation', { body, headers: freshKey() })
  const entries = await runtime.store.listEntries('authority', seq - 1, 3)
  assert.deepEqual(
    entries.map(({ envelope, payload }) => [envelope.kind, JSON.parse(payload ?? '').body.by]),
    [
      ['contract', 'olga'],
      ['lifecycle', 'olga'],
      ['revocation', 'olga'],
    ],
  )
  const { body: shown } = await get(olga, '/v1/contracts/new_bot')
  assert.deepEqual([shown.versions[0].by, shown.versions[0].signed_by], ['olga', 'operator'])
  assert.equal((await get(olga, AT)).body.versions[0].by, null)
  assert.equal((await get(olga, '/v1/agents/new_bot')).body.state.by, 'olga')
})

test('what cannot be put in force is refused by name, and changes nothing', async (t) => {
  const { person, runtime } = await served(t)
  const olga = person('olga', 'operator')
  const before = (await runtime.engine.context.authorities.loadLatest()).seq
  await put(olga, AT, { source: next('2.0.0') })
  const refusals: readonly (readonly [string, string, number, string])[] = [
    [AT, next('2.0.0', 'Something else.'), 409, 'CONTRACT_VERSION_IMMUTABLE'],
    [AT, 'agent_id: [', 422, 'CONTRACT_INVALID'],
    [AT, `${next('4.0.0')}hue: 1\n`, 422, 'CONTRACT_INVALID'],
    ['/v1/contracts/other_bot', next('4.0.0'), 422, 'CONTRACT_INVALID'],
  ]
  for (const [path, source, status, code] of refusals)
    assert.deepEqual(problemOf(await put(olga, path, { source })), [status, code])
  assert.deepEqual(problemOf(await put(olga, AT, {})), [422, 'SCHEMA_INVALID'])
  const ann = person('ann', 'auditor', 'approver')
  assert.deepEqual(problemOf(await put(ann, AT, { source: next('5.0.0') })), [403, 'ROLE_MISSING'])
  // The contract, and who had it put in force.
  assert.equal((await runtime.engine.context.authorities.loadLatest()).seq, before + 2)
})

test('a check says what a contract means and changes, or where it cannot be read', async (t) => {
  const { person, runtime } = await served(t)
  const ann = person('ann', 'auditor')
  const check = (source: string): Promise<HttpAnswer> =>
    post(ann, '/v1/contracts/check', { body: { source } })
  const seq = (await runtime.engine.context.authorities.loadLatest()).seq
  const { body } = await check(next('2.0.0'))
  assert.deepEqual([body.ok, body.agent_id, body.version], [true, AGENT, '2.0.0'])
  assert.deepEqual(
    body.changes.map(({ path }: { path: string }) => path),
    ['mission', 'version'],
  )
  const { body: wrong } = await check('agent_id: a\nhue: 1\n')
  assert.deepEqual([wrong.ok, wrong.code], [false, 'CONTRACT_INVALID'])
  const hue = wrong.problems.find(({ path }: { path: string }) => path === 'hue')
  assert.deepEqual([hue.line, hue.column], [2, 1])
  const unsafe = await check(
    next('2.0.0').replace('policy_kinds:', "accounts: ['re:(']\n  policy_kinds:"),
  )
  assert.deepEqual(
    [unsafe.body.code, unsafe.body.problems.map(({ path }: { path: string }) => path)],
    ['POLICY_REGEX_UNSAFE', ['permissions.accounts[0]']],
  )
  assert.equal((await runtime.engine.context.authorities.loadLatest()).seq, seq)
})

test('a revocation ends one version, or all of them', async (t) => {
  const { person, runtime } = await served(t)
  await runtime.deploy({ ...buildRefundsContract(), version: '2.0.0' })
  const olga = person('olga', 'operator')
  const end = (body: object, path = `${AT}/revocation`): Promise<HttpAnswer> =>
    post(olga, path, { body, headers: freshKey() })
  assert.equal((await end({ reason: 'too wide', version: '2.0.0' })).body.revoked, `${AGENT}@2.0.0`)
  const { body } = await get(olga, AT)
  assert.deepEqual(
    body.versions.map(({ in_force }: { in_force: boolean }) => in_force),
    [false, true],
  )
  assert.equal((await end({ reason: 'all of it' })).status, 200)
  assert.equal((await get(olga, `/v1/agents/${AGENT}`)).body.revoked, true)
  assert.deepEqual(problemOf(await end({ reason: 'x', version: '9.9.9' })), [404, 'AGENT_UNKNOWN'])
  const nobody = await end({ reason: 'x' }, '/v1/contracts/nobody/revocation')
  assert.deepEqual(problemOf(nobody), [404, 'AGENT_UNKNOWN'])
  assert.deepEqual(problemOf(await get(olga, '/v1/contracts/nobody')), [404, 'AGENT_UNKNOWN'])
})

test('a writ is issued, narrowed, listed and revoked', async (t) => {
  const { person, runtime } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const olga = person('olga', 'operator')
  const issue = (body: object): Promise<HttpAnswer> =>
    post(olga, '/v1/writs', { body, headers: freshKey() })
  const first = await issue({ agent: AGENT, hours: 2 })
  assert.deepEqual([first.status, first.body.body.subject], [201, AGENT])
  const parent = first.body.id
  const child = await issue({ agent: 'other_bot', parent, budget: { calls: '1' } })
  assert.deepEqual([child.status, child.body.body.budget], [201, { calls: '1' }])
  assert.equal((await issue({ agent: 'other_bot', parent, kinds: ['STEAL'] })).status, 403)
  assert.deepEqual(problemOf(await issue({ agent: 'nobody' })), [403, 'AGENT_UNKNOWN'])
  for (const odd of [{ kinds: ['REFUND'] }, { parent, audience: 'elsewhere' }])
    assert.deepEqual(problemOf(await issue({ agent: AGENT, ...odd })), [422, 'SCHEMA_INVALID'])
  const missing = await issue({ agent: AGENT, parent: 'no-address' })
  assert.deepEqual(problemOf(missing), [403, 'WRIT_MISSING'])
  const page = await get(olga, '/v1/writs?limit=1')
  const rest = await get(olga, `/v1/writs?limit=1&cursor=${page.body.next}`)
  const ids = [...page.body.writs, ...rest.body.writs].map(({ id }: { id: string }) => id)
  assert.deepEqual(ids.toSorted(), [parent, child.body.id].toSorted())
  assert.equal(rest.body.next, null)
  const ended = await post(olga, `/v1/writs/${parent}/revocation`, {
    body: { reason: 'over' },
    headers: freshKey(),
  })
  assert.deepEqual([ended.status, ended.body.revoked], [200, parent])
  const { body } = await get(olga, `/v1/writs?agent=${AGENT}`)
  assert.deepEqual(
    body.writs.map(({ revoked }: { revoked: boolean }) => revoked),
    [true],
  )
  const none = await post(olga, '/v1/writs/no-address/revocation', {
    body: { reason: 'x' },
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(none), [404, 'WRIT_MISSING'])
  const before = await runtime.store.countLeaves()
  const unknown = await post(olga, `/v1/writs/sha256:${'0'.repeat(64)}/revocation`, {
    body: { reason: 'x' },
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(unknown), [404, 'WRIT_MISSING'])
  assert.equal(await runtime.store.countLeaves(), before)
})

test('writs beyond a thousand are listed, too, and those of one agent among them', async (t) => {
  const { person, runtime } = await served(t)
  await runtime.deploy(buildContract('other_bot', ['REFUND']))
  const { context } = runtime.engine
  const rare = await issueWrit(context, { agent: 'other_bot' })
  assert.ok(rare.ok)
  const issued: string[] = [rare.value.id]
  for (let n = 0; n <= LIMITS.listed; n += 1) {
    const made = await issueWrit(context, { agent: AGENT })
    issued.push(made.ok ? made.value.id : '')
  }
  const ann = person('ann', 'auditor')
  const first = await get(ann, '/v1/writs?limit=1000')
  const rest = await get(ann, `/v1/writs?limit=1000&cursor=${first.body.next}`)
  const ids = [...first.body.writs, ...rest.body.writs].map(({ id }: { id: string }) => id)
  assert.deepEqual(ids, issued.toReversed())
  assert.deepEqual([first.body.writs.length, rest.body.next], [LIMITS.listed, null])
  const own = await get(ann, '/v1/writs?agent=other_bot&limit=1')
  assert.deepEqual([own.body.writs.length, own.body.writs[0].id], [1, rare.value.id])
})

test('keys are listed with their purpose, and whether they are in use', async (t) => {
  const { person, key } = await served(t)
  const { key_id } = await key(AGENT)
  const ann = person('ann', 'auditor')
  const { body } = await get(ann, `/v1/keys?subject=${AGENT}`)
  assert.deepEqual(
    body.keys.map((one: Record<string, unknown>) => [one.key_id, one.purpose, one.in_use]),
    [[key_id, 'agent', true]],
  )
  const page = await get(ann, '/v1/keys?limit=2')
  assert.equal(page.body.keys.length, 2)
  assert.notEqual(page.body.next, null)
  const bad = await get(ann, '/v1/keys?cursor=made-up')
  assert.deepEqual(problemOf(bad), [422, 'SCHEMA_INVALID'])
})

test('a source that takes long to read is not read: both sides of the boundary', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const fits = { source: '#'.repeat(LIMITS.sourceLength) }
  const long = { source: `${fits.source}#` }
  assert.equal(
    (await post(olga, '/v1/contracts/check', { body: fits })).body.code,
    'CONTRACT_INVALID',
  )
  const refused: readonly (readonly [string, object])[] = [
    ['/v1/contracts/check', long],
    ['/v1/monitors/rehearsal', long],
    ['/v1/playground', { contract: long.source }],
    ['/v1/playground', { cedar: { name: 'draft', text: long.source } }],
  ]
  for (const [path, body] of refused)
    assert.deepEqual(problemOf(await post(olga, path, { body })), [422, 'SCHEMA_INVALID'])
})
