import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  encodePreAuth,
  encodeUtf8,
  formatInstant,
  type JsonValue,
  LIMITS,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import {
  done,
  type LayerStage,
  layerStage,
  refusedWith,
} from '../context/layer-stage.test-support.ts'
import type { Observation } from './observe.ts'
import type { Speaker } from './speaker.ts'

const PRICE = 'market.price'
const FEED = { source_id: 'feed', label: 'trusted', paths: ['market.*'] } as const
const feed: Speaker = { kind: 'source', source_id: 'feed' }
const backup: Speaker = { kind: 'source', source_id: 'backup' }
const operator: Speaker = { kind: 'operator', by: 'olga' }
const MINUTE = 60_000

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')

function signed(value: string, observed_at: string): Observation {
  const body = { path: PRICE, value, observed_at }
  const bytes = encodePreAuth(toPayloadType('observation'), encodeUtf8(toCanonicalText(body)))
  return { ...body, signature: sign(null, bytes, privateKey).toString('base64') }
}

function instant(it: LayerStage, aheadMs = 0): string {
  return formatInstant(it.clock.now() + aheadMs)
}

async function shown(it: LayerStage): Promise<JsonValue | undefined> {
  return (await it.open({ state: [PRICE] })).context.state[0]?.value
}

test('a source that dates its words ahead does not keep an operator from overruling it', async () => {
  const it = await layerStage({ sources: [FEED] })
  const ahead = (value: string): Observation => ({
    path: PRICE,
    value,
    observed_at: instant(it, LIMITS.clockSkewMs),
  })
  done(await it.layers.observe(ahead('0.01'), feed))
  await it.clock.advance(1)
  done(await it.layers.observe({ path: PRICE, value: '3000' }, operator))
  done(await it.layers.observe(ahead('0.02'), feed))
  assert.equal(await shown(it), '3000')
  const earlier = { path: PRICE, value: '1', observed_at: instant(it, -1) }
  assert.equal(refusedWith(await it.layers.observe(earlier, operator)), 'OBSERVATION_STALE')
  await it.close()
})

test('a word that an operator overruled does not come back after his end, whatever times both name', async () => {
  for (const [feedsMs, operatorsMs] of [
    [2_000, 2_000],
    [2_000, 0],
    [0, 0],
    [0, -5_000],
  ] as const) {
    const it = await layerStage({ sources: [FEED] })
    const said = { path: PRICE, value: '0.01', observed_at: instant(it, feedsMs) }
    done(await it.layers.observe(said, feed))
    const until = instant(it, MINUTE)
    const word = { path: PRICE, value: '3000', observed_at: instant(it, operatorsMs), until }
    done(await it.layers.observe(word, operator))
    assert.equal(refusedWith(await it.layers.observe(said, feed)), 'OBSERVATION_STALE', 'again')
    assert.equal(await shown(it), '3000')
    await it.clock.advance(MINUTE)
    assert.equal(await shown(it), undefined)
    assert.equal(refusedWith(await it.layers.observe(said, feed)), 'OBSERVATION_STALE', 'late')
    done(await it.layers.observe({ path: PRICE, value: '3001' }, feed))
    assert.equal(await shown(it), '3001')
    await it.close()
  }
})

test('what the owner said between two words of operators is overruled by the second', async () => {
  const it = await layerStage({ sources: [FEED] })
  const say = async (value: string, by: Speaker): Promise<unknown> =>
    done(await it.layers.observe({ path: PRICE, value }, by))
  await say('1', operator)
  await say('2', feed)
  await say('3', operator)
  await it.clock.advance(LIMITS.operatorWordMs)
  assert.equal(await shown(it), undefined)
  await it.close()
})

test('whoever has the token of a source and not its key brings no old word back', async () => {
  const it = await layerStage({ sources: [{ ...FEED, label: 'trusted' }] })
  const { oversight } = it.runtime.engine
  done(await oversight.registerSource({ ...FEED, paths: [...FEED.paths], key }))
  const say = async (one: Observation, by = feed): Promise<string | null> =>
    refusedWith(await it.layers.observe(one, by))
  const old = signed('0.01', instant(it))
  assert.equal(await say(old), null)
  await it.clock.advance(MINUTE)
  assert.equal(await say(signed('3000', instant(it))), null)
  assert.equal(await say(old), 'OBSERVATION_STALE')
  const last = signed('3001', instant(it))
  assert.equal(await say(last), null, 'of one instant the one that comes later stands')
  done(await oversight.registerSource({ source_id: 'backup', label: 'trusted', paths: [PRICE] }))
  await it.clock.advance(1)
  assert.equal(await say({ path: PRICE, value: '3002' }, backup), null)
  done(await oversight.retireSource('backup'))
  assert.equal(await say(old), 'OBSERVATION_STALE', 'a stand-in has spoken since')
  assert.equal(await say(last), 'OBSERVATION_STALE')
  assert.equal(await say(signed('0.02', instant(it))), 'OBSERVATION_STALE', 'at the same instant')
  assert.equal(await shown(it), undefined)
  await it.clock.advance(1)
  assert.equal(await say(signed('3003', instant(it))), null)
  assert.equal(await shown(it), '3003')
  await it.close()
})

test('OBSERVATION_STALE: a first word is not taken at any age', async () => {
  const it = await layerStage({ sources: [FEED] })
  const old = { path: PRICE, value: '0.01', observed_at: instant(it) }
  await it.clock.advance(LIMITS.observationAgeMs + 1)
  assert.equal(refusedWith(await it.layers.observe(old, feed)), 'OBSERVATION_STALE')
  assert.equal(refusedWith(await it.layers.observe(old, operator)), 'OBSERVATION_STALE')
  const day = { ...old, observed_at: instant(it, -LIMITS.observationAgeMs) }
  assert.equal(refusedWith(await it.layers.observe(day, feed)), null)
  await it.close()
})
