import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, LIMITS, type Result } from 'rubicon-kernel'
import { createRuntime } from '../../../compose.ts'
import {
  CONTRACT,
  type Example,
  exampleCapability,
  exampleRuntime,
} from '../../../evidence/example.test-support.ts'

const AGENT = 'refunds_bot'

function codeOf(result: Result<unknown, Failure>): string | null {
  return result.ok ? null : result.error.code
}

async function statusOf({ runtime }: Example): Promise<string | undefined> {
  return (await runtime.engine.context.authorities.loadLatest()).statuses.get(AGENT)
}

async function suspended(options?: Parameters<typeof exampleRuntime>[0]): Promise<Example> {
  const example = await exampleRuntime({ background: false, ...options })
  const justification = 'something is wrong'
  const move = { agent_id: AGENT, to: 'SUSPENDED', actor: 'operator', justification } as const
  assert.equal(codeOf(await example.runtime.engine.moveAgent(move)), null)
  return example
}

test('an operator who lifts a suspension, or ends the agent, says why', async () => {
  const example = await suspended()
  const { engine, store } = example.runtime
  const before = await store.countLeaves()
  for (const to of ['ACTIVE', 'RETIRED'] as const)
    for (const justification of ['', '  ', '\n\t']) {
      const move = { agent_id: AGENT, to, actor: 'operator', justification } as const
      assert.equal(codeOf(await engine.moveAgent(move)), 'JUSTIFICATION_REQUIRED')
    }
  assert.equal(await store.countLeaves(), before)
  assert.equal(await statusOf(example), 'SUSPENDED')
  await example.close()
})

test('nobody but an operator lifts a suspension, whatever they say', async () => {
  const example = await suspended()
  const { engine } = example.runtime
  for (const actor of ['registry', 'runtime', 'agent'] as const) {
    const move = { agent_id: AGENT, to: 'ACTIVE', actor, justification: 'trust me' } as const
    assert.equal(codeOf(await engine.moveAgent(move)), 'LIFECYCLE_REFUSED', actor)
  }
  assert.equal(codeOf(await engine.handshake({ agent: AGENT })), 'AGENT_SUSPENDED')
  assert.equal(await statusOf(example), 'SUSPENDED')
  await example.close()
})

test('a new contract lifts no suspension, and no flow is opened meanwhile', async () => {
  const example = await suspended()
  await example.runtime.deploy({ ...CONTRACT, version: '1.1.0' })
  assert.equal(await statusOf(example), 'SUSPENDED')
  const flow = example.runtime.open({ agent: AGENT, trigger: 'ticket' })
  await assert.rejects(flow, { code: 'AGENT_SUSPENDED' })
  assert.equal(await statusOf(example), 'SUSPENDED')
  await example.close()
})

test('a restart lifts no suspension', async () => {
  const folder = await suspendedStore()
  const runtime = await createRuntime({
    store: `sqlite:${folder.path}/rubicon.db`,
    stateDirectory: `${folder.path}/state`,
    capabilities: [exampleCapability(() => {})],
    background: false,
  })
  const engine = await runtime.start()
  const { statuses } = await engine.context.authorities.loadLatest()
  assert.equal(statuses.get(AGENT), 'SUSPENDED')
  assert.equal(codeOf(await engine.handshake({ agent: AGENT })), 'AGENT_SUSPENDED')
  await runtime.close()
  folder.remove()
})

async function suspendedStore(): Promise<{ readonly path: string; remove(): void }> {
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const path = mkdtempSync(`${tmpdir()}/rubicon-lifecycle-`)
  const options = { store: `sqlite:${path}/rubicon.db`, stateDirectory: `${path}/state` }
  const example = await suspended(options)
  await example.close()
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

test('what is said is kept, but not all of a book', async () => {
  const example = await suspended()
  const { engine, store } = example.runtime
  const justification = `\ud800${'x'.repeat(100_000)}`
  const move = { agent_id: AGENT, to: 'ACTIVE', actor: 'operator', justification } as const
  assert.equal(codeOf(await engine.moveAgent(move)), null)
  const last = (await store.listEntries('authority', 0, 100)).at(-1)
  const { body } = JSON.parse(last?.payload ?? '{}')
  assert.deepEqual([body.justification.length, body.justification.slice(0, 2)], [16_384, '\ufffdx'])
  await example.close()
})

test('a justification that is cut through a surrogate pair is recorded all the same', async () => {
  const example = await suspended()
  const justification = `${'x'.repeat(LIMITS.justificationLength - 1)}\u{1f600}`
  const move = { agent_id: AGENT, to: 'ACTIVE', actor: 'operator', justification } as const
  assert.equal(codeOf(await example.runtime.engine.moveAgent(move)), null)
  await example.close()
})

test('parents in a circle are refused when the last of them is deployed', async () => {
  const example = await exampleRuntime({ background: false })
  const deploy = (agent_id: string, parent_agent: string | null, version = '1.0.0') =>
    example.runtime.deploy({ ...CONTRACT, agent_id, parent_agent, version })
  const circle = { code: 'PARENT_CYCLE' }
  await deploy('desk', 'floor')
  await assert.rejects(deploy('floor', 'desk'), circle)
  await deploy('floor', 'house')
  await assert.rejects(deploy('house', 'desk'), circle)
  await deploy('house', null)
  await assert.rejects(deploy('house', 'desk', '1.1.0'), circle)
  await assert.rejects(deploy('self', 'self'), { code: 'CONTRACT_INVALID' })
  await example.close()
})

test('a chain of parents grows to its limit from above and from below, and no further', async () => {
  const example = await exampleRuntime({ background: false })
  const deploy = (agent_id: string, parent_agent: string | null) =>
    example.runtime.deploy({ ...CONTRACT, agent_id, parent_agent, version: '1.0.0' })
  for (let link = 0; link < 8; link++) await deploy(`a${link}`, `a${link + 1}`)
  await assert.rejects(deploy('below', 'a0'), { code: 'PARENT_CYCLE' })
  await assert.rejects(deploy('a8', 'above'), { code: 'PARENT_CYCLE' })
  await deploy('a8', null)
  await example.close()
})
