import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { home, run, runJson } from './cli.test-support.ts'
import { toPackageName } from './project-files.ts'
import { readVersion } from './version.ts'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))

const EXAMPLES = fileURLToPath(new URL('../../../examples/first-agent', import.meta.url))

const FILES = [
  '.gitignore',
  'README.md',
  'agent.test.ts',
  'agent.ts',
  'contract.yaml',
  'package.json',
  'refund.ts',
  'rules.ts',
  'start.ts',
]

/** With the packages of the repository in place of `npm install`. */
function runInProject(folder: string, args: readonly string[]): string {
  const modules = join(folder, 'node_modules')
  if (!existsSync(modules)) symlinkSync(MODULES, modules)
  // A runner that sees the runner above it reports to that one.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, XDG_STATE_HOME: `${folder}.state` }
  const done = spawnSync(process.execPath, args, { cwd: folder, env, encoding: 'utf8' })
  assert.equal(done.status, 0, `${done.stdout}${done.stderr}`)
  return done.stdout
}

test('a project runs as it is: one request too large, one accepted, and its own test', async () => {
  const folder = join(home().folder, 'refunds')
  const { exit, data } = await runJson(['init', folder])
  assert.equal(exit, 0)
  assert.deepEqual([...data.files].sort(), FILES)
  assert.deepEqual(readdirSync(folder).sort(), FILES)
  assert.deepEqual(data.next, [`cd ${folder}`, 'npm install', 'npm start', 'npm test'])
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  assert.deepEqual(Object.keys(manifest.dependencies), [
    'rubicon-agents',
    'rubicon-runtime',
    'rubicon-server',
  ])
  for (const version of Object.values(manifest.dependencies)) assert.equal(version, readVersion())
  assert.deepEqual(manifest.scripts, {
    start: 'node start.ts',
    dev: 'rubicon dev',
    test: 'node --test',
  })
  assert.equal(
    runInProject(folder, ['start.ts']),
    'REFUND LIMIT_EXCEEDED\nREFUND ACCEPTED\nthe run is settled\n',
  )
  assert.match(runInProject(folder, ['--test']), /pass 2\n.*fail 0\n/s)
  const { exit: checked } = await run(['contract', 'check', join(folder, 'contract.yaml')])
  assert.equal(checked, 0)
})

test('a project that cannot start says why and what to do, without a stack', async () => {
  const folder = join(home().folder, 'refunds')
  assert.equal((await run(['init', folder])).exit, 0)
  runInProject(folder, ['start.ts'])
  const contract = join(folder, 'contract.yaml')
  writeFileSync(contract, readFileSync(contract, 'utf8').replace('500.00', '600.00'))
  const env = { ...process.env, XDG_STATE_HOME: `${folder}.state` }
  const done = spawnSync(process.execPath, ['start.ts'], { cwd: folder, env, encoding: 'utf8' })
  assert.equal(done.status, 1)
  assert.match(done.stderr, /^✖ CONTRACT_VERSION_IMMUTABLE: `refunds_bot` has a version 1\.0\.0/)
  assert.match(done.stderr, /\n {2}fix {2}raise the version\n$/)
  assert.doesNotMatch(done.stderr, /\n +at /)
})

// The compiler reads `examples` with everything else, so that what it accepts there it accepts in a project.
test('sources are those of the example', async () => {
  const folder = join(home().folder, 'same')
  await run(['init', folder])
  for (const name of FILES.filter((one) => one.endsWith('.ts')))
    assert.equal(
      readFileSync(join(folder, name), 'utf8'),
      readFileSync(join(EXAMPLES, name), 'utf8'),
    )
})

test('a folder that has something in it is refused by name, and stays as it is', async () => {
  const { folder } = home()
  writeFileSync(join(folder, 'agent.ts'), 'mine')
  const { exit, data } = await runJson(['init', folder])
  assert.equal(exit, 2)
  assert.equal(data.error.code, 'FOLDER_NOT_EMPTY')
  assert.match(data.error.summary, /home-.*is not empty: it has `agent\.ts`/)
  assert.deepEqual(readdirSync(folder), ['agent.ts'])
  assert.equal(readFileSync(join(folder, 'agent.ts'), 'utf8'), 'mine')
  const hidden = join(home().folder, 'hidden')
  mkdirSync(join(hidden, '.git'), { recursive: true })
  assert.equal((await runJson(['init', hidden])).data.error.code, 'FOLDER_NOT_EMPTY')
  assert.deepEqual(readdirSync(hidden), ['.git'])
})

test('a file in place of the folder is refused, and so is a name that is none', async () => {
  const file = join(home().folder, 'file')
  writeFileSync(file, 'mine')
  assert.equal((await run(['init', file])).exit, 2)
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  for (const name of ['', '  ']) {
    const { exit, data } = await runJson(['init', name])
    assert.deepEqual([exit, data.error.code], [2, 'USAGE'])
  }
})

test('an empty folder that exists is taken', async () => {
  const { folder } = home()
  assert.equal((await run(['init', folder])).exit, 0)
  assert.deepEqual(readdirSync(folder).sort(), FILES)
})

test('a folder of any name can be entered by the command that is printed', async (t) => {
  const { folder } = home()
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(folder)
  for (const name of ["Jane's Agent", 'ünïcode 机器人', '$(touch x) `y` "z"', '#1;&|', '-n', '~']) {
    const { exit, stdout } = await run(['init', '--json', '--', name])
    assert.equal(exit, 0, stdout)
    const enter = `${JSON.parse(stdout).next[0]}; pwd`
    const entered = spawnSync('sh', ['-e', '-c', enter], { cwd: folder, encoding: 'utf8' })
    assert.equal(basename(entered.stdout.trimEnd()), name)
    const manifest = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
    assert.match(manifest.name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
  }
})

test('without a name the project is made in this folder, and nothing has to be entered', async (t) => {
  const { folder } = home()
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(folder)
  const { data } = await runJson(['init'])
  assert.deepEqual(data.next, ['npm install', 'npm start', 'npm test'])
  assert.deepEqual(readdirSync(folder).sort(), FILES)
})

test('the name of a folder becomes one that npm takes', () => {
  assert.equal(toPackageName('Refunds Bot_2'), 'refunds-bot-2')
  assert.equal(toPackageName('..'), 'my-agent')
  assert.equal(toPackageName('机器人'), 'my-agent')
  assert.equal(toPackageName('rubicon-runtime'), 'my-rubicon-runtime')
  assert.ok(toPackageName(`${'a'.repeat(99)}-b`).length <= 100)
  assert.match(toPackageName(`${'a'.repeat(99)}-b`), /a$/)
})

test('a version that npm does not have says where its packages come from', async () => {
  const { folder } = home()
  const { stderr } = await run(['init', join(folder, 'made')])
  assert.equal(stderr.includes('is not on npm'), readVersion().includes('-'))
})

test('tarballs in a folder that is not there are told from tarballs that are missing', async () => {
  const { folder } = home()
  const { stderr } = await run(['init', join(folder, 'made'), '--packages', join(folder, 'none')])
  assert.match(stderr, /there is no folder `.*none`/)
  assert.equal(existsSync(join(folder, 'made')), false)
})

test('packages may come from tarballs, if all of them are there', async () => {
  const packages = home().folder
  const refused = join(home().folder, 'refused')
  const { exit, data } = await runJson(['init', refused, '--packages', packages])
  assert.deepEqual([exit, data.error.code], [2, 'PACKAGES_MISSING'])
  assert.equal(existsSync(refused), false)
  const names = listNeeded(['rubicon-agents', 'rubicon-runtime', 'rubicon-server'])
  const pathOf = (name: string): string => join(packages, `${name}-${readVersion()}.tgz`)
  for (const name of names) writeFileSync(pathOf(name), '')
  const made = join(home().folder, 'made')
  const done = await run(['init', made, '--packages', packages])
  assert.deepEqual([done.exit, done.stderr.includes('is not on npm')], [0, false])
  const { dependencies } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8'))
  assert.deepEqual(
    dependencies,
    Object.fromEntries(names.map((name) => [name, `file:${pathOf(name)}`])),
  )
})

/** These packages, and whichever of ours they depend on: no registry has any of them. */
function listNeeded(names: readonly string[]): readonly string[] {
  const needed = new Set(names)
  for (const name of needed) {
    const manifest = readFileSync(join(MODULES, name, 'package.json'), 'utf8')
    for (const other of Object.keys(JSON.parse(manifest).dependencies ?? {}))
      if (other.startsWith('rubicon-')) needed.add(other)
  }
  return [...needed]
}
