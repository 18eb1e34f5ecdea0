import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createCompletion } from './complete.ts'
import { History } from './history.ts'
import { Seen } from './seen.ts'
import { parseTyped } from './typed.ts'

const grammar = { options: ['reason'], flags: ['yes'] }
const typed = (line: string) => {
  const read = parseTyped(line, () => grammar)
  return read === null ? null : [read.name, read.args, Object.fromEntries(read.options)]
}

test('a line is words, quotes and options', () => {
  assert.equal(typed('  \t '), null)
  assert.deepEqual(typed('show  a:1 '), ['show', ['a:1'], {}])
  assert.deepEqual(typed(`x a --reason "it's fine" --yes b`), [
    'x',
    ['a', 'b'],
    { reason: "it's fine", yes: '' },
  ])
  assert.deepEqual(typed(`x name='a "b"' "" "--yes"`), ['x', ['name=a "b"', '', '--yes'], {}])
  assert.deepEqual(typed('x --reason --yes'), ['x', [], { reason: '--yes' }])
})

test('what cannot be read is refused with what is wrong', () => {
  for (const [line, says] of [
    ['x "a', /a " is not closed/],
    ["x it's", /a ' is not closed/],
    ['x --reason', /`--reason` has no value/],
    ['x --force', /`x` has no option `--force`/],
  ] as const)
    assert.throws(() => typed(line), says)
})

test('completion knows commands, words of a command, options, and names that were on the screen', () => {
  const seen = new Seen()
  const complete = createCompletion(seen)
  assert.deepEqual(complete('inb'), [['inbox '], 'inb'])
  assert.deepEqual(complete('re')[0], ['reactivate', 'retire'])
  assert.deepEqual(complete('flows ESC'), [['ESCALATED '], 'ESC'])
  assert.deepEqual(complete('explain TTL_E')[0], ['TTL_EXPIRED '])
  assert.deepEqual(complete('override x --re'), [['--reason '], '--re'])
  assert.deepEqual(complete('tail ag'), [['agent='], 'ag'])
  assert.deepEqual(complete('show 01')[0], [])
  seen.add('request', '01a:1', '01b:1', null)
  seen.add('flow', '01a', '01b')
  seen.add('agent', '01_bot')
  for (const command of ['show', 'override', 'modify', 'abort'])
    assert.deepEqual(complete(`${command} 01`)[0], ['01a:1', '01b:1'])
  assert.deepEqual(complete('flow 01')[0], ['01a', '01b'])
  assert.deepEqual(complete('suspend 01')[0], ['01_bot '])
  assert.deepEqual(complete('nonsense 01')[0], [])
})

test('names that were seen longest ago are forgotten first', () => {
  const seen = new Seen()
  seen.add('flow', 'first', 'second')
  seen.add('flow', ...Array.from({ length: 998 }, (_, i) => `n${i}`))
  seen.add('flow', 'first')
  assert.equal(seen.listNames('flow').length, 1_000)
  seen.add('agent', 'another')
  seen.add('flow', 'more')
  const flows = seen.listNames('flow')
  assert.deepEqual([flows.includes('first'), flows.includes('second')], [true, false])
})

test('the history is short, without tokens, and a broken one is no reason to stop', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-history-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'deep', 'shell-history')
  const history = new History(path, 'my-own-secret')
  for (const line of ['', '  ', 'a my-own-secret b', 'x rbo_abc', 'x rbs_abc', 'y'.repeat(2_001)])
    history.add(line)
  assert.deepEqual(history.listNewestFirst(), [])
  for (let i = 0; i < 502; i += 1) history.add(`line ${i}`)
  history.add(' line 501 ')
  const again = new History(path, 'x').listNewestFirst()
  assert.deepEqual([again.length, again[0], again.at(-1)], [500, 'line 501', 'line 2'])
  assert.equal(readFileSync(path, 'utf8').split('\n').length, 501)
  writeFileSync(path, `${'z'.repeat(5_000)}\nkept\n`)
  assert.deepEqual(new History(path, 'x').listNewestFirst(), ['kept'])
  const nowhere = new History(folder, 'x')
  nowhere.add('a folder is no file')
  assert.deepEqual(nowhere.listNewestFirst(), ['a folder is no file'])
})
