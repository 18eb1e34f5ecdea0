import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, fstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Result } from 'rubicon-kernel'
import { computeContentHash } from '../store/content-hash.ts'
import { openFileLog } from '../store/event-log.ts'
import { type Disk, NODE_DISK } from './disk.ts'
import type { FileProblem } from './file-problem.ts'
import { openFilesRoot } from './files-root.ts'
import { FilesSession } from './files-session.ts'
import { RECORD_FOLDER } from './record-folder.ts'
import { makeFolder } from './temporary-folder.test-support.ts'
import { memoryRecord } from './write-plan.test-support.ts'

function open(folder: string, disk?: Disk): Result<FilesSession, FileProblem> {
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  return FilesSession.open(root.value, memoryRecord(), disk)
}

test('the new bytes of a file that others may not read are never in one that they may', () => {
  const folder = makeFolder({ 'secret.json': '{"a": 1}\n' })
  chmodSync(join(folder, 'secret.json'), 0o600)
  const modes: number[] = []
  const disk: Disk = {
    ...NODE_DISK,
    write: (file, bytes) => {
      modes.push(fstatSync(file).mode & 0o077)
      NODE_DISK.write(file, bytes)
    },
  }
  const session = open(folder, disk)
  assert.ok(session.ok)
  const before = computeContentHash(Buffer.from('{"a": 1}\n'))
  const bytes = Buffer.from('{"a": 2}\n')
  const mask = process.umask(0o022)
  try {
    assert.ok(session.value.write([{ id: 'secret.json', before, bytes }], {}).ok)
  } finally {
    process.umask(mask)
    session.value.close()
  }
  assert.ok(modes.length > 0)
  assert.ok(modes.every((mode) => mode === 0))
})

test('a journal that somebody wrote takes away no folder outside of the root', () => {
  const outside = makeFolder()
  mkdirSync(join(outside, 'empty'))
  const folder = makeFolder()
  symlinkSync(outside, join(folder, 'link'))
  mkdirSync(join(folder, ...RECORD_FOLDER), { recursive: true })
  const journal = { version: 1, write: '0'.repeat(16), stage: 'discard', changes: [], note: {} }
  writeFileSync(
    join(folder, ...RECORD_FOLDER, 'journal.json'),
    JSON.stringify({ ...journal, folders: ['link/empty'] }),
  )
  const session = open(folder)
  assert.equal(session.ok ? 'opened' : session.error.code, 'FILE_LINK')
  assert.ok(existsSync(join(outside, 'empty')))
})

test('a pipe in the place of the journal, or of the history, is not waited for', () => {
  for (const name of ['journal.json', 'events.ndjson']) {
    const folder = makeFolder()
    const record = join(folder, ...RECORD_FOLDER)
    mkdirSync(record, { recursive: true })
    assert.equal(spawnSync('mkfifo', [join(record, name)]).status, 0)
    // In a process of its own: whoever waits for a pipe cannot be asked to stop.
    const script = `
      import { FilesSession, openFilesRoot } from '${new URL('./index.ts', import.meta.url)}'
      import { openFileLog } from '${new URL('../store/event-log.ts', import.meta.url)}'
      const root = openFilesRoot(${JSON.stringify(folder)})
      const kept = { has: () => false, add: () => {} }
      const log = openFileLog(${JSON.stringify(join(record, 'events.ndjson'))})
      console.log(log.ok ? FilesSession.open(root.value, kept).error.code : log.error.code)`
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
      encoding: 'utf8',
    })
    assert.equal(status, 0, name)
    assert.match(stdout, name === 'journal.json' ? /^FILE_IRREGULAR/u : /^HISTORY_BROKEN/u)
  }
  assert.ok(openFileLog(join(makeFolder(), 'events.ndjson')).ok)
})
