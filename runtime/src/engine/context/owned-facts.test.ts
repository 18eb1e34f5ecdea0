import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  encodePreAuth,
  encodeUtf8,
  type JsonValue,
  LIMITS,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import type { DeclaredSource } from '../../ports/fact-source.ts'
import { Engine } from '../engine.ts'
import type { Observation } from '../observe/observe.ts'
import type { Speaker } from '../observe/speaker.ts'
import { AGENT, done, layerStage, refusedWith } from './layer-stage.test-support.ts'

const bot: Speaker = { kind: 'agent', agent_id: AGENT }
const other: Speaker = { kind: 'agent', agent_id: 'other_bot' }
const source = (source_id: string): Speaker => ({ kind: 'source', source_id })
const operator: Speaker = { kind: 'operator', by: 'olga' }
const PRICE = 'market.price'
const DRAWDOWN = `agent.${AGENT}.drawdown_pct`
const SOURCES = [
  { source_id: 'feed', label: 'external', paths: ['market.*', 'agent.*'] },
  { source_id: 'desk', label: 'trusted', paths: [PRICE] },
  { source_id: 'tight', label: 'operator', paths: ['shelf.*'], max_paths: 2 },
] as const
const MINUTE = 60_000

type Stage = Awaited<ReturnType<typeof layerStage>>

async function shown(it: Stage, path: string): Promise<JsonValue | undefined> {
  return (await it.open({ state: [path] })).context.state[0]?.value
}

test('FACT_NOT_OWNED: a path is spoken of by its owner and by operators, and by nobody else', async () => {
  const it = await layerStage({ sources: SOURCES })
  const cases: readonly [Speaker, string, string | null][] = [
    [source('desk'), PRICE, null],
    [source('feed'), PRICE, 'FACT_NOT_OWNED'],
    [source('feed'), 'market.volume', null],
    [source('desk'), 'market.volume', 'FACT_NOT_OWNED'],
    [source('feed'), DRAWDOWN, 'FACT_NOT_OWNED'],
    [source('nobody'), 'market.volume', 'FACT_NOT_OWNED'],
    [bot, PRICE, 'FACT_NOT_OWNED'],
    [bot, 'desk.memo', 'FACT_NOT_OWNED'],
    [bot, `claims.${AGENT}.mood`, null],
    [bot, `claims.${AGENT}.of.mood`, 'FACT_NOT_OWNED'],
    [bot, `claims.${AGENT}`, 'FACT_NOT_OWNED'],
    [bot, 'claims', 'FACT_NOT_OWNED'],
    [bot, 'claims.other_bot.mood', 'FACT_NOT_OWNED'],
    [other, `claims.${AGENT}.mood`, 'FACT_NOT_OWNED'],
    [operator, PRICE, null],
    [operator, DRAWDOWN, null],
    [operator, `claims.${AGENT}.mood`, null],
    [operator, 'kernel.anything', 'FACT_NOT_OWNED'],
    [operator, 'escalation.1', 'FACT_NOT_OWNED'],
    [bot, 'escalation.1', 'FACT_NOT_OWNED'],
  ]
  for (const [speaker, path, code] of cases) {
    const said = await it.layers.observe({ path, value: '1' }, speaker)
    assert.equal(refusedWith(said), code, `${JSON.stringify(speaker)} on ${path}`)
  }
  await it.close()
})

test('nobody speaks in the name of another, and only an operator says how long', async () => {
  const it = await layerStage({ sources: SOURCES })
  const say = async (speaker: Speaker, more: Partial<Observation>, path = PRICE) =>
    refusedWith(await it.layers.observe({ path, value: '1', ...more }, speaker))
  assert.equal(await say(source('desk'), { source: 'feed' }), 'FACT_NOT_OWNED')
  assert.equal(await say(source('desk'), { source: 'desk' }), null)
  assert.equal(await say(operator, { source: 'desk' }), 'FACT_NOT_OWNED')
  const mine = `claims.${AGENT}.mood`
  assert.equal(await say(bot, { source: 'desk' }, mine), 'FACT_NOT_OWNED')
  assert.equal(await say(bot, { source: AGENT }, mine), null)
  const until = '2026-06-01T13:00:00.000Z'
  assert.equal(await say(bot, { until }, mine), 'SCHEMA_INVALID')
  assert.equal(await say(source('desk'), { until }), 'SCHEMA_INVALID')
  assert.equal(await say(operator, { until }), null)
  await it.close()
})

test('a label is that of the source, and what an agent claims has its own', async () => {
  const it = await layerStage({ sources: SOURCES })
  const labelOf = async (speaker: Speaker, path: string) =>
    done(await it.layers.observe({ path, value: '1' }, speaker))[0]?.label
  assert.equal(await labelOf(source('desk'), PRICE), 'trusted')
  assert.equal(await labelOf(source('feed'), 'market.volume'), 'external')
  assert.equal(await labelOf(bot, `claims.${AGENT}.mood`), 'agent')
  assert.equal(await labelOf(operator, 'market.volume'), 'operator')
  await it.close()
})

test("an operator's word stands in front of the owner's until its end, then the owner speaks again", async () => {
  const it = await layerStage({ sources: SOURCES })
  const say = async (value: string, speaker: Speaker, more: Partial<Observation> = {}) =>
    done(await it.layers.observe({ path: PRICE, value, ...more }, speaker))[0]
  await say('100', source('desk'))
  await it.clock.advance(MINUTE)
  const said = await say('1', operator)
  assert.equal(said?.until, '2026-06-01T13:01:00.000Z', 'an hour, when nobody says')
  assert.equal(said?.before, '100')
  await it.clock.advance(MINUTE)
  await say('101', source('desk'))
  assert.equal(await shown(it, PRICE), '1')
  const [fact] = (await it.open({ state: [PRICE] })).context.state
  assert.deepEqual(
    [fact?.source, fact?.label, fact?.until],
    ['operator:olga', 'operator', said?.until],
  )
  await it.clock.advance(58 * MINUTE + 59_999)
  assert.equal(await shown(it, PRICE), '1')
  await it.clock.advance(1)
  assert.equal(await shown(it, PRICE), '101', 'what the owner said since')
  await say('2', operator, { until: '2026-06-01T14:00:00.000Z' })
  await it.clock.advance(60 * MINUTE)
  assert.equal(await shown(it, PRICE), undefined, 'what was overruled does not come back')
  await say('102', source('desk'))
  assert.equal(await shown(it, PRICE), '102')
  await it.close()
})

test('a source that is asked does not talk over an operator either', async () => {
  const observed_at = '2026-06-01T12:00:00.000Z'
  const read = async () => [{ path: PRICE, value: '100', observed_at, version: '1' }]
  const desk = { source_id: 'desk', label: 'trusted', paths: [PRICE], read } as const
  const it = await layerStage({ sources: [desk] })
  assert.equal(await shown(it, PRICE), '100')
  done(await it.layers.observe({ path: PRICE, value: '1' }, operator))
  assert.equal(await shown(it, PRICE), '1')
  await it.clock.advance(60 * MINUTE)
  assert.equal(await shown(it, PRICE), '100')
  await it.close()
})

test('what a source said is absent once somebody else owns the path, or nobody', async () => {
  const it = await layerStage({ sources: SOURCES })
  const { engine } = it.runtime
  done(await it.layers.observe({ path: 'market.volume', value: '7' }, source('feed')))
  assert.equal(await shown(it, 'market.volume'), '7')
  const venue = { source_id: 'venue', label: 'external', paths: ['market.vol*'] }
  done(await engine.oversight.registerSource(venue))
  assert.equal(await shown(it, 'market.volume'), undefined)
  done(await engine.oversight.retireSource('venue'))
  assert.equal(await shown(it, 'market.volume'), '7')
  done(await engine.oversight.registerSource({ ...SOURCES[0], label: 'trusted' }))
  assert.equal(await shown(it, 'market.volume'), undefined, 'it was not said under that label')
  assert.equal(refusedWith(await engine.oversight.retireSource('venue')), 'SOURCE_UNKNOWN')
  await it.close()
})

test('a process that declares a source otherwise than it is registered does not start', async () => {
  const it = await layerStage({ sources: SOURCES })
  const { context, oversight } = it.runtime.engine
  const startWith = async (...sources: DeclaredSource[]): Promise<string> => {
    const started = await new Engine({ ...context, sources }, { background: false }).start()
    return started.ok ? '' : started.error.code
  }
  const [feed] = SOURCES
  assert.ok(feed !== undefined)
  const authority = await context.authorities.loadLatest()
  assert.equal(await startWith(...SOURCES), '', 'as it is registered')
  assert.equal(await startWith({ ...feed, label: 'trusted' }), 'SOURCE_DIFFERS')
  assert.equal(await startWith({ ...feed, paths: [...feed.paths, 'fx.*'] }), 'SOURCE_DIFFERS')
  assert.equal((await context.authorities.loadLatest()).seq, authority.seq, 'nothing was recorded')

  done(await oversight.retireSource(feed.source_id))
  assert.equal(await startWith(feed), 'SOURCE_DIFFERS', 'a restart does not bring it back')
  done(await oversight.registerSource({ ...feed, label: 'trusted' }))
  assert.equal(await startWith({ ...feed, label: 'trusted' }), '', 'an operator has said so')
  await it.close()
})

test('of two sources with the same claim the second is refused, and the first is named', async () => {
  const it = await layerStage({ sources: SOURCES })
  const twin = { source_id: 'twin', label: 'trusted', paths: ['fx.*', 'market.*'] }
  const refused = await it.runtime.engine.oversight.registerSource(twin)
  assert.equal(refusedWith(refused), 'SOURCE_CLAIMED')
  assert.match(refused.ok ? '' : refused.error.summary, /`market\.\*` is owned by `feed`/)
  const known = await it.runtime.engine.oversight.registerSource({
    ...SOURCES[1],
    max_paths: LIMITS.sourcePaths,
  })
  assert.ok(known.ok && known.value.unchanged)
  for (const paths of [['kernel.x'], ['escalation.*'], ['claims.*'], [], ['a', 'a'], ['a b']])
    assert.equal(
      refusedWith(await it.runtime.engine.oversight.registerSource({ ...twin, paths })),
      'SCHEMA_INVALID',
    )
  await it.close()
})

test('nobody speaks of more paths than was registered', async () => {
  const it = await layerStage({ sources: SOURCES })
  const say = async (speaker: Speaker, ...paths: readonly string[]) =>
    refusedWith(
      await it.layers.observe(
        paths.map((path) => ({ path, value: '1' })),
        speaker,
      ),
    )
  assert.equal(await say(source('tight'), 'shelf.a', 'shelf.b', 'shelf.c'), 'PATHS_FULL')
  assert.equal(await say(source('tight'), 'shelf.a'), null)
  assert.equal(await say(source('tight'), 'shelf.a', 'shelf.b'), null)
  assert.equal(await say(source('tight'), 'shelf.c'), 'PATHS_FULL')
  const claims = Array.from({ length: LIMITS.claimsPerAgent }, (_, i) => `claims.${AGENT}.c${i}`)
  assert.equal(await say(bot, ...claims), null)
  assert.equal(await say(bot, ...claims), null)
  assert.equal(await say(bot, `claims.${AGENT}.more`), 'PATHS_FULL')
  await it.close()
})

test('a source with a key signs what it says, and the signature is kept', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const it = await layerStage()
  done(
    await it.runtime.engine.oversight.registerSource({
      source_id: 's',
      label: 'trusted',
      paths: ['s.*'],
      key,
    }),
  )
  const said = { path: 's.a', value: '1', observed_at: '2026-06-01T12:00:00.000Z' }
  const signed = (body: Record<string, JsonValue>, type = 'observation'): Observation => {
    const bytes = encodePreAuth(toPayloadType(type), encodeUtf8(toCanonicalText(body)))
    const signature = sign(null, bytes, privateKey).toString('base64')
    return { ...body, signature } as unknown as Observation
  }
  const say = async (body: Observation) => refusedWith(await it.layers.observe(body, source('s')))
  assert.equal(await say(said), 'FACT_NOT_OWNED')
  assert.equal(await say({ ...signed(said), value: '2' }), 'FACT_NOT_OWNED')
  assert.equal(await say(signed(said, 'proposal')), 'FACT_NOT_OWNED')
  assert.equal(await say(signed({ path: 's.a', value: '1' })), 'FACT_NOT_OWNED', 'without a time')
  assert.equal(await say(signed(said)), null)
  const record = await it.runtime.store.readRecord('observation', 'state', 's.a')
  assert.equal(record?.body.said?.signed?.text, toCanonicalText(said))
  await it.close()
})

test('what ranks below is absent for every reader, unless capability or contract name the path', async () => {
  const path = 'market.open'
  const limits = [{ id: 'open', kind: 'state_match', field: path, expected: true }]
  const ask = async (accepts?: {
    law?: object
    contract?: object
  }): Promise<string | undefined> => {
    const it = await layerStage({
      sources: SOURCES,
      capability: accepts?.law === undefined ? {} : { accepts: accepts.law as never },
      contract: {
        permissions: { policy_kinds: ['REFUND'], limits, ...(accepts?.contract ?? {}) } as never,
      },
    })
    done(await it.layers.observe({ path, value: true }, source('feed')))
    const flow = await it.open({ state: [path] })
    assert.equal(flow.context.state[0]?.label, 'external', 'the agent is shown it')
    const answer = await flow.propose({ policy_kind: 'REFUND', params: { amount: '1' } })
    await it.close()
    return answer.reason_code
  }
  assert.equal(await ask(), 'MEASURE_UNAVAILABLE')
  assert.equal(await ask({ law: { 'market.*': 'external' } }), undefined)
  assert.equal(await ask({ contract: { accepts: { [path]: 'agent' } } }), undefined)
  assert.equal(await ask({ contract: { accepts: { 'other.*': 'agent' } } }), 'MEASURE_UNAVAILABLE')
})

test("an agent's claims wake nobody, unless a contract accepts them", async () => {
  const topic = `claims.${AGENT}.*`
  for (const [accepts, opened] of [
    [{}, 0],
    [{ accepts: { [topic]: 'agent' } }, 1],
  ] as const) {
    const permissions = { policy_kinds: ['REFUND'], subscriptions: [{ topic }], ...accepts }
    const it = await layerStage({ contract: { permissions } as never })
    done(await it.layers.observe({ path: `claims.${AGENT}.mood`, value: '1' }, bot))
    assert.equal((await it.runtime.engine.runDue()).opened, opened)
    await it.close()
  }
})
