import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fillCommand, matchOutput } from './docs-output.ts'
import { parseSteps } from './docs-steps.ts'
import { ROOT } from './shell.ts'

const page = (...lines: readonly string[]): string => lines.join('\n')

test('a page is read as files, commands, what is seen, and what is done by hand', () => {
  const steps = parseSteps(
    page('```ts a.ts', 'x', '```', '```sh', 'ls', '```', '```text', 'a.ts', '```') +
      page('', '<!-- try: stop -->', '```sh stays', 'up', '```', '```ts shown', 'y', '```'),
  )
  assert.deepEqual(steps, [
    { kind: 'file', path: 'a.ts', text: 'x\n', line: 1 },
    { kind: 'run', command: 'ls', line: 4 },
    { kind: 'seen', text: 'a.ts', line: 7 },
    { kind: 'hand', name: 'stop', line: 10 },
    { kind: 'start', command: 'up', line: 11 },
  ])
})

test('a block that says nothing of itself, or does not end, is refused', () => {
  assert.throws(() => parseSteps(page('```ts', 'x', '```')), /says neither/)
  assert.throws(() => parseSteps(page('```sh', 'ls')), /does not end/)
})

test('what is shown has to be printed, from the beginning and line by line', () => {
  assert.ok(matchOutput('one\ntwo', 'one\ntwo\nthree\n'))
  assert.equal(matchOutput('one\ntwo', 'one\n'), null)
  assert.equal(matchOutput('two', 'one\ntwo\n'), null)
  assert.equal(matchOutput('one', 'one more\n'), null)
  assert.equal(matchOutput('a.c', 'abc\n'), null)
  assert.equal(matchOutput('one', 'one\ntwo\n')?.rest, 'two\n')
})

test('a gap stands for some characters, or for some lines', () => {
  assert.ok(matchOutput('a … z', 'a b c z\n'))
  assert.ok(matchOutput('a\n…\nz', 'a\nb\nc\nz\n'))
  assert.ok(matchOutput('a\n…\nz', 'a\nz\n'))
  assert.equal(matchOutput('a … z', 'a b c y\n'), null)
})

test('what stood in a named gap is what is typed later', () => {
  const seen = matchOutput('token rbo_…\nid 01…', 'token rbo_x-1\nid 0199:2\n')
  assert.equal(
    fillCommand('use rbo_… for 01… and 02…', seen?.names ?? new Map()),
    'use rbo_x-1 for 0199:2 and 02…',
  )
})

test('every page that is tried can be read, and shows only what a command of its own has printed', () => {
  const pages = ['docs/getting-started.md', ...globSync('docs/guides/*.md', { cwd: ROOT })]
  assert.ok(pages.length >= 8)
  for (const name of pages) {
    const steps = parseSteps(readFileSync(join(ROOT, name), 'utf8'))
    for (const [index, { kind, line }] of steps.entries())
      if (kind === 'seen')
        assert.match(steps[index - 1]?.kind ?? '', /^(run|start|hand)$/, `${name}:${line}`)
  }
})
