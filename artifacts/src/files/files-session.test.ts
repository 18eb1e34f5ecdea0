import assert from 'node:assert/strict'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { JsonValue, Result } from 'rubicon-kernel'
import { computeContentHash } from '../store/content-hash.ts'
import type { Disk } from './disk.ts'
import { countingDisk, dyingDisk, refusingDisk } from './failing-disk.test-support.ts'
import type { FileChange } from './file-change.ts'
import type { FileProblem } from './file-problem.ts'
import { openFilesRoot } from './files-root.ts'
import { FilesSession, type Recovery, type WriteRecord } from './files-session.ts'
import { makeFolder, readAll } from './temporary-folder.test-support.ts'
import { CHANGES, makeOldFolder, memoryRecord, NEW, NOTE, OLD } from './write-plan.test-support.ts'

function open(folder: string, record: WriteRecord, disk?: Disk): FilesSession {
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  const session = FilesSession.open(root.value, record, disk)
  assert.ok(session.ok, JSON.stringify(session))
  return session.value
}

function writeOnce(
  folder: string,
  changes: readonly FileChange[],
  record: WriteRecord = memoryRecord(),
  disk?: Disk,
): Result<void, FileProblem> {
  const session = open(folder, record, disk)
  const written = session.write(changes, NOTE)
  session.close()
  return written
}

/** Writes on a disk that may die; the lock of a process that ended is as good as released. */
function writeAndDie(
  folder: string,
  record: WriteRecord,
  disk: Disk,
): 'written' | 'refused' | 'died' {
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  const session = FilesSession.open(root.value, record, disk)
  const written = session.ok ? session.value.write(CHANGES, NOTE) : session
  if (session.ok) session.value.close()
  return written.ok ? 'written' : written.error.detail.includes('EIO') ? 'died' : 'refused'
}

function recover(folder: string, record: WriteRecord): Recovery | null {
  const session = open(folder, record)
  session.close()
  return session.recovered
}

function assertAllOrNothing(
  folder: string,
  notes: readonly JsonValue[],
  what: string,
): 'old' | 'new' {
  const files = readAll(folder)
  const isNew = 'made/deep/c.ts' in files
  assert.deepEqual(files, isNew ? NEW : OLD, what)
  assert.deepEqual(notes, isNew ? [NOTE] : [], `${what}: recorded as it is`)
  assert.equal(statSync(join(folder, 'a.ts')).mode & 0o777, 0o755)
  assert.throws(() => readFileSync(join(folder, '.rubicon/artifacts/journal.json')))
  if (!isNew) assert.throws(() => statSync(join(folder, 'made')), what)
  return isNew ? 'new' : 'old'
}

test('files are replaced, made and removed together, with their modes, and nothing is left over', () => {
  const folder = makeOldFolder()
  const record = memoryRecord()
  assert.ok(writeOnce(folder, CHANGES, record).ok)
  assert.equal(assertAllOrNothing(folder, record.notes, 'written'), 'new')
})

test('a process that ends at any step leaves all old or all new, also when the next one ends at any step', () => {
  const seen = new Set<string>()
  let last = 0
  for (let step = 1; last === 0; step += 1) {
    const folder = makeOldFolder()
    const record = memoryRecord()
    const disk = dyingDisk(step)
    const how = writeAndDie(folder, record, disk)
    if (disk.countCalls() < step) last = step
    for (const second of [2, 5, 9, 14]) {
      const again = dyingDisk(second)
      const root = openFilesRoot(folder)
      assert.ok(root.ok)
      const session = FilesSession.open(root.value, record, again)
      if (session.ok) session.value.close()
    }
    recover(folder, record)
    const which = assertAllOrNothing(folder, record.notes, `step ${step}`)
    if (how === 'written') assert.equal(which, 'new', `step ${step}: it was said to be written`)
    seen.add(which)
  }
  assert.ok(last > 40, `${last} steps`)
  assert.deepEqual([...seen].sort(), ['new', 'old'])
})

test('a disk that refuses any one step leaves all old, and says so, or all new', () => {
  for (let step = 1, isOver = false; !isOver; step += 1) {
    const code = ['ENOSPC', 'EACCES', 'EROFS', 'EIO'][step % 4] ?? ''
    const folder = makeOldFolder()
    const record = memoryRecord()
    const disk = refusingDisk(step, code)
    const root = openFilesRoot(folder)
    assert.ok(root.ok)
    const session = FilesSession.open(root.value, record, disk)
    const written = session.ok ? session.value.write(CHANGES, NOTE) : session
    if (session.ok) session.value.close()
    isOver = disk.countCalls() < step
    const files = dropDrafts(readAll(folder))
    if (!written.ok)
      assert.equal(written.error.code, code === 'ENOSPC' ? 'DISK_FULL' : 'FILE_UNWRITABLE')
    assert.deepEqual(files, written.ok ? NEW : OLD, `${code} at ${step}`)
    recover(folder, record)
    const which = assertAllOrNothing(folder, record.notes, `${code} at ${step}`)
    assert.equal(which, written.ok ? 'new' : 'old')
  }
})

/** What is the journal's is taken away by the next one at the latest. */
function dropDrafts(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).filter(([id]) => !id.includes('.rubicon-')))
}

test('nothing is renamed before everything is on the disk: new bytes, their names, the journal', () => {
  const folder = makeOldFolder()
  const disk = countingDisk(() => {})
  assert.ok(writeOnce(folder, CHANGES, memoryRecord(), disk).ok)
  const calls = disk.calls.map((call) => call.replaceAll(`${folder}/`, ''))
  const first = calls.findIndex((call) => /^(rename|link) (?!.*journal)/.test(call))
  const before = calls.slice(0, first)
  for (const name of ['-0.new', '-1.new', '-2.new']) {
    const at = (verb: string): number =>
      before.findIndex((call) => call.startsWith(verb) && call.endsWith(name))
    assert.ok(at('create') < at('write') && at('write') < at('flush'), name)
  }
  const journals = before.flatMap((call, at) => (/^rename .*journal\.json/.test(call) ? [at] : []))
  const [prepared = -1, committed = -1] = journals
  const create = before.findIndex((call) => call.endsWith('-0.new'))
  assert.ok(prepared < create, 'the journal names what is made before it is made')
  assert.ok(before.lastIndexOf('flushFolder src', committed) > create, 'names are kept')
  const last = before.findLast((call) => !call.endsWith('.old'))
  assert.equal(last, 'flushFolder .rubicon/artifacts', 'and the journal, last')
  const behind = calls.slice(first)
  const dropped = behind.indexOf('unlink .rubicon/artifacts/journal.json')
  const kept = behind.findLastIndex((call) => /^(rename|link) (?!.*journal)/.test(call))
  assert.ok(
    behind.indexOf('flushFolder src', kept) < dropped,
    'what was renamed is kept before the journal goes',
  )
  assert.ok(behind.includes('flushFolder made/deep'))
})

test('a file that changed on the disk since it was read refuses all of them, before anything is written', () => {
  for (const spoil of [
    (folder: string) => writeFileSync(join(folder, 'src/b.ts'), 'mine\n'),
    (folder: string) => unlinkSync(join(folder, 'src/b.ts')),
    (folder: string) => {
      mkdirSync(join(folder, 'made/deep'), { recursive: true })
      writeFileSync(join(folder, 'made/deep/c.ts'), 'mine\n')
    },
    (folder: string) => unlinkSync(join(folder, 'src/gone.ts')),
  ]) {
    const folder = makeOldFolder()
    spoil(folder)
    const files = readAll(folder)
    const disk = countingDisk((_, name) => assert.ok(['create', 'unlink'].includes(name), name))
    const written = writeOnce(folder, CHANGES, memoryRecord(), disk)
    assert.ok(!written.ok)
    assert.equal(written.error.code, 'FILE_CHANGED')
    assert.deepEqual(readAll(folder), files)
    assert.ok(
      disk.calls.every((call) => call.includes('/writers/')),
      'only the lock was touched',
    )
  }
})

test('a file that somebody writes while others are renamed is theirs, and everything is undone', () => {
  const folder = makeOldFolder()
  const disk = countingDisk((_, name) => {
    const isFirst = readFileSync(join(folder, 'src/b.ts'), 'utf8') === OLD['src/b.ts']
    const isCommitting = readFileSync(join(folder, 'a.ts'), 'utf8') === NEW['a.ts']
    // In place, as editors do, by the last name that the old file has.
    if (name === 'rename' && isCommitting && isFirst)
      writeFileSync(join(folder, 'src/b.ts'), 'mine\n')
  })
  const record = memoryRecord()
  const written = writeOnce(folder, CHANGES, record, disk)
  assert.ok(!written.ok)
  assert.deepEqual([written.error.code, written.error.file], ['FILE_CHANGED', 'src/b.ts'])
  assert.deepEqual(readAll(folder), { ...OLD, 'src/b.ts': 'mine\n' })
  assert.deepEqual(record.notes, [])
})

test("a write that was not finished is undone where a file is somebody else's by now, which is left as it is", () => {
  let undone = 0
  for (let step = 1; step < 80; step += 2) {
    const folder = makeOldFolder()
    const record = memoryRecord()
    const how = writeAndDie(folder, record, dyingDisk(step))
    if (how !== 'died' || record.notes.length > 0) continue
    writeFileSync(join(folder, 'src/b.ts'), 'mine\n')
    const recovered = recover(folder, record)
    assert.deepEqual(readAll(folder), { ...OLD, 'src/b.ts': 'mine\n' }, `step ${step}`)
    assert.deepEqual(record.notes, [])
    if (recovered?.changed_by_others.length === 1) undone += 1
  }
  assert.ok(undone > 2, String(undone))
})

test('nothing is written through a symbolic link: not the file, not a folder above it, not the record', () => {
  const there = makeFolder({ 'b.ts': OLD['src/b.ts'] })
  const one: FileChange = {
    id: 'src/b.ts',
    before: computeContentHash(Buffer.from(OLD['src/b.ts'])),
    bytes: Buffer.from('new\n'),
  }
  for (const link of [
    (folder: string) => {
      unlinkSync(join(folder, 'src/b.ts'))
      symlinkSync(join(there, 'b.ts'), join(folder, 'src/b.ts'))
    },
    (folder: string) => {
      renameSync(join(folder, 'src'), join(folder, 'elsewhere'))
      symlinkSync(there, join(folder, 'src'))
    },
  ]) {
    const folder = makeOldFolder()
    link(folder)
    const written = writeOnce(folder, [one])
    assert.ok(!written.ok && written.error.code === 'FILE_LINK')
    assert.deepEqual(readAll(there), { 'b.ts': OLD['src/b.ts'] })
  }
  for (const name of ['.rubicon', '.rubicon/artifacts', '.rubicon/artifacts/objects']) {
    const folder = makeOldFolder()
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    symlinkSync(there, join(folder, name))
    const root = openFilesRoot(folder)
    assert.ok(root.ok)
    const session = FilesSession.open(root.value, memoryRecord())
    assert.ok(!session.ok && session.error.code === 'FILE_LINK', name)
  }
  assert.deepEqual(readAll(there), { 'b.ts': OLD['src/b.ts'] })
})

test('a record that cannot be read stops the writer, and leaves nobody locked out', () => {
  const folder = makeOldFolder()
  writeAndDie(folder, memoryRecord(), dyingDisk(40))
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  const broken: WriteRecord = {
    has: () => {
      throw new Error('the history is broken')
    },
    add: () => {},
  }
  assert.throws(() => FilesSession.open(root.value, broken), /the history is broken/)
  recover(folder, memoryRecord())
})

test('a hard link elsewhere keeps its bytes', () => {
  const folder = makeOldFolder()
  const there = join(makeFolder(), 'same.ts')
  linkSync(join(folder, 'a.ts'), there)
  assert.ok(writeOnce(folder, CHANGES).ok)
  assert.equal(readFileSync(there, 'utf8'), OLD['a.ts'])
})

test('what may not be written, and what is a name elsewhere, is refused', () => {
  const folder = makeOldFolder()
  const make = (id: string): Result<void, FileProblem> =>
    writeOnce(folder, [{ id, before: null, bytes: Buffer.from('x') }])
  for (const [id, code] of [
    ['A.ts', 'FILE_NAME_COLLISION'],
    ['Src/new.ts', 'FILE_NAME_COLLISION'],
    ['../out.ts', 'FILE_NAME_INVALID'],
    ['/out.ts', 'FILE_NAME_INVALID'],
    ['src//x.ts', 'FILE_NAME_INVALID'],
    ['.git/hooks/pre-commit', 'FILE_NAME_INVALID'],
    ['src/.GIT/config', 'FILE_NAME_INVALID'],
    ['.rubicon/artifacts/journal.json', 'FILE_NAME_INVALID'],
    ['a.ts/below.ts', 'FILE_IRREGULAR'],
    ['e\u0301.ts', 'FILE_NAME_INVALID'],
  ] as const) {
    const made = make(id)
    assert.ok(!made.ok, id)
    assert.equal(made.error.code, code, id)
  }
  chmodSync(join(folder, 'a.ts'), 0o444)
  const written = writeOnce(folder, CHANGES)
  assert.ok(!written.ok && written.error.code === 'FILE_UNWRITABLE')
  assert.deepEqual(readAll(folder), OLD)
})

test('a journal that somebody wrote leads nowhere else, and one that cannot be read stops everything', () => {
  const folder = makeOldFolder()
  assert.ok(writeOnce(folder, []).ok)
  const out = makeFolder({ 'x.ts': 'x' })
  const hash = computeContentHash(Buffer.from('x'))
  const journal = (id: string): string =>
    JSON.stringify({
      version: 1,
      write: '0123456789abcdef',
      stage: 'commit',
      folders: [],
      changes: [{ id, before: hash, after: null }],
      note: null,
    })
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  for (const text of ['', '{', '{}', journal(`../${out.split('/').at(-1)}/x.ts`)]) {
    writeFileSync(join(folder, '.rubicon/artifacts/journal.json'), text)
    const session = FilesSession.open(root.value, memoryRecord())
    assert.ok(!session.ok && session.error.code === 'JOURNAL_BROKEN', text)
  }
  assert.deepEqual(readAll(out), { 'x.ts': 'x' })
  assert.deepEqual(readAll(folder), OLD)
})
