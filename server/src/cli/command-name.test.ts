/** What whoever reads a hint can type: npm puts the command of a project on nobody's path. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
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

test('what a code or a finding of the doctor is repaired by is a command that there is', async () => {
  const { stdout: explained } = await runByNpx(['explain', 'STORE_MISSING'])
  assert.match(explained, / {2}fix {5}check `--store`; `npx rubicon contract deploy FILE` makes/)
  const folder = temporaryFolder()
  const place = ['--store', `sqlite:${join(folder, 'none.db')}`, '--state', join(folder, 'state')]
  const { stdout: found } = await runByNpx(['doctor', ...place])
  assert.match(
    found,
    / {2}fix {2}check --store; `npx rubicon contract deploy FILE` makes a new one\n/,
  )
})

test('a command in a hint is quoted, so that it gets the name by which it was started', () => {
  const bare = globSync(['**/*.ts', '../../../runtime/src/**/*.ts'], { cwd: import.meta.dirname })
    .filter((path) => !/\.test(-support)?\.ts$|verb-examples/.test(path))
    .flatMap((path) => {
      const lines = readFileSync(join(import.meta.dirname, path), 'utf8').split('\n')
      return lines.filter((line) => BARE_HINT.test(line)).map((line) => `${path}: ${line.trim()}`)
    })
  assert.deepEqual(bare, [])
})

/** What follows the colon of a hint, or begins its text. */
const BARE_HINT =
  /(?:: |, '|^\s*')rubicon (?:artifact|channels|clock|contract|escalations|executions|open) [a-zA-Z]/

test('a note names the command, and a line of the result stays as it is', () => {
  let said = ''
  const sink = { write: (text: string) => (said += text) }
  const out = createOutput({ stdout: sink, stderr: sink, stdin: process.stdin, env: NPX }, false)
  out.note('next: `rubicon up`')
  out.line('somebody wrote `rubicon up`')
  assert.equal(said, 'next: `npx rubicon up`\nsomebody wrote `rubicon up`\n')
})
