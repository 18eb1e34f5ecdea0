/** How often this disk can be made to remember something: a durable figure means nothing without. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROUNDS = 200

export function measureFsyncRate(): number {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-fsync-'))
  const file = openSync(join(folder, 'file'), 'w')
  const block = Buffer.alloc(4096, 1)
  const started = performance.now()
  for (let i = 0; i < ROUNDS; i++) {
    writeSync(file, block)
    fdatasyncSync(file)
  }
  const elapsed = performance.now() - started
  closeSync(file)
  rmSync(folder, { recursive: true, force: true })
  return (ROUNDS * 1000) / elapsed
}
