/** `artifact show`, `symbols`, `apply`, `undo` and `diff`, on real files. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { ARTIFACT_REASONS } from 'rubicon-runtime/reasons'
import { type Data, home, type Ran, run, runJson } from '../cli.test-support.ts'

const AUTH = `export class Auth {
  // who it is
  login(name: string): boolean {
    return name !== ''
  }
}

export function helper(a: number): number {
  return a
}
`

type Folder = {
  readonly at: (id: string) => string
  readonly read: (id: string) => string
  /** With `--root` of the folder. */
  readonly ask: (...argv: readonly string[]) => Promise<Ran>
  readonly askJson: (...argv: readonly string[]) => Promise<Data>
  /** The failure of a call that is refused. */
  readonly refused: (...argv: readonly string[]) => Promise<Data>
}

function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): Folder {
  const { folder } = home()
  const at = (id: string): string => join(folder, id)
  for (const [id, content] of Object.entries(files)) {
    mkdirSync(dirname(at(id)), { recursive: true })
    writeFileSync(at(id), content)
  }
  const root = ['--root', folder]
  return {
    at,
    read: (id) => readFileSync(at(id), 'utf8'),
    ask: (...argv) => run(['artifact', ...argv, ...root]),
    askJson: async (...argv) => {
      const { exit, data } = await runJson(['artifact', ...argv, ...root])
      assert.equal(exit, 0, JSON.stringify(data))
      return data
    },
    refused: async (...argv) => {
      const { exit, data } = await runJson(['artifact', ...argv, ...root])
      assert.equal(exit, 2, JSON.stringify(data))
      return data.error
    },
  }
}

const ADD = JSON.stringify({ op: 'addMember', target: 'class:Auth', fragment: 'logout(): void {}' })

test('show prints the tree of a file, and one symbol as it is written, with its comments', async () => {
  const { ask, at } = makeFolder({ 'auth.ts': AUTH })
  const tree = await ask('show', at('auth.ts'))
  assert.equal(tree.stdout, 'auth.ts\n  class Auth 1\n    method login 3\n  function helper 8\n')
  const slice = await ask('show', at('auth.ts'), 'class:Auth/method:login')
  assert.equal(slice.stdout, `${AUTH.split('\n').slice(1, 5).join('\n')}\n`)
})

test('symbols of a folder are listed by file, filtered by kind and name; what cannot be read hides nothing', async () => {
  const { ask, askJson, at } = makeFolder({
    'src/auth.ts': AUTH,
    'src/broken.ts': 'class {',
    'config.json': '{"a": {"b": 1}}',
    'notes.bin': Uint8Array.of(0, 255),
  })
  symlinkSync(at('src/auth.ts'), at('src/link.ts'))
  const { exit, data } = await runJson(['artifact', 'symbols', at(''), '--root', at('')])
  assert.equal(exit, 4)
  assert.deepEqual(
    data.symbols.map(({ file, path }: Data) => `${file} ${path}`),
    [
      'config.json key:a',
      'config.json key:a/key:b',
      'src/auth.ts class:Auth',
      'src/auth.ts class:Auth/method:login',
      'src/auth.ts function:helper',
    ],
  )
  assert.deepEqual(data.refused.map(({ file, error }: Data) => `${file} ${error.code}`).sort(), [
    'src/broken.ts ARTIFACT_UNREADABLE',
    'src/link.ts FILE_LINK',
  ])
  const methods = await askJson('symbols', at('src/auth.ts'), '--kind', 'method')
  assert.deepEqual(
    methods.symbols.map(({ name, first_line, last_line }: Data) => [name, first_line, last_line]),
    [['login', 3, 5]],
  )
  const named = await ask('symbols', at('src/auth.ts'), '--name', 'helper')
  assert.match(named.stdout, /^function:helper +src\/auth\.ts:8\n$/)
})

test('apply changes the lines of its delta and no others, keeps CRLF and the byte order mark, and undo gives back every byte', async () => {
  for (const text of [AUTH, `\uFEFF${AUTH.replaceAll('\n', '\r\n')}`]) {
    const { ask, askJson, at, read } = makeFolder({ 'auth.ts': text })
    const applied = await askJson('apply', at('auth.ts'), '--delta', ADD)
    assert.deepEqual([applied.event, applied.file], [1, 'auth.ts'])
    assert.deepEqual(applied.lines, [{ line: 6, removed: [], added: ['  logout(): void {}'] }])
    assert.deepEqual(
      applied.changes.map(({ change, path }: Data) => [change, path]),
      [['added', 'class:Auth/method:logout']],
    )
    const lineBreak = text.includes('\r') ? '\r\n' : '\n'
    assert.equal(
      read('auth.ts'),
      text.replace(`  }${lineBreak}}`, `  }${lineBreak}  logout(): void {}${lineBreak}}`),
    )
    const undone = await ask('undo')
    assert.equal(undone.exit, 0, undone.stderr)
    assert.equal(read('auth.ts'), text)
  }
})

test('a dry run shows the same difference and writes nothing, not even a record', async () => {
  const { askJson, at, read } = makeFolder({ 'auth.ts': AUTH })
  const tried = await askJson('apply', at('auth.ts'), '--delta', ADD, '--dry-run')
  assert.equal(tried.event, null)
  assert.equal(tried.lines.length, 1)
  assert.equal(read('auth.ts'), AUTH)
  assert.ok(!existsSync(at('.rubicon')))
  assert.equal((await askJson('apply', at('auth.ts'), '--delta', ADD)).after, tried.after)
})

test('several deltas are one event: each sees those before it, and one that cannot be done refuses all', async () => {
  const { askJson, refused, at, read } = makeFolder({ 'auth.ts': AUTH })
  const deltas = [
    { op: 'addMember', target: 'class:Auth', fragment: 'logout(): void {}' },
    { op: 'replaceBody', target: 'class:Auth/method:logout', fragment: '{ return }' },
    { op: 'remove', target: 'function:gone' },
  ]
  writeFileSync(at('delta.json'), JSON.stringify(deltas))
  const error = await refused('apply', at('auth.ts'), '--delta', `@${at('delta.json')}`)
  assert.equal(error.code, 'TARGET_MISSING')
  assert.match(error.summary, /^auth\.ts: delta 3: there is no `function:gone`$/)
  assert.match(error.fix, /did you mean `class:Auth`/)
  assert.equal(read('auth.ts'), AUTH)
  await askJson('apply', at('auth.ts'), '--delta', JSON.stringify(deltas.slice(0, 2)))
  assert.match(read('auth.ts'), / {2}logout\(\): void \{ return \}\n/)
  const undone = await askJson('undo')
  assert.deepEqual([undone.undone, undone.event], [1, 2])
  assert.equal(read('auth.ts'), AUTH)
})

test('an older event is undone where nothing stands on it; else what stands on it is named', async () => {
  const { askJson, refused, at, read } = makeFolder({ 'auth.ts': AUTH })
  const apply = (delta: object): Promise<Data> =>
    askJson('apply', at('auth.ts'), '--delta', JSON.stringify(delta), '--by', 'ann')
  await apply(JSON.parse(ADD))
  await apply({ op: 'remove', target: 'function:helper' })
  await apply({ op: 'replaceBody', target: 'class:Auth/method:logout', fragment: '{ return }' })
  const blocked = await refused('undo', '1')
  assert.deepEqual([blocked.code, blocked.meta.events], ['UNDO_BLOCKED', [3]])
  assert.match(blocked.fix, /rubicon artifact undo 3/)
  assert.deepEqual((await askJson('undo', '2')).undone, 2)
  assert.match(read('auth.ts'), /logout\(\): void \{ return \}[\s\S]*function helper/)
  assert.equal((await refused('undo', '2')).code, 'UNDO_DONE')
  assert.equal((await refused('undo', '4')).code, 'UNDO_DONE')
  assert.equal((await refused('undo', '9')).code, 'ARTIFACT_EVENT_UNKNOWN')
  await askJson('undo', '3')
  await askJson('undo')
  assert.equal(read('auth.ts'), AUTH)
  const { events } = await askJson('undo', '--list')
  assert.deepEqual(
    events.map(({ seq, undoes, undone_by }: Data) => [seq, undoes, undone_by]),
    [
      [1, null, 6],
      [2, null, 4],
      [3, null, 5],
      [4, 2, null],
      [5, 3, null],
      [6, 1, null],
    ],
  )
  assert.equal(events[0].author, 'ann')
  assert.equal((await refused('undo')).code, 'ARTIFACT_EVENT_UNKNOWN')
})

test('an edit by hand stays when an event is undone beside it, and refuses the undo where it stands on it', async () => {
  const { askJson, refused, at, read } = makeFolder({ 'auth.ts': AUTH })
  await askJson('apply', at('auth.ts'), '--delta', ADD)
  writeFileSync(at('auth.ts'), `${read('auth.ts')}\n// by hand\n`)
  await askJson('undo')
  assert.equal(read('auth.ts'), `${AUTH}\n// by hand\n`)
  await askJson('apply', at('auth.ts'), '--delta', ADD)
  writeFileSync(
    at('auth.ts'),
    read('auth.ts').replace('logout(): void {}', 'logout(): void { return }'),
  )
  const blocked = await refused('undo')
  assert.deepEqual([blocked.code, blocked.meta.unrecorded], ['UNDO_BLOCKED', true])
  assert.match(read('auth.ts'), /\{ return \}/)
})

test('an undo that would leave a text which does not parse is refused, and nothing is written', async () => {
  const { askJson, refused, at, read } = makeFolder({ 'a.json': '{\n  "a": 1,\n  "b": 2\n}\n' })
  const apply = (delta: object): Promise<Data> =>
    askJson('apply', at('a.json'), '--delta', JSON.stringify(delta))
  // The first takes the comma before it along; the second puts one there.
  await apply({ op: 'remove', target: 'key:b' })
  await apply({ op: 'addMember', target: '', fragment: '"c": 3' })
  const now = read('a.json')
  const error = await refused('undo', '1')
  assert.equal(error.code, 'UNDO_BLOCKED')
  assert.match(error.summary, /would not parse: a\.json/)
  assert.equal(read('a.json'), now)
})

test('diff says by structure what differs: of two files, and of a file and its past', async () => {
  const { ask, askJson, at } = makeFolder({
    'auth.ts': AUTH,
    'other.ts': AUTH.replace('helper', 'support')
      .replace("name !== ''", 'true')
      .replaceAll('  ', '    '),
  })
  const two = await ask('diff', at('auth.ts'), at('other.ts'))
  assert.equal(
    two.stdout,
    '~ changed class:Auth/method:login body · line 3\n= renamed function:support was function:helper · line 8\n',
  )
  await askJson('apply', at('auth.ts'), '--delta', ADD)
  await askJson('apply', at('auth.ts'), '--delta', '{"op": "remove", "target": "function:helper"}')
  const rows = ({ changes }: Data): readonly string[] =>
    changes.map(({ change, path }: Data) => `${change} ${path}`)
  assert.deepEqual(rows(await askJson('diff', at('auth.ts'))), [
    'added class:Auth/method:logout',
    'removed function:helper',
  ])
  const since = await askJson('diff', at('auth.ts'), '--since', '1')
  assert.deepEqual([since.since, rows(since)], [1, ['removed function:helper']])
  assert.equal((await askJson('diff', at('auth.ts'), '--since', '2')).same, true)
  assert.match((await ask('diff', at('other.ts'))).stderr, /nothing is recorded of `other\.ts`/)
})

test('bad input is refused with its place and its fix, and nothing is written', async () => {
  const files = {
    'auth.ts': AUTH,
    'twice.ts': 'function a(): void\nfunction a(): void {}\n',
    'broken.ts': 'const a = 1\nconst = 2\n',
    'latin.ts': Uint8Array.of(0x2f, 0x2f, 0xe9),
    'large.ts': '',
    'plain.txt': 'text',
  }
  const { refused, at, read } = makeFolder(files)
  truncateSync(at('large.ts'), 10_000_000)
  symlinkSync(at('auth.ts'), at('link.ts'))
  const remove = (target: string): string => JSON.stringify({ op: 'remove', target })
  const put = (fragment: string): string =>
    JSON.stringify({ op: 'addMember', target: 'class:Auth', fragment })
  const cases: readonly (readonly [string, string, string, RegExp])[] = [
    ['auth.ts', remove('Auth'), 'PATH_INVALID', /kind:name/],
    ['auth.ts', remove('src/auth.ts'), 'PATH_INVALID', /kind:name/],
    ['auth.ts', put('} export class B {'), 'FRAGMENT_REACHES_OUT', /^auth\.ts/],
    ['auth.ts', put('m( {}'), 'FRAGMENT_INVALID', /^auth\.ts/],
    ['auth.ts', put('login(): void {}'), 'NAME_TAKEN', /method `login`/],
    ['auth.ts', '{"op": "remove"}', 'DELTA_MALFORMED', /at `\/target`/],
    ['auth.ts', '{"op": "remove", "op": "rename"}', 'DELTA_MALFORMED', /no JSON/],
    ['twice.ts', remove('function:a'), 'TARGET_AMBIGUOUS', /not the only one/],
    ['broken.ts', remove('variable:a'), 'ARTIFACT_UNREADABLE', /^broken\.ts:2:7: /],
    ['latin.ts', remove('variable:a'), 'ARTIFACT_UNREADABLE', /not UTF-8/],
    ['large.ts', remove('variable:a'), 'ARTIFACT_TOO_LARGE', /10000000 bytes/],
    ['link.ts', remove('class:Auth'), 'FILE_LINK', /symbolic link/],
    ['none.ts', remove('class:Auth'), 'FILE_MISSING', /no `none\.ts`/],
    ['plain.txt', remove('class:Auth'), 'FORMAT_UNKNOWN', /no format/],
    ['../auth.ts', remove('class:Auth'), 'FILE_OUTSIDE', /below/],
    ['.git/a.ts', remove('class:Auth'), 'FILE_NAME_INVALID', /belongs to a tool/],
  ]
  for (const [file, delta, code, summary] of cases) {
    const error = await refused('apply', at(file), '--delta', delta)
    assert.equal(error.code, code, `${file} ${delta}: ${JSON.stringify(error)}`)
    assert.match(error.summary, summary)
    assert.ok(error.fix.length > 0)
    assert.ok(Object.hasOwn(ARTIFACT_REASONS, error.code), `${error.code} is explained`)
  }
  assert.equal(read('auth.ts'), AUTH)
  assert.ok(!existsSync(at('.rubicon/artifacts/events.ndjson')))
})

test('the real command, in a folder of its own: two at once are both recorded, and what is damaged is said', async () => {
  const { at, askJson, refused } = makeFolder({
    'a.ts': 'class A {\n}\n',
    'b.ts': 'class B {\n}\n',
  })
  const bin = join(import.meta.dirname, '../../../bin/rubicon.js')
  const start = async (name: string): Promise<number> => {
    const delta = JSON.stringify({ op: 'addMember', target: `class:${name}`, fragment: 'm() {}' })
    const argv = ['artifact', 'apply', `${name.toLowerCase()}.ts`, '--delta', delta]
    const child = spawn(process.execPath, [bin, ...argv], { cwd: at(''), stdio: 'ignore' })
    const [code] = await once(child, 'exit')
    return code
  }
  assert.deepEqual(await Promise.all([start('A'), start('B')]), [0, 0])
  const { events } = await askJson('undo', '--list')
  assert.deepEqual(
    events.map(({ seq }: Data) => seq),
    [1, 2],
  )
  assert.deepEqual(readdirSync(at('')).sort(), ['.rubicon', 'a.ts', 'b.ts'])
  const objects = at('.rubicon/artifacts/objects')
  for (const name of readdirSync(objects, { recursive: true, withFileTypes: true }))
    if (name.isFile()) writeFileSync(join(name.parentPath, name.name), 'damaged')
  assert.equal((await refused('undo', '1')).code, 'BLOB_CORRUPT')
  writeFileSync(at('.rubicon/artifacts/events.ndjson'), '{}\n')
  assert.equal((await refused('undo', '1')).code, 'HISTORY_BROKEN')
})

test('a secret that is known by its form is not written', async () => {
  const { at, read, refused } = makeFolder({ 'src/auth.ts': AUTH })
  const key = `AKIA${'Q7'.repeat(8)}`
  const deltas = [
    { op: 'replaceBody', target: 'function:helper', fragment: `{\n  return '${key}'.length\n}` },
    { op: 'addMember', target: 'class:Auth', fragment: `// ${key}\nkey = 1` },
  ]
  for (const delta of deltas)
    for (const how of [['--dry-run'], []]) {
      const problem = await refused(
        'apply',
        at('src/auth.ts'),
        '--delta',
        JSON.stringify(delta),
        ...how,
      )
      assert.equal(problem.code, 'SECRET_IN_FRAGMENT')
      assert.ok(!JSON.stringify(problem).includes(key), 'it is repeated')
    }
  assert.equal(read('src/auth.ts'), AUTH)
})
