/** A process of its own that writes, and is killed at a step: `FOLDER STEP`. What is recorded is a file. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_DISK } from './disk.ts'
import { countingDisk } from './failing-disk.test-support.ts'
import { openFilesRoot } from './files-root.ts'
import { FilesSession, type WriteRecord } from './files-session.ts'
import { FEW, NOTE } from './write-plan.test-support.ts'

export function fileRecord(folder: string): WriteRecord {
  const path = join(folder, '.rubicon/notes')
  const has: WriteRecord['has'] = (note) =>
    existsSync(path) && readFileSync(path, 'utf8').includes(`${JSON.stringify(note)}\n`)
  return {
    has,
    add: (note) => {
      if (!has(note)) appendFileSync(path, `${JSON.stringify(note)}\n`)
    },
  }
}

function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal comes between two instructions; none of ours may be the next.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
}

if (process.argv[1] === import.meta.filename) {
  const [folder = '', step = '0'] = process.argv.slice(2)
  const disk = countingDisk((count, name, bytes, file) => {
    if (count !== Number(step)) return
    if (name === 'write' && bytes !== null)
      NODE_DISK.write(file, bytes.subarray(0, bytes.length / 2))
    die()
  })
  const root = openFilesRoot(folder)
  const session = root.ok ? FilesSession.open(root.value, fileRecord(folder), disk) : root
  const written = session.ok ? session.value.write(FEW, NOTE) : session
  process.exitCode = written.ok ? 0 : 3
}
