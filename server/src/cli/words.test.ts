import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listDocumentChanges } from '../../../runtime/src/contract-file/changes.ts'
import { formatAmount } from '../demo/amount.ts'
import { createOutput, formatTable } from './output.ts'
import { GROUPS } from './verb-groups.ts'
import { VERBS } from './verbs.ts'

test('amounts are grouped without losing a digit', () => {
  assert.equal(formatAmount('38750000'), '38,750,000')
  assert.equal(formatAmount('1250.50'), '1,250.50')
  assert.equal(formatAmount('-1000'), '-1,000')
  assert.equal(formatAmount('12345678901234567890'), '12,345,678,901,234,567,890')
  assert.equal(formatAmount(500), '500')
})

test('changes name the member, also inside a list of limits', () => {
  const before = {
    version: '1',
    limits: [
      { id: 'a', max: '1' },
      { id: 'b', max: '2' },
    ],
  }
  const after = { version: '2', limits: [{ id: 'b', max: '3' }] }
  assert.deepEqual(listDocumentChanges(before, after), [
    { path: 'limits[a].id', before: '"a"', after: null },
    { path: 'limits[a].max', before: '"1"', after: null },
    { path: 'limits[b].max', before: '"2"', after: '"3"' },
    { path: 'version', before: '"1"', after: '"2"' },
  ])
})

test('a table aligns its columns and escapes its cells', () => {
  assert.deepEqual(
    formatTable([
      ['A', 'B'],
      ['long\u001b[31m', 'x'],
    ]),
    ['A               B', 'long\\u{1b}[31m  x'],
  )
})

test('there is colour only at a terminal, and never with NO_COLOR', () => {
  const painted = (isTTY: boolean, env: NodeJS.ProcessEnv): string => {
    let said = ''
    const stdout = { write: (text: string) => (said += text), isTTY }
    const streams = { stdout, stderr: process.stderr, stdin: process.stdin, env }
    const out = createOutput(streams, false)
    out.line(out.paint('red', 'no'))
    return said.trimEnd()
  }
  assert.equal(painted(true, {}), '\u001b[31mno\u001b[0m')
  assert.equal(painted(true, { NO_COLOR: '1' }), 'no')
  assert.equal(painted(true, { TERM: 'dumb' }), 'no')
  assert.equal(painted(false, {}), 'no')
})

test('every group of verbs says what it is about', () => {
  const groups = VERBS.flatMap(({ verb }) =>
    verb.includes(' ') ? verb.split(' ').slice(0, 1) : [],
  )
  assert.deepEqual([...new Set(groups)].sort(), Object.keys(GROUPS).sort())
})
