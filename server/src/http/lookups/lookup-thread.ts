/**
 * Lookups in a thread of their own, over a connection to the store that cannot write. What people read
 * there, however much it is, keeps no decision waiting.
 *
 * L1 every question is answered once: with what was found, or with why it was not.
 * L2 a thread that ends takes its questions with it, and nothing else: they are refused, and the next
 *    question starts another thread.
 * L3 so many questions of one asker wait at most, and so many of all; one more is refused at once. Whoever has none
 *    waiting is not refused: nobody takes the places of others.
 * L4 whoever asks for much waits behind itself: questions begin by asker, one after the other (`lookup-worker.ts`).
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { LIMITS } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import { isMemoryAddress, StoreError } from 'rubicon-runtime/ports'
import { refuseOverload } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import { listCompileCache } from './compile-cache.ts'
import type { LookupName, LookupRequest, Lookups } from './lookup.ts'
import type { Found, LookupAnswer, LookupPlace, LookupQuestion } from './lookup-worker.ts'

/**
 * What others can open, too, is read beside its owner: null where the store is in memory, or this process alone has what
 * artifacts consist of. A server of databases reads apart already; the search index beside it does not.
 */
export function createLookups({
  place,
  report,
}: Pick<Runtime, 'place' | 'report'>): LookupThread | null {
  const { store, tenant, artifacts, stateDirectory } = place
  if (isMemoryAddress(store) || (typeof artifacts === 'object' && artifacts !== null)) return null
  const search = getSearchPath(stateDirectory)
  return new LookupThread({ store, tenant, artifacts, search, followMs: FOLLOW_MS }, report)
}

const FOLLOW_MS = 10_000
/** Of the questions that wait, those of one asker. */
const SHARE = LIMITS.lookupsWaiting / LIMITS.agentShare

/** One for each tenant, which has a folder of its own. */
export function getSearchPath(stateDirectory: string): string {
  return join(stateDirectory, 'search.db')
}

type Waiting = {
  readonly id: number
  readonly asker: string
  readonly resolve: (reply: Reply) => void
  readonly reject: (error: Error) => void
}

export class LookupThread implements Lookups {
  readonly #place: LookupPlace
  readonly #report: (line: string) => void
  /**
   * In an array, not in a Map: a Map that was outgrown points at the one after it, so that the first that
   * grows old keeps all answers ever after from the quick collector, and the slow one stops everybody.
   */
  readonly #waiting: Waiting[] = []
  #leaving: LookupQuestion[] = []
  #worker: Worker | null = null
  #asked = 0
  #isClosed = false

  constructor(place: LookupPlace, report: (line: string) => void) {
    this.#place = place
    this.#report = report
  }

  /** Before somebody asks: to load what it runs takes seconds on a busy machine, and the first page is a question to it. */
  start(): void {
    if (!this.#isClosed) this.#worker ??= this.#startWorker()
  }

  answer(name: LookupName, question: LookupRequest): Promise<Reply> {
    const { asker } = question
    const own = this.#waiting.filter((one) => one.asker === asker).length
    if (own >= SHARE || (own > 0 && this.#waiting.length >= LIMITS.lookupsWaiting))
      return Promise.resolve(refuseOverload(`${own} of your questions wait already`))
    if (this.#isClosed) return Promise.reject(createClosedError('the server stops'))
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve, reject) => {
      this.#waiting.push({ id, asker, resolve, reject })
      this.#send({ id, name, question })
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    // Or a process with nothing else to do would end before it has.
    this.#worker?.ref()
    await this.#worker?.terminate()
    this.#handleExit()
  }

  /** To wake a thread costs more than to ask it: what comes in the same turn goes together. */
  #send(question: LookupQuestion): void {
    this.#leaving.push(question)
    if (this.#leaving.length > 1) return
    setImmediate(() => {
      if (this.#isClosed) return
      this.#worker ??= this.#startWorker()
      this.#worker.postMessage(this.#leaving)
      this.#leaving = []
    })
  }

  #startWorker(): Worker {
    const file = import.meta.url.endsWith('.ts') ? './lookup-worker.ts' : './lookup-worker.js'
    const worker = new Worker(new URL(file, import.meta.url), {
      workerData: this.#place,
      env: { ...process.env, ...listCompileCache() },
    })
    worker.unref()
    worker.on('message', (answers: readonly LookupAnswer[]) => {
      for (const answer of answers) this.#deliverAnswer(answer)
    })
    worker.on('error', ({ stack }) => {
      // Its store may be gone with the server that it was to serve.
      if (this.#isClosed) return
      this.#report(`rubicon: the thread that looks things up ended: ${stack}`)
    })
    worker.on('exit', () => this.#handleExit())
    return worker
  }

  #deliverAnswer(answer: LookupAnswer): void {
    const place = this.#waiting.findIndex(({ id }) => id === answer.id)
    if (place === -1) return
    const [waiting] = this.#waiting.splice(place, 1)
    if ('found' in answer) waiting?.resolve(toLookupReply(answer.found))
    else waiting?.reject(new Error(answer.bug))
  }

  #handleExit(): void {
    this.#worker = null
    for (const { reject } of this.#waiting.splice(0))
      reject(createClosedError('the thread that looks things up has ended'))
  }
}

function toLookupReply({ status, headers, text }: Found): Reply {
  return { status, headers, body: text }
}

function createClosedError(why: string): StoreError {
  return new StoreError('STORE_CLOSED', why, 'ask again in a moment')
}
