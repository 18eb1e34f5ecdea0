/** A file that is there when `archive create` begins: of a run that was stopped, or of long ago. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { before, mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { moveFlows } from './archive.ts'
import { writeArchive } from './archive-file.ts'
import {
  type ArchiveGround,
  type ArchivePlace,
  archiveGround,
  create,
  SOON,
} from './archive-place.test-support.ts'
import { Options } from './call.ts'
import { runJson } from './cli.test-support.ts'
import { createOutput } from './output.ts'

const CHILD = fileURLToPath(new URL('archive-kill.test-support.ts', import.meta.url))

let ground: ArchiveGround

before(async () => {
  ground = await archiveGround()
})

function kill({ folder, file }: ArchivePlace, step: 'named' | 'moved'): void {
  const args = [CHILD, step, `sqlite:${join(folder, 'rubicon.db')}`, join(folder, 'state'), file]
  assert.equal(spawnSync(process.execPath, args, { timeout: 60_000 }).signal, 'SIGKILL')
}

async function erase({ at }: ArchivePlace, dfid: string): Promise<void> {
  const args = ['erase', dfid, '--reason', 'asked for', '--yes', ...at]
  const { exit, data } = await runJson(args)
  assert.equal(exit, 0, JSON.stringify(data))
}

function move({ folder, file }: ArchivePlace, reach: (step: string) => void): Promise<unknown> {
  const silent = { write: () => true }
  const streams = { stdout: silent, stderr: silent, stdin: new PassThrough(), env: {} }
  const call = {
    args: [],
    options: new Options({ quiet: true }),
    out: createOutput(streams, true),
    streams,
    place: {
      store: `sqlite:${join(folder, 'rubicon.db')}`,
      state: join(folder, 'state'),
      tenant: 'default',
      keyAgent: undefined,
      passphraseFile: undefined,
    },
  }
  return moveFlows(call, file, Date.UTC(2999, 0), reach)
}

test('no payload leaves the store for a file whose name may be gone after the power is', async () => {
  const it = ground.place()
  kill(it, 'named')
  const [file, folder] = [statSync(it.file).ino, statSync(it.folder).ino]
  const done: (number | string)[] = []
  const sync = fs.fsyncSync
  mock.method(fs, 'fsyncSync', (handle: number) => {
    done.push(fs.fstatSync(handle).ino)
    sync(handle)
  })
  syncBuiltinESMExports()
  try {
    await move(it, (step) => done.push(step))
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  const first = done.indexOf('moved')
  assert.ok(first !== -1)
  const before = done.slice(0, first)
  assert.ok(before.includes(file), 'what the file holds is on the disk')
  assert.ok(before.includes(folder), 'and so is its name')
})

test('nothing is archived in a file that holds the words of a flow that was erased', async () => {
  const [erased = ''] = ground.dfids
  const stopped = ground.place()
  kill(stopped, 'named')
  const restored = ground.place()
  await create(restored)
  const back = await runJson(['archive', 'restore', restored.file, '--apply', ...restored.at])
  assert.equal(back.exit, 0)
  for (const it of [stopped, restored]) {
    const ofErased = `{"dfid":"${erased}"`
    assert.ok(readFileSync(it.file, 'utf8').includes(ofErased))
    await erase(it, erased)
    const { exit, data } = await runJson([
      'archive',
      'create',
      it.file,
      ...SOON,
      '--apply',
      ...it.at,
    ])
    assert.deepEqual([exit, data.error?.code], [2, 'ARCHIVE_HOLDS_ERASED'], JSON.stringify(data))
    assert.ok(data.error.summary.includes(it.file))
    assert.deepEqual((await runJson(['archive', 'list', ...it.at])).data.archives, [])
    const fresh = { ...it, file: join(it.folder, 'new.ndjson') }
    assert.ok((await create(fresh)).flows > 0)
    assert.equal(readFileSync(fresh.file, 'utf8').includes(ofErased), false)
  }
})

test('of two runs that write one file, none gives its name to what the other has not written yet', async () => {
  const it = ground.place()
  const other = Promise.withResolvers<void>()
  async function* wait(): AsyncGenerator<never> {
    await other.promise
    yield* []
  }
  let second: Promise<unknown> = Promise.resolve()
  const first = move(it, (step) => {
    if (step === 'checked') second = writeArchive(it.file, 'default', wait())
  })
  // It may be told that its draft is gone; what it must not do is go on with half a file.
  const [done] = await Promise.allSettled([first])
  const lines = existsSync(it.file) ? readFileSync(it.file, 'utf8').split('\n').length : 0
  other.resolve()
  await Promise.allSettled([second])
  assert.ok(
    done?.status === 'rejected' ? lines === 0 : lines > 2,
    `${done?.status}, ${lines} lines`,
  )
  assert.deepEqual(
    readdirSync(it.folder).filter((name) => name.includes('partial')),
    [],
  )
})

test('whoever puts a file back hears of what it holds that was erased', async () => {
  const it = ground.place()
  kill(it, 'moved')
  const tags = await Promise.all(ground.dfids.map((dfid) => readTags(it, dfid)))
  const inStore = ground.dfids.filter((_, at) => tags[at]?.length === 0)
  assert.equal(inStore.length, ground.dfids.length - 1, 'one was moved')
  await erase(it, inStore[0] ?? '')
  const { data } = await runJson(['archive', 'create', it.file, ...SOON, '--apply', ...it.at])
  assert.equal(data.error?.code, 'ARCHIVE_HOLDS_ERASED', 'nor does it go on')
  for (const apply of [[], ['--apply']]) {
    const back = await runJson(['archive', 'restore', it.file, ...apply, ...it.at])
    assert.deepEqual([back.exit, back.data.flows, back.data.erased], [0, 1, 1])
  }
})

async function readTags({ at }: ArchivePlace, dfid: string): Promise<readonly string[]> {
  return (await runJson(['flows', 'show', dfid, ...at])).data.flow.tags
}
