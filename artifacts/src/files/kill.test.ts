/** Processes that are killed while they write. That every step leaves all or nothing is shown in one process, too. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { openFilesRoot } from './files-root.ts'
import { FilesSession } from './files-session.ts'
import { makeFolder, readAll } from './temporary-folder.test-support.ts'
import { fileRecord } from './write-child.test-support.ts'
import { makeOldFolder, NEW, NOTE, OLD } from './write-plan.test-support.ts'

/** What was read and compiled for the first one serves them all. */
const env = { ...process.env, NODE_COMPILE_CACHE: makeFolder() }
const FEW_NEW = { ...OLD, 'made/deep/c.ts': NEW['made/deep/c.ts'], 'src/b.ts': NEW['src/b.ts'] }
/** Each has a process of its own: a sample, which ends with what comes to its end; `npm run proof` takes every step. */
const STRIDE = process.env.RUBICON_FULL === '1' ? 1 : 4
const CHILD = join(import.meta.dirname, 'write-child.test-support.ts')

/** Null: the process came to its end before that step. */
async function killAt(step: number): Promise<'old' | 'new' | null> {
  const folder = makeOldFolder()
  const child = spawn(process.execPath, [CHILD, folder, String(step)], { stdio: 'inherit', env })
  const [code, signal] = await once(child, 'exit')
  assert.ok(code === 0 || signal === 'SIGKILL', `step ${step}: ${code} ${signal}`)
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  const record = fileRecord(folder)
  const session = FilesSession.open(root.value, record)
  assert.ok(session.ok, JSON.stringify(session))
  session.value.close()
  const files = readAll(folder)
  const isNew = 'made/deep/c.ts' in files
  assert.deepEqual(files, isNew ? FEW_NEW : OLD, `step ${step}`)
  assert.equal(record.has(NOTE), isNew, `step ${step}`)
  if (code === 0) assert.ok(isNew)
  return code === 0 ? null : isNew ? 'new' : 'old'
}

test('a process that is killed at any step leaves all old or all new to the next one', async () => {
  const seen = new Set<string>()
  for (let first = 1, isOver = false; !isOver; first += 3 * STRIDE) {
    const steps = [first, first + STRIDE, first + 2 * STRIDE]
    const ended = await Promise.all(steps.map(killAt))
    isOver = ended.includes(null)
    for (const which of ended) if (which !== null) seen.add(which)
  }
  assert.deepEqual([...seen].sort(), ['new', 'old'])
})
