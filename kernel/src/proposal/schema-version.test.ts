import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSemver } from '../contract/semver.ts'
import { isVersionAccepted, POLICY_SCHEMA_VERSION } from './schema-version.ts'

test('we speak 1.5.0, and understand ourselves', () => {
  assert.equal(POLICY_SCHEMA_VERSION, '1.5.0')
  assert.ok(isSemver(POLICY_SCHEMA_VERSION))
  assert.ok(isVersionAccepted(POLICY_SCHEMA_VERSION))
})

test('an older minor version of the same major is understood, and any patch', () => {
  for (const version of ['1', '1.0', '1.2', '1.2.9', '1.5', '1.5.9', '1.5.9999'])
    assert.equal(isVersionAccepted(version), true, version)
})

test('a newer minor version and another major are not', () => {
  for (const version of ['1.6', '1.9', '1.10', '1.6.0', '2', '2.0', '0.9', '10', '11.0'])
    assert.equal(isVersionAccepted(version), false, version)
})

test('what is no version is not understood', () => {
  const texts = [
    '',
    ' 1',
    '1 ',
    'v1.2',
    '1.',
    '.1',
    '1..2',
    '01',
    '1.02',
    '1.2.3.4',
    '1.x',
    '1.2-a',
  ]
  for (const text of [...texts, '1.-2', '1.2e0', '00001', '1.5.10000', '1.00000', '+1', '１'])
    assert.equal(isVersionAccepted(text), false, text)
})
