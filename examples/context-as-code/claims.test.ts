/** What a generated file must not get past its specification. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findDifferences, type Round } from './claims.ts'

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8')
const ROUND: Round = {
  rules: read('rules.md'),
  specification: read('specification.md'),
  prompt: read('prompt.md'),
  contract: read('contract.json'),
  manifests: { 'refund.json': read('refund.json') },
}

function change(text: string, from: string, to: string): string {
  assert.ok(text.includes(from), `\`${from}\` stands in the text`)
  return text.replace(from, to)
}

const withContract = (from: string, to: string): readonly string[] =>
  findDifferences({ ...ROUND, contract: change(ROUND.contract, from, to) })
const withManifest = (from: string, to: string): readonly string[] => {
  const text = change(ROUND.manifests['refund.json'] ?? '', from, to)
  return findDifferences({ ...ROUND, manifests: { 'refund.json': text } })
}

test('the example is what its specification says', () => {
  assert.deepEqual(findDifferences(ROUND), [])
})

const WIDENED: Readonly<Record<string, readonly [from: string, to: string, named: RegExp]>> = {
  'a larger limit': ['"1000.00"', '"10000.00"', /limits is .*10000/],
  'a limit that asks nobody': [', "on_breach": "escalate"', '', /limits/],
  'a kind beyond the specification': ['["REFUND"]', '["REFUND", "PAYOUT"]', /policy_kinds/],
  'more authority': ['EXECUTE_LIMITED', 'EXECUTE_FULL', /authority/],
  'more to read': ['["orders.*"]', '["orders.*", "mail.*"]', /reads/],
  'facts of outsiders': [
    '"reads": [',
    '"accepts": {"orders.*": "external"}, "reads": [',
    /accepts/,
  ],
  'a larger budget': ['"5000"', '"50000"', /budget_per_agent/],
  'less that it needs to know': ['["orders.current"]', '[]', /requires/],
}
for (const [what, [from, to, named]] of Object.entries(WIDENED))
  test(`a contract with ${what} is refused`, () => {
    const differences = withContract(from, to)
    assert.equal(differences.length, 1, differences.join('\n'))
    assert.match(differences[0] ?? '', named)
  })

const OTHER: Readonly<Record<string, readonly [from: string, to: string, named: RegExp]>> = {
  'another address': ['payments.example.com', 'payments.example.net', /reaches/],
  'a lower risk': ['"medium"', '"low"', /risk/],
  'another measure': [
    '"refund_usd": { "param": "/amount" }',
    '"refund_usd": { "param": "/order" }',
    /measures/,
  ],
  'no cost': ['"cost": { "refunds": { "param": "/amount" } },', '', /cost is nothing/],
  'a claim that it can be undone': ['"reversible": false', '"reversible": true', /reversible/],
}
for (const [what, [from, to, named]] of Object.entries(OTHER))
  test(`a manifest with ${what} is refused`, () => {
    const differences = withManifest(from, to)
    assert.equal(differences.length, 1, differences.join('\n'))
    assert.match(differences[0] ?? '', named)
  })

test('a capability that the specification does not name is refused, and so is one that is missing', () => {
  const differences = withManifest('"kind": "REFUND"', '"kind": "PAYOUT"')
  assert.deepEqual(differences, [
    'refund.json: the specification has no `PAYOUT`',
    'no manifest has `REFUND`',
  ])
})

test('a manifest against the engineering rules is refused', () => {
  const rules = change(ROUND.rules, '"read", "keyed"', '"read"')
  assert.deepEqual(findDifferences({ ...ROUND, rules }), [
    'refund.json: rules.md has no effect `keyed`',
  ])
})

test('a prompt that names an amount or has a block is refused', () => {
  const amount = { ...ROUND, prompt: `${ROUND.prompt}\nUp to 5000.00 is fine.\n` }
  assert.match(findDifferences(amount).join(), /names `5000.00`|names `5000.00.`/)
  const block = { ...ROUND, prompt: `${ROUND.prompt}\n\`\`\`json\n{}\n\`\`\`\n` }
  assert.match(findDifferences(block).join(), /has a block/)
})
