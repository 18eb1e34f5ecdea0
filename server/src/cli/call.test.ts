import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Options } from './call.ts'

test('an option that shows nothing is given', () => {
  for (const reason of ['', ' ', '\u200b', '\u202e\u2069', '\u00ad', '\u{e0041}', '\ufe0f'])
    assert.throws(() => new Options({ reason }).getRequired('reason', '--reason'), /--reason/)
  assert.equal(
    new Options({ reason: 'it is wrong' }).getRequired('reason', '--reason'),
    'it is wrong',
  )
})
