/** Plays its share of the parts in a thread of its own. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ProofPart, playShare, type ShareResult } from './play-share.ts'

export type ArtifactsMessage = { readonly done: number } | { readonly result: ShareResult }

const tell = (message: ArtifactsMessage): void => parentPort?.postMessage(message)
const result = playShare(workerData as readonly ProofPart[], (done) => tell({ done }))
tell({ result })
