/**
 * Drafts in a thread of their own: texts that somebody sends to have them tried can take as long as
 * they like to be read, and must not take that from those who decide. One at a time, with an end.
 *
 * D1 every draft is answered once: with what was found, or with why it was not.
 * D2 one that takes more time of a core than its request has left, or more memory than there is, ends with its thread;
 *    the next draft starts another.
 * D3 so many wait at most, and so many of one asker; one more is refused at once. What is only tried and what will be in
 *    force are counted apart: nobody keeps a contract from being put in force by trying much.
 * D4 nobody's drafts run one after the other while somebody else's wait.
 * D5 what is only tried for somebody who has hung up is not begun, and takes nobody's place.
 */
import { Worker } from 'node:worker_threads'
import { assert, type Failure, LIMITS } from 'rubicon-kernel'
import { DraftEnded } from '../problems/draft-ended.ts'
import { type Draft, type DraftBudget, type DraftFound, type DraftKind, toMs } from './draft.ts'
import type { DraftMessage } from './draft-worker.ts'

export type DraftQuestion = {
  /** Whose it is. */
  readonly asker: string
  readonly budget: DraftBudget
  /** What will be in force goes before what is only tried. */
  readonly first?: true
  readonly isGone?: () => boolean
}

type Waiting = DraftQuestion & {
  readonly draft: Draft
  readonly resolve: (found: DraftFound[DraftKind]) => void
  readonly reject: (error: Error) => void
}

type Running = Waiting & {
  /** What the thread had spent before. */
  readonly spentMs: number
  /** It is looked at when it can have spent what it has, and ended when it has run for too long. */
  readonly timers: { look: NodeJS.Timeout; readonly end: NodeJS.Timeout }
}

export class DraftThread {
  #waiting: Waiting[] = []
  #running: Running | null = null
  #worker: Worker | null = null
  #isReady = false
  #idle: NodeJS.Timeout | null = null
  #lastAsker = ''
  /** What a core has spent on the thread, when it last said so. */
  #spentMs = 0

  /** Throws `DraftEnded`. */
  ask<K extends DraftKind>(
    draft: Extract<Draft, { readonly kind: K }>,
    asking: DraftQuestion,
  ): Promise<DraftFound[K]> {
    this.#dropGone()
    const alike = this.#waiting.filter(({ first }) => first === asking.first)
    const own = alike.filter(({ asker }) => asker === asking.asker).length
    if (own >= LIMITS.draftsWaitingEach || alike.length >= LIMITS.draftsWaiting)
      return Promise.reject(new DraftEnded(FULL))
    return new Promise((resolve, reject) => {
      const answer = (found: DraftFound[DraftKind]): void => resolve(found as DraftFound[K])
      this.#waiting.push({ ...asking, draft, resolve: answer, reject })
      this.#runNext()
    })
  }

  #runNext(): void {
    this.#dropGone()
    if (this.#running !== null || this.#waiting.length === 0) return
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#worker ??= this.#start(this.#waiting[0]?.draft.kind)
    if (!this.#isReady) return
    const next = this.#take()
    const left = Math.max(0, next.budget.leftMs)
    const look = setTimeout(() => void this.#look(), left)
    const end = setTimeout(() => this.#end(TOO_LONG), Math.max(left, LIMITS.draftRunMs))
    this.#running = { ...next, spentMs: this.#spentMs, timers: { look, end } }
    this.#lastAsker = next.asker
    this.#worker.postMessage(next.draft)
  }

  /**
   * D2: what counts is the time of a core that it had. The thread comes after all others, and on a busy
   * machine it has had little of the time that went by.
   */
  async #look(): Promise<void> {
    const running = this.#running
    const spentMs = await readCpuMs(this.#worker)
    if (running === null || running !== this.#running) return
    const left = running.budget.leftMs - (spentMs - running.spentMs)
    if (left <= 0) this.#end(TOO_LONG)
    else running.timers.look = setTimeout(() => void this.#look(), Math.ceil(left))
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
        this.#end(createTooCostlyFailure('it takes too much memory'))
      else this.#fail(error)
    })
    // After the listeners, each of which would hold the process again.
    worker.unref()
    return worker
  }

  #hear(message: DraftMessage): void {
    const before = this.#spentMs
    this.#spentMs = message.spentMs
    if (message.kind === 'ready') {
      this.#isReady = true
      this.#runNext()
      return
    }
    const running = this.#stopRunning()
    if (running !== null) running.budget.leftMs -= message.spentMs - before
    if (message.kind === 'found') running?.resolve(message.found)
    else running?.reject(new Error(message.stack))
    this.#runNextOrIdle()
  }

  #stopRunning(): Running | null {
    const running = this.#running
    if (running === null) return null
    clearTimeout(running.timers.look)
    clearTimeout(running.timers.end)
    this.#running = null
    return running
  }

  /** The next one, or after a while without any, none: a thread that waits holds memory. */
  #runNextOrIdle(): void {
    this.#runNext()
    if (this.#running !== null || this.#waiting.length > 0) return
    this.#idle = setTimeout(() => this.#dismiss(), LIMITS.draftIdleMs)
    this.#idle.unref()
  }

  /** D2: whatever it is doing, it does it no more. */
  #end(why: Failure): void {
    const running = this.#stopRunning()
    this.#dismiss()
    running?.reject(new DraftEnded(why))
    this.#runNext()
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
    this.#spentMs = 0
    worker?.removeAllListeners('message')
    void worker?.terminate()
  }
}

/** Of a core, by a thread; more than anything where nobody can tell. */
async function readCpuMs(worker: Worker | null): Promise<number> {
  try {
    const usage = await worker?.cpuUsage()
    if (usage !== undefined) return toMs(usage)
  } catch {
    // It has ended, or this Node (before 24.6) has no such question.
  }
  return Number.POSITIVE_INFINITY
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
  summary: 'too many drafts are waiting',
  why: 'decisions have priority',
  fix: 'ask again in a moment',
}

/** Nobody reads it. */
const GONE: Failure = {
  code: 'OVERLOADED',
  summary: 'the client has closed the connection',
  fix: 'ask again',
}

const TOO_LONG = createTooCostlyFailure('it takes longer than it may')

function createTooCostlyFailure(why: string): Failure {
  return {
    code: 'DRAFT_TOO_COSTLY',
    summary: 'the draft cannot be tried within its limits',
    why,
    fix: 'write shorter texts, fewer rules or patterns with fewer wildcards, or try fewer decisions',
  }
}
