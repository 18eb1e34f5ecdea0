/**
 * Many ask at once for more than there is: exactly as many get it as there is enough for, whatever
 * the store, and from how many processes they ask.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SHARE } from './law.ts'
import { makePlace, type RacePlace, type StoreName } from './place.ts'

export type Job = {
  readonly store: string
  readonly stateDirectory: string
  readonly requests: number
  readonly against: 'resource' | 'budget'
}

export type ToWorker =
  | { readonly say: 'prepare'; readonly job: Job }
  /** The writ that all of them spend of. */
  | { readonly say: 'go'; readonly writ: string }
  | { readonly say: 'end' }

export type FromWorker =
  | { readonly say: 'ready'; readonly writ: string }
  | { readonly say: 'asked'; readonly granted: number; readonly refused: readonly string[] }

export type Grants = {
  readonly granted: number
  readonly refused: number
  readonly sum: number
  readonly codes: readonly string[]
}

export type ContentionReport = Grants & {
  readonly store: StoreName
  readonly processes: number
  readonly budget: Grants
}

const WORKER = fileURLToPath(new URL('./contention-worker.ts', import.meta.url))
const REQUESTS = 200

export async function runContentionProof(options: {
  readonly store: StoreName
  readonly processes?: number
  readonly requests?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<ContentionReport> {
  const { store, processes = 1, requests = REQUESTS } = options
  if (processes > 1 && store !== 'postgres')
    throw new Error(`\`${store}\` has one owner; several processes share postgres`)
  const runRace = async (against: Job['against']): Promise<Grants> => {
    const place = await makePlace(store)
    try {
      return await runRaceAt(place, against, processes, requests)
    } finally {
      await place.close()
    }
  }
  const resource = await runRace('resource')
  options.progress?.(1, 2)
  return { store, processes, ...resource, budget: await runRace('budget') }
}

async function runRaceAt(
  { address, stateDirectory }: RacePlace,
  against: Job['against'],
  processes: number,
  requests: number,
): Promise<Grants> {
  const workers = Array.from({ length: processes }, () => fork(WORKER, { stdio: 'inherit' }))
  try {
    const prepare = (worker: ChildProcess, i: number): Promise<FromWorker> => {
      const share = Math.floor(requests / processes) + (i < requests % processes ? 1 : 0)
      const job = { store: address, stateDirectory, requests: share, against }
      return askWorker(worker, { say: 'prepare', job })
    }
    // One before the others: it makes the store, and deploys what all of them need.
    const [first, ...others] = workers
    if (first === undefined) throw new Error('nobody asks')
    const ready = await prepare(first, 0)
    await Promise.all(others.map((worker, i) => prepare(worker, i + 1)))
    const writ = ready.say === 'ready' ? ready.writ : ''
    const answers = await Promise.all(
      workers.map((worker) => askWorker(worker, { say: 'go', writ })),
    )
    return sumGrants(answers)
  } finally {
    await Promise.all(workers.map(end))
  }
}

function sumGrants(answers: readonly FromWorker[]): Grants {
  let granted = 0
  const refused: string[] = []
  for (const answer of answers) {
    if (answer.say !== 'asked') continue
    granted += answer.granted
    refused.push(...answer.refused)
  }
  const codes = [...new Set(refused)].sort()
  return { granted, refused: refused.length, sum: granted * Number(SHARE), codes }
}

/** Says something and waits for the answer. */
function askWorker(worker: ChildProcess, message: ToWorker): Promise<FromWorker> {
  return new Promise((resolve, reject) => {
    const rejectEnded = (code: number | null): void =>
      reject(new Error(`a process ended with ${code}`))
    worker.once('exit', rejectEnded)
    worker.once('message', (answer) => {
      worker.off('exit', rejectEnded)
      resolve(answer as FromWorker)
    })
    worker.send(message)
  })
}

function end(worker: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (worker.exitCode !== null) return resolve()
    worker.once('exit', () => resolve())
    worker.send({ say: 'end' } satisfies ToWorker)
  })
}
