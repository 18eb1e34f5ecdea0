import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Impact } from 'rubicon-kernel'
import { desk } from './escalation.test-support.ts'
import { createInboxOrder, INBOX_SORTS, type InboxSort } from './inbox-order.ts'
import { compareStakes, describeStakes } from './stakes.ts'

function staked(value: string | null, measure = 'usd', impact: Impact = 'LOW_IMPACT') {
  return { impact, exposure: value === null ? null : { measure, value, threshold: '10' } }
}

test('the larger stake is last: by figures within a measure, whichever way they go', () => {
  assert.ok(compareStakes(staked('9'), staked('10')) < 0, 'not as text')
  assert.ok(compareStakes(staked('9.50'), staked('9.5')) === 0)
  assert.ok(compareStakes(staked('-100'), staked('10')) > 0)
  assert.ok(compareStakes(staked(null), staked('0')) < 0)
  assert.ok(compareStakes(staked('1', 'usd', 'HIGH_IMPACT'), staked('9')) > 0)
  assert.ok(compareStakes(staked('9', 'apples'), staked('1', 'usd')) > 0, 'measures by name')
})

test('what has no amount is last, from small to large and from large to small', () => {
  const values = ['9', null, '10', '-1']
  const placed = values.map((value) => {
    const times = { expires_at: '2026-01-01T00:00:00.000Z', requested_at: '' }
    return { key: String(value), body: { request: { ...staked(value), ...times } } }
  })
  const sort = (order: InboxSort): readonly string[] =>
    placed.toSorted(createInboxOrder(order)).map(({ key }) => key)
  assert.deepEqual(sort('amount'), ['-1', '9', '10', 'null'])
  assert.deepEqual(sort('-amount'), ['10', '9', '-1', 'null'])
  const times = { expires_at: '', requested_at: '' }
  const low = { key: '', body: { request: { ...times, ...staked(null) } } }
  const high = { key: '', body: { request: { ...times, ...staked('1', 'usd', 'HIGH_IMPACT') } } }
  assert.ok(createInboxOrder('amount')(low, high) < 0, 'what needs care is after what does not')
})

test('which limit it is over is said by the first trigger that has figures', () => {
  const request = { reversible: true, impact_reasons: ['unusual'] }
  const trigger = { code: 'AUTHORITY_CEILING', channel: 'operator' } as const
  const over = { limit: 'alone', checked: 'usd', value: '600', max: '500' }
  const triggers = [
    { id: 'a', ...trigger, details: { reason: 'x' } },
    { id: 'b', ...trigger, details: over },
  ]
  assert.deepEqual(describeStakes({ ...request, triggers }), {
    ...request,
    over: { ...over, min: null },
  })
  assert.equal(describeStakes({ ...request, triggers: [] }).over, null)
})

const ann = { name: 'ann@example.com', approver: true }

test('the inbox is sorted by time, by age and by stake, and every page goes on behind the one before', async () => {
  const stage = await desk()
  const { oversight } = stage.engine()
  for (const amount of ['900.00', '600.00', '1000.00']) await stage.ask(amount)
  const read = async (sort: InboxSort): Promise<string> => {
    const found: unknown[] = []
    for (let cursor: string | undefined; ; ) {
      const more = cursor === undefined ? {} : { cursor }
      const page = await oversight.inbox({ tab: 'fast', limit: 1, sort, ...more }, ann)
      found.push(...page.requests.map(({ exposure }) => exposure?.value))
      if (page.next === null) return found.join(' ')
      cursor = page.next
    }
  }
  const oldest = '900.00 600.00 1000.00'
  const newest = '1000.00 600.00 900.00'
  const found = await Promise.all(INBOX_SORTS.map(read))
  const least = '600.00 900.00 1000.00'
  const most = '1000.00 900.00 600.00'
  assert.deepEqual(found, [oldest, newest, oldest, newest, least, most])
  await stage.close()
})

test('a page goes on behind a request that was decided meanwhile', async () => {
  const stage = await desk()
  const { oversight } = stage.engine()
  for (const amount of ['900.00', '600.00', '1000.00']) await stage.ask(amount)
  const question = { tab: 'fast', sort: 'amount', limit: 1 } as const
  const first = await oversight.inbox(question, ann)
  await stage.decide({}, { kind: 'person', principal: ann.name }, first.requests[0]?.id)
  const { requests } = await oversight.inbox({ ...question, cursor: first.next ?? '' }, ann)
  assert.deepEqual(
    requests.map(({ exposure }) => exposure?.value),
    ['900.00'],
  )
  await stage.close()
})
