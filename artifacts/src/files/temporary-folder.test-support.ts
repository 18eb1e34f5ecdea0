import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const folders: string[] = []
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A folder with these files, which goes with the process. */
export function makeFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-files-'))
  folders.push(folder)
  for (const [id, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, id)), { recursive: true })
    writeFileSync(join(folder, id), content)
  }
  return folder
}

/** Every file of a folder with its text, without what tools keep. */
export function readAll(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('.rubicon/'))
  return Object.fromEntries(
    files
      .sort()
      .map((path): [string, string] => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )
}
