/**
 * Drafts in a thread of their own: texts that somebody sends to have them tried can take as long as
 * they like to be read, and must not take that from those who decide. One at a time, with an end.
 *
 * D1 every draft is answered once: with what was found, or with why it was not.
 * D2 one that takes longer than its request has left, or more memory than there is, ends with its thread;
 *    the next draft starts another.
 * D3 so many wait at most, and so many of one asker; one more is refused at once.
 * D4 nobody's drafts run one after the other while somebody else's wait.
 * D5 what is only tried for somebody who has hung up is not begun, and takes nobody's place.
 */
import { Worker } from 'node:worker_threads'
import { assert, type Failure, LIMITS } from 'rubicon-kernel'
import {
  type Draft,
  type DraftBudget,
  DraftEnded,
  type DraftFound,
  type DraftKind,
} from './draft.ts'
import type { DraftMessage } from './draft-worker.ts'

export type Asking = {
  /** Whose it is. */
  readonly asker: string
  readonly budget: DraftBudget
  /** What will be in force goes before what is only tried. */
  readonly first?: true
  readonly isGone?: () => boolean
}

type Waiting = Asking & {
  readonly draft: Draft
  readonly resolve: (found: DraftFound[DraftKind]) => void
  readonly reject: (error: Error) => void
}

type Running = Waiting & { readonly since: number; readonly timer: NodeJS.Timeout }

export class DraftThread {
  #waiting: Waiting[] = []
  #running: Running | null = null
  #worker: Worker | null = null
  #isReady = false
  #idle: NodeJS.Timeout | null = null
  #lastAsker = ''

  /** Throws `DraftEnded`. */
  ask<K extends DraftKind>(
    draft: Extract<Draft, { readonly kind: K }>,
    asking: Asking,
  ): Promise<DraftFound[K]> {
    this.#dropGone()
    const own = this.#waiting.filter(({ asker }) => asker === asking.asker).length
    if (own >= LIMITS.draftsWaitingEach || this.#waiting.length >= LIMITS.draftsWaiting)
      return Promise.reject(new DraftEnded(FULL))
    return new Promise((resolve, reject) => {
      const answer = (found: DraftFound[DraftKind]): void => resolve(found as DraftFound[K])
      this.#waiting.push({ ...asking, draft, resolve: answer, reject })
      this.#next()
    })
  }

  #next(): void {
    this.#dropGone()
    if (this.#running !== null || this.#waiting.length === 0) return
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#worker ??= this.#start(this.#waiting[0]?.draft.kind)
    if (!this.#isReady) return
    const next = this.#take()
    const left = Math.max(0, next.budget.leftMs)
    const timer = setTimeout(() => this.#end(tooCostly(`it takes longer than it may`)), left)
    this.#running = { ...next, since: performance.now(), timer }
    this.#lastAsker = next.asker
    this.#worker.postMessage(next.draft)
  }

  /** What will be in force is put there, whether somebody waits to hear of it or not. */
  #dropGone(): void {
    const gone = this.#waiting.filter(({ first, isGone }) => first !== true && isGone?.() === true)
    if (gone.length === 0) return
    this.#waiting = this.#waiting.filter((waiting) => !gone.includes(waiting))
    for (const { reject } of gone) reject(new DraftEnded(GONE))
  }

  #take(): Waiting {
    const first = this.#waiting.findIndex(({ first }) => first === true)
    const other = this.#waiting.findIndex(({ asker }) => asker !== this.#lastAsker)
    const place = first === -1 ? Math.max(0, other) : first
    const [taken] = this.#waiting.splice(place, 1)
    assert(taken !== undefined, 'a draft that waits is taken')
    return taken
  }

  #start(workerData: DraftKind | undefined): Worker {
    const file = import.meta.url.endsWith('.ts') ? './draft-worker.ts' : './draft-worker.js'
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData,
      resourceLimits: MEMORY,
    })
    worker.on('message', (message: DraftMessage) => this.#hear(message))
    worker.on('error', (error: Error & { readonly code?: string }) => {
      if (worker !== this.#worker) return
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
        this.#end(tooCostly('it takes too much memory'))
      else this.#fail(error)
    })
    // After the listeners, each of which would hold the process again.
    worker.unref()
    return worker
  }

  #hear(message: DraftMessage): void {
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#next()
      return
    }
    const running = this.#stopRunning()
    if (message.kind === 'found') running?.resolve(message.found)
    else running?.reject(new Error(message.stack))
    this.#rest()
  }

  #stopRunning(): Running | null {
    const running = this.#running
    if (running === null) return null
    clearTimeout(running.timer)
    running.budget.leftMs -= performance.now() - running.since
    this.#running = null
    return running
  }

  /** The next one, or after a while without any, none: a thread that waits holds memory. */
  #rest(): void {
    this.#next()
    if (this.#running !== null || this.#waiting.length > 0) return
    this.#idle = setTimeout(() => this.#dismiss(), LIMITS.draftIdleMs)
    this.#idle.unref()
  }

  /** D2: whatever it is doing, it does it no more. */
  #end(why: Failure): void {
    const running = this.#stopRunning()
    this.#dismiss()
    running?.reject(new DraftEnded(why))
    this.#next()
  }

  /** A thread that cannot be started serves nobody who waits for it. */
  #fail(error: Error): void {
    const running = this.#stopRunning()
    this.#dismiss()
    running?.reject(error)
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }

  #dismiss(): void {
    const worker = this.#worker
    this.#worker = null
    this.#isReady = false
    worker?.removeAllListeners('message')
    void worker?.terminate()
  }
}

/** In megabytes. The stack is no deeper than that of the thread that decides. */
const MEMORY = {
  maxOldGenerationSizeMb: 128,
  maxYoungGenerationSizeMb: 32,
  codeRangeSizeMb: 32,
  stackSizeMb: 1,
} as const

/** One for all tenants of a process: what is tried takes one core at most. */
export const draftThread: DraftThread = new DraftThread()

const FULL: Failure = {
  code: 'OVERLOADED',
  summary: `so many drafts wait already`,
  why: 'decisions come first',
  fix: 'ask again in a moment',
}

/** Nobody reads it. */
const GONE: Failure = {
  code: 'OVERLOADED',
  summary: 'whoever asked has hung up',
  fix: 'ask again',
}

function tooCostly(why: string): Failure {
  return {
    code: 'DRAFT_TOO_COSTLY',
    summary: 'the draft cannot be tried within its limits',
    why,
    fix: 'write shorter texts, fewer rules or patterns with fewer wildcards, or try fewer decisions',
  }
}
