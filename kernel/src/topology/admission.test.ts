import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ranked } from '../contract/priority.ts'
import { admitAgents, findLargestChange, measureChange } from './admission.ts'

const agents: readonly Ranked[] = [
  { agent_id: 'exec', priority: 50, role: 'EXECUTOR' },
  { agent_id: 'plan', priority: 50, role: 'STRATEGIST' },
  { agent_id: 'watch', priority: 99, role: 'MONITOR' },
  { agent_id: 'first', priority: 1, role: 'EXECUTOR' },
]
const names = (list: readonly Ranked[]): string => list.map(({ agent_id }) => agent_id).join(' ')
const quiet = { volatility: '0.1', tokensUsed: 0 }

test('without a rule everybody is woken, in order of priority', () => {
  const { admitted, refused, count } = admitAgents(undefined, agents, quiet)
  assert.equal(names(admitted), 'first plan exec watch')
  assert.deepEqual([refused, count], [[], { candidates: 4 }])
})

test('the table says how many a change is worth, from its step on, and monitors do not count', () => {
  const table = [
    { from: '0.5', agents: 1 },
    { from: '2', agents: 2 },
  ]
  const admit = (volatility: string | null) =>
    names(admitAgents({ table }, agents, { volatility, tokensUsed: 0 }).admitted)
  assert.equal(admit('0.499999'), 'watch')
  assert.equal(admit('0.5'), 'first watch')
  assert.equal(admit('1.9'), 'first watch')
  assert.equal(admit('2'), 'first plan watch')
  assert.equal(admit(null), 'first plan watch', 'what cannot be measured is the largest change')
  const { refused, count } = admitAgents({ table }, agents, { volatility: '2', tokensUsed: 0 })
  assert.equal(names(refused), 'exec')
  assert.deepEqual(count, { candidates: 4, volatility: '2', by_table: 2 })
})

test('no more are woken than the tokens that are left are worth', () => {
  const tokens = { per_window: 100, window_s: 60, expected: 30 }
  const admit = (tokensUsed: number) => admitAgents({ tokens }, agents, { ...quiet, tokensUsed })
  assert.equal(names(admit(0).admitted), 'first plan exec watch')
  assert.equal(names(admit(40).admitted), 'first plan watch')
  assert.equal(names(admit(41).admitted), 'first watch')
  assert.equal(names(admit(1_000).admitted), 'watch')
  assert.deepEqual(admit(40).count, { candidates: 4, by_tokens: 2, tokens_left: 60 })
  assert.deepEqual(admit(1_000).count, { candidates: 4, by_tokens: 0, tokens_left: 0 })
  const table = [{ from: '0', agents: 1 }]
  assert.equal(names(admitAgents({ table, tokens }, agents, quiet).admitted), 'first watch')
})

test('a change is measured in percent of what was, and what cannot be measured is said', () => {
  assert.equal(measureChange('100', '100.5'), '0.5')
  assert.equal(measureChange('-100', '-50'), '50')
  assert.equal(measureChange('3', '4'), '33.333334')
  assert.equal(measureChange(200, 100), '50')
  for (const [before, after] of [
    [undefined, '1'],
    ['0', '1'],
    ['open', 'closed'],
    ['1', null],
  ] as const)
    assert.equal(measureChange(before, after), null)
  assert.equal(findLargestChange(['0.5', '10', '9']), '10')
  assert.equal(findLargestChange(['0.5', null]), null)
})

test('no more are woken than the most of one event, whatever the rules say', () => {
  const many = Array.from({ length: 1_030 }, (_, nth): Ranked => {
    const role = nth < 3 ? 'MONITOR' : 'EXECUTOR'
    return { agent_id: `a${nth}`, priority: 50, role }
  })
  for (const rule of [undefined, { table: [{ from: '0', agents: 1_024 }] }]) {
    const { admitted, refused } = admitAgents(rule, many, quiet)
    assert.deepEqual([admitted.length, refused.length], [3 + 1_024, 3])
  }
})

test('the largest of no changes is none, and a change that is no number is never larger', () => {
  assert.equal(findLargestChange([]), '0')
  assert.equal(findLargestChange(['0', '0']), '0')
  assert.equal(findLargestChange(['x', '1']), '1')
  assert.equal(findLargestChange(['1.0', '1']), '1.0', 'of equal ones the first')
  assert.equal(findLargestChange(['1', 'x']), '1')
})

test('what cannot be measured is not said to have been', () => {
  const table = [{ from: '0', agents: 1 }]
  const { count } = admitAgents({ table }, agents, { volatility: null, tokensUsed: 0 })
  assert.deepEqual(count, { candidates: 4, by_table: 1 })
})
