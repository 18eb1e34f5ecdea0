import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Contract,
  type JsonObject,
  LIMITS,
  type Policy,
  type PolicyInput,
} from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createCedarDraft, createCedarPolicy } from './cedar.ts'

function load(text: string): Policy {
  const loaded = createCedarPolicy({ name: 'limits', version: '1', text }, sha256)
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.error.summary)
  return loaded.value
}

function input(params: JsonObject): PolicyInput {
  return {
    proposal: { agent_id: 'bot', policy_kind: 'REFUND', params, confidence: '0.9' },
    measures: {},
    capability: { kind: 'REFUND', risk: 'medium', reversible: true, effect: 'keyed' },
    contract: { role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' } as Contract,
  } as unknown as PolicyInput
}

test('finding 39a: a template is never in force, and nobody says so', () => {
  const text = 'forbid(principal == ?principal, action, resource);'
  for (const made of [createCedarPolicy, createCedarDraft]) {
    const loaded = made({ name: 'limits', version: '1', text }, sha256)
    assert.match(loaded.ok ? '' : loaded.error.summary, /is a template, and never in force/)
    const beside = {
      name: 'limits',
      version: '1',
      text: `permit(principal, action, resource);${text}`,
    }
    assert.equal(made(beside, sha256).ok, false)
  }
})

test('finding 39b: with more than ten rules a trace names another rule, at another line', () => {
  const rule = (n: number): string =>
    `// rule; ${n}\nforbid(principal, action, resource)\n  when { context.params.n == ${n} };`
  const policy = load(Array.from({ length: 12 }, (_, i) => rule(i + 1)).join('\n\n'))
  assert.deepEqual(
    policy.rules,
    Array.from({ length: 12 }, (_, i) => ({ id: `rule-${i + 1}`, line: 4 * i + 2 })),
  )
  for (const n of [1, 2, 5, 10, 12])
    assert.deepEqual(policy.evaluate(input({ n })).determining, [`rule-${n}`])
})

test('a semicolon or slashes in a text end no statement, and lines are counted as people do', () => {
  const policy = load(
    [
      'permit(principal, action, resource) when { "a;//\\"b" == "c" }; // one; two',
      '@id("x")',
      'permit(principal, action, resource); permit(principal, action, resource) unless { 1 < 2 };',
      '// permit(principal, action, resource);',
    ].join('\r\n'),
  )
  assert.deepEqual(policy.rules, [
    { id: 'rule-1', line: 1 },
    { id: 'x', line: 2 },
    { id: 'rule-3', line: 3 },
  ])
})

test('finding 39c: what an agent writes is read as an entity or a decimal by the policy', () => {
  const policy = load(
    'permit(principal, action, resource) when { context.params.amount.lessThan(decimal("5.0")) };',
  )
  const disguised: readonly JsonObject[] = [
    { amount: { __extn: { fn: 'decimal', arg: '1.0' } } },
    { amount: 1.5, of: [{ deep: { __entity: { type: 'Agent', id: 'bot' } } }] },
    { amount: { __expr: 'decimal("1.0")' } },
    { __extn: { fn: 'decimal', arg: '1.0' } },
  ]
  for (const params of disguised) {
    const { decision, erroring } = policy.evaluate(input(params))
    assert.equal(decision, null)
    assert.match(erroring?.[0]?.detail ?? '', /would be read as something else/)
  }
  assert.equal(policy.evaluate(input({ amount: 1.5 })).decision?.kind, 'permit')
})

test('a text or a list that an agent makes long does not hold the thread that asks the rules', () => {
  const rule = (condition: string): string =>
    `forbid(principal, action, resource) when { ${condition} };`
  const long = 'a'.repeat(200_000)
  const many = Array.from({ length: 20_000 }, (_, index) => `x${index}`)
  const times = (count: number, condition: string): string =>
    rule(`[${Array(count).fill(condition).join()}].contains(true)`)
  const bombs: readonly (readonly [string, JsonObject])[] = [
    [rule(`context.params.t like "*${'a'.repeat(100)}b*"`), { t: long }],
    [times(21, 'context.params.t like "*b*"'), { t: long }],
    [
      rule(`(if context has x then "" else context.params.t) like "*${'a'.repeat(80)}"`),
      { t: long },
    ],
    [times(100, 'context.params.t == context.params.u'), { t: long, u: long }],
    [times(250, 'context.params.t'), { t: long }],
    [times(31, 'decimal(context.params.t) == decimal("1.0")'), { t: long }],
    [rule('context.params has t'), { s: many }],
    [rule('context.params has t'), { s: Array(2_000).fill(0.5) }],
  ]
  for (const [text, params] of bombs) {
    const steps = load(text).steps?.(input(params)) ?? 0
    assert.ok(steps > LIMITS.policySteps, `${text.slice(0, 100)}: ${steps}`)
  }
})

test('long texts beside short rules, and short texts beside long ones, are judged', () => {
  const rule = (condition: string): string =>
    `forbid(principal, action, resource) when { ${condition} };`
  const long = 'a'.repeat(200_000)
  const plain: readonly (readonly [string, JsonObject])[] = [
    [rule('context.params.t like "*@example.com*"'), { t: long }],
    [rule('context.params.mail like "*@example.com"').repeat(10), { mail: 'a@b.c', t: long }],
    [rule(`context.params.mail like "*${'a'.repeat(5_000)}"`), { mail: 'a@b.c', t: long }],
    [rule('context.params.t == "x"').repeat(10), { t: long }],
    [rule('["a", "b"].contains(context.params.t)').repeat(10), { t: long }],
    [rule('context.params.n == 7'), { n: 7, list: Array(1_000).fill({ sku: 'x', price: '1.50' }) }],
  ]
  for (const [text, params] of plain) {
    const policy = load(text)
    const steps = policy.steps?.(input(params)) ?? 0
    assert.ok(steps <= LIMITS.policySteps, `${text.slice(0, 100)}: ${steps}`)
    assert.deepEqual(policy.evaluate(input(params)).erroring ?? [], [])
  }
})

test('what a rule could not read is not repeated at length for every rule', () => {
  const policy = load(
    'forbid(principal, action, resource) when { decimal(context.params.t) == decimal("1.0") };'.repeat(
      20,
    ),
  )
  const { erroring = [] } = policy.evaluate(input({ t: 'a'.repeat(50_000) }))
  assert.equal(erroring.length, 20)
  const told = erroring.map(({ detail }) => detail.length)
  assert.ok(Math.max(...told) <= LIMITS.wordsLength)
  assert.equal(told.filter((length) => length > 0).length, 16)
})
