import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import { listManifestPointers, parseManifest } from './parse-manifest.ts'

const BARE: JsonObject = {
  ...{ manifest: 'rubicon/tool/1', kind: 'PAY', version: '1', summary: 'pays' },
  params: { type: 'object', properties: {}, additionalProperties: false },
  ...{ effect: 'unsafe', reversible: false, risk: 'high' },
  executor: { command: { argv: ['/usr/bin/pay'], applied: [0] } },
}

function findProblem(change: JsonObject): string | null {
  const parsed = parseManifest({ ...BARE, ...change })
  return parsed.ok ? null : parsed.error.summary
}

function refuses(change: JsonObject, place: string): void {
  const problem = findProblem(change)
  assert.ok(problem?.startsWith(`\`${place}\``), `${place}: ${problem}`)
}

const MOST = LIMITS.manifestList

function buildMembers(length: number, build: (at: number) => JsonValue): JsonObject {
  return Object.fromEntries(Array.from({ length }, (_, at) => [`m${at}`, build(at)]))
}

test('every parameter that a manifest names is known, whatever it is named for', () => {
  const eq = (pointer: string): JsonObject => ({ eq: [{ param: pointer }, { const: 1 }] })
  const places: readonly (readonly [string, JsonObject])[] = [
    ['/scope', { scopes: { accounts: '/scope' } }],
    ['/sink', { sinks: { '/sink': ['trusted'] } }],
    ['/resource', { resources: [{ id: 'r:{/resource}' }] }],
    ['/amount', { resources: [{ id: 'r', amount: { param: '/amount' } }] }],
    ['/capacity', { resources: [{ id: 'r', capacity: { param: '/capacity' } }] }],
    ['/world', { reads: { world: [{ kind: 'order', id: '{/world}' }] } }],
    ['/jit', { jit_fields: { price: 'price.{/jit}' } }],
    ['/balance', { jit_fields: { b: { path: 'b.{/balance}', kind: 'balance' } } }],
    ['/measure', { measures: { usd: { param: '/measure' } } }],
    ['/cost', { cost: { usd: { param: '/cost' } } }],
    ['/before', { precondition: [{ require: eq('/before'), else: 'x' }] }],
    ['/after', { postcondition: [{ require: eq('/after'), else: 'x' }] }],
    ['/id', { delta: [{ op: 'retract', kind: 'order', id: '{/id}' }] }],
    ['/by', { delta: [{ op: 'increment', kind: 'order', id: 'o', by: { param: '/by' } }] }],
    [
      '/value',
      { delta: [{ op: 'create', kind: 'o', id: 'o', value: { $: { param: '/value' } } }] },
    ],
  ]
  for (const [pointer, change] of places) {
    const parsed = parseManifest({ ...BARE, ...change })
    assert.ok(parsed.ok, `${pointer}: ${JSON.stringify(parsed)}`)
    assert.deepEqual(listManifestPointers(parsed.value), [pointer])
  }
})

test('a manifest has up to 1,024 parts of expressions and reads up to 64 facts', () => {
  const { nodes } = LIMITS.manifestExpression
  const large = { add: Array.from({ length: nodes - 1 }, () => ({ const: 1 })) }
  const measures = buildMembers(LIMITS.manifestNodes / nodes, () => large)
  assert.equal(findProblem({ measures }), null)
  assert.match(String(findProblem({ measures, cost: { usd: { const: '1' } } })), /over 1024 parts/)
  const facts = buildMembers(MOST, (at) => ({ fact: `f${at}` }))
  assert.equal(findProblem({ measures: facts }), null)
  assert.equal(findProblem({ measures: facts, cost: { usd: { fact: 'f0' } } }), null, 'the same')
  assert.match(
    String(findProblem({ measures: facts, cost: { usd: { fact: 'f' } } })),
    /over 64 facts/,
  )
})

test('lists have up to 64 elements', () => {
  const list = (length: number): JsonValue => Array.from({ length }, (_, at) => ({ id: `r${at}` }))
  assert.equal(findProblem({ resources: list(MOST) }), null)
  refuses({ resources: list(MOST + 1) }, '/resources')
})

test('what is wrong in a member is told by its place', () => {
  const holds = { eq: [{ const: 1 }, { const: 1 }] }
  const probe = {
    ...{ absence_authoritative: true, max_late_arrival_s: 0 },
    executor: { command: { argv: ['/usr/bin/ask', { param: '/a' }], applied: [0] } },
    ...{ applied: holds, absent: holds },
  }
  const asked = { effect: 'queryable', probe }
  assert.equal(findProblem(asked), null)
  const cases: readonly (readonly [JsonObject, string])[] = [
    [{ params: [] }, '/params'],
    [{ result: 'text' }, '/result'],
    [{ reversible: 'no' }, '/reversible'],
    [{ reducing: 1 }, '/reducing'],
    [{ risk: 'none' }, '/risk'],
    [{ effect: 'write' }, '/effect'],
    [{ touches: 'all' }, '/touches'],
    [{ measures: [] }, '/measures'],
    [{ measures: { usd: 5 } }, '/measures/usd'],
    [{ exposure: { measure: 'usd', threshold: 'much' } }, '/exposure/threshold'],
    [{ exposure: { measure: '', threshold: '1' } }, '/exposure/measure'],
    [{ exposure: { measure: 'usd', threshold: '1', more: 1 } }, '/exposure/more'],
    [{ scopes: { 'two words': '/a' } }, '/scopes/two words'],
    [{ resources: [{ id: '{/a}{/b}' }] }, '/resources/0/id'],
    [{ resources: [{ id: 'r', amount: 1 }] }, '/resources/0/amount'],
    [{ resources: [{ id: 'r', capacity: 1 }] }, '/resources/0/capacity'],
    [{ resources: [{ id: 'r', most: 1 }] }, '/resources/0/most'],
    [{ reads: { world: [{ kind: 'a b', id: 'x' }] } }, '/reads/world/0/kind'],
    [{ reads: { world: [{ kind: 'o' }] } }, '/reads/world/0/id'],
    [{ reads: { world: [{ kind: 'o', id: 'x', of: 1 }] } }, '/reads/world/0/of'],
    [{ reads: { state: [] } }, '/reads/state'],
    [{ jit_fields: { a: 'no path' } }, '/jit_fields/a'],
    [{ jit_fields: { a: { path: 'a' } } }, '/jit_fields/a/kind'],
    [{ jit_fields: { a: { path: 'a', kind: 'price' } } }, '/jit_fields/a/kind'],
    [{ jit_fields: { a: { path: 'a', kind: 'balance', of: 1 } } }, '/jit_fields/a/of'],
    [{ sinks: { '/a': [] } }, '/sinks/~1a'],
    [{ sinks: { '/a': 'trusted' } }, '/sinks/~1a'],
    [{ sinks: { '/a': ['trusted', 'all'] } }, '/sinks/~1a'],
    [{ precondition: [{ require: holds }] }, '/precondition/0/else'],
    [{ precondition: [{ else: 'x' }] }, '/precondition/0/require'],
    [{ precondition: [{ require: holds, else: 'x', or: 1 }] }, '/precondition/0/or'],
    [{ delta: [{ op: 'upsert', kind: 'o', id: 'x' }] }, '/delta/0/op'],
    [{ delta: [{ op: 'create', kind: 'o', id: 'x' }] }, '/delta/0/value'],
    [{ delta: [{ op: 'replace', kind: 'o', id: 'x' }] }, '/delta/0/value'],
    [{ delta: [{ op: 'increment', kind: 'o', id: 'x' }] }, '/delta/0/by'],
    [{ delta: [{ op: 'retract', kind: 'o', id: 'x', value: 1 }] }, '/delta/0/value'],
    [{ delta: [{ op: 'retract', kind: 'o', id: 'x', by: 1 }] }, '/delta/0/by'],
    [{ delta: [{ op: 'create', kind: 'o', id: 'x', value: 1, field: 'f' }] }, '/delta/0/field'],
    [{ idempotency: { carrier: 'X' } }, '/idempotency/window_s'],
    [{ idempotency: { carrier: 'X', window_s: 0 } }, '/idempotency/window_s'],
    [{ idempotency: { window_s: 1 } }, '/idempotency/carrier'],
    [{ idempotency: { carrier: 'X', window_s: 1, more: 1 } }, '/idempotency/more'],
    [{ ...asked, probe: { ...probe, max_late_arrival_s: -1 } }, '/probe/max_late_arrival_s'],
    [
      { ...asked, probe: { ...probe, absence_authoritative: 'yes' } },
      '/probe/absence_authoritative',
    ],
    [{ ...asked, probe: { ...probe, applied: true } }, '/probe/applied'],
    [{ ...asked, probe: { ...probe, absent: true } }, '/probe/absent'],
    [{ ...asked, probe: { ...probe, executor: {} } }, '/probe/executor'],
    [{ ...asked, probe: { ...probe, more: 1 } }, '/probe/more'],
    [{ labels: { result: 'agent' } }, '/labels/result'],
    [{ labels: {} }, '/labels/result'],
    [{ labels: { result: 'trusted', more: 1 } }, '/labels/more'],
    [{ compensations: { REVERT: {} } }, '/compensations/REVERT'],
  ]
  for (const [change, place] of cases) refuses(change, place)
})

test('a result is of whoever is trusted, operates, or is outside; a state of one of three kinds', () => {
  for (const result of ['trusted', 'operator', 'external'])
    assert.equal(findProblem({ labels: { result } }), null, result)
  for (const kind of ['balance', 'position', 'telemetry'])
    assert.equal(findProblem({ jit_fields: { a: { path: 'a', kind } } }), null, kind)
  for (const risk of ['low', 'medium', 'high', 'critical'])
    assert.equal(findProblem({ risk }), null)
})
