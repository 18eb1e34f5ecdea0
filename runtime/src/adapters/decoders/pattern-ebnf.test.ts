import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EbnfRules } from './ebnf-rules.ts'
import { formatPattern } from './pattern-ebnf.ts'

const write = (pattern: string): string => formatPattern(pattern, new EbnfRules())

test('an expression that is not understood in every part is refused: no mask is made of half of it', () => {
  for (const pattern of [
    ...[
      '(?=a)a',
      '(?<!a)b',
      '(a)\\1',
      '\\bword',
      'a**',
      'a+?',
      'a{2}{3}',
      '[a',
      '(a',
      'a)',
      'a^b',
      'a$b',
    ],
    ...['\\p{L}', '\\D', '[\\W]', '[z-a]', '[\\d-z]', '["]', 'é', '[^ -~]', '*a', '\\'],
  ])
    assert.throws(() => write(pattern), Error, pattern)
})

test('what could end a JSON text, or stands in it otherwise, is in no class', () => {
  assert.equal(write('^[!-#]$'), '[\\x21\\x23]')
  assert.equal(write('^[\\[-\\]]$'), '[\\x5b\\x5d]')
  assert.equal(write('.'), '[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]')
  assert.equal(
    write('[^a-z\\n]'.replace('\\n', '')),
    '[\\x20-\\x21\\x23-\\x5b\\x5d-\\x60\\x7b-\\x7e]',
  )
  assert.equal(write('^(?:a|b)\\.$'), '(([\\x61] | [\\x62])) [\\x2e]')
})

test('a run has a rule for each character, shared with other runs, and at most as many as are written', () => {
  const rules = new EbnfRules()
  rules.addRun('[a]', 0, 10, '""')
  assert.equal(rules.list().length, 11)
  rules.addRun('[a]', 0, 4, '""')
  assert.equal(rules.list().length, 11, 'its tail is shared')
  rules.addRun('[a]', 3, 5, '""')
  assert.equal(rules.list().length, 14)
  rules.addRun('[b]', 0, 1_000_000, '""')
  assert.equal(rules.list().length, 14 + 65)
})
