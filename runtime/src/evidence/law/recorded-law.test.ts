import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COMPILER_VERSION, type RulesBody } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { RESERVED_VERSION } from '../../capabilities/reserved.ts'
import { loadCedar } from '../../policies/load-policy.ts'
import { RecordedLaw } from './recorded-law.ts'

test('a recorded Cedar text that is nested too deeply ends no auditor, and breaks no evaluator', () => {
  const deep = `${'('.repeat(100_000)}true${')'.repeat(100_000)}`
  const body = {
    rules_hash: 'sha256:1',
    rules: {
      compiler_version: COMPILER_VERSION,
      evaluators: { reserved: RESERVED_VERSION },
      policies: [{ name: 'deep', version: '1', source: 'cedar:sha256:2' }],
    },
    texts: { 'sha256:2': `permit(principal, action, resource) when {${deep}};` },
    capabilities: [],
  }
  new RecordedLaw(sha256).addRules(body as unknown as RulesBody)
  assert.ok(loadCedar({ name: 'flat', text: 'permit(principal, action, resource);' }, sha256).ok)
})
