import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { NODE_DISK } from './disk.ts'
import { acquireLock } from './lock.ts'
import { makeFolder } from './temporary-folder.test-support.ts'

const LOCK = pathToFileURL(join(import.meta.dirname, 'lock.ts')).href
const DISK = pathToFileURL(join(import.meta.dirname, 'disk.ts')).href

/** A process that runs this with the lock at hand, and says what it writes. */
function start(code: string): ChildProcess {
  const source = `import { acquireLock } from '${LOCK}'; import { NODE_DISK } from '${DISK}'; ${code}`
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

test('a second writer is refused while the first one lives, and told who it is; not afterwards', async () => {
  const folder = makeFolder()
  const child = start(`
    if (!acquireLock(NODE_DISK, ${JSON.stringify(folder)}).ok) process.exit(1)
    process.stdout.write('held'); setInterval(() => {}, 1000)`)
  assert.ok(child.stdout)
  await once(child.stdout, 'data')
  const refused = acquireLock(NODE_DISK, folder)
  assert.ok(!refused.ok)
  assert.equal(refused.error.code, 'FILES_LOCKED')
  assert.match(refused.error.detail, new RegExp(`process ${child.pid} `))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const taken = acquireLock(NODE_DISK, folder)
  assert.ok(taken.ok, 'the lock of a process that was killed is taken over')
  assert.equal(readdirSync(join(folder, 'writers')).length, 1)
  assert.ok(!acquireLock(NODE_DISK, folder).ok, 'not twice, also not by one process')
  taken.value.release()
  assert.deepEqual(readdirSync(join(folder, 'writers')), [])
})

test('a process that has the number of one that ended is not taken for it', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'writers'))
  const host = Buffer.from(hostname()).toString('hex')
  writeFileSync(join(folder, 'writers', `${process.ppid}-1-${host}-0123456789abcdef`), '')
  const taken = acquireLock(NODE_DISK, folder)
  assert.ok(taken.ok)
  taken.value.release()
})

test('of a process on another machine nobody can say that it has ended', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'writers'))
  const host = Buffer.from('elsewhere').toString('hex')
  writeFileSync(join(folder, 'writers', `1-1-${host}-0123456789abcdef`), '')
  const refused = acquireLock(NODE_DISK, folder)
  assert.ok(!refused.ok)
  assert.match(refused.error.detail, /on `elsewhere`/)
  assert.match(refused.error.fix, /remove what is in/)
})

test('of several that come at once never two write at a time, and each gets its turn', async () => {
  const folder = makeFolder({ counter: '0' })
  const counter = JSON.stringify(join(folder, 'counter'))
  const children = Array.from({ length: 3 }, () =>
    start(`
      const { readFileSync, writeFileSync } = await import('node:fs')
      for (let done = 0; done < 10; ) {
        const lock = acquireLock(NODE_DISK, ${JSON.stringify(folder)})
        if (!lock.ok) continue
        const was = Number(readFileSync(${counter}, 'utf8'))
        for (let i = 0; i < 1000; i += 1) Math.sqrt(i)
        writeFileSync(${counter}, String(was + 1))
        lock.value.release(); done += 1
      }`),
  )
  await Promise.all(children.map((child) => once(child, 'exit')))
  assert.equal(readFileSync(join(folder, 'counter'), 'utf8'), '30')
})
