/** The same cases, judged in processes of their own: the same verdicts, byte for byte. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const WORKER = fileURLToPath(new URL('./determinism-worker.ts', import.meta.url))
const PROCESSES = 3
/** What must not matter: language, time zone, and the order in which the heap is laid out. */
const ENVIRONMENTS: readonly NodeJS.ProcessEnv[] = [
  { LANG: 'C', TZ: 'UTC' },
  { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' },
  { LANG: 'de_DE.UTF-8', TZ: 'America/St_Johns', NODE_OPTIONS: '--max-old-space-size=256' },
]

export type DeterminismReport = {
  readonly cases: number
  readonly processes: number
  /** Processes whose verdicts are not those of the first. */
  readonly differing: number
  readonly verdict_hash: string
}

export async function simDeterminism(options: {
  readonly cases: number
  readonly seed?: number
}): Promise<DeterminismReport> {
  const { cases, seed = 1 } = options
  const hashes: string[] = []
  for (const environment of ENVIRONMENTS) {
    const env = { PATH: process.env.PATH, ...environment }
    const { stdout } = await run(process.execPath, [WORKER, String(cases), String(seed)], { env })
    hashes.push(stdout.trim())
  }
  const [first = ''] = hashes
  const differing = hashes.filter((hash) => hash !== first).length
  return { cases, processes: PROCESSES, differing, verdict_hash: first }
}
