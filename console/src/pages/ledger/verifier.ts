/**
 * The page's end of the worker. One worker serves the whole console; it is started before anybody asks,
 * so that a file can be checked when the server is gone.
 */
import { startWorker } from '../../parts/start-worker.ts'
import type { Pin } from './pins.ts'
import type { Verified } from './verification.ts'
import { type Progress, parseFromWorker, type ToWorker } from './verify-messages.ts'
import workerUrl from './verify-worker.ts?worker&url'

export type Job =
  | { readonly state: 'idle' }
  | { readonly state: 'running'; readonly name: string; readonly progress: Progress }
  | { readonly state: 'done'; readonly name: string; readonly verified: Verified }
  | { readonly state: 'failed'; readonly name: string; readonly why: string }

const IDLE: Job = { state: 'idle' }
const BEGUN: Progress = { done: 0, total: null, found: false }

class Verifier {
  #worker: Worker | null = null
  #job: Job = IDLE
  #run = 0
  readonly #ears = new Set<() => void>()

  /** Loads the worker, where that has not happened yet. */
  loadWorker(): Worker {
    if (this.#worker !== null) return this.#worker
    const worker = startWorker(workerUrl)
    worker.addEventListener('message', ({ data }) => this.#hear(data))
    worker.addEventListener('error', () => this.#handleLost())
    this.#worker = worker
    return worker
  }

  get job(): Job {
    return this.#job
  }

  subscribe = (changed: () => void): (() => void) => {
    this.#ears.add(changed)
    return () => void this.#ears.delete(changed)
  }

  checkServer(pins: readonly Pin[]): void {
    this.#begin('the ledger of this server', (run) => ({ kind: 'server', run, pins }))
  }

  checkFile(name: string, file: Blob, pins: readonly Pin[]): void {
    this.#begin(name, (run) => ({ kind: 'file', run, pins, file }))
  }

  /** It could not even be fetched. */
  fail(name: string, why: string): void {
    this.cancel()
    this.#become({ state: 'failed', name, why })
  }

  cancel(): void {
    this.#run += 1
    this.#worker?.postMessage({ kind: 'cancel' } satisfies ToWorker)
    this.#become(IDLE)
  }

  #begin(name: string, message: (run: number) => ToWorker): void {
    this.#run += 1
    this.#become({ state: 'running', name, progress: BEGUN })
    this.loadWorker().postMessage(message(this.#run))
  }

  #hear(data: unknown): void {
    const message = parseFromWorker(data)
    // Of a check that was stopped.
    if (message.run !== this.#run || this.#job.state !== 'running') return
    const { name } = this.#job
    if (message.kind === 'progress')
      this.#become({ state: 'running', name, progress: message.progress })
    if (message.kind === 'done') this.#become({ state: 'done', name, verified: message.verified })
    if (message.kind === 'failed') this.#become({ state: 'failed', name, why: message.why })
  }

  /** It could not be loaded, or broke: the next check starts another. */
  #handleLost(): void {
    this.#worker = null
    if (this.#job.state !== 'running') return
    const why = 'the worker that checks could not be loaded; load the page again'
    this.#become({ state: 'failed', name: this.#job.name, why })
  }

  #become(job: Job): void {
    this.#job = job
    for (const changed of this.#ears) changed()
  }
}

export const verifier: Verifier = new Verifier()

/** Once the page is there, and before anybody asks. */
const soon = globalThis.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 0))
soon(() => void verifier.loadWorker())
