import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeCedar, quoteCedar } from './complete-cedar.ts'
import { completeYaml, quoteYaml } from './complete-yaml.ts'
import { CONTRACT_SHAPE } from './contract-shape.ts'
import { listKnownParams } from './known-params.ts'
import { MONITOR_SHAPE } from './monitor-shape.ts'
import type { KnownNames } from './suggestion.ts'

const known: KnownNames = {
  actions: [
    {
      kind: 'REFUND',
      summary: 'money back',
      measures: ['refund_usd'],
      params: listKnownParams({
        properties: {
          order: { type: 'string' },
          to: { type: 'object', properties: { account: { type: 'string' } } },
          tags: { type: 'array' },
          'a"]; permit(': { type: 'string' },
        },
      }),
    },
    {
      kind: 'MAIL',
      summary: '',
      measures: ['mails'],
      params: listKnownParams({ properties: { subject: {} } }),
    },
  ],
  agents: ['refunds_bot'],
  topics: ['market.price'],
}

/** `|` is the cursor. */
function cedar(text: string): readonly string[] {
  const at = text.indexOf('|')
  return (
    completeCedar(text.replace('|', ''), at, known, true)?.options.map(({ label }) => label) ?? []
  )
}

function yaml(text: string, shape = CONTRACT_SHAPE): readonly string[] {
  const at = text.indexOf('|')
  return (
    completeYaml(shape, text.replace('|', ''), at, known, true)?.options.map(
      ({ label }) => label,
    ) ?? []
  )
}

test('in Cedar actions, agents and members of the context are offered where they stand', () => {
  assert.deepEqual(cedar('forbid(principal, action == Action::"RE|'), ['REFUND', 'MAIL'])
  assert.deepEqual(cedar('principal == Agent::|'), ['refunds_bot'])
  assert.ok(cedar('when { context.|').includes('measures'))
  assert.deepEqual(cedar('when { context.risk == "|'), ['low', 'medium', 'high', 'critical'])
  assert.ok(cedar('@|').includes('@require_approval'))
  assert.ok(cedar('when { context.measures.refund_usd.|').includes('greaterThan'))
})

test('parameters and measures are those of the action that the rule names', () => {
  const rule = 'forbid(principal, action == Action::"REFUND", resource)\nwhen { context.'
  assert.deepEqual(cedar(`${rule}measures.|`), ['refund_usd'])
  assert.deepEqual(cedar(`${rule}params.to.|`), ['account'])
  assert.deepEqual(cedar('when { context.measures.|'), ['refund_usd', 'mails'])
  // The rule before it has ended.
  assert.deepEqual(
    cedar(`${rule}risk == "low" };\nforbid(principal, action, resource) when { context.measures.|`),
    ['refund_usd', 'mails'],
  )
})

test('nothing is offered in a comment or in a text', () => {
  assert.deepEqual(cedar('// con|'), [])
  assert.deepEqual(cedar('@reason("con|'), [])
  assert.ok(cedar('@reason("http://x") per|').length > 0)
})

test('a hostile name of a parameter is inserted as a text, and stays one', () => {
  const text = 'when { context.params.'
  const options = completeCedar(text, text.length, known)?.options ?? []
  const hostile = options.find(({ label }) => label.startsWith('a"'))
  assert.deepEqual([hostile?.insert, hostile?.replacesBefore], ['["a\\"]; permit("]', 1])
  assert.equal(quoteCedar('a"\\\n\u202e'), '"a\\"\\\\\\u{a}\\u{202e}"')
})

test('members of a contract are offered at their depth, without those that are there', () => {
  assert.ok(yaml('|').includes('permissions'))
  const inSafety = yaml('safety_rules:\n  pause_on_escalation: false\n  |')
  assert.ok(inSafety.includes('self_approval') && !inSafety.includes('pause_on_escalation'))
  assert.ok(!yaml('agent_id: a\n|\nversion: 1.0.0').includes('agent_id'))
  assert.ok(yaml('permissions:\n  limits:\n    - id: a\n      |').includes('on_breach'))
  assert.ok(yaml('permissions:\n  limits:\n  - id: a\n    |').includes('on_breach'))
  assert.ok(yaml('permissions:\n  limits:\n    - {id: a, |').includes('measure'))
  assert.deepEqual(yaml('# |'), [])
})

test('choices and names that exist are offered as values', () => {
  assert.deepEqual(yaml('role: |'), ['EXECUTOR', 'STRATEGIST', 'MONITOR'])
  assert.deepEqual(yaml('permissions:\n  policy_kinds: [|'), ['REFUND', 'MAIL'])
  assert.deepEqual(yaml('permissions:\n  policy_kinds:\n    - R|'), [])
  assert.deepEqual(yaml('permissions:\n  limits:\n    - {id: a, measure: |'), [
    'refund_usd',
    'mails',
  ])
  assert.deepEqual(yaml('safety_rules:\n  self_approval: |'), ['refused', 'allowed'])
  assert.deepEqual(yaml('statistic: {kind: |', MONITOR_SHAPE).slice(0, 2), ['mean', 'rate'])
  assert.deepEqual(yaml('agents: [|', MONITOR_SHAPE), ['refunds_bot'])
  assert.ok(yaml('permissions:\n  limits:\n    - field: |').includes('/to/account'))
})

test('what would be something else in YAML is quoted', () => {
  assert.equal(quoteYaml('REFUND'), 'REFUND')
  assert.equal(quoteYaml('yes'), '"yes"')
  assert.equal(quoteYaml('a: b'), '"a: b"')
  assert.equal(quoteYaml('x"\n- y'), '"x\\"\\n- y"')
  assert.equal(quoteYaml('\u202eevil'), '"\\u202eevil"')
})

test('names that every object has are no members', () => {
  assert.deepEqual(yaml('constructor:\n  |'), [])
  assert.deepEqual(yaml('__proto__: {|'), [])
})

test('a text that is no YAML, and a very long one, are answered all the same', () => {
  for (const text of [
    '[[[[{{{',
    '"',
    ': : :',
    '- - - -',
    '&a *a <<: ',
    '\u0000',
    '{'.repeat(10_000),
  ])
    for (let at = 0; at <= Math.min(text.length, 20); at += 1)
      completeYaml(CONTRACT_SHAPE, text, at, known, true)
  const long = 'a: {b: ['.repeat(8_000)
  assert.equal(completeYaml(CONTRACT_SHAPE, long, long.length, known, true), null)
  completeCedar(long, long.length, known, true)
})
