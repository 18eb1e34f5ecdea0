/** What a process is told so that it, and all that it starts, makes a mistake on purpose. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const COMPILED = new URL('../../../node_modules/.cache/rubicon-patched', import.meta.url)

export type PatchedRun = {
  readonly env: NodeJS.ProcessEnv
  /** Why the mistake was not made; null: it was. To be asked when the run has ended. */
  problem(): string | null
  end(): void
}

export function createPatchedRun(name: string, env: NodeJS.ProcessEnv = process.env): PatchedRun {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-patch-'))
  const hook = new URL('./hook.ts', import.meta.url).href
  const options = [env.NODE_OPTIONS, `--import=${hook}`].filter((one) => one !== undefined)
  return {
    env: {
      ...env,
      RUBICON_PATCH: name,
      RUBICON_PATCH_SEEN: folder,
      NODE_OPTIONS: options.join(' '),
      // Node takes what was compiled from the same text only; yet it is for mistakes alone.
      NODE_COMPILE_CACHE: fileURLToPath(COMPILED),
    },
    problem: () => findPatchProblem(folder, name),
    end: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The hook leaves a file for each that it patched, with what went wrong in it. */
function findPatchProblem(folder: string, name: string): string | null {
  const files = readdirSync(folder)
  if (files.length === 0) return `no file of the patch \`${name}\` was loaded`
  const problems = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  return problems.find((problem) => problem !== '') ?? null
}
