/**
 * Runs tests with a mistake made, nearest first, until one is red. Nothing is copied and no file is
 * changed: the mistake is made when the module is loaded.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ENVIRONMENT, ROOT } from '../shell.ts'
import { type Mutant, NOT_MADE } from './mutant.ts'

export type Fate = 'killed' | 'survived' | 'timed_out'

const HOOK = new URL('./hook.ts', import.meta.url).href
const REPORTER = new URL('./first-failure.ts', import.meta.url).href
/** Node takes what was compiled from the same text only, so that a mistake is compiled for itself. */
const COMPILED = join(ROOT, 'node_modules/.cache/rubicon-mutation')
/** Nothing that is right takes so long, and a loop without end takes longer. */
const RUN_MS = 60_000
/** Each has a process: the first few see nearly everything, the rest are for what they miss. */
const BATCHES = [1, 4, 10, 15] as const

export async function judgeMutant(mutant: Mutant, tests: readonly string[]): Promise<Fate> {
  let from = 0
  for (const size of BATCHES) {
    const batch = tests.slice(from, from + size)
    from += size
    if (batch.length === 0) break
    const fate = await runTests(batch, mutant)
    if (fate === 'killed' || (fate === 'timed_out' && !(await isSlow(batch)))) return fate
  }
  return 'survived'
}

/** A machine that is too busy for them without a mistake says nothing of one that was made. */
async function isSlow(files: readonly string[]): Promise<boolean> {
  return (await runTests(files, null)) === 'timed_out'
}

/** Without a mistake, whether they are green: else every mistake would seem noticed. */
export function runTests(
  files: readonly string[],
  mutant: Mutant | null,
  { countedIn }: { readonly countedIn?: string } = {},
): Promise<Fate> {
  // A test runner that finds itself inside another runs nothing.
  const { NODE_TEST_CONTEXT: _, ...env } = ENVIRONMENT
  const own = mutant === null ? {} : { RUBICON_MUTANT: JSON.stringify(mutant) }
  const counted = countedIn === undefined ? {} : { NODE_V8_COVERAGE: countedIn }
  const args = [
    `--import=${HOOK}`,
    '--test',
    '--test-isolation=none',
    `--test-reporter=${REPORTER}`,
    ...files,
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env: { ...env, ...own, ...counted, NODE_COMPILE_CACHE: COMPILED },
      stdio: 'ignore',
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_MS)
    child.on('exit', (code, signal) => {
      clearTimeout(timer)
      if (code === NOT_MADE) reject(new Error(`${mutant?.file} was changed while it was judged`))
      resolve(signal !== null ? 'timed_out' : code === 0 ? 'survived' : 'killed')
    })
  })
}
