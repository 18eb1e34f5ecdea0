/** Runs its share of the seeds in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import type { HostileMessage } from './main.ts'
import { runHostileSeed } from './run.ts'

const tell = (message: HostileMessage): void => parentPort?.postMessage(message)
for (const seed of workerData as readonly number[]) {
  await runHostileSeed({ seed, onAttempt: (attempt) => tell({ attempt }) })
  tell({ seed })
}
