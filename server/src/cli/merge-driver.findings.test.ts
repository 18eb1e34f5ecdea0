import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { home, run } from './cli.test-support.ts'

const BASE = 'export class Store {\n  get() {\n    return 1\n  }\n}\n'
const NAME = '-h.ts'

test('a file whose name looks like an option is merged as any other', async () => {
  const { folder } = home()
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const git = (...args: readonly string[]): number | null =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      cwd: folder,
      env,
    }).status
  const commit = (text: string): void => {
    writeFileSync(join(folder, NAME), text)
    git('add', '-A')
    assert.equal(git('commit', '-qm', 'one'), 0)
  }
  git('init', '-q', '-b', 'main')
  assert.equal((await run(['merge-driver', 'install', '--folder', folder])).exit, 0)
  commit(BASE)
  for (const name of ['put', 'drop']) {
    git('checkout', '-qb', name, 'main')
    commit(BASE.replace(/\}\n$/u, `\n  ${name}() {\n    return 2\n  }\n}\n`))
  }
  assert.equal(git('merge', '-q', '-m', 'both', 'put'), 0)
  const names = readFileSync(join(folder, NAME), 'utf8').match(/^ {2}\w+/gmu)
  assert.deepEqual(names, ['  get', '  drop', '  put'])
})
