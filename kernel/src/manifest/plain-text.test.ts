import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPrintable, toAsciiLower } from './plain-text.ts'
import { formatSecret, isSecretFormat } from './secret-format.ts'

test('what is printed is ASCII from space to tilde, wherever a character stands', () => {
  for (const text of ['', ' ', '~', ' ~ a']) assert.ok(isPrintable(text), JSON.stringify(text))
  for (const odd of ['\u001f', '\u007f', '\n', 'é', '\u{1f600}'])
    for (const text of [odd, `${odd}a`, `a${odd}`, `ab${odd}`, `abc${odd}`])
      assert.equal(isPrintable(text), false, JSON.stringify(text))
})

test('capitals of ASCII alone have small letters', () => {
  assert.equal(toAsciiLower('AZ az 09 ÄK'), 'az az 09 Äk')
  assert.equal(toAsciiLower('\u212a'), '\u212a', 'the sign for Kelvin is no k')
})

test('a secret stands in its one place, or alone', () => {
  assert.equal(formatSecret(undefined, 's3'), 's3')
  assert.equal(formatSecret('Bearer {secret}.', 's3'), 'Bearer s3.')
  assert.equal(isSecretFormat('{secret}'), true)
  for (const format of ['', 'secret', '{secret}{secret}'])
    assert.equal(isSecretFormat(format), false, format)
})
