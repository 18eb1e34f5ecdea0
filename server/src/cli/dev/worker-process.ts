/** A process that serves a project, as the command holds it: asked one thing after the other, and ended with it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { listCompileCache } from '../../http/lookups/compile-cache.ts'
import { CliFailure } from '../failure.ts'
import {
  type AnswerOf,
  type DevNotice,
  isWorkerMessage,
  type WorkerRequest,
  type WorkerSettings,
} from './worker-messages.ts'

const END_MS = 10_000

export type WorkerListeners = {
  readonly noticed: (notice: DevNotice) => void
  /** A line that code of the project has printed. */
  readonly printed: (line: string) => void
  /** It has ended, and nobody had asked it to. */
  readonly lost: (worker: WorkerProcess, how: string) => void
}

type Waiting = {
  readonly resolve: (answer: never) => void
  readonly reject: (error: unknown) => void
}

export class WorkerProcess {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #isEnding = false
  #isGone = false

  constructor(settings: WorkerSettings, listeners: WorkerListeners) {
    const file = import.meta.url.endsWith('.ts') ? './dev-worker.ts' : './dev-worker.js'
    this.#child = fork(new URL(file, import.meta.url), [JSON.stringify(settings)], {
      cwd: settings.folder,
      // Options of this process may name files by where it was started.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...listCompileCache() },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    for (const input of [this.#child.stdout, this.#child.stderr])
      if (input !== null) createInterface({ input }).on('line', listeners.printed)
    this.#child.on('message', (value) => {
      if (!isWorkerMessage(value)) return
      if (value.kind === 'notice') listeners.noticed(value.notice)
      else if (value.kind === 'answer') this.#take(value.id)?.resolve(value.answer as never)
      else this.#take(value.id)?.reject(new CliFailure(value.failure))
    })
    const lose = (how: string): void => {
      this.#isGone = true
      for (const { reject } of this.#waiting.values()) reject(createLostFailure(how))
      this.#waiting.clear()
      if (!this.#isEnding) listeners.lost(this, how)
    }
    this.#child.once('exit', (code, signal) => lose(signal ?? `exit code ${code}`))
    // One that could not be started, as in a folder that is gone, has no exit.
    this.#child.on('error', (error) => {
      if (this.#child.pid === undefined) lose(error.message)
    })
  }

  ask<K extends WorkerRequest['kind']>(
    request: Extract<WorkerRequest, { readonly kind: K }>,
  ): Promise<AnswerOf[K]> {
    this.#lastId += 1
    const id = this.#lastId
    return new Promise<AnswerOf[K]>((resolve, reject) => {
      if (!this.#child.connected) return reject(createLostFailure('it has ended'))
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      this.#child.send({ id, request }, (error) => {
        if (error !== null) this.#take(id)?.reject(error)
      })
    })
  }

  /** Has it let go of the store and of the port; one that does not is killed, which does the same. */
  async release(): Promise<void> {
    const late = setTimeout(() => this.kill(), END_MS)
    await this.ask({ kind: 'release' }).finally(() => clearTimeout(late))
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  /** Lets it close its store; one that does not is killed. */
  async end(): Promise<void> {
    this.#isEnding = true
    if (this.#isGone) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    const late = setTimeout(() => this.kill(), END_MS)
    await exited
    clearTimeout(late)
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    return waiting
  }
}

function createLostFailure(how: string): CliFailure {
  return new CliFailure({
    code: 'DEV_PROCESS_LOST',
    summary: `the process that serves the project has ended (${how})`,
    fix: 'look at what it printed; the next change of a file starts another',
  })
}
