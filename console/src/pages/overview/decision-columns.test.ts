import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Overview } from 'rubicon-agents/client'
import { buildColumns } from './decision-columns.ts'
import { computeSpanBefore, findRange } from './range.ts'

type Shown = Pick<Overview, 'since' | 'until' | 'step_ms' | 'series'>

function buildShown(since: string, until: string, step_ms: number): Overview {
  const counts = { decided: 2, accepted: 1, rejected: 0, escalated: 2 }
  const empty = { decided: 0, accepted: 0, rejected: 0, escalated: 0 }
  const second = new Date(Date.parse(since) + step_ms).toISOString()
  const shown: Shown = {
    since,
    until,
    step_ms,
    series: [
      { at: since, ...counts },
      { at: second, ...empty },
    ],
  }
  return shown as Overview
}

test('a column leads to the flows that were decided in its step; an empty one leads nowhere', () => {
  const shown = buildShown('2026-11-03T12:00:00.000Z', '2026-11-04T12:00:00.000Z', 900_000)
  assert.deepEqual(buildColumns(shown, true), [
    {
      label: '12:00',
      wall: '2026-11-03 12:00',
      href: '/flows?since=2026-11-03T12%3A00%3A00.000Z&until=2026-11-03T12%3A15%3A00.000Z&outcome=decided',
      counts: [1, 0, 2],
    },
    { label: '12:15', wall: '2026-11-03 12:15', href: null, counts: [0, 0, 0] },
  ])
})

test('columns of more than a day say the day', () => {
  const shown = buildShown('2026-11-03T12:00:00.000Z', '2026-11-10T12:00:00.000Z', 10_800_000)
  assert.deepEqual(
    buildColumns(shown, true).map(({ label }) => label),
    ['3 Nov 12:00', '3 Nov 15:00'],
  )
})

test('the span before ends where the shown one begins; an unknown range is a day', () => {
  const span = { since: '2026-11-03T12:00:00.000Z', until: '2026-11-03T13:00:00.000Z' }
  assert.deepEqual(computeSpanBefore(span), {
    since: '2026-11-03T11:00:00.000Z',
    until: '2026-11-03T12:00:00.000Z',
  })
  assert.equal(findRange('a week').value, '24h')
  assert.equal(findRange('7d').words, '7 days')
})
