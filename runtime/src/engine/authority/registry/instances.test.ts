import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Failure,
  findCurrentContract,
  type JsonObject,
  LIMITS,
  type Result,
} from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { sha256 } from '../../../adapters/system/sha256.ts'
import { CONTRACT, type Example, exampleRuntime } from '../../../evidence/example.test-support.ts'
import { exportBundle } from '../../../evidence/export-bundle.ts'
import { exportLedger } from '../../../evidence/export-ledger.ts'

const CLASS = 'refunds_bot'
const INSTANCE = 'refunds_bot-42'

function done<T>(result: Result<T, Failure>): T {
  assert.ok(result.ok, result.ok ? '' : `${result.error.code}: ${result.error.why}`)
  return result.value
}

function codeOf(result: Result<unknown, Failure>): string | null {
  return result.ok ? null : result.error.code
}

const limitOf = (max: string): JsonObject => ({
  permissions: { limits: [{ id: 'amount', kind: 'range', measure: 'amount', max }] },
})

async function proposes({ runtime }: Example, agent: string, amount: string) {
  const flow = await runtime.open({ agent, trigger: 'ticket' })
  return flow.propose({ policy_kind: 'REFUND', params: { order: flow.dfid, amount } })
}

async function findings({ runtime }: Example): Promise<readonly unknown[]> {
  await runtime.engine.checkpoint()
  const lines: string[] = []
  await exportLedger(runtime.store, (line) => void lines.push(line))
  return verifyAny(lines.join(''), nodeCrypto).findings
}

test('an instance is spawned active, acts inside its own bounds, and ends with its occasion', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  const spawned = done(
    await engine.instances.spawn({ class: CLASS, instance: INSTANCE, narrowing: limitOf('50') }),
  )
  assert.deepEqual(
    [spawned.agent_id, spawned.instance_of, spawned.version, spawned.unchanged],
    [INSTANCE, CLASS, '1.0.0', false],
  )
  const entries = (await store.listLeaves(before, 10)).map(({ payload }) =>
    JSON.parse(payload ?? '{}'),
  )
  assert.deepEqual(
    entries.map(({ body, signature }) => [
      body.action ?? `${body.from} → ${body.to} by ${body.actor}`,
      signature.key_id.split('-')[0],
    ]),
    [
      ['spawn', 'kernel'],
      ['null → INITIALIZING by runtime', 'kernel'],
      ['INITIALIZING → ACTIVE by registry', 'kernel'],
    ],
  )
  assert.equal((await proposes(example, INSTANCE, '50')).outcome, 'ACCEPTED')
  assert.equal((await proposes(example, INSTANCE, '51')).reason_code, 'LIMIT_EXCEEDED')
  assert.equal((await proposes(example, CLASS, '51')).outcome, 'ACCEPTED')
  done(await engine.instances.end(INSTANCE, 'the ticket is closed'))
  await assert.rejects(proposes(example, INSTANCE, '1'), { code: 'AGENT_RETIRED' })
  assert.equal((await proposes(example, CLASS, '51')).outcome, 'ACCEPTED')
  assert.deepEqual(await findings(example), [])
  await example.close()
})

test('a flow of an instance verifies by itself', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE, narrowing: limitOf('50') }))
  const { dfid } = await proposes(example, INSTANCE, '20')
  await engine.checkpoint()
  const bundle = done(await exportBundle(store, sha256, dfid))
  assert.deepEqual(verifyAny(bundle, nodeCrypto).findings, [])
  await example.close()
})

test('spawning the same instance again changes nothing; another under its name is refused', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const request = { class: CLASS, instance: INSTANCE, narrowing: limitOf('50') }
  const first = done(await engine.instances.spawn(request))
  const before = await store.countLeaves()
  assert.deepEqual(done(await engine.instances.spawn(request)), { ...first, unchanged: true })
  assert.equal(await store.countLeaves(), before)
  const other = { ...request, narrowing: limitOf('49') }
  assert.equal(codeOf(await engine.instances.spawn(other)), 'AGENT_EXISTS')
  done(await engine.instances.end(INSTANCE, 'over'))
  assert.equal(codeOf(await engine.instances.spawn(other)), 'AGENT_EXISTS')
  assert.equal(
    codeOf(await engine.instances.spawn({ ...request, instance: CLASS })),
    'CONTRACT_INVALID',
  )
  await example.runtime.deploy({ ...CONTRACT, agent_id: 'clerk' })
  assert.equal(
    codeOf(await engine.instances.spawn({ ...request, instance: 'clerk' })),
    'AGENT_EXISTS',
  )
  await example.close()
})

test('what goes beyond the class is refused, and so is what is no contract', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  const refused = async (narrowing: JsonObject, parent?: string): Promise<string | null> => {
    const more = parent === undefined ? {} : { parent }
    return codeOf(
      await engine.instances.spawn({ class: CLASS, instance: INSTANCE, narrowing, ...more }),
    )
  }
  assert.equal(await refused(limitOf('501')), 'INSTANCE_WIDENS')
  assert.equal(await refused({ authority: 'EXECUTE_FULL' }), 'INSTANCE_WIDENS')
  assert.equal(
    await refused({ safety_rules: { budget_per_flow: { usd: '1' } } }),
    'INSTANCE_WIDENS',
  )
  assert.equal(await refused({}, 'generous_agent'), 'INSTANCE_WIDENS')
  assert.equal(await refused({ colour: 'red' }), 'CONTRACT_INVALID')
  assert.equal(await refused({ instance_of: 'another' }), 'CONTRACT_INVALID')
  assert.equal(await refused({ priority: Number.NaN }), 'CONTRACT_INVALID')
  assert.equal(await refused([] as unknown as JsonObject), 'CONTRACT_INVALID')
  const named = await engine.instances.spawn({ class: CLASS, instance: 'no good name' })
  assert.equal(codeOf(named), 'CONTRACT_INVALID')
  assert.equal(await store.countLeaves(), before)
  await example.close()
})

test('an instance is not deployed, and has no instances', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  const deploy = (more: JsonObject) => example.runtime.deploy({ ...CONTRACT, ...more })
  const spawned = { agent_id: INSTANCE, instance_of: CLASS }
  await assert.rejects(deploy(spawned), { code: 'CONTRACT_INVALID' })
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const before = await store.countLeaves()
  await assert.rejects(deploy({ agent_id: INSTANCE, version: '2.0.0' }), {
    code: 'CONTRACT_INVALID',
  })
  assert.equal(
    codeOf(await engine.instances.spawn({ class: INSTANCE, instance: 'x' })),
    'INSTANCE_WIDENS',
  )
  assert.equal(await store.countLeaves(), before)
  await example.close()
})

test('a class that is unknown, stopped or revoked has no new instances', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  const spawn = () => engine.instances.spawn({ class: CLASS, instance: INSTANCE })
  const move = (to: 'SUSPENDED' | 'RETIRED') =>
    engine.moveAgent({ agent_id: CLASS, to, actor: 'operator', justification: 'because' })
  assert.equal(
    codeOf(await engine.instances.spawn({ class: 'nobody', instance: 'x' })),
    'AGENT_UNKNOWN',
  )
  done(await move('SUSPENDED'))
  assert.equal(codeOf(await spawn()), 'AGENT_SUSPENDED')
  done(await move('RETIRED'))
  assert.equal(codeOf(await spawn()), 'AGENT_RETIRED')
  done(await engine.revoke({ target: 'contract', id: CLASS, reason: 'audit' }))
  assert.equal(codeOf(await spawn()), 'AGENT_UNKNOWN')
  await example.close()
})

test('finding 28a: an instance does nothing while its class is suspended, nor after it is retired', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const { session_token } = done(await engine.handshake({ agent: INSTANCE }))
  const flow = await example.runtime.open({ agent: INSTANCE, trigger: 'ticket', steps: 'many' })
  const act = async (order: string): Promise<string | null> => {
    const proposal = { policy_kind: 'REFUND', step_id: order, params: { order, amount: '1' } }
    return (await flow.propose(proposal)).reason_code ?? null
  }
  const move = async (to: 'SUSPENDED' | 'ACTIVE' | 'RETIRED'): Promise<void> => {
    const how = { actor: 'operator', justification: 'because' } as const
    done(await engine.moveAgent({ agent_id: CLASS, to, ...how }))
  }
  await move('SUSPENDED')
  assert.equal(await act('a'), 'AGENT_SUSPENDED')
  assert.equal(codeOf(await engine.handshake({ agent: INSTANCE })), 'AGENT_SUSPENDED')
  assert.equal(codeOf(await engine.session(session_token)), 'SESSION_INVALID')
  await move('ACTIVE')
  assert.equal(await act('b'), null)
  assert.equal(codeOf(await engine.session(session_token)), 'SESSION_INVALID', 'from before it')
  await move('RETIRED')
  assert.equal(await act('c'), 'AGENT_RETIRED')
  assert.equal((await store.readFlow(flow.dfid))?.state, 'ABORTED')
  await assert.rejects(example.runtime.open({ agent: INSTANCE, trigger: 'again' }), {
    code: 'AGENT_RETIRED',
  })
  assert.deepEqual(await findings(example), [])
  await example.close()
})

test('finding 28a: refusals of instances count with their class, and stop it', async () => {
  const suspend_after_rejections = { count: 3, window_s: 3600 }
  const safety_rules = { rejections_per_hour: 2, suspend_after_rejections }
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  const agent_id = 'clerk'
  await example.runtime.deploy({ ...CONTRACT, agent_id, safety_rules })
  const refusedAs = async (instance: string, more: JsonObject = {}): Promise<unknown> => {
    const narrowing = { safety_rules: more }
    done(await engine.instances.spawn({ class: agent_id, instance, narrowing }))
    return (await proposes(example, instance, '501')).reason_code
  }
  assert.equal(await refusedAs('clerk-1'), 'LIMIT_EXCEEDED')
  const longer = { suspend_after_rejections: { count: 3, window_s: 7200 } }
  assert.equal(await refusedAs('clerk-2', longer), 'LIMIT_EXCEEDED')
  assert.equal(await refusedAs('clerk-3'), 'AGENT_RATE')
  await example.close()
  const other = await exampleRuntime({ background: false })
  await other.runtime.deploy({ ...CONTRACT, agent_id, safety_rules: { suspend_after_rejections } })
  done(await other.runtime.engine.handshake({ agent: agent_id }))
  for (const instance of ['clerk-1', 'clerk-2', 'clerk-3']) {
    done(await other.runtime.engine.instances.spawn({ class: agent_id, instance }))
    assert.equal((await proposes(other, instance, '501')).reason_code, 'LIMIT_EXCEEDED')
  }
  const { statuses } = await other.runtime.engine.context.authorities.loadLatest()
  assert.deepEqual(
    [agent_id, 'clerk-1', 'clerk-3'].map((agent) => statuses.get(agent)),
    ['SUSPENDED', 'ACTIVE', 'ACTIVE'],
  )
  await assert.rejects(proposes(other, 'clerk-1', '1'), { code: 'AGENT_SUSPENDED' })
  await other.close()
})

test('an instance is not suspended for the refusals of its siblings; their class is, also before it acted', async () => {
  const safety_rules = { suspend_after_rejections: { count: 3, window_s: 3600 } }
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  const agent_id = 'clerk'
  await example.runtime.deploy({ ...CONTRACT, agent_id, safety_rules })
  for (const instance of ['evil', 'good'])
    done(await engine.instances.spawn({ class: agent_id, instance }))
  for (const instance of ['evil', 'evil', 'good'])
    assert.equal((await proposes(example, instance, '501')).reason_code, 'LIMIT_EXCEEDED')
  const { statuses } = await engine.context.authorities.loadLatest()
  assert.deepEqual(
    [agent_id, 'evil', 'good'].map((agent) => statuses.get(agent)),
    ['SUSPENDED', 'ACTIVE', 'ACTIVE'],
  )
  for (const instance of ['evil', 'good'])
    await assert.rejects(proposes(example, instance, '1'), { code: 'AGENT_SUSPENDED' })
  assert.deepEqual(await findings(example), [])
  await example.close()
})

test('a retired agent opens no flow in process', async () => {
  const example = await exampleRuntime({ background: false })
  const how = { actor: 'operator', justification: 'because' } as const
  done(await example.runtime.engine.moveAgent({ agent_id: CLASS, to: 'RETIRED', ...how }))
  const opened = example.runtime.open({ agent: CLASS, trigger: 'again' })
  await assert.rejects(opened, { code: 'AGENT_RETIRED' })
  await example.close()
})

test('the revocation of a class aborts the flows of its instances', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine, store } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const flow = await example.runtime.open({ agent: INSTANCE, trigger: 'ticket' })
  done(await engine.kill(CLASS, 'audit finding 7'))
  const answer = await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '1' } })
  assert.equal(answer.reason_code, 'AGENT_SUSPENDED', 'the kill switch is both')
  assert.equal((await store.readFlow(flow.dfid))?.state, 'ABORTED')
  await assert.rejects(example.runtime.open({ agent: INSTANCE, trigger: 'again' }), {
    code: 'AGENT_SUSPENDED',
  })
  assert.deepEqual(await findings(example), [])
  await example.close()
})

test('a new version of the class leaves its instances what they are, and serves new ones', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  await example.runtime.deploy({ ...CONTRACT, version: '1.1.0', mission: 'Refund less.' })
  done(await engine.instances.spawn({ class: CLASS, instance: 'refunds_bot-43' }))
  const authority = await engine.context.authorities.loadLatest()
  const { now } = await engine.context.store.readNow('authority')
  const versionOf = (agent: string) => findCurrentContract(authority, agent, now)?.contract.version
  assert.deepEqual([versionOf(INSTANCE), versionOf('refunds_bot-43')], ['1.0.0', '1.1.0'])
  await example.close()
})

test('only an instance is ended by the runtime, and a suspended one too', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  await engine.handshake({ agent: CLASS })
  assert.equal(codeOf(await engine.instances.end(CLASS, 'why not')), 'LIFECYCLE_REFUSED')
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const suspend = { agent_id: INSTANCE, to: 'SUSPENDED', actor: 'runtime' } as const
  done(await engine.moveAgent({ ...suspend, justification: 'a breaker' }))
  done(await engine.instances.end(INSTANCE, 'over'))
  assert.equal(codeOf(await engine.instances.end(INSTANCE, 'over')), 'LIFECYCLE_REFUSED')
  assert.deepEqual(await findings(example), [])
  await example.close()
})

test('an instance shakes hands like any other agent', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const { session_token } = done(await engine.handshake({ agent: INSTANCE }))
  assert.equal(done(await engine.session(session_token)).agent_id, INSTANCE)
  done(await engine.instances.end(INSTANCE, 'over'))
  assert.equal(codeOf(await engine.session(session_token)), 'SESSION_INVALID')
  await example.close()
})

test('the first flow of a class does not end the sessions of its instances', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  done(await engine.instances.spawn({ class: CLASS, instance: INSTANCE }))
  const { session_token } = done(await engine.handshake({ agent: INSTANCE }))
  await example.runtime.open({ agent: CLASS, trigger: 'ticket' })
  const { statuses } = await engine.context.authorities.loadLatest()
  assert.equal(statuses.get(CLASS), 'ACTIVE')
  assert.equal(done(await engine.session(session_token)).agent_id, INSTANCE)
  await example.close()
})

test('a class has so many instances at a time', async () => {
  const example = await exampleRuntime({ background: false })
  const { engine } = example.runtime
  for (let i = 0; i < LIMITS.instancesPerClass; i++)
    done(await engine.instances.spawn({ class: CLASS, instance: `i-${i}` }))
  const more = { class: CLASS, instance: 'one-more' }
  assert.equal(codeOf(await engine.instances.spawn(more)), 'INSTANCE_LIMIT')
  done(await engine.instances.end('i-0', 'over'))
  done(await engine.instances.spawn(more))
  await example.close()
})
