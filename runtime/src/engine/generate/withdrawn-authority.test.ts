/** No model is asked for an agent whose authority was withdrawn, also where the registry cannot say so any more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure, Result } from 'rubicon-kernel'
import { createRuntime, createScriptedProvider } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import type { ModelRequest } from '../../ports/model.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { storeManifest } from '../authority/authority-cache.ts'
import type { Engine } from '../engine.ts'

const AGENT = 'refunds_bot'
const REQUEST: ModelRequest = {
  model: 'm-1',
  messages: [{ role: 'user', text: 'is the order refundable?' }],
  max_tokens: 100,
}
const SUSPENSION = {
  agent_id: AGENT,
  to: 'SUSPENDED',
  actor: 'operator',
  justification: 'something is wrong',
} as const

/** The store of a runtime, as a registry that a test takes away. */
class ClosableRegistry implements ManifestSource {
  isAway = false
  behind: ManifestSource = { head: async () => -1, entries: async () => [] }

  async head(): Promise<number> {
    return this.#findSource().head()
  }

  async entries(from: number, limit: number): ReturnType<ManifestSource['entries']> {
    return this.#findSource().entries(from, limit)
  }

  #findSource(): ManifestSource {
    if (this.isAway) throw new Error('connection refused')
    return this.behind
  }
}

type Scene = {
  readonly registry: ClosableRegistry
  readonly engine: Engine
  /** How often a model was asked. */
  countCalls(): number
  generate(): Promise<string>
  close(): Promise<void>
}

async function openScene(): Promise<Scene> {
  let calls = 0
  const script = () => {
    calls += 1
    return { text: 'yes', usage: { input_tokens: 5, output_tokens: 5 } }
  }
  const registry = new ClosableRegistry()
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: temporaryFolder(),
    capabilities: [exampleCapability(() => {})],
    models: { acme: createScriptedProvider({ script, price: { input: '1.00', output: '2.00' } }) },
    manifest: registry,
    background: false,
  })
  registry.behind = storeManifest(runtime.store)
  const safety_rules = { budget_per_flow: { tokens: '10000', usd: '1.00' } }
  await runtime.deploy({ ...CONTRACT, safety_rules })
  await runtime.start()
  const { engine } = runtime
  const { dfid } = await runtime.open({ agent: AGENT, trigger: 'ticket' })
  return {
    registry,
    engine,
    countCalls: () => calls,
    generate: async () => codeOf(await engine.generate(dfid, REQUEST)),
    async close() {
      registry.isAway = false
      await runtime.close()
    },
  }
}

function codeOf(result: Result<unknown, Failure>): string {
  return result.ok ? 'asked' : result.error.code
}

test('no model is asked in an outage for an agent that was suspended meanwhile', async () => {
  const { engine, registry, ...scene } = await openScene()
  registry.isAway = true
  assert.equal(await scene.generate(), 'asked', 'who is known goes on')
  assert.ok((await engine.moveAgent(SUSPENSION)).ok)
  assert.equal(await scene.generate(), 'REGISTRY_UNAVAILABLE')
  assert.equal(scene.countCalls(), 1)
  registry.isAway = false
  assert.equal(await scene.generate(), 'AUTHORITY_REVOKED')
  await scene.close()
})

test('no model is asked where the suspension comes between the look at authority and the reservation', async () => {
  const { engine, ...scene } = await openScene()
  const { store } = engine.context
  const commit = store.commit.bind(store)
  let isFirst = true
  store.commit = async (unit) => {
    if (isFirst) {
      isFirst = false
      assert.ok((await engine.moveAgent(SUSPENSION)).ok)
    }
    return commit(unit)
  }
  assert.equal(await scene.generate(), 'AUTHORITY_REVOKED')
  assert.equal(scene.countCalls(), 0)
  await scene.close()
})
