/** What this adapter's tests share. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders: string[] = []
// Many files may share the process.
process.once('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-sqlite-'))
  folders.push(folder)
  return folder
}

export function createTemporaryPath(): string {
  return join(createTemporaryFolder(), 'rubicon.db')
}

/** Flags and options of a process that runs a module text, free of the test runner. */
export function buildProcessOptions(script: string): {
  readonly flags: readonly string[]
  readonly env: NodeJS.ProcessEnv
} {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return {
    flags: ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', script],
    env,
  }
}
