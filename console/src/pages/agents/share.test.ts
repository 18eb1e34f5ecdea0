import assert from 'node:assert/strict'
import { test } from 'node:test'
import { share } from './share.ts'

test('a part is never less than nothing or more than the whole', () => {
  assert.deepEqual(
    [share('1', '4'), share('5', '4'), share('-1', '4'), share('0', '0'), share('1', '0')],
    [25, 100, 0, 0, 100],
  )
  assert.equal(share('many', '4'), 0)
})
