import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  type Answer,
  AUTHORITY,
  type Entry,
  type Failure,
  LIMITS,
  type Result,
  sealEntry,
} from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createRuntime, type Runtime } from '../../compose.ts'
import { CONTRACT, exampleCapability } from '../../evidence/example.test-support.ts'
import type { ManifestSource } from '../../ports/manifest-source.ts'
import { type Store, StoreError } from '../../ports/store.ts'
import { isUrgent, runUrgently } from '../../ports/urgent.ts'
import { type HandClock, handClock } from '../flow/hand-clock.test-support.ts'
import { RegistryUnavailable } from '../rows/registry-unavailable.ts'
import { AuthorityCache, storeManifest } from './authority-cache.ts'

/** A registry that a test takes away and gives back. */
class Registry implements ManifestSource {
  readonly entriesKept: Entry[] = []
  asked = 0
  down: Error | null = null
  behind: ManifestSource | null = null

  async head(): Promise<number> {
    this.#ask()
    return this.behind === null ? this.entriesKept.length - 1 : this.behind.head()
  }

  async entries(from: number, limit: number): Promise<readonly Entry[]> {
    this.#ask()
    if (this.behind !== null) return this.behind.entries(from, limit)
    return this.entriesKept.slice(from, from + limit)
  }

  #ask(): void {
    this.asked += 1
    if (this.down !== null) throw this.down
  }

  say(to: 'ACTIVE' | 'SUSPENDED'): void {
    const last = this.entriesKept.at(-1)
    const payload = JSON.stringify({ body: { agent_id: 'bot', from: null, to } })
    const kind = last === undefined ? 'root' : 'lifecycle'
    const head =
      last === undefined ? undefined : { seq: last.envelope.seq, id: last.id, at: last.envelope.at }
    const draft = { tenant: 'acme', trajectory: AUTHORITY, kind, payload } as const
    this.entriesKept.push(sealEntry(draft, head, '2026-03-02T10:00:00.000Z', sha256))
  }
}

async function filled(): Promise<{
  registry: Registry
  clock: HandClock
  cache: AuthorityCache
}> {
  const registry = new Registry()
  registry.say('ACTIVE')
  registry.say('ACTIVE')
  const clock = handClock()
  const cache = new AuthorityCache(registry, clock)
  assert.equal((await cache.loadLatest()).statuses.get('bot'), 'ACTIVE')
  return { registry, clock, cache }
}

const OUTAGE = new Error('connection refused')

test('what is remembered is served while the source is away, for its time and no longer', async () => {
  const { registry, clock, cache } = await filled()
  registry.down = OUTAGE
  await clock.advance(LIMITS.manifestTtlMs - 1)
  assert.equal((await cache.loadLatest()).statuses.get('bot'), 'ACTIVE')
  assert.equal((await cache.loadCurrent(1)).seq, 1)
  assert.equal(cache.degraded, true)
  await clock.advance(1)
  await assert.rejects(cache.loadLatest(), RegistryUnavailable)
  await assert.rejects(cache.loadCurrent(1), RegistryUnavailable)
})

test('C2: a source that says there is more, and never hands it out, does not keep what is remembered in force', async () => {
  const { registry, clock, cache } = await filled()
  registry.say('SUSPENDED')
  registry.entries = async () => {
    throw OUTAGE
  }
  await clock.advance(LIMITS.manifestTtlMs - 1)
  assert.equal((await cache.loadLatest()).statuses.get('bot'), 'ACTIVE')
  assert.equal(cache.degraded, true)
  await clock.advance(1)
  await assert.rejects(cache.loadLatest(), RegistryUnavailable)
  await assert.rejects(cache.loadCurrent(1), RegistryUnavailable)
  await assert.rejects(cache.loadCurrent(1), RegistryUnavailable)
})

test('C5: what is urgent does not wait for a reading that was begun in no hurry', async () => {
  const { registry, cache } = await filled()
  registry.say('SUSPENDED')
  const read = registry.entries.bind(registry)
  const line = Promise.withResolvers<void>()
  // Behind all that is read from the same store.
  registry.entries = async (from, limit) => {
    if (!isUrgent()) await line.promise
    return read(from, limit)
  }
  const slow = cache.loadAtLeast(2)
  const stopped = runUrgently(() => cache.loadAtLeast(2))
  const soon = new Promise((resolve) => setImmediate(() => resolve('waits')))
  assert.notEqual(await Promise.race([stopped, soon]), 'waits')
  assert.equal((await stopped).statuses.get('bot'), 'SUSPENDED')
  line.resolve()
  assert.equal((await slow).seq, 2)
  registry.say('ACTIVE')
  assert.equal((await cache.loadAtLeast(3)).seq, 3)
})

test('the time runs from the last answer, and an answer ends the outage', async () => {
  const { registry, clock, cache } = await filled()
  await clock.advance(LIMITS.manifestTtlMs - 1)
  await cache.loadLatest()
  registry.down = OUTAGE
  await clock.advance(LIMITS.manifestTtlMs - 1)
  await cache.loadLatest()
  assert.equal(cache.degraded, true)
  await clock.advance(1)
  registry.down = null
  registry.say('SUSPENDED')
  assert.equal((await cache.loadLatest()).statuses.get('bot'), 'SUSPENDED')
  assert.equal(cache.degraded, false)
})

test('nobody gets less than was asked for, also within the time', async () => {
  const { registry, cache } = await filled()
  registry.down = OUTAGE
  registry.say('SUSPENDED')
  await assert.rejects(cache.loadAtLeast(2), RegistryUnavailable)
  await assert.rejects(cache.loadCurrent(2), RegistryUnavailable)
  assert.equal((await cache.loadAtLeast(1)).seq, 1)
})

test('while the source answers, a decision asks it once within the time', async () => {
  const { registry, clock, cache } = await filled()
  const before = registry.asked
  await cache.loadCurrent(1)
  await clock.advance(LIMITS.manifestTtlMs - 1)
  await cache.loadCurrent(1)
  assert.equal(registry.asked, before)
  await clock.advance(1)
  registry.say('SUSPENDED')
  assert.equal((await cache.loadCurrent(1)).statuses.get('bot'), 'SUSPENDED')
  assert.ok(registry.asked > before)
})

test('nothing is served that was never read, or that was dropped', async () => {
  const registry = new Registry()
  registry.down = OUTAGE
  await assert.rejects(
    new AuthorityCache(registry, handClock()).loadLatest(),
    /the registry cannot be reached: it does not answer/,
  )
  const { registry: other, cache } = await filled()
  cache.drop()
  other.down = OUTAGE
  await assert.rejects(cache.loadLatest(), RegistryUnavailable)
  other.down = null
  assert.equal((await cache.loadLatest()).seq, 1)
})

test('C5: what was answered to this process does not last longer where it is dropped and the wall clock was set back', async () => {
  const { registry, clock, cache } = await filled()
  // By a wall clock that stands still at ten seconds after the answer.
  const recalled = { entries: [...registry.entriesKept], age_ms: 10_000 }
  const source: ManifestSource = registry
  source.loadKept = async () => recalled
  registry.down = OUTAGE
  await clock.advance(LIMITS.manifestTtlMs - 1)
  cache.drop()
  assert.equal((await cache.loadCurrent(1)).seq, 1, 'within the time it is recalled')
  await clock.advance(1)
  await assert.rejects(cache.loadCurrent(1), RegistryUnavailable)
  cache.drop()
  await assert.rejects(cache.loadCurrent(1), RegistryUnavailable)
  await assert.rejects(cache.loadLatest(), RegistryUnavailable)
  registry.down = null
  assert.equal((await cache.loadCurrent(1)).seq, 1)
})

test('a store that fails is a failure of the store, however much is remembered', async () => {
  const { registry, cache } = await filled()
  registry.down = new StoreError('STORE_ERROR', 'the disk is gone', 'replace it')
  await assert.rejects(cache.loadLatest(), StoreError)
  await assert.rejects(cache.loadAtLeast(5), StoreError)
  assert.equal(cache.degraded, false)
})

test('without a registry elsewhere the store is asked', async () => {
  const answers = {
    readNow: async () => ({ now: '', authority_seq: 7 }),
    listEntries: async () => [],
  }
  const source = storeManifest(answers as unknown as Store)
  assert.equal(await source.head(), 7)
  assert.deepEqual(await source.entries(0, 1), [])
})

type Degraded = {
  readonly runtime: Runtime
  readonly registry: Registry
  readonly clock: HandClock
  close(): Promise<void>
  remove(): void
}

/** A runtime whose registry is its own store, behind a door that the test can close. */
async function degradable(): Promise<Degraded> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-registry-'))
  const registry = new Registry()
  const clock = handClock()
  const runtime = await createRuntime({
    store: 'memory',
    stateDirectory: folder,
    capabilities: [exampleCapability(() => {})],
    manifest: registry,
    background: false,
    clock,
  })
  registry.behind = storeManifest(runtime.store)
  await runtime.deploy(CONTRACT)
  await runtime.start()
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  return {
    runtime,
    registry,
    clock,
    async close() {
      registry.down = null
      await runtime.close()
      remove()
    },
    remove,
  }
}

function codeOf(result: Result<unknown, Failure>): string | null {
  return result.ok ? null : result.error.code
}

async function refund({ runtime }: Degraded): Promise<Answer> {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  return flow.propose({ policy_kind: 'REFUND', params: { order: flow.dfid, amount: '20.00' } })
}

test('in an outage known agents go on for a minute, and then nobody does', async () => {
  const scene = await degradable()
  const { engine, store } = scene.runtime
  assert.equal((await refund(scene)).outcome, 'ACCEPTED')
  assert.equal(engine.status.degraded, false)
  const flow = await scene.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  scene.registry.down = OUTAGE
  await scene.clock.advance(LIMITS.manifestTtlMs - 1)
  assert.equal((await refund(scene)).outcome, 'ACCEPTED')
  assert.equal(engine.status.degraded, true)
  const { ok } = await engine.handshake({ agent: 'refunds_bot' })
  assert.equal(ok, true)

  await scene.clock.advance(1)
  const before = await store.countLeaves()
  const opened = await engine.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.equal(codeOf(opened), 'REGISTRY_UNAVAILABLE')
  const params = { order: 'o', amount: '20.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params })
  assert.deepEqual(
    [answer.outcome, answer.reason_code, answer.feedback?.transient, answer.trace_id],
    ['REJECTED', 'REGISTRY_UNAVAILABLE', true, ''],
  )
  assert.equal(await store.countLeaves(), before)

  scene.registry.down = null
  assert.equal((await flow.propose({ policy_kind: 'REFUND', params })).outcome, 'ACCEPTED')
  assert.equal(engine.status.degraded, false)
  await scene.close()
})

test('an engine stops in an outage as at any other time', async () => {
  const scene = await degradable()
  await refund(scene)
  scene.registry.down = OUTAGE
  await scene.clock.advance(LIMITS.manifestTtlMs)
  await scene.runtime.close()
  await assert.rejects(scene.runtime.store.countLeaves(), { code: 'STORE_CLOSED' })
  scene.remove()
})

test('in an outage nothing new is registered, and who is not known is refused at once', async () => {
  const scene = await degradable()
  const { engine } = scene.runtime
  await refund(scene)
  scene.registry.down = OUTAGE
  const unknown = { agent: 'new_bot', trigger: 'ticket' }
  assert.equal(codeOf(await engine.open(unknown)), 'REGISTRY_UNAVAILABLE')
  assert.equal(codeOf(await engine.handshake({ agent: 'new_bot' })), 'REGISTRY_UNAVAILABLE')
  // Its key may have been registered where nobody can look now.
  const signed_at = new Date(engine.context.clock.now()).toISOString()
  const key = { key_id: 'agent-unknown', signed_at, nonce: 'x'.repeat(16), sig: 'AAAA' }
  const unproven = await engine.handshake({ agent: 'new_bot', key })
  assert.equal(codeOf(unproven), 'REGISTRY_UNAVAILABLE')
  await assert.rejects(scene.runtime.deploy({ ...CONTRACT, agent_id: 'new_bot' }), {
    code: 'REGISTRY_UNAVAILABLE',
  })
  await assert.rejects(scene.runtime.deploy({ ...CONTRACT, version: '1.1.0' }), {
    code: 'REGISTRY_UNAVAILABLE',
  })
  const spawned = await engine.instances.spawn({ class: 'refunds_bot', instance: 'refunds_bot-1' })
  assert.equal(codeOf(spawned), 'REGISTRY_UNAVAILABLE')
  await scene.close()
})

test('in an outage an agent can still be stopped, and what others changed is not overlooked', async () => {
  const scene = await degradable()
  const { engine, store } = scene.runtime
  const flow = await scene.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  scene.registry.down = OUTAGE
  const justification = 'something is wrong'
  const agent_id = 'refunds_bot'
  const move = { agent_id, to: 'SUSPENDED', actor: 'operator', justification } as const
  assert.equal(codeOf(await engine.moveAgent(move)), null)
  const last = (await store.listEntries(AUTHORITY, 0, 100)).at(-1)
  assert.equal(last?.envelope.kind, 'lifecycle')
  // It is durable, and cannot be read back here: so nothing is decided for the agent any more.
  const params = { order: 'o', amount: '20.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params })
  assert.equal(answer.reason_code, 'REGISTRY_UNAVAILABLE')
  scene.registry.down = null
  const after = await flow.propose({ policy_kind: 'REFUND', params })
  assert.equal(after.reason_code, 'AGENT_SUSPENDED')
  await scene.close()
})

test('an entry that never comes is not waited for for ever', async () => {
  const registry = new Registry()
  registry.say('ACTIVE')
  let waited = 0
  const after = (ms: number) => {
    waited += ms
    return { elapsed: Promise.resolve(), cancel: () => {} }
  }
  const cache = new AuthorityCache(registry, { monotonic: () => waited, after })
  await assert.rejects(cache.loadAtLeast(7), { code: 'STORE_ERROR' })
  assert.ok(waited > 1000 && waited < 10_000, `${waited} ms`)
})
