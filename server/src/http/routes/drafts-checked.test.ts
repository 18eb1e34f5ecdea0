import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
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

async function newest(place: HttpPlace): Promise<string> {
  const { body } = await get(place, AT)
  return body.versions[0].contract_hash
}

test('of two who deploy against the same version the second is refused, and nothing is overwritten', async (t) => {
  const { person, runtime } = await served(t)
  const [olga, otto] = [person('olga', 'operator'), person('otto', 'operator')]
  const replaces = await newest(olga)
  const both = await Promise.all([
    put(olga, AT, { source: next('2.0.0', 'Be quick.'), replaces }),
    put(otto, AT, { source: next('2.1.0', 'Be slow.'), replaces }),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const refused = both.find(({ status }) => status === 409)
  assert.equal(refused?.body.code, 'CONTRACT_REPLACED')
  assert.equal(refused?.body.meta.replaces, replaces)
  assert.equal(refused?.body.meta.found, await newest(olga))
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.equal(contracts.get(AGENT)?.length, 2)
})

test('a deployment whose answer was lost is asked for again, and stands already', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const replaces = await newest(olga)
  const body = { source: next('2.0.0'), replaces }
  assert.equal((await put(olga, AT, body)).status, 200)
  const again = await put(olga, AT, body)
  assert.deepEqual([again.status, again.body.unchanged], [200, true])
})

test('a contract that was revoked meanwhile is not put back by a draft', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const replaces = await newest(olga)
  await post(olga, `${AT}/revocation`, { body: { reason: 'a leak' }, headers: freshKey() })
  const refused = await put(olga, AT, { source: next('2.0.0'), replaces })
  assert.deepEqual(problemOf(refused), [409, 'CONTRACT_REPLACED'])
  assert.equal(refused.body.meta.found, null)
  assert.equal((await put(olga, AT, { source: next('2.0.0'), replaces: null })).status, 200)
})

test('a contract of a new agent replaces none, and not one that somebody deployed meanwhile', async (t) => {
  const { person } = await served(t)
  const refused = await put(person('olga', 'operator'), AT, {
    source: next('2.0.0'),
    replaces: null,
  })
  assert.deepEqual(problemOf(refused), [409, 'CONTRACT_REPLACED'])
})

test('a contract that was revoked since does not come back where its deployment is asked for again', async (t) => {
  const { person, runtime } = await served(t)
  const olga = person('olga', 'operator')
  const revoke = (): Promise<HttpAnswer> =>
    post(olga, `${AT}/revocation`, { body: { reason: 'a leak' }, headers: freshKey() })
  await revoke()
  const body = { source: next('2.0.0'), replaces: null }
  assert.equal((await put(olga, AT, body)).status, 200)
  assert.equal((await revoke()).status, 200)
  const again = await put(olga, AT, body)
  assert.deepEqual([again.status, again.body.unchanged], [200, true])
  const { contracts } = await runtime.engine.context.authorities.loadLatest()
  assert.deepEqual(
    contracts.get(AGENT)?.map(({ revoked }) => revoked),
    [true, true],
  )
})

const MONITOR = `api_version: rubicon/v1
kind: Monitor
name: failures
agents: [${AGENT}]
statistic: {kind: rate, value: status, when: {is: FAILED}, max: "0.10"}
window: {executions: 20}
`

test('a monitor is checked without being deployed: its sentence, or where it cannot be read', async (t) => {
  const { person, runtime } = await served(t)
  const ann = person('ann', 'auditor')
  const check = (source: string): Promise<HttpAnswer> =>
    post(ann, '/v1/monitors/check', { body: { source } })
  const { body } = await check(MONITOR)
  assert.deepEqual([body.ok, body.name, body.in_force], [true, 'failures', null])
  assert.match(body.sentence, /20 executions/)
  const wrong = await check(MONITOR.replace('kind: rate', 'kind: rated'))
  assert.deepEqual(
    [wrong.body.ok, wrong.body.problems[0].line, wrong.body.problems[0].path],
    [false, 5, 'statistic.kind'],
  )
  assert.equal((await runtime.engine.context.authorities.loadLatest()).monitors.size, 0)
})

test('a monitor is replaced by whoever names the one in force, and by nobody else', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const at = '/v1/monitors/failures'
  const first = await put(olga, at, { source: MONITOR, replaces: null })
  assert.equal(first.status, 200)
  const stricter = MONITOR.replace('0.10', '0.05')
  const refused = await put(olga, at, { source: stricter, replaces: null })
  assert.deepEqual(problemOf(refused), [409, 'MONITOR_REPLACED'])
  const { in_force } = (await post(olga, '/v1/monitors/check', { body: { source: stricter } })).body
  assert.equal(in_force.monitor_hash, first.body.monitor_hash)
  assert.match(in_force.source, /^api_version: rubicon\/v1\nkind: Monitor\nname: failures/)
  const replaces = in_force.monitor_hash
  assert.equal((await put(olga, at, { source: stricter, replaces })).status, 200)
})

test('a monitor that was withdrawn is put back by whoever says that there is none, and not by an edit of it', async (t) => {
  const { person } = await served(t)
  const olga = person('olga', 'operator')
  const at = '/v1/monitors/failures'
  const first = await put(olga, at, { source: MONITOR, replaces: null })
  const replaces = first.body.monitor_hash
  await post(olga, `${at}/withdrawal`, { body: { reason: 'too loud' }, headers: freshKey() })
  const edited = { source: MONITOR.replace('0.10', '0.05'), replaces }
  assert.deepEqual(problemOf(await put(olga, at, edited)), [409, 'MONITOR_REPLACED'])
  const again = await put(olga, at, { source: MONITOR, replaces: null })
  assert.deepEqual([again.status, again.body.unchanged], [200, false])
})

test('a policy is checked: where it cannot be read, and what it names that nothing has', async (t) => {
  const { person } = await served(t)
  const ann = person('ann', 'auditor')
  const check = async (text: string): Promise<HttpAnswer['body']> =>
    (await post(ann, '/v1/policies/check', { body: { name: 'draft', text } })).body
  const good = await check('@id("all") forbid(principal, action == Action::"REFUND", resource);')
  assert.deepEqual([good.ok, good.rules, good.unknown], [true, [{ id: 'all', line: 1 }], []])
  const misspelt = await check(
    'forbid(principal, action, resource)\nwhen { context.parms.order == "o" };',
  )
  assert.deepEqual(
    misspelt.unknown.map(({ line, name }: Record<string, unknown>) => [line, name]),
    [
      [2, 'context.parms'],
      [2, 'context.parms.order'],
    ],
  )
  const unread = await check('forbid(principal, action, resource);\n\n  permitt(principal);')
  assert.deepEqual(
    [unread.ok, unread.code, unread.problems[0].line, unread.problems[0].column],
    [false, 'POLICY_INVALID', 3, 3],
  )
  const twice = await check(
    '@id("a") forbid(principal, action, resource);\n@id("a") permit(principal, action, resource);',
  )
  assert.equal(twice.problems[0].line, 2)
  const hidden = await check('forbid(principal, action, resource);\n// \u202e\n')
  assert.equal(hidden.problems[0].line, 2)
})

test('nobody but an operator deploys, and a long text is not read', async (t) => {
  const { person } = await served(t)
  const refused = await put(person('ann', 'auditor'), AT, { source: next('2.0.0') })
  assert.deepEqual(problemOf(refused), [403, 'ROLE_MISSING'])
  const long = await post(person('ann', 'auditor'), '/v1/contracts/check', {
    body: { source: `# ${'x'.repeat(262_144)}` },
  })
  assert.ok(long.status >= 400 && long.status < 500, String(long.status))
})

test('of a policy with thousands of mistakes so many are named, and the answer stays short', async (t) => {
  const it = await served(t)
  const ann = it.person('ann', 'auditor')
  const text = 'permit(;\n'.repeat(7_000)
  const { body } = await post(ann, '/v1/policies/check', { body: { name: 'draft', text } })
  assert.deepEqual([body.ok, body.code], [false, 'POLICY_INVALID'])
  assert.equal(body.problems.length, LIMITS.documentProblems)
  assert.deepEqual([body.problems.at(-1).line, body.problems.at(-1).column], [1_000, 8])
  assert.match(body.summary, /and 69\d\d more$/)
  assert.ok(body.summary.length < 2_000)
})
