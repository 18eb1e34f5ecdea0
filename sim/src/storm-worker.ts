/** Runs its share of the seeds in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { runSeeds, type SeedsOptions, type SeedsResult } from './run-seeds.ts'

export type StormMessage = { readonly done: number } | { readonly result: SeedsResult }

const tell = (message: StormMessage): void => parentPort?.postMessage(message)
const result = await runSeeds(workerData as SeedsOptions, (done) => tell({ done }))
tell({ result })
