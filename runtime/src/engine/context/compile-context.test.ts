import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCurrentContract, type JsonObject, LIMITS, type WorkingContext } from 'rubicon-kernel'
import { loadSystemTokenizer } from '../../adapters/system/tokenizer.ts'
import type { Write } from '../../ports/store.ts'
import { compileContext } from './compile-context.ts'
import {
  AGENT,
  done,
  type LayerStage,
  layerStage,
  refusedWith,
} from './layer-stage.test-support.ts'

const DFID = '0197b5e0-7c00-7000-8000-000000000001'
const EARLIER = '0197b5e0-7c00-7000-8000-000000000000'
const NOW = '2026-06-01T12:00:00.000Z'
const MAIL = { source_id: 'mail', label: 'external', paths: ['customers.mail'] } as const

/** The same records, whoever stores them and in whatever order they come. */
async function fill({ runtime, layers }: LayerStage): Promise<void> {
  const notes = Array.from({ length: 15 }, (_, i): Write => {
    const body = { at: NOW, label: 'agent', text: `note ${i}`, tokens: 3, flags: [] } as const
    return { kind: 'put_record', record: 'note', group: DFID, key: `0${i + 10}`, body }
  })
  const memories = Array.from({ length: 15 }, (_, i): Write => {
    const decision = {
      at: NOW,
      dfid: EARLIER,
      attempt: i,
      policy_kind: 'REFUND',
      outcome: 'SUCCESS',
    }
    const body = { ...decision, reason_code: null, summary: 'it was carried out', tokens: 4 }
    return { kind: 'put_record', record: 'memory', group: AGENT, key: `${NOW}:${i + 10}`, body }
  })
  await runtime.store.commit({ guards: [], writes: [...notes, ...memories] })
  const text = 'Refund within fourteen days.\n\nÜbermäßige Gebühren werden erstattet: 返金。'
  done(await layers.putArtifact({ name: 'rules', title: 'Rules', text }))
  const at = (path: string, value: JsonObject | string) => ({ path, value })
  done(
    await layers.observe([
      at('market.price', { last: '99.50', '\u{1f600}': 'é' }),
      at('market.a', '1'),
    ]),
  )
  const mail = { path: 'customers.mail', value: '返金してください', source: 'mail' }
  done(await layers.observe(mail))
}

async function compiled(
  { runtime }: LayerStage,
  state: readonly string[],
): Promise<{ snapshot: string; id: string; working: WorkingContext }> {
  const { context } = runtime.engine
  const deployed = findCurrentContract(await context.authorities.loadLatest(), AGENT, NOW)
  assert.ok(deployed !== undefined)
  const flow = { dfid: DFID, trigger: 'refund 返金', trajectory: 'main' }
  const wanted = { ...flow, now: NOW, deployed, again: true } as const
  const { snapshot, working } = done(await compileContext(context, { ...wanted, state, world: [] }))
  return { snapshot: snapshot.text, id: snapshot.address, working }
}

test('the same records give the same snapshot on every store, as often as it is asked', async () => {
  const paths = ['customers.mail', 'market.*']
  const found: string[] = []
  for (const store of ['memory', 'sqlite', 'memory']) {
    const it = await layerStage({ store, sources: [MAIL] })
    await fill(it)
    const { id, snapshot, working } = await compiled(it, paths)
    assert.equal((await compiled(it, paths.toReversed())).id, id)
    assert.deepEqual(
      working.state.map(({ path }) => path),
      ['customers.mail', 'market.a', 'market.price'],
    )
    assert.deepEqual([working.session.length, working.memory.length], [10, 10])
    assert.equal(working.artifacts.length, 1)
    assert.equal(working.snapshot_id, id)
    found.push(id, snapshot)
    await it.close()
  }
  assert.equal(new Set(found).size, 2)
})

test('a flow without layers has the snapshot that it always had', async () => {
  const it = await layerStage()
  const flow = await it.open()
  const [opening] = await it.runtime.store.listFlowEntries(flow.dfid)
  const { snapshot } = JSON.parse(opening?.payload ?? '{}').flow
  assert.deepEqual(Object.keys(snapshot).sort(), [
    'agent_id',
    'contract_hash',
    'dfid',
    'mission_context_hash',
    'policy_kinds',
    'schema_version',
    'state',
    'trigger',
    'world',
  ])
  const tokenizer = await loadSystemTokenizer()
  assert.ok(flow.context.budget.used > tokenizer.count(flow.context.mission))
  await it.close()
})

test('an agent sees only what its contract lets it read, and hears of the rest', async () => {
  const permissions = { policy_kinds: ['REFUND'], reads: ['market.*', 'refund.o-1'] }
  const delta = ['o-1', 'o-2'].map((id) => ({ op: 'create', kind: 'refund', id, value: '1' }))
  const it = await layerStage({
    contract: { permissions },
    sources: [MAIL],
    capability: { execute: () => ({ delta: delta as never }) },
  })
  await fill(it)
  const first = await it.open()
  assert.equal(
    (await first.propose({ policy_kind: 'REFUND', params: { amount: '1' } })).execution?.status,
    'SUCCESS',
  )
  const { context } = await it.open({
    state: ['customers.mail', 'market.a'],
    world: [
      { kind: 'refund', id: 'o-2' },
      { kind: 'refund', id: 'o-1' },
      { kind: 'refund', id: 'o-3' },
    ],
  })
  assert.deepEqual(
    context.state.map(({ path }) => path),
    ['market.a'],
  )
  assert.deepEqual(
    context.world.map(({ id, value, version }) => [id, value, version]),
    [['o-1', '1', 1]],
  )
  assert.deepEqual(context.trimmed, { state: ['customers.mail'], world: ['refund.o-2'] })
  await it.close()
})

test('prefixes are written out over what was observed', async () => {
  const it = await layerStage({ contextTokens: 100_000 })
  const at = (path: string) => ({ path, value: '1' })
  done(await it.layers.observe(['market', 'market.a', 'market.b', 'markets', 'news'].map(at)))
  const shown = async (...state: string[]): Promise<readonly string[]> =>
    (await it.open({ state })).context.state.map(({ path }) => path)
  assert.deepEqual(await shown('market.*'), ['market.a', 'market.b'])
  assert.deepEqual(await shown('market*'), ['market', 'market.a', 'market.b', 'markets'])
  assert.deepEqual(await shown('*'), ['market', 'market.a', 'market.b', 'markets', 'news'])
  assert.deepEqual(await shown('news', 'market.a', 'news'), ['market.a', 'news'])
  assert.deepEqual(await shown('nothing', 'nothing*'), [])
  const many = Array.from({ length: LIMITS.contextStatePaths - 5 }, (_, i) => at(`x.${i}`))
  done(await it.layers.observe(many))
  assert.equal((await shown('*')).length, LIMITS.contextStatePaths)
  done(await it.layers.observe(at('y')))
  const opened = await it.runtime.engine.open({ agent: AGENT, trigger: 'x', state: ['*'] })
  assert.equal(refusedWith(opened), 'CONTEXT_OVER_BUDGET')
  await it.close()
})

test('what is no path of State is refused where it is asked for, and no source hears of it', async () => {
  const heard: string[] = []
  const read = async (paths: readonly string[]) => {
    heard.push(...paths)
    return []
  }
  const sources = [{ source_id: 'exchange', label: 'trusted', paths: ['*'], read } as const]
  const it = await layerStage({ sources })
  const flow = await it.open({ state: ['market.price'], steps: 'many' })
  for (const odd of ["x' OR 1=1 --", '../secret', 'a b*', '', `x${'y'.repeat(200)}`]) {
    const opened = await it.runtime.engine.open({ agent: AGENT, trigger: 'x', state: [odd] })
    assert.equal(refusedWith(opened), 'ID_CHARSET', odd)
    assert.equal(refusedWith(await it.layers.refresh(flow.dfid, { state: [odd] })), 'ID_CHARSET')
  }
  assert.deepEqual([...new Set(heard)], ['market.price'])
  await it.close()
})

test('what cannot be shown opens no flow, and leaves nothing behind', async () => {
  let broken = false
  const it = await layerStage({
    sources: [
      {
        source_id: 'exchange',
        label: 'trusted',
        paths: ['*'],
        read: async () => {
          if (broken) throw new Error('the exchange does not answer')
          return []
        },
      },
    ],
  })
  await it.open()
  const before = await it.runtime.store.countLeaves()
  const open = async (state: readonly string[]): Promise<string | null> =>
    refusedWith(await it.runtime.engine.open({ agent: AGENT, trigger: 'x', state }))
  const news = { path: 'market.news', value: 'word '.repeat(9000) }
  done(await it.layers.observe(news))
  assert.equal(await open(['market.news']), 'CONTEXT_OVER_BUDGET')
  broken = true
  assert.equal(await open(['market.price']), 'STATE_UNAVAILABLE')
  broken = false
  assert.equal(await it.runtime.store.countLeaves(), before)
  await it.deploy({ context_schema: '2.x' })
  const deployed = await it.runtime.store.countLeaves()
  assert.equal(await open([]), 'CONTEXT_SCHEMA_UNSUPPORTED')
  assert.equal(await it.runtime.store.countLeaves(), deployed)
  assert.equal((await it.runtime.store.listFlows({ limit: 10 })).length, 1)
  await it.close()
})

test('a larger budget shows what a smaller one left out', async () => {
  const shown = async (contextTokens: number): Promise<WorkingContext> => {
    const it = await layerStage({ contextTokens, sources: [MAIL] })
    await fill(it)
    const { working } = await compiled(it, [])
    await it.close()
    return working
  }
  const { budget, artifacts } = await shown(8000)
  assert.equal(artifacts.length, 1)
  const rest = budget.used - (artifacts[0]?.tokens ?? 0)
  for (const [tokens, session, memory, left] of [
    [rest, 10, 10, { artifacts: 1 }],
    [rest - 1, 10, 9, { artifacts: 1, memory: 1 }],
    [rest - 8, 10, 8, { artifacts: 1, memory: 2 }],
    [rest - 40, 10, 0, { artifacts: 1, memory: 10 }],
    [rest - 41, 9, 0, { artifacts: 1, memory: 10, session: 1 }],
  ] as const) {
    const working = await shown(tokens)
    assert.deepEqual([working.session.length, working.memory.length], [session, memory])
    assert.deepEqual(working.trimmed, left)
    assert.ok(working.budget.used <= tokens && working.budget.tokens === tokens)
  }
})
