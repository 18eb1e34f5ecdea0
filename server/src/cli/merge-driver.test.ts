import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { mergeFiles } from 'rubicon-artifacts'
import { run, runJson } from './cli.test-support.ts'
import { addAttributeLines, removeAttributeLines } from './git-attributes.ts'

const CLASS = 'export class Store {\n  get() {\n    return 1\n  }\n}\n'

/** With one commit on main, and a branch for each of two agents who add a method to one class. */
function createRepository(): { readonly folder: string; readonly git: Git } {
  const folder = mkdtempSync(join(tmpdir(), 'merge-driver-'))
  const git: Git = (...args) => {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
    const { status, stdout, stderr } = spawnSync('git', args, {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
    return { status: status ?? -1, text: `${stdout}${stderr}` }
  }
  const commit = (text: string, message: string): void => {
    writeFileSync(join(folder, 'store.ts'), text)
    git('add', '-A')
    assert.equal(git('commit', '-qm', message).status, 0)
  }
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'a')
  git('config', 'user.email', 'a@example.org')
  commit(CLASS, 'class')
  for (const name of ['put', 'drop']) {
    git('checkout', '-qb', name, 'main')
    commit(CLASS.replace(/\}\n$/u, `\n  ${name}() {\n    return 2\n  }\n}\n`), name)
  }
  return { folder, git }
}

type Git = (...args: readonly string[]) => { readonly status: number; readonly text: string }

const MERGE = ['merge', '-q', 'put']

test('two branches that add methods to one class: git conflicts, and merges with the driver', async () => {
  const { folder, git } = createRepository()
  assert.equal(git(...MERGE).status, 1)
  git('merge', '--abort')
  const { data } = await runJson(['merge-driver', 'install', '--folder', folder])
  assert.ok(data.lines.includes('*.ts merge=rubicon'))
  const merged = git(...MERGE)
  assert.equal(merged.status, 0, merged.text)
  const names = readFileSync(join(folder, 'store.ts'), 'utf8').match(/^ {2}\w+/gmu)
  assert.deepEqual(names, ['  get', '  drop', '  put'])
})

test('a driver whose program is gone leaves out no changes of anybody: git merges the lines', async () => {
  const { folder, git } = createRepository()
  await run(['merge-driver', 'install', '--folder', folder])
  const driver = git('config', '--get', 'merge.rubicon.driver').text.trimEnd()
  git('config', 'merge.rubicon.driver', driver.replaceAll('rubicon.js', 'gone.js'))
  const merged = git(...MERGE)
  assert.equal(merged.status, 1)
  assert.match(merged.text, /merge-driver install/u)
  assert.match(
    readFileSync(join(folder, 'store.ts'), 'utf8'),
    /^<{7} ours\n {2}drop\(.*^={7}\n {2}put\(.*^>{7} theirs$/msu,
  )
  await run(['merge-driver', 'uninstall', '--folder', folder])
  assert.equal(git('config', '--get', 'merge.rubicon.driver').text, '')
})

test('what does not go together is a conflict that names the symbol, in the file and to git', async () => {
  const { folder, git } = createRepository()
  await run(['merge-driver', 'install', '--folder', folder])
  for (const [branch, text] of [
    ['one', CLASS.replace('get()', 'get(key: string)')],
    ['two', `${CLASS}\nexport const first = new Store().get()\n`],
  ] as const) {
    git('checkout', '-qb', branch, 'main')
    writeFileSync(join(folder, 'store.ts'), text)
    git('commit', '-qam', branch)
  }
  const merged = git('merge', '-q', 'one')
  assert.equal(merged.status, 1)
  assert.match(merged.text, /uses `get`/u)
  assert.match(readFileSync(join(folder, 'store.ts'), 'utf8'), /^>{7} theirs \(.*`get`/mu)
  assert.match(git('status', '--porcelain').text, /^UU store\.ts/mu)
})

test('uninstall takes out what install put in, and nothing else', async () => {
  const { folder, git } = createRepository()
  const attributes = join(folder, '.gitattributes')
  writeFileSync(attributes, '*.json merge=union\n*.ts text')
  const { data } = await runJson(['merge-driver', 'install', '--folder', folder])
  assert.deepEqual(data.kept, ['*.json'])
  assert.match(
    readFileSync(attributes, 'utf8'),
    /^\*\.json merge=union\n\*\.ts text\n\*\.ts merge=rubicon\n/u,
  )
  const again = await runJson(['merge-driver', 'install', '--folder', folder])
  assert.deepEqual(again.data.lines, [])
  await run(['merge-driver', 'uninstall', '--folder', folder])
  assert.equal(readFileSync(attributes, 'utf8'), '*.json merge=union\n*.ts text\n')
  assert.equal(git('config', '--get', 'merge.rubicon.driver').text, '')
  writeFileSync(attributes, '')
  await run(['merge-driver', 'install', '--folder', folder])
  await run(['merge-driver', 'uninstall', '--folder', folder])
  assert.equal(existsSync(attributes), false)
})

test('a driver of that name that is not ours, and a folder without a repository, are refused', async () => {
  const { folder, git } = createRepository()
  git('config', 'merge.rubicon.driver', 'other %A')
  const taken = await run(['merge-driver', 'install', '--folder', folder])
  assert.deepEqual([taken.exit, existsSync(join(folder, '.gitattributes'))], [2, false])
  const nowhere = mkdtempSync(join(tmpdir(), 'merge-driver-'))
  assert.equal((await run(['merge-driver', 'install', '--folder', nowhere])).exit, 2)
})

type ThreeFiles = { readonly base: string; readonly ours: string; readonly theirs: string }

function writeThree(
  base: string | Buffer,
  ours: string | Buffer,
  theirs: string | Buffer,
): ThreeFiles {
  const folder = mkdtempSync(join(tmpdir(), 'merge-driver-'))
  const files = { base: join(folder, 'o'), ours: join(folder, 'a'), theirs: join(folder, 'b') }
  writeFileSync(files.base, base)
  writeFileSync(files.ours, ours)
  writeFileSync(files.theirs, theirs)
  return files
}

test('bytes that are no text are left to git, and ours is whole when git fails too', async () => {
  const latin = (text: string): Buffer => Buffer.from(text, 'latin1')
  const files = writeThree(latin('é\n\n\n\nb\n'), latin('é1\n\n\n\nb\n'), latin('é\n\n\n\nb2\n'))
  const { by, conflicts } = await mergeFiles({ ...files, name: 'a.ts' })
  assert.deepEqual([by, conflicts], ['lines', []])
  assert.deepEqual(readFileSync(files.ours), latin('é1\n\n\n\nb2\n'))
  const binary = writeThree(Buffer.from([0, 1]), Buffer.from([0, 2]), Buffer.from([0, 3]))
  const { exit } = await run([
    'merge-driver',
    'run',
    binary.base,
    binary.ours,
    binary.theirs,
    'a.bin',
  ])
  assert.equal(exit, 2)
  assert.deepEqual(readFileSync(binary.ours), Buffer.from([0, 2]))
})

test('a merge that takes too long is left to git', async () => {
  const files = writeThree(
    'const a = 1\n',
    'const a = 1\nconst b = 1\n',
    'const a = 1\nconst c = 1\n',
  )
  const { by, fallback } = await mergeFiles({ ...files, name: 'a.ts', timeoutMs: 1 })
  assert.deepEqual([by, fallback], ['lines', 'it took longer than 1 ms'])
  assert.match(readFileSync(files.ours, 'utf8'), /^<{7} ours/mu)
})

test('attributes: a pattern that somebody decided about stays', () => {
  assert.deepEqual(addAttributeLines('* -merge\n', ['*.ts']).kept, ['*.ts'])
  assert.deepEqual(addAttributeLines('# *.ts merge=x\n*.ts binary\n', ['*.ts']).kept, ['*.ts'])
  const { text } = addAttributeLines('*.png binary', ['*.ts'])
  assert.equal(text, '*.png binary\n*.ts merge=rubicon\n')
  assert.equal(removeAttributeLines(text, ['*.ts']).text, '*.png binary\n')
})
