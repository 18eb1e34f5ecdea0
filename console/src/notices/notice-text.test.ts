import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listNotices } from './notice-text.ts'

const ROW = {
  id: '0199:1',
  kind: 'proposal',
  action: 'REFUND',
  object: 'o_4711',
  exposure: { measure: 'refund_usd', value: '4200.00', threshold: '2000' },
  impact: 'HIGH_IMPACT',
} as const

test('a notification says what is asked, of what, and how much', () => {
  assert.deepEqual(listNotices([ROW]), [
    {
      tag: '0199:1',
      title: 'REFUND o_4711',
      body: '4,200.00 refund_usd · high impact · waits for you',
      href: '/inbox/0199%3A1',
    },
  ])
  const silence = { ...ROW, kind: 'silence', action: null, object: null, exposure: null } as const
  assert.equal(listNotices([silence])[0]?.title, 'An agent fell silent')
})

test('words of an agent are cut, and what would deceive the eye is visible', () => {
  const [hostile] = listNotices([{ ...ROW, object: `\u202e${'x'.repeat(500)}` }])
  assert.match(hostile?.title ?? '', /^REFUND \\u\{202e\}x+…$/)
  assert.ok((hostile?.title.length ?? 0) <= 121)
})

test('many at once are told in one', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => ({ ...ROW, id }))
  assert.equal(listNotices(rows.slice(0, 3)).length, 3)
  assert.deepEqual(
    listNotices(rows).map(({ title, href }) => [title, href]),
    [['4 requests wait for you', '/inbox']],
  )
})
