import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSemver } from './semver.ts'

test('versions are three numbers and perhaps a pre-release', () => {
  for (const text of [
    '0.0.0',
    '1.2.0',
    '10.20.30',
    '1.0.0-rc.1',
    '1.0.0-a-b.0',
    '1.0.0-1a',
    '1.0.0-azAZ',
  ]) {
    assert.ok(isSemver(text), text)
  }
})

test('a version is at most as long as an identifier', () => {
  const longest = `1.0.0-${'a'.repeat(122)}`
  assert.equal(longest.length, 128)
  assert.ok(isSemver(longest))
  assert.ok(!isSemver(`${longest}a`))
})

test('everything else is no version', () => {
  const wrong = ['', '1', '1.2', '1.2.3.4', 'v1.2.3', '1.2.x', '01.2.3', '1..3', '1.2.3-']
  const worse = [
    '1.2.:',
    '1.2./',
    '1.2.3-:',
    '1.2.3-01',
    '1.2.3-a..b',
    '1.2.3-ä',
    '1.2.3+b',
    ' 1.2.3',
    `1.2.${'3'.repeat(128)}`,
  ]
  for (const text of [...wrong, ...worse]) assert.ok(!isSemver(text), text)
})
