import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []

// Not after a test: what is closed last, whoever closes it, still writes there.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, which goes with the process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-here-'))
  folders.push(folder)
  return folder
}
