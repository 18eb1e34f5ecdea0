/**
 * The same cases, judged in processes of their own: the same verdicts, byte for byte. And the same
 * contexts, compiled from every kind of store: the same snapshot ids.
 */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findServer } from '../../runtime/src/adapters/postgres/local-server.ts'
import { makePlace, STORES, type StoreName } from './race/place.ts'

const run = promisify(execFile)
const WORKER = fileURLToPath(new URL('./determinism-worker.ts', import.meta.url))
const SNAPSHOTS = fileURLToPath(new URL('./race/snapshots-worker.ts', import.meta.url))
/** What must not matter: language, time zone, and the order in which the heap is laid out. */
const ENVIRONMENTS: readonly NodeJS.ProcessEnv[] = [
  { LANG: 'C', TZ: 'UTC' },
  { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati' },
  { LANG: 'de_DE.UTF-8', TZ: 'America/St_Johns', NODE_OPTIONS: '--max-old-space-size=512' },
]

export type DeterminismReport = {
  readonly cases: number
  readonly processes: number
  /** Where contexts were compiled; a store that this machine does not have is not among them. */
  readonly stores: readonly StoreName[]
  /** Processes whose verdicts, and stores whose snapshot ids, are not those of the first. */
  readonly differing: number
  readonly verdict_hash: string
  readonly snapshot_hash: string
}

export async function runDeterminismProof(options: {
  readonly cases: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<DeterminismReport> {
  const { cases, seed = 1 } = options
  const stores = STORES.filter((store) => store !== 'postgres' || findServer() !== null)
  const processes = ENVIRONMENTS.length + stores.length
  const verdicts: string[] = []
  for (const environment of ENVIRONMENTS) {
    const env = toEnvironment(environment)
    const { stdout } = await run(process.execPath, [WORKER, String(cases), String(seed)], { env })
    verdicts.push(stdout.trim())
    options.progress?.(verdicts.length, processes)
  }
  const snapshots: string[] = []
  for (const [i, store] of stores.entries()) {
    snapshots.push(await hashSnapshots(store, ENVIRONMENTS[i] ?? {}, cases, seed))
    options.progress?.(verdicts.length + snapshots.length, processes)
  }
  return {
    cases,
    processes,
    stores,
    differing: countDiffering(verdicts) + countDiffering(snapshots),
    verdict_hash: verdicts[0] ?? '',
    snapshot_hash: snapshots[0] ?? '',
  }
}

/** Each store gets what it holds in another order, in a process with another language. */
async function hashSnapshots(
  store: StoreName,
  environment: NodeJS.ProcessEnv,
  cases: number,
  seed: number,
): Promise<string> {
  const place = await makePlace(store)
  try {
    const order = store === 'sqlite' ? 'turned' : 'straight'
    const { address, stateDirectory } = place
    const args = [SNAPSHOTS, address, stateDirectory, String(cases), String(seed), order]
    const env = toEnvironment(environment)
    return (await run(process.execPath, args, { env })).stdout.trim()
  } finally {
    await place.close()
  }
}

/** Nothing of ours but where programs are, and what was compiled before. */
function toEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const compiled = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }
  return { PATH, ...compiled, ...environment }
}

function countDiffering(hashes: readonly string[]): number {
  return hashes.filter((hash) => hash !== hashes[0]).length
}
