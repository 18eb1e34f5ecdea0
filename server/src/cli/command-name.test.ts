/** What whoever reads a hint can type: npm puts the command of a project on nobody's path. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCommandName, nameCommands } from './command-name.ts'
import { main } from './main.ts'
import { createOutput } from './output.ts'

const NPX = { npm_command: 'exec', PATH: '/srv/shop/node_modules/.bin:/usr/bin' }

test('a hint names the command as it was started', () => {
  assert.equal(findCommandName({ PATH: '/usr/bin' }), 'rubicon')
  assert.equal(findCommandName(NPX), 'npx rubicon')
  assert.equal(findCommandName({ ...NPX, npm_command: 'run-script' }), 'npx rubicon')
  const fetched = { npm_command: 'exec', PATH: '/people/ann/.npm/_npx/1a/node_modules/.bin' }
  assert.equal(findCommandName(fetched), 'npx -p rubicon-server rubicon')
  assert.equal(
    nameCommands('see `rubicon agents`, or `rubicon flows list`', NPX),
    'see `npx rubicon agents`, or `npx rubicon flows list`',
  )
})

type Told = { readonly exit: number; readonly stderr: string; readonly stdout: string }

async function runByNpx(argv: readonly string[]): Promise<Told> {
  const told = { stdout: '', stderr: '' }
  const exit = await main(argv, {
    stdout: { write: (text) => (told.stdout += text) },
    stderr: { write: (text) => (told.stderr += text) },
    stdin: process.stdin,
    env: NPX,
  })
  return { exit, ...told }
}

test('what is wrong is repaired by a command that there is, and a script reads what it always read', async () => {
  const wrong = await runByNpx(['agents', 'show', 'a', '--colour'])
  assert.match(wrong.stderr, / {2}fix {2}see `npx rubicon agents show --help`\n/)
  const json = await runByNpx(['agents', 'show', 'a', '--colour', '--json'])
  assert.match(JSON.parse(json.stdout).error.fix, /see `rubicon agents show --help`/)
})

test('a note names the command, and a line of the result stays as it is', () => {
  let said = ''
  const sink = { write: (text: string) => (said += text) }
  const out = createOutput({ stdout: sink, stderr: sink, stdin: process.stdin, env: NPX }, false)
  out.note('next: `rubicon up`')
  out.line('somebody wrote `rubicon up`')
  assert.equal(said, 'next: `npx rubicon up`\nsomebody wrote `rubicon up`\n')
})
