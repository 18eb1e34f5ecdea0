import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { applyDelta, type DeltaFailure } from './apply.ts'
import { type Delta, type DeltaOp, parseDelta } from './delta.ts'
import { type Resource, toResourceName } from './resource.ts'

type Store = ReadonlyMap<string, Resource>
const EMPTY: Store = new Map()
const on = { kind: 'order', id: '1' }

function attempt(store: Store, delta: Delta): ReturnType<typeof applyDelta> {
  return applyDelta((kind, id) => store.get(toResourceName(kind, id)), delta, 'entry')
}

function apply(store: Store, delta: Delta): { store: Store; inverse: Delta } {
  const applied = attempt(store, delta)
  assert(applied.ok, JSON.stringify(applied))
  const next = new Map(store)
  for (const resource of applied.value.resources) {
    next.set(toResourceName(resource.kind, resource.id), resource)
  }
  return { store: next, inverse: applied.value.inverse }
}

function refusal(store: Store, delta: Delta): DeltaFailure {
  const applied = attempt(store, delta)
  assert(!applied.ok, 'the delta is refused')
  return applied.error
}

const order = (store: Store): Resource | undefined => store.get(toResourceName('order', '1'))
const created = (value: JsonValue): Store => apply(EMPTY, [{ op: 'create', ...on, value }]).store
const retracted = (): Store =>
  apply(created('x'), [{ op: 'retract', ...on, expected_version: 1 }]).store

test('create makes version 1 and names its entry', () => {
  assert.deepEqual(order(created('x')), {
    ...on,
    version: 1,
    value: 'x',
    retracted: false,
    last_entry: 'entry',
  })
})

test('replace, patch and retract each add a version', () => {
  const { store } = apply(created({ a: 1, b: 2 }), [
    { op: 'patch', ...on, expected_version: 1, patch: { a: null } },
  ])
  assert.deepEqual(toCanonicalText(order(store)?.value ?? null), '{"b":2}')
  const replaced = apply(store, [{ op: 'replace', ...on, expected_version: 2, value: 5 }]).store
  assert.equal(order(replaced)?.value, 5)
  const gone = apply(replaced, [{ op: 'retract', ...on, expected_version: 3 }]).store
  const { version, value, retracted } = order(gone) ?? assert.fail('it keeps its place')
  assert.deepEqual({ version, value, retracted }, { version: 4, value: null, retracted: true })
})

test('a retracted resource is created again at the next version', () => {
  for (const expectation of [{}, { expected_version: 2 }]) {
    const { store } = apply(retracted(), [{ op: 'create', ...on, value: 'y', ...expectation }])
    assert.equal(order(store)?.version, 3)
    assert.equal(order(store)?.retracted, false)
  }
})

test('a change made for another state is a conflict', () => {
  const stale: readonly (readonly [Store, DeltaOp])[] = [
    [created('x'), { op: 'create', ...on, value: 'y' }],
    [created('x'), { op: 'create', ...on, value: 'y', expected_version: 1 }],
    [EMPTY, { op: 'create', ...on, value: 'y', expected_version: 1 }],
    [retracted(), { op: 'create', ...on, value: 'y', expected_version: 0 }],
    [retracted(), { op: 'create', ...on, value: 'y', expected_version: 1 }],
    [EMPTY, { op: 'replace', ...on, expected_version: 1, value: 'y' }],
    [created('x'), { op: 'replace', ...on, expected_version: 2, value: 'y' }],
    [retracted(), { op: 'replace', ...on, expected_version: 2, value: 'y' }],
    [EMPTY, { op: 'patch', ...on, expected_version: 1, patch: {} }],
    [created('x'), { op: 'patch', ...on, expected_version: 2, patch: {} }],
    [retracted(), { op: 'patch', ...on, expected_version: 2, patch: {} }],
    [EMPTY, { op: 'retract', ...on, expected_version: 1 }],
    [created('x'), { op: 'retract', ...on, expected_version: 2 }],
    [retracted(), { op: 'retract', ...on, expected_version: 2 }],
    [EMPTY, { op: 'increment', ...on, by: '1' }],
    [retracted(), { op: 'increment', ...on, by: '1' }],
  ]
  for (const [store, op] of stale) {
    assert.equal(refusal(store, [op]).code, 'DELTA_CONFLICT', JSON.stringify(op))
  }
})

test('increment adds decimals exactly, to a value or to one member', () => {
  const plain = apply(created('0.1'), [{ op: 'increment', ...on, by: '0.2' }]).store
  assert.equal(order(plain)?.value, '0.3')
  const { store } = apply(created({ total: '9.99', note: 'n' }), [
    { op: 'increment', ...on, by: '-10', field: 'total' },
  ])
  assert.equal(toCanonicalText(order(store)?.value ?? null), '{"note":"n","total":"-0.01"}')
})

test('what is no decimal string is not incremented', () => {
  const invalid: readonly (readonly [JsonValue, DeltaOp])[] = [
    [5, { op: 'increment', ...on, by: '1' }],
    ['five', { op: 'increment', ...on, by: '1' }],
    [{ n: '5' }, { op: 'increment', ...on, by: '1' }],
    ['5', { op: 'increment', ...on, by: '1', field: 'n' }],
    [['5'], { op: 'increment', ...on, by: '1', field: '0' }],
    [{ n: 5 }, { op: 'increment', ...on, by: '1', field: 'n' }],
    [{ n: '5' }, { op: 'increment', ...on, by: '1', field: 'm' }],
    [{ n: '5' }, { op: 'increment', ...on, by: '1', field: 'toString' }],
    ['5', { op: 'increment', ...on, by: '1e3' }],
  ]
  for (const [value, op] of invalid) {
    assert.equal(refusal(created(value), [op]).code, 'DELTA_INVALID', JSON.stringify([value, op]))
  }
})

test('an increment that could not be read back or undone is refused', () => {
  const nines = '9'.repeat(64)
  const tooLong = refusal(created(nines), [{ op: 'increment', ...on, by: '1' }])
  assert.match(tooLong.detail, /sum is too long/)
  assert.match(refusal(created('-1'), [{ op: 'increment', ...on, by: nines }]).detail, /undone/)
  const fits = apply(created('0'), [{ op: 'increment', ...on, by: '9'.repeat(63) }])
  apply(fits.store, fits.inverse)
})

test('all or none: the op that fails is named and nothing is returned', () => {
  const failure = refusal(EMPTY, [
    { op: 'create', ...on, value: 1 },
    { op: 'replace', ...on, expected_version: 1, value: 2 },
    { op: 'replace', ...on, expected_version: 1, value: 3 },
  ])
  const detail = 'version is 2, not 1'
  assert.deepEqual(failure, { code: 'DELTA_CONFLICT', detail, op: 2 })
})

test('ops see each other, and each resource is returned once', () => {
  const applied = attempt(EMPTY, [
    { op: 'create', ...on, value: '1' },
    { op: 'create', kind: 'order', id: '2', value: null },
    { op: 'increment', ...on, by: '1' },
    { op: 'retract', ...on, expected_version: 2 },
    { op: 'create', ...on, value: 'again', expected_version: 3 },
  ])
  assert(applied.ok)
  const states = applied.value.resources.map(({ id, version, value }) => [id, version, value])
  assert.deepEqual(states, [
    ['1', 4, 'again'],
    ['2', 1, null],
  ])
})

test('each op has the inverse that undoes it', () => {
  const before = apply(EMPTY, [
    { op: 'create', kind: 'k', id: 'live', value: { n: '1' } },
    { op: 'create', kind: 'k', id: 'gone', value: 0 },
    { op: 'retract', kind: 'k', id: 'gone', expected_version: 1 },
  ]).store
  const live = { kind: 'k', id: 'live' }
  const gone = { kind: 'k', id: 'gone' }
  const fresh = { kind: 'k', id: 'new' }
  const expected_version = 2
  const cases: readonly (readonly [DeltaOp, DeltaOp])[] = [
    [
      { op: 'create', ...fresh, value: 1 },
      { op: 'retract', ...fresh, expected_version: 1 },
    ],
    [
      { op: 'create', ...gone, value: 1 },
      { op: 'retract', ...gone, expected_version: 3 },
    ],
    [
      { op: 'replace', ...live, expected_version: 1, value: 2 },
      { op: 'replace', ...live, expected_version, value: { n: '1' } },
    ],
    [
      { op: 'patch', ...live, expected_version: 1, patch: { n: null } },
      { op: 'replace', ...live, expected_version, value: { n: '1' } },
    ],
    [
      { op: 'retract', ...live, expected_version: 1 },
      { op: 'create', ...live, expected_version, value: { n: '1' } },
    ],
    [
      { op: 'increment', ...live, field: 'n', by: '2.50' },
      { op: 'increment', ...live, field: 'n', by: '-2.5' },
    ],
  ]
  for (const [op, inverse] of cases) assert.deepEqual(apply(before, [op]).inverse, [inverse])
})

type Choice = {
  readonly op: DeltaOp['op']
  readonly id: string
  readonly value: JsonValue
  readonly cents: number
}

/** Values that JSON can say: fast-check's may hold -0, which it cannot. */
const anyValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value): JsonValue => JSON.parse(JSON.stringify(value))),
  fc.constantFrom<JsonValue>('0', '12.5', { n: '3' }),
)
const anyChoice: fc.Arbitrary<Choice> = fc.record({
  op: fc.constantFrom('create', 'replace', 'patch', 'retract', 'increment'),
  id: fc.constantFrom('a', 'b', 'c'),
  value: anyValue,
  cents: fc.integer({ min: -1_000, max: 1_000 }),
})

/** The chosen op where it applies to the store, else one that does. */
function fittingOp({ op, id, value, cents }: Choice, store: Store): DeltaOp {
  const at = { kind: 'k', id }
  const by = String(cents)
  const current = store.get(toResourceName('k', id))
  if (current === undefined || current.retracted) return { op: 'create', ...at, value }
  const expected_version = current.version
  if (op === 'patch') return { op, ...at, expected_version, patch: value }
  if (op === 'retract') return { op, ...at, expected_version }
  const counter: DeltaOp = { op: 'increment', ...at, by }
  if (op === 'increment' && attempt(store, [counter]).ok) return counter
  if (op === 'increment' && attempt(store, [{ ...counter, field: 'n' }]).ok) {
    return { ...counter, field: 'n' }
  }
  return { op: 'replace', ...at, expected_version, value }
}

function deltaFrom(choices: readonly Choice[], start: Store): Delta {
  let store = start
  const delta: DeltaOp[] = []
  for (const choice of choices) {
    const op = fittingOp(choice, store)
    delta.push(op)
    store = apply(store, [op]).store
  }
  return delta
}

/** What the law speaks of: values and flags. What never was and what is retracted look alike. */
function visible(store: Store): string[] {
  return [...store.values()]
    .filter((resource) => !resource.retracted)
    .map(({ kind, id, value }) => toCanonicalText([kind, id, value]))
    .sort()
}

const versions = (store: Store): number[] => ['a', 'b', 'c'].map((id) => versionOf(store, id))
const versionOf = (store: Store, id: string): number =>
  store.get(toResourceName('k', id))?.version ?? 0

test('a delta and then its inverse leave values and flags as they were', () => {
  fc.assert(
    fc.property(
      fc.array(anyChoice, { maxLength: 6 }),
      fc.array(anyChoice, { maxLength: 10 }),
      (setup, choices) => {
        const before = apply(EMPTY, deltaFrom(setup, EMPTY)).store
        const forth = apply(before, deltaFrom(choices, before))
        assert(
          parseDelta(JSON.parse(toCanonicalText(wire(forth.inverse)))).ok,
          'inverses are deltas',
        )
        const back = apply(forth.store, forth.inverse)
        assert.deepEqual(visible(back.store), visible(before))
        assert.deepEqual(visible(apply(back.store, back.inverse).store), visible(forth.store))
        for (const [i, version] of versions(back.store).entries()) {
          assert(version >= (versions(forth.store)[i] ?? 0), 'versions never fall')
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

function wire(delta: Delta): JsonValue {
  return JSON.parse(JSON.stringify(delta))
}

test('a delta applies as a whole exactly as its ops do one by one', () => {
  fc.assert(
    fc.property(fc.array(anyChoice, { maxLength: 10 }), (choices) => {
      const delta = deltaFrom(choices, EMPTY)
      const whole = apply(EMPTY, delta).store
      const single = delta.reduce((store, op) => apply(store, [op]).store, EMPTY)
      assert.deepEqual(whole, single)
    }),
  )
})

test('increments commute', () => {
  const cents = fc.integer({ min: -100_000, max: 100_000 })
  const shuffled = fc
    .array(cents, { minLength: 2, maxLength: 8 })
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(shuffled, ([one, other]) => {
      const start = created('0.5')
      const sum = (order: readonly number[]): Store =>
        apply(
          start,
          order.map((n): DeltaOp => ({ op: 'increment', ...on, by: String(n) })),
        ).store
      assert.deepEqual(order(sum(one)), order(sum(other)))
    }),
  )
})
