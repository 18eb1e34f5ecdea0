import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HappenedEvent } from 'rubicon-agents/client'
import { describeHappened } from './happened-words.ts'

const event: HappenedEvent = {
  leaf: 7,
  at: '2026-11-03T12:00:00.000Z',
  what: 'suspended',
  agent: 'ads_bot',
  dfid: null,
  who: 'jane',
  detail: 'it talks too much',
}

test('a reason is quoted, a name belongs to the sentence', () => {
  assert.deepEqual(describeHappened(event), {
    standing: 'rejected',
    words: 'ads_bot: suspended',
    more: 'by jane, “it talks too much”',
  })
  assert.deepEqual(describeHappened({ ...event, what: 'tripped', who: null, detail: 'large' }), {
    standing: 'rejected',
    words: 'ads_bot: monitor tripped large',
    more: '',
  })
})

test('what deceives the eye is made visible, and long reasons are cut', () => {
  const { more } = describeHappened({ ...event, detail: 'a\u202eb' })
  assert.equal(more.includes('\u202e'), false)
  assert.equal(describeHappened({ ...event, who: null, detail: 'x'.repeat(200) }).more.length, 83)
})

test('a person is named as they are called, though a key of the runtime could be called so, too', () => {
  const { more } = describeHappened({ ...event, who: 'kernel-3dae6eda9c471318' })
  assert.equal(more, 'by kernel-3dae6eda9c471318, “it talks too much”')
})
