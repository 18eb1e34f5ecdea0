import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JudgedModification } from 'rubicon-agents/client'
import { createOutput } from '../output.ts'
import { describeModification } from './brief-text.ts'

type Effect = NonNullable<JudgedModification['effect']>

/** The rows of an effect, as they are read before a yes. */
function rowsOf(params: Effect['params'], changes: Effect['changes']): readonly string[] {
  let text = ''
  const sink = { write: (more: string) => (text += more) }
  const out = createOutput({ stdout: sink, stderr: sink, stdin: process.stdin, env: {} }, false)
  const judged: Pick<JudgedModification, keyof JudgedModification> = {
    ...WEIGHED,
    effect: { params, changes, holds: [] },
  }
  describeModification(out, judged)
  return text.split('\n').filter((line) => /^ {2}(effect|sends)/.test(line))
}

const WEIGHED = {
  impact: 'LOW_IMPACT',
  impact_reasons: [],
  exposure: null,
  outlook: { kind: 'runs' },
} as unknown as JudgedModification

test('the end of what would be sent is cut off, or a part of it is not shown', () => {
  const body = `${'Dear customer, '.repeat(100)}\u001b]0;pay\u0007\u200b twice`
  const [, row = ''] = rowsOf({ body }, null)
  assert.equal(row.length > 1_500 && row.includes('pay'), true)
  assert.match(row, /\\u001b\]0;pay\\u0007\\u\{200b\} twice"$/)
})

test('a value makes another parameter of itself', () => {
  const rows = rowsOf({ order: 'o-1, amount 5.00\n  sends amount 1', amount: '9000.00' }, null)
  assert.deepEqual(rows, [
    '  effect     nobody can tell what would be different',
    '  sends      order "o-1, amount 5.00\\n  sends amount 1"',
    '  sends      amount 9000.00',
  ])
})

test('what would be sent is not shown beside what would be different', () => {
  const changes = [
    { subject: 'order o-1', field: 'refunded', before: '0', after: '20 → 0', unit: '' },
  ]
  assert.deepEqual(rowsOf({ order: 'o-1', note: 'x' }, changes), [
    '  effect     order o-1 refunded  0 → "20 → 0"',
    '  sends      order o-1',
    '  sends      note x',
  ])
})
