import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CapabilityLaw, NO_SOURCES } from 'rubicon-kernel'
import type { SourceReading } from '../../ports/fact-source.ts'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readOutside } from './read-outside.ts'

const FEED = { source_id: 'feed', label: 'trusted', paths: ['*'], max_paths: 9 } as const
const sources = {
  ...NO_SOURCES,
  byId: new Map([['feed', FEED]]),
  byPattern: new Map([['*', 'feed']]),
  lengths: [0],
}

const NOW = '2026-06-01T12:00:00.000Z'
const clock = { now: () => Date.parse(NOW) }

/** The paths that State is asked for, with a capability of these functions. */
async function asked(law: Partial<CapabilityLaw>): Promise<readonly string[]> {
  const paths: string[] = []
  const context = {
    clock,
    store: { readRecord: async () => null },
    sources: [
      {
        ...FEED,
        read: async (wanted: readonly string[]): Promise<readonly SourceReading[]> => {
          paths.push(...wanted)
          return []
        },
      },
    ],
  } as unknown as Context
  const flow = { agent_id: 'bot', trajectory: 'main' } as unknown as FlowRow
  const nothing = { reads: () => ({ state: [], world: [] }), jit: () => ({}) }
  const whole = { ...nothing, description: { sinks: {}, jit_fields: ['price', 'open'] }, ...law }
  await readOutside(
    context,
    flow,
    whole as unknown as CapabilityLaw,
    undefined,
    {
      params: { item: 'tea' },
    },
    { sources, now: NOW },
  )
  return paths
}

const reads = (): ReturnType<CapabilityLaw['reads']> => ({ state: ['market.open'], world: [] })
const jit: CapabilityLaw['jit'] = ({ item }) => ({
  price: { path: `price.${String(item)}`, kind: 'telemetry' },
  open: { path: 'market.open', kind: 'position' },
})

function bang(): never {
  throw new Error('bang')
}

test('what must not have moved is read just before the decision, each path once', async () => {
  assert.deepEqual(await asked({}), [])
  assert.deepEqual(await asked({ jit }), ['market.open', 'price.tea'])
  assert.deepEqual(await asked({ reads, jit }), ['market.open', 'price.tea'])
})

test('a function that throws asks for nothing, and does not silence the other', async () => {
  assert.deepEqual(await asked({ reads, jit: bang }), ['market.open'])
  assert.deepEqual(await asked({ reads: bang, jit }), ['market.open', 'price.tea'])
})

test('a source that answers with something else has said nothing that can be decided on', async () => {
  const law = { reads, jit: () => ({}), description: { sinks: {} } } as unknown as CapabilityLaw
  const flow = { agent_id: 'bot', trajectory: 'main' } as unknown as FlowRow
  const reading = { path: 'market.open', value: true, observed_at: '2026-06-01', version: '1' }
  const answered = async (answer: unknown): Promise<unknown> => {
    const feed = { ...FEED, read: async () => answer }
    const store = { readRecord: async () => null }
    const context = { clock, store, sources: [feed] } as unknown as Context
    const by = { sources, now: NOW }
    const { state } = await readOutside(context, flow, law, undefined, { params: {} }, by)
    return state.map(({ path, source, label, observed_at }) => [path, source, label, observed_at])
  }
  const said = ['market.open', 'feed', 'trusted', '2026-06-01T00:00:00.000Z']
  assert.deepEqual(await answered([{ ...reading, source: 'me', label: 'agent' }]), [said])
  assert.deepEqual(await answered([{ ...reading, path: 'other' }]), [])
  const ahead = '2026-06-01T12:00:02.000Z'
  const skewed = await answered([{ ...reading, observed_at: ahead }])
  assert.deepEqual(skewed, [['market.open', 'feed', 'trusted', ahead]])
  for (const [answer, problem] of [
    [{}, 'is not a list'],
    ['open', 'is not a list'],
    [[7], '/0 is not an object'],
    [[reading, { ...reading, version: 1 }], '/1/version is not a text'],
    [[{ path: 'market.open' }], '/0/value is missing'],
    [[{ ...reading, value: Number.NaN }], 'is not JSON'],
    [[{ ...reading, observed_at: 'yesterday' }], '/0/observed_at is not an instant'],
    [[{ ...reading, observed_at: '2099-01-01T00:00:00.000Z' }], '/0/observed_at lies ahead'],
    [[{ ...reading, observed_at: '2026-06-01T12:00:02.001Z' }], '/0/observed_at lies ahead'],
    [[reading, { ...reading, value: false }], '/1/path was answered before'],
  ] as const) {
    const details = { paths: ['market.open'], source: 'feed', answer: problem }
    await assert.rejects(answered(answer), { name: 'StateUnavailable', details }, problem)
  }
})

test('a source is asked for names only, whatever a capability makes of parameters', async () => {
  const odd = (): ReturnType<CapabilityLaw['reads']> => ({
    state: ['market.open', "price.x' OR 1=1 --", 'a/../b'],
    world: [],
  })
  assert.deepEqual(await asked({ reads: odd }), ['market.open'])
})
