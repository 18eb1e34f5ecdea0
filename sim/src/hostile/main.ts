/**
 * `rubicon sim hostile`: an agent that wants what it may not have, and a judge who believes nobody.
 *
 * A trick that never succeeds proves something only if it would succeed against a runtime with the mistake
 * it is meant for: `--planted` shows that, one process for each trick.
 */
import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { createPatchedRun } from '../patches/patched-run.ts'
import { TRICKS } from './all-tricks.ts'
import { GOALS, type Goal } from './goals.ts'
import type { Attempt } from './run.ts'

export type HostileReport = {
  readonly seeds: number
  readonly attempts: number
  readonly by_trick: Readonly<Record<string, number>>
  readonly by_goal: Readonly<Record<Goal, number>>
  readonly succeeded: number
  readonly breaches: readonly {
    readonly seed: number
    readonly trick: string
    readonly detail: string
  }[]
}

export type HostileMessage = { readonly attempt: Attempt } | { readonly seed: number }

export async function runHostileProof(options: {
  readonly seeds: number
  readonly from?: number
  readonly threads?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<HostileReport> {
  // Half of what tricks do is to wait.
  const { seeds, from = 1, threads = Math.min(seeds, 2 * availableParallelism()) } = options
  const chosen = Array.from({ length: seeds }, (_, index) => from + index)
  const attempts: Attempt[] = []
  let done = 0
  const share = (thread: number): readonly number[] =>
    chosen.filter((_, index) => index % threads === thread)
  await Promise.all(
    Array.from({ length: threads }, (_, thread) =>
      runSeedsInThread(share(thread), (message) => {
        if ('attempt' in message) attempts.push(message.attempt)
        else options.progress?.(++done, seeds)
      }),
    ),
  )
  return summarise(seeds, attempts)
}

function runSeedsInThread(
  seeds: readonly number[],
  heard: (message: HostileMessage) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./hostile-worker.ts', import.meta.url), {
      workerData: seeds,
    })
    worker.on('message', heard)
    worker.once('error', reject)
    worker.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread ended with ${code}`)),
    )
  })
}

/** Only what reached the engine counts. */
function summarise(seeds: number, all: readonly Attempt[]): HostileReport {
  const attempts = all.filter(({ reached }) => reached > 0)
  const goalOf = new Map(TRICKS.map(({ name, goal }) => [name, goal]))
  const by_trick: Record<string, number> = Object.fromEntries(TRICKS.map(({ name }) => [name, 0]))
  const by_goal = Object.fromEntries(GOALS.map((goal) => [goal, 0])) as Record<Goal, number>
  for (const { trick } of attempts) {
    by_trick[trick] = (by_trick[trick] ?? 0) + 1
    const goal = goalOf.get(trick)
    if (goal !== undefined) by_goal[goal] += 1
  }
  const succeeded = all.filter(({ breaches }) => breaches.length > 0)
  return {
    seeds,
    attempts: attempts.length,
    by_trick,
    by_goal,
    succeeded: succeeded.length,
    breaches: succeeded
      .flatMap(({ seed, trick, breaches }) =>
        breaches.map(({ goal, detail }) => ({ seed, trick, detail: `${goal}: ${detail}` })),
      )
      .slice(0, 20),
  }
}

export type PlantedTrick = {
  readonly trick: string
  readonly patch: string
  readonly succeeded: boolean
  readonly detail: string
}

export type PlantedTricks = {
  readonly tricks: number
  readonly succeeded: number
  readonly results: readonly PlantedTrick[]
}

/** Each trick against a runtime with its mistake. */
export async function runHostilePlantedProof(options: {
  readonly tricks?: readonly string[]
  readonly progress?: (done: number, of: number) => void
}): Promise<PlantedTricks> {
  const chosen = TRICKS.filter(({ name }) => options.tricks?.includes(name) ?? true)
  const waiting = [...chosen]
  const results: PlantedTrick[] = []
  const work = async (): Promise<void> => {
    for (let trick = waiting.shift(); trick !== undefined; trick = waiting.shift()) {
      results.push(await tryPlanted(trick.name, trick.patch))
      options.progress?.(results.length, chosen.length)
    }
  }
  await Promise.all([work(), work()])
  results.sort((a, b) => a.trick.localeCompare(b.trick))
  const succeeded = results.filter((result) => result.succeeded).length
  return { tricks: results.length, succeeded, results }
}

/** One that stands still is ended; a busy machine takes its time. */
const WITHIN_MS = 300_000

function tryPlanted(trick: string, patch: string): Promise<PlantedTrick> {
  const script = fileURLToPath(new URL('./planted-trick.ts', import.meta.url))
  const run = createPatchedRun(patch)
  return new Promise<PlantedTrick>((resolve) => {
    const options = { env: run.env, timeout: WITHIN_MS }
    execFile(process.execPath, [script, trick], options, (error, stdout, stderr) => {
      const problem = run.problem() ?? (error === null ? null : stderr.slice(-400))
      const detail = problem ?? stdout
      resolve({ trick, patch, succeeded: problem === null && stdout !== '', detail })
    })
  }).finally(run.end)
}
