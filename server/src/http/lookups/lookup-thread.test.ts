import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { LIMITS } from 'rubicon-kernel'
import { createRuntime, openStore, type Runtime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { buildRefundsContract, refundCapability } from '../../demo/refunds.ts'
import { hasWords } from '../../search/indexed.test-support.ts'
import type { Reply } from '../schemas/route.ts'
import { serve } from '../serve.ts'
import { createLocalLookups } from './all.ts'
import type { LookupName, LookupRequest } from './lookup.ts'
import { createLookups, LookupThread } from './lookup-thread.ts'

/** A runtime with three flows, of which one was decided. */
function startLookups(runtime: Runtime): LookupThread {
  const lookups = createLookups(runtime)
  assert.ok(lookups !== null)
  runtime.endWith(lookups)
  return lookups
}

async function threeFlows(t: TestContext): Promise<Runtime> {
  const folder = temporaryFolder()
  const runtime = await createRuntime({
    store: `sqlite:${join(folder, 'store.db')}`,
    stateDirectory: folder,
    capabilities: [refundCapability([])],
  })
  t.after(() => runtime.close())
  await runtime.deploy(buildRefundsContract())
  const trigger = 'ticket 4711'
  for (let i = 0; i < 2; i++) await runtime.open({ agent: 'refunds_bot', trigger })
  const flow = await runtime.open({ agent: 'refunds_bot', trigger })
  await flow.propose({ policy_kind: 'REFUND', params: { order: 'o_1', amount: '20.00' } })
  return runtime
}

setFlagsFromString('--expose-gc')
const collect: (how: { readonly type: 'minor' }) => void = runInNewContext('gc')

function collectYoung(): void {
  collect({ type: 'minor' })
}

function oldBytes(): number {
  const old = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')
  return old?.space_used_size ?? 0
}

function question(change: Partial<LookupRequest> = {}): LookupRequest {
  return { asker: 'person ann', own: null, params: {}, query: {}, ...change }
}

function said({ status, body, headers }: Reply): object {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, type: headers?.['content-type']?.split(';')[0], body: JSON.parse(text) }
}

test('what the thread answers is what would be answered here', async (t) => {
  const runtime = await threeFlows(t)
  const { store, engine } = runtime
  const lookups = startLookups(runtime)
  const [flow] = await store.listFlows({ limit: 1 })
  const params = { dfid: flow?.dfid ?? '' }
  const here = createLocalLookups(engine.context)
  const asked: readonly (readonly [LookupName, LookupRequest, number])[] = [
    ['listFlows', question(), 200],
    ['listFlows', question({ query: { limit: '1', state: 'CLOSED' } }), 200],
    ['listFlows', question({ own: 'another_bot' }), 200],
    ['listFlows', question({ query: { cursor: 'none' } }), 422],
    ['getFlow', question({ params }), 200],
    ['getFlow', question({ own: 'another_bot', params }), 403],
    ['getFlow', question({ params: { dfid: 'f_0' } }), 404],
    ['listExecutions', question(), 200],
    ['findEntries', question({ query: { q: 'kind:dispatch' } }), 200],
    ['getEntry', question({ params: { leaf: '3' } }), 200],
    ['getEntry', question({ params: { leaf: 'x' } }), 404],
    ['listDecisions', question({ query: { kind: 'REFUND' } }), 200],
    ['listTrajectories', question(), 200],
    ['measureStore', question(), 200],
    ['listTrajectoryEntries', question({ params: { id: 'main' } }), 200],
    ['listTrajectoryEntries', question({ params: { id: 'none' } }), 404],
    ['getWorld', question({ params: { id: 'main' } }), 200],
    [
      'listChanges',
      question({ params: { id: 'main' }, query: { kind: 'order', resource: 'o_1' } }),
      200,
    ],
  ]
  for (const [name, one, status] of asked) {
    const there: Reply = await lookups.answer(name, one)
    const expected: Reply = await here.answer(name, one)
    assert.equal(there.status, status, name)
    const json = status === 200 ? { 'content-type': 'application/json' } : {}
    const headers = { ...json, ...expected.headers }
    assert.deepEqual(said(there), said({ ...expected, headers }), name)
  }
})

test('what was answered does not grow old, so that the quick collector frees it', async (t) => {
  const runtime = await threeFlows(t)
  const { store } = runtime
  const lookups = startLookups(runtime)
  const [flow] = await store.listFlows({ limit: 1 })
  const params = { dfid: flow?.dfid ?? '' }
  let [length, answered] = [0, 0]
  // A dozen at once, as under load: each answer comes while others wait.
  const askAll = async (count: number): Promise<void> => {
    const lane = async (): Promise<void> => {
      for (let i = 0; i < count / 12; i += 1) {
        const { body } = await lookups.answer('getFlow', question({ params }))
        length = String(body).length
        answered += 1
        // Far enough apart that nothing under way is seen twice, which would make it old.
        if (answered % 150 === 0) collectYoung()
      }
    }
    await Promise.all(Array.from({ length: 12 }, lane))
  }
  await askAll(600)
  // Whatever is kept from now on grows old with this.
  for (let i = 0; i < 3; i += 1) collectYoung()
  const before = oldBytes()
  await askAll(1_200)
  const grown = (oldBytes() - before) / 1_200
  assert.ok(length > 2_000 && grown < length / 10, `${grown} of ${length} bytes each`)
})

test('whoever was answered finds what was done', async (t) => {
  const runtime = await threeFlows(t)
  const lookups = startLookups(runtime)
  for (let i = 0; i < 20; i++) {
    const { dfid } = await runtime.open({ agent: 'refunds_bot', trigger: `ticket ${i}` })
    assert.equal((await lookups.answer('getFlow', question({ params: { dfid } }))).status, 200)
  }
})

test('L2: a thread that ends refuses its questions, and the next question starts another', async () => {
  const path = join(temporaryFolder(), 'store.db')
  const reports: string[] = []
  const thread = new LookupThread(
    { store: `sqlite:${path}`, tenant: 'default', artifacts: null, search: null, followMs: 1_000 },
    (line) => reports.push(line),
  )
  const refusals = [thread.answer('listFlows', question()), thread.answer('getFlow', question())]
  for (const refusal of refusals) await assert.rejects(refusal, { code: 'STORE_CLOSED' })
  assert.match(reports.join(), /store `.*store\.db` does not exist/)
  const store = await openStore(`sqlite:${path}`, 'default')
  assert.equal((await thread.answer('listFlows', question())).status, 200)
  await thread.close()
  await store.close()
})

test('what another process erased leaves the index though nobody asks for a list', async (t) => {
  const runtime = await threeFlows(t)
  const { place, engine } = runtime
  const folder = temporaryFolder()
  const search = join(folder, 'search.db')
  const beside = { store: place.store, tenant: place.tenant, artifacts: null, search, followMs: 5 }
  const thread = new LookupThread(beside, assert.fail)
  t.after(() => thread.close())
  const found = await thread.answer('listFlows', question({ query: { words: 'o_1' } }))
  const [{ dfid }] = JSON.parse(String(found.body)).flows
  assert.ok(hasWords(folder, 'order o_1'))
  const erased = await engine.oversight.erase({ dfid, reason: 'asked to' })
  assert.ok(erased.ok, JSON.stringify(erased))
  for (let look = 0; look < 2_000 && hasWords(folder, 'order o_1'); look += 1) await after(5)
  assert.ok(!hasWords(folder, 'order o_1'))
})

const SHARE = LIMITS.lookupsWaiting / LIMITS.agentShare

test('L3: one asker has so many questions waiting, and one more is refused at once', async (t) => {
  const runtime = await threeFlows(t)
  const lookups = startLookups(runtime)
  const asked = Array.from({ length: SHARE }, () => lookups.answer('listFlows', question()))
  const refusal = await lookups.answer('listFlows', question())
  assert.equal(refusal.status, 503)
  assert.match(JSON.stringify(refusal.body), /OVERLOADED/)
  const other = await lookups.answer('listFlows', question({ asker: 'person bob' }))
  assert.equal(other.status, 200)
  for (const { status } of await Promise.all(asked)) assert.equal(status, 200)
  assert.equal((await lookups.answer('listFlows', question())).status, 200)
})

test('L3: when all places are taken, whoever has none gets one, and nobody another', async (t) => {
  const runtime = await threeFlows(t)
  const lookups = startLookups(runtime)
  const ask = (asker: string): Promise<Reply> => lookups.answer('listFlows', question({ asker }))
  const all = Array.from({ length: LIMITS.lookupsWaiting }, (_, i) => ask(`agent ${i % 5}`))
  const [first, second] = await Promise.all([ask('person ann'), ask('person ann')])
  assert.deepEqual([first.status, second.status], [200, 503])
  assert.equal((await ask('person ann')).status, 200, 'there is room again')
  for (const { status } of await Promise.all(all)) assert.equal(status, 200)
})

test('L4: however much somebody asks, it waits behind itself, and others are answered in between', async (t) => {
  const runtime = await threeFlows(t)
  const lookups = startLookups(runtime)
  assert.equal((await lookups.answer('listFlows', question())).status, 200)
  const answered: string[] = []
  const ask = async (asker: string): Promise<void> => {
    const { status } = await lookups.answer('listFlows', question({ asker }))
    assert.equal(status, 200)
    answered.push(asker)
  }
  const all = Array.from({ length: SHARE }, () => ask('agent refunds_bot'))
  await Promise.all([...all, ask('person ann')])
  const place = answered.indexOf('person ann')
  assert.ok(place < 40, `${place} were answered before`)
})

test('a server has the index made before anybody asks: the first page waits for no modules', async (t) => {
  const runtime = await threeFlows(t)
  const folder = runtime.place.stateDirectory
  await serve(runtime, { port: 0, person: { name: 'ann' } })
  for (let look = 0; look < 4_000 && !hasIndexed(folder); look += 1) await after(5)
  assert.ok(hasIndexed(folder))
})

/** A word of a flow stands in its files, and not only in those of the store. */
function hasIndexed(folder: string): boolean {
  const files = readdirSync(folder).filter((name) => name.startsWith('search.db'))
  return files.some((name) => readFileSync(join(folder, name)).includes('order o_1'))
}

test('once it is closed nothing is answered, and no thread is left', async (t) => {
  const runtime = await threeFlows(t)
  const lookups = startLookups(runtime)
  const late = lookups.answer('listFlows', question())
  await Promise.all([assert.rejects(late ?? Promise.resolve()), runtime.close()])
  await assert.rejects(lookups.answer('listFlows', question()), {
    code: 'STORE_CLOSED',
  })
})
