import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../runtime/src/temporary-folder.test-support.ts'
import { readNodePackages } from './node-packages.ts'
import { ROOT } from './shell.ts'

type Manifest = {
  readonly scripts?: Readonly<Record<string, string>>
  readonly workspaces?: readonly string[]
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
}

test('finding 30i: an npm script on an old Node is a syntax error', () => {
  const root = manifestOf('.')
  const scripts = ['.', ...(root.workspaces ?? [])].flatMap((folder) =>
    Object.values(manifestOf(folder).scripts ?? {}),
  )
  const started = scripts.filter((script) => script.startsWith('node '))
  assert.ok(started.length > 10)
  for (const script of started)
    assert.match(script, /^node -r (\.|\.\.)\/scripts\/check-node\.cjs \S+\.ts$/, script)
  const old = join(temporaryFolder(), 'old.cjs')
  const pretended = { ...process.versions, node: '20.20.2' }
  writeFileSync(
    old,
    `Object.defineProperty(process, 'versions', { value: ${JSON.stringify(pretended)} })
     Object.defineProperty(process, 'version', { value: 'v20.20.2' })`,
  )
  const asked = ['-r', old, '-r', './scripts/check-node.cjs', 'scripts/no-such-file.ts']
  const { status, stdout, stderr } = spawnSync(process.execPath, asked, {
    cwd: ROOT,
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout, stderr.split('\n').length], [2, '', 2])
  assert.match(stderr, /^✖ this needs Node 24 or newer; this is v20\.20\.2 on .*: install Node 24/)
})

test('finding 30i: macOS has no Node', () => {
  const packages = readNodePackages()
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const platforms = Object.keys(packages).map((name) => {
    const { os, cpu, version = '' } = lock.packages[`node_modules/${name}`] ?? {}
    assert.ok(version !== '' && version === packages[name], name)
    assert.ok(Number.parseInt(version, 10) >= 24, name)
    return `${os} ${cpu}`
  })
  assert.deepEqual(platforms.sort(), [
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ])
})
