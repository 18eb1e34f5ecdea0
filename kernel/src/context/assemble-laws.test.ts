/** What holds for every input of the context compiler. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StateFact } from '../fact/state-fact.ts'
import type { WorldFact } from '../world/world-fact.ts'
import { assembleContext, type ContextInput } from './assemble.ts'
import { assembled, at, contextInput, NOW } from './context.test-support.ts'
import type { ArtifactRef, LayerRecord, SessionEvent, StoredMemory } from './layers.ts'
import type { Snapshot } from './snapshot.ts'

const base = contextInput()

/** Few values each, so that ties are common. */
const name = fc.constantFrom('a', 'b', 'b.c', 'c')
const moment = fc.integer({ min: 0, max: 9 }).map(at)
const tokens = fc.integer({ min: 0, max: 60 })

const stateFact: fc.Arbitrary<StateFact> = fc.record({
  path: name,
  value: fc.integer({ min: 0, max: 2 }),
  source: name,
  label: fc.constantFrom('trusted', 'external'),
  observed_at: fc.constant(NOW),
  version: fc.constant('1'),
})

const worldFact: fc.Arbitrary<WorldFact> = fc.record({
  kind: name,
  id: name,
  version: fc.integer({ min: 1, max: 2 }),
  value: fc.constant(null),
  retracted: fc.boolean(),
})

const event: fc.Arbitrary<LayerRecord<SessionEvent>> = fc.record({
  key: name,
  body: fc.record({
    at: moment,
    label: fc.constantFrom('agent', 'external'),
    text: name,
    tokens,
    flags: fc.constant([]),
  }),
})

const entry: fc.Arbitrary<LayerRecord<StoredMemory>> = fc.record({
  key: name,
  body: fc.record({
    at: moment,
    dfid: name,
    attempt: fc.constant(1),
    policy_kind: fc.constantFrom('BUY', null),
    outcome: fc.constantFrom('ACCEPTED', 'REJECTED'),
    reason_code: fc.constant(null),
    summary: name,
    tokens,
  }),
})

const artifact: fc.Arbitrary<ArtifactRef> = fc.record({
  artifact: name,
  chunk: fc.integer({ min: 0, max: 2 }),
  title: name,
  label: fc.constant('operator'),
  text: name,
  tokens,
  score: fc.integer({ min: 0, max: 2 }),
})

type Given = Pick<ContextInput, 'state' | 'world' | 'session' | 'memory' | 'artifacts'>

const given: fc.Arbitrary<Given> = fc.record({
  state: fc.array(stateFact, { maxLength: 5 }),
  world: fc.array(worldFact, { maxLength: 5 }),
  session: fc.array(event, { maxLength: 14 }),
  memory: fc.array(entry, { maxLength: 14 }),
  artifacts: fc.array(artifact, { maxLength: 8 }),
})

const budget = fc.integer({ min: 0, max: 1_500 })

function snapshotOf(input: Given, budgetTokens?: number): Snapshot | null {
  const limits = budgetTokens === undefined ? {} : { tokens: budgetTokens }
  const result = assembleContext({ ...base, ...input, limits })
  return result.ok ? result.value.snapshot.value : null
}

/** In another order, chosen by the numbers. */
function shuffled<T>(items: readonly T[], numbers: readonly number[]): readonly T[] {
  return items
    .map((item, index) => ({ item, rank: numbers[index] ?? 0 }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

test('the same facts, notes, memories and pieces in any order have one snapshot id', () => {
  const numbers = fc.array(fc.integer(), { minLength: 14, maxLength: 14 })
  fc.assert(
    fc.property(given, numbers, (input, order) => {
      const mixed: Given = {
        state: shuffled(input.state, order),
        world: shuffled(input.world, order),
        session: shuffled(input.session, order),
        memory: shuffled(input.memory, order),
        artifacts: shuffled(input.artifacts, order),
      }
      const first = assembled({ ...base, ...input })
      assert.equal(assembled({ ...base, ...mixed }).snapshot.address, first.snapshot.address)
    }),
  )
})

test('a context is never over its budget, and `used` is what it holds', () => {
  fc.assert(
    fc.property(given, budget, (input, most) => {
      const result = assembleContext({ ...base, ...input, limits: { tokens: most } })
      if (!result.ok) return
      const { session, memory, artifacts, budget: spent } = result.value.working
      assert.ok(spent.used <= most)
      const alone = assembled({ ...base, ...input, session: [], memory: [], artifacts: [] })
      const layers = [...session, ...memory, ...artifacts]
      const sum = layers.reduce((total, item) => total + item.tokens, 0)
      assert.equal(spent.used, alone.working.budget.used + sum)
    }),
  )
})

test('whatever a budget has room for, a larger one has too', () => {
  fc.assert(
    fc.property(given, budget, budget, (input, one, other) => {
      const less = snapshotOf(input, Math.min(one, other))
      const more = snapshotOf(input, Math.max(one, other))
      if (less === null) return
      assert.ok(more !== null)
      for (const layer of ['session', 'memory', 'artifacts'] as const) {
        const kept: readonly string[] = (less[layer] ?? []).map((item) => JSON.stringify(item))
        const wider: readonly string[] = (more[layer] ?? []).map((item) => JSON.stringify(item))
        const ends: readonly string[] =
          layer === 'artifacts' ? wider.slice(0, kept.length) : wider.slice(-kept.length)
        assert.deepEqual(kept.length === 0 ? [] : ends, kept)
      }
    }),
  )
})

test('everything that was given is shown or counted as left out', () => {
  fc.assert(
    fc.property(given, budget, (input, most) => {
      const shown = snapshotOf(input, most)
      if (shown === null) return
      for (const layer of ['session', 'memory', 'artifacts'] as const) {
        const left: number = shown.trimmed?.[layer] ?? 0
        assert.equal((shown[layer] ?? []).length + left, input[layer].length)
      }
    }),
  )
})

test('memory is untouched while a piece is shown, the session while a memory is', () => {
  fc.assert(
    fc.property(given, budget, (input, most) => {
      const shown = snapshotOf(input, most)
      const all = snapshotOf(input)
      if (shown === null || all === null) return
      if (shown.artifacts !== undefined) assert.deepEqual(shown.memory, all.memory)
      if (shown.memory !== undefined || shown.artifacts !== undefined)
        assert.deepEqual(shown.session, all.session)
      assert.deepEqual(shown.session?.at(-1), all.session?.at(-1))
    }),
  )
})
