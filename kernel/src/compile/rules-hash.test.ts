import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy, PolicySource } from '../policy/policy.ts'
import { sha256 } from './case.test-support.ts'
import { buildRuleSet, collectPolicyTexts, hashRules } from './rules-hash.ts'

const policy = (source: PolicySource, applies_to?: readonly string[]): Policy => ({
  name: 'friday',
  version: '1',
  source,
  evaluate: () => ({ decision: null }),
  ...(applies_to === undefined ? {} : { applies_to }),
})
const hashOf = (policies: readonly Policy[], evaluators = {}): string =>
  hashRules(buildRuleSet(policies, evaluators, sha256), sha256)
const file = { kind: 'file', language: 'cedar', hash: 'sha256:1' } as const

test('a policy from a file is pinned by language and bytes, one in code is marked', () => {
  const set = buildRuleSet([policy(file), policy({ kind: 'unpinned' })], {}, sha256)
  assert.deepEqual(
    set.policies.map(({ source }) => source),
    ['cedar:sha256:1', 'unpinned'],
  )
})

test('the hash changes with a policy, its order, what it is about, and an evaluator', () => {
  const other = policy({ ...file, hash: 'sha256:2' })
  const hashes = [
    hashOf([]),
    hashOf([policy(file)]),
    hashOf([policy(file, ['BUY'])]),
    hashOf([policy(file), other]),
    hashOf([other, policy(file)]),
    hashOf([], { regex: 're2js/1' }),
  ]
  assert.equal(new Set(hashes).size, hashes.length)
  assert.equal(hashOf([]), hashes[0])
})

test('the text of a policy is kept under the hash of its file; code has none', () => {
  const written = { ...policy(file), text: 'permit(principal, action, resource);' }
  const coded = { ...policy({ kind: 'unpinned' }), text: 'x' }
  const other = { ...policy({ ...file, language: 'typescript' }), text: 'x' }
  assert.deepEqual(collectPolicyTexts([written, coded, other, policy(file)]), {
    'sha256:1': written.text,
  })
})
