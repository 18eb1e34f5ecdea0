import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, Policy, PolicyInput } from 'rubicon-kernel'
import { sha256 } from '../adapters/system/sha256.ts'
import { createCedarDraft, createCedarPolicy } from './cedar.ts'

function load(text: string): Policy {
  const loaded = createCedarPolicy({ name: 'limits', version: '1', text }, sha256)
  assert.ok(loaded.ok, loaded.ok ? '' : loaded.error.summary)
  return loaded.value
}

function input(params: Record<string, string | number>): PolicyInput {
  return {
    proposal: { agent_id: 'bot', policy_kind: 'REFUND', params, confidence: '0.9' },
    measures: { amount: '120.50' },
    capability: { kind: 'REFUND', risk: 'medium', reversible: true, effect: 'keyed' },
    contract: { role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' } as Contract,
  } as unknown as PolicyInput
}

const FORBID = `@id("no-weekend") @reason("the desk is closed")
forbid(principal, action == Action::"REFUND", resource) when { context.params.day == "sunday" };`

test('a forbid that applies denies, and the trace names the rule', () => {
  const answer = load(FORBID).evaluate(input({ day: 'sunday' }))
  assert.deepEqual(answer.decision, { kind: 'deny', reason: 'the desk is closed' })
  assert.deepEqual(answer.determining, ['no-weekend'])
})

test('a set in which no rule applies does not speak', () => {
  assert.equal(load(FORBID).evaluate(input({ day: 'monday' })).decision, null)
})

test('a forbid that errors on a missing attribute refuses, although Cedar itself would allow', () => {
  const policy = load(`permit(principal, action, resource);\n${FORBID}`)
  const answer = policy.evaluate(input({}))
  assert.equal(answer.decision, null)
  assert.deepEqual(
    answer.erroring?.map(({ rule }) => rule),
    ['no-weekend'],
  )
})

test('an annotated forbid asks for approval, and a plain one beside it outranks that', () => {
  const asks = `@id("large") @require_approval("finance")
forbid(principal, action, resource) when { context.measures.amount.greaterThan(decimal("100.0")) };`
  assert.deepEqual(load(asks).evaluate(input({ day: 'monday' })).decision, {
    kind: 'require_approval',
    channel: 'finance',
    reason: 'large',
  })
  const both = load(`${asks}\n${FORBID}`).evaluate(input({ day: 'sunday' }))
  assert.equal(both.decision?.kind, 'deny')
})

test('text that is not Cedar is refused at load', () => {
  const loaded = createCedarPolicy({ name: 'broken', version: '1', text: 'forbid(' }, sha256)
  assert.equal(loaded.ok, false)
})

test('the source is pinned by the bytes of the text', () => {
  const { source } = load(FORBID)
  const other = load(`${FORBID}\n`)
  assert.equal(source.kind, 'file')
  assert.notDeepEqual(source, other.source)
})

test('a draft that breaks its evaluator breaks neither the law in force nor the next draft', () => {
  const law = load(FORBID)
  const draft = (when: string): ReturnType<typeof createCedarDraft> => {
    const text = `permit(principal, action, resource) when { ${when} };`
    return createCedarDraft({ name: 'draft', version: 'draft', text }, sha256)
  }
  const deep = draft(`${'('.repeat(1_000)}true${')'.repeat(1_000)}`)
  assert.equal(deep.ok ? '' : deep.error.code, 'POLICY_INVALID')
  // This one can be parsed, and breaks when it is asked.
  const long = draft(`context${'.a'.repeat(1_000)}`)
  assert.throws(() => long.ok && long.value.evaluate(input({})))
  assert.equal(law.evaluate(input({ day: 'sunday' })).decision?.kind, 'deny')
  const next = draft('true')
  assert.equal(next.ok && next.value.evaluate(input({})).decision?.kind, 'permit')
})
