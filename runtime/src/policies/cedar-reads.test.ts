import assert from 'node:assert/strict'
import { test } from 'node:test'
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import type { Contract, JsonObject, PolicyInput } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createCedarPolicy } from './cedar.ts'
import { buildCedarContext } from './cedar-context.ts'
import { askDraft, lawEvaluator } from './cedar-evaluator.ts'
import { indexActionReads, listCedarReads, pickRead } from './cedar-reads.ts'

function write(when: string, action = 'action'): string {
  return `@id("rule") forbid(principal, ${action}, resource) when { ${when} };`
}

function treeOf(when: string, action?: string): JsonObject {
  const parsed = askDraft((evaluator) => evaluator.policyToJson(write(when, action)))
  assert.ok(parsed.type === 'success', when)
  return parsed.json as unknown as JsonObject
}

const readsOf = (...whens: readonly string[]) => listCedarReads(whens.map((when) => treeOf(when)))

function input(params: JsonObject, measures: JsonObject = { amount: '20.00' }): PolicyInput {
  return {
    proposal: { agent_id: 'bot', policy_kind: 'REFUND', params, confidence: '0.9' },
    measures,
    capability: { kind: 'REFUND', risk: 'medium', reversible: true, effect: 'keyed' },
    contract: { role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' } as Contract,
  } as unknown as PolicyInput
}

const PARAMS = { order: 'o-1', note: 'a long one', nested: { a: 1 }, share: 0.25 }

test('a set of rules is given what they read, and of the rest what it may not be able to read', () => {
  const context = buildCedarContext(input(PARAMS))
  const picked = pickRead(context, readsOf('context.measures.amount.greaterThan(decimal("1.0"))'))
  assert.deepEqual(picked, { measures: context.measures, params: { nested: { a: 1 } } })
  assert.deepEqual(pickRead(context, readsOf('context.risk == "high"')), {
    params: { nested: { a: 1 } },
    risk: 'medium',
  })
  assert.deepEqual(
    Object.keys(
      pickRead(context, readsOf('context.params.order == "x"', 'context.params has note')),
    ),
    ['params'],
  )
})

test('what is too large for a decimal is given though nothing reads it, and refuses', () => {
  const large = input({}, { amount: '99999999999999999.00' })
  const context = buildCedarContext(large)
  assert.deepEqual(pickRead(context, readsOf('context.risk == "high"')), {
    measures: context.measures,
    risk: 'medium',
  })
  const [mine, whole] = answersTo('context.risk == "high"', large)
  assert.deepEqual(mine, whole)
  assert.equal(mine?.erroring, 1)
})

/** Rules in every way that the language has to come to a member, or to the whole. */
const WHENS = [
  'true',
  'context.measures.amount.greaterThan(decimal("19.0"))',
  'context["params"]["order"] == "o-1"',
  'context has params && context.params has order',
  'context has params.nested.a',
  'context has nothing',
  'context.params has nothing',
  'context.params has nothing.at.all',
  'context.params == {"order": "o-1"}',
  'context == {}',
  '(if context.reversible then context else {risk: "low"}).risk == "medium"',
  '{"a": context.params}.a.order == "o-1"',
  '{"a": context}["a"].params has order',
  '[context.params.order, context.risk].contains("medium")',
  '[context].contains(context)',
  'context.params.nested.a == 1 || context.params.nothing == 2',
  'context.nothing == 1',
  'context.params.order.greaterThan(decimal("1.0"))',
  'context.confidence.lessThan(decimal("0.95")) && context.role like "EX*"',
  'principal == Agent::"bot" && !(context.authority == "x")',
  'context is Agent',
]

type Told = { readonly decision: string; readonly reason: string[]; readonly erroring: number }

/** As a policy answers, and as the evaluator does when it is given everything. */
function answersTo(
  when: string,
  asked: PolicyInput,
  action?: string,
): readonly (Told | undefined)[] {
  const text = write(when, action)
  const policy = createCedarPolicy({ name: 'reads', version: '1', text }, sha256)
  assert.ok(policy.ok, when)
  const { decision, determining = [], erroring = [] } = policy.value.evaluate(asked)
  const whole = lawEvaluator.isAuthorized({
    principal: { type: 'Agent', id: 'bot' },
    action: { type: 'Action', id: 'REFUND' },
    resource: { type: 'Capability', id: 'REFUND' },
    context: buildCedarContext(asked) as cedar.Context,
    entities: [],
    policies: { staticPolicies: { rule: text } },
  })
  const mine = {
    decision: decision === null ? 'none' : 'deny',
    reason: [...determining],
    erroring: erroring.length,
  }
  if (whole.type === 'failure') return [mine, { decision: 'none', reason: [], erroring: 1 }]
  const { reason, errors } = whole.response.diagnostics
  const said = erroring.map(({ detail }) => detail)
  assert.deepEqual(
    said,
    errors.map(({ error }) => error.message),
    when,
  )
  const isDenied = reason.length > 0 && errors.length === 0
  return [mine, { decision: isDenied ? 'deny' : 'none', reason, erroring: errors.length }]
}

test('a policy answers as if it had been given everything, errors and their words included', () => {
  const asks = [
    input(PARAMS),
    input({}),
    input({ order: 7, nested: { a: [1, 'x', { b: true }] } }, { amount: '18.00', other: null }),
  ]
  for (const when of WHENS)
    for (const asked of asks) {
      const [mine, whole] = answersTo(when, asked)
      assert.deepEqual(mine, whole, when)
    }
})

const HEADS = [
  'action == Action::"REFUND"',
  'action == Action::"PAY"',
  'action in Action::"REFUND"',
  'action in Action::"PAY"',
  'action in [Action::"PAY", Action::"REFUND"]',
  'action in []',
]

test('a policy answers as if it were asked about every action', () => {
  const large = input({ order: 'o-1' }, { amount: '99999999999999999.00' })
  for (const head of HEADS)
    for (const when of ['true', 'context.params.order == "o-1"', 'context.nothing == 1'])
      for (const asked of [input(PARAMS), input({}), large]) {
        const [mine, whole] = answersTo(when, asked, head)
        assert.deepEqual(mine, whole, `${head} ${when}`)
      }
})

test('about an action of which no rule speaks the evaluator is given nothing', () => {
  const [pay, refund] = [HEADS[1], HEADS[4]].map((head) => treeOf('context.risk == "high"', head))
  assert.ok(pay !== undefined && refund !== undefined)
  const findReads = indexActionReads([pay])
  const context = buildCedarContext(input({ order: 'o-1' }))
  const { isMeant, reads } = findReads('REFUND')
  assert.deepEqual([isMeant, pickRead(context, reads)], [false, {}])
  assert.deepEqual(pickRead(context, findReads('PAY').reads), { risk: 'medium' })
  assert.equal(indexActionReads([pay, refund])('REFUND').isMeant, true)
  assert.equal(indexActionReads([pay, treeOf('true')])('SELL').isMeant, true)
})
