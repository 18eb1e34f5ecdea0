import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listFilterChips } from './filter-chips.ts'
import { formatFilterKey, parseListFilter, toServerFilter } from './list-filter.ts'
import { parseWallTime, toWallTime } from './time-ranges.ts'

const parse = (text: string) => parseListFilter(new URLSearchParams(text))
const chips = (text: string) =>
  listFilterChips(parse(text), (instant) => instant).map(({ label, value }) => `${label}: ${value}`)

test('an address is read as the filter of the server, and what is no filter is left', () => {
  assert.deepEqual(parse('agent=a&words=+o_1+&in=closed&tag=DIRTY&kind='), {
    agent: 'a',
    words: 'o_1',
    tag: 'DIRTY',
  })
  assert.deepEqual(parse('tag=PINK'), {})
})

test('a span that ends now begins where it begins when somebody asks', () => {
  const now = Date.UTC(2026, 10, 18, 12)
  assert.deepEqual(toServerFilter(parse('within=1h&agent=a'), now), {
    agent: 'a',
    since: '2026-11-18T11:00:00.000Z',
    counts: 'true',
  })
  assert.deepEqual(toServerFilter(parse('within=1h&since=2020-01-01T00:00:00Z'), now), {
    since: '2026-11-18T11:00:00.000Z',
    counts: 'true',
  })
  assert.deepEqual(toServerFilter(parse('within=ever'), now), { counts: 'true' })
})

test('the order of members makes no other list', () => {
  assert.equal(formatFilterKey(parse('kind=K&agent=a')), formatFilterKey(parse('agent=a&kind=K')))
})

test('every filter is a chip, and an amount is one', () => {
  assert.deepEqual(
    chips('within=24h&agent=a&amount_min=1000&amount_max=20000&measure=usd&words=o'),
    ['time: last 24 hours', 'agent: a', 'amount: at least 1,000 at most 20,000 usd', 'words: o'],
  )
  assert.deepEqual(chips('since=A&until=B&tag=DIRTY'), ['time: from A until B', 'tag: half done'])
  assert.deepEqual(chips(''), [])
})

test('a moment stays the same through a form, to the minute', () => {
  const instant = '2026-11-18T16:30:00.000Z'
  assert.equal(parseWallTime(toWallTime(instant)), instant)
  assert.equal(toWallTime('nonsense'), '')
  assert.equal(parseWallTime(''), '')
})
