/** Whatever fits a grammar passes what it claims to cover. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { checkLimits } from '../contract/limit-check.ts'
import { checkResourceScopes } from '../contract/resource-scope.ts'
import type { FactView } from '../execution/capability.ts'
import { buildManifestLaw } from '../manifest/manifest-law.ts'
import { build, contractWith, describeTool } from './grammar.test-support.ts'
import { createRandom, type Random, sampleSchema } from './sample.test-support.ts'

const AMOUNTS: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', maxLength: 9 },
  { type: 'string', pattern: '^-?[0-9]{1,12}(\\.[0-9]{1,8})?$' },
  { type: 'string', pattern: '^[0-9]{1,9}\\.[0-9]{2}$' },
  { type: 'string', pattern: '^(0|[1-9][0-9]{0,15})([.][0-9]{1,6})?$' },
  { type: 'integer' },
  { type: 'integer', minimum: -200, exclusiveMaximum: 77 },
  { type: ['string', 'null'] },
  { enum: ['1', '2.5', '1000000', 7, -3, null] },
]
const TARGETS: readonly JsonObject[] = [
  { type: 'string' },
  { type: 'string', minLength: 2, maxLength: 3 },
  { enum: ['a1', 'a2', 'b1', 'c1'] },
  { type: 'array', items: { type: 'string' }, maxItems: 3 },
]
const ALLOWED: readonly (readonly string[])[] = [['a1', 'b1', 'long'], ['a*', 'b1'], ['a1']]
const FACTOR: readonly JsonValue[] = ['0.07', '61234.12345678', 3, '0', '-2.5', '0.0000001']
const MEASURES: readonly JsonObject[] = [
  { param: '/amount' },
  { mul: [{ param: '/amount' }, { fact: 'fx.eur' }] },
  { mul: [{ const: '12.5' }, { param: '/amount' }] },
  { mul: [{ param: '/amount' }, { param: '/amount' }] },
  { add: [{ param: '/amount' }, { const: '1' }] },
]

function choose<T>(list: readonly T[], random: Random): T {
  const one = list[random(list.length)]
  assert.ok(one !== undefined)
  return one
}

function amount(random: Random): string {
  const whole = String(random(10 ** (1 + random(7))))
  return random(3) === 0 ? `${whole}.${1 + random(9)}` : whole
}

test('what is chosen at random inside of a grammar lies in the resources and limits of the law', () => {
  const random = createRandom(19)
  let judged = 0
  let impossible = 0
  for (let nth = 0; nth < 400; nth++) {
    const [least = '', most = ''] = [amount(random), amount(random)].sort(
      (a, b) => Number(a) - Number(b),
    )
    const limit = {
      ...{ id: 'cap', kind: 'range', on_breach: 'reject', max: most },
      ...(random(2) === 0 ? { measure: 'worth' } : { field: '/amount' }),
      ...(random(3) === 0
        ? { min: random(2) === 0 ? `-${least === '0' ? '1' : least}` : least }
        : {}),
    }
    const contract = contractWith({
      resources: { accounts: choose(ALLOWED, random) },
      limits: [limit],
    })
    const measures = { worth: choose(MEASURES, random) }
    const tool = describeTool(
      {
        amount: choose(AMOUNTS, random),
        to: choose(TARGETS, random),
        note: { type: 'string', maxLength: 4 },
      },
      { measures, scopes: { accounts: '/to' } },
    )
    const factor = choose(FACTOR, random)
    const grammar = build(contract, tool, {
      facts: (path) => (path === 'fx.eur' ? factor : undefined),
    })
    if (!grammar.ok) {
      impossible += 1
      continue
    }
    const isLeft = (rule: string): boolean =>
      grammar.value.unbounded.some((one) => one.rule === rule)
    const law = tool.manifest === undefined ? undefined : buildManifestLaw(tool.manifest)
    assert.ok(law !== undefined)
    for (let sample = 0; sample < 8; sample++) {
      const written = sampleSchema(grammar.value.schema, random)
      const params = readParams(written)
      const told = JSON.stringify({ limit, measures, factor, params, tool: tool.params })
      const state = (path: string): JsonValue | undefined =>
        path === 'fx.eur' ? factor : undefined
      const breaches = checkLimits({
        ...{ contract, policyKind: 'PAY', params, state },
        measures: law.measures(params, viewOf(factor)),
      })
      if (!isLeft('cap')) assert.deepEqual(breaches, [], told)
      const scopes = { accounts: '/to' }
      const writs = [{ scopes: [{ kind: 'PAY' }] }]
      const outside = checkResourceScopes({ contract, writs, policyKind: 'PAY', params, scopes })
      if (!isLeft('accounts')) assert.deepEqual(outside, [], told)
      if (!isLeft('cap') && !isLeft('accounts')) judged += 1
    }
  }
  assert.ok(judged > 800 && impossible < 150, `${judged} judged, ${impossible} impossible`)
})

function readParams(written: JsonValue): JsonObject {
  assert.ok(isObject(written) && isObject(written.proposal) && isObject(written.proposal.params))
  assert.equal(written.proposal.policy_kind, 'PAY')
  return written.proposal.params
}

function viewOf(factor: JsonValue): FactView {
  return {
    now: '2026-01-01T00:00:00Z',
    state: (path) => {
      const by = { source: 's', label: 'trusted', observed_at: '', version: '1' } as const
      return path === 'fx.eur' ? { path, value: factor, ...by } : undefined
    },
    world: () => undefined,
  }
}
