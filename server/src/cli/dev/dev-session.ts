/**
 * A project that is served while it is written.
 *
 * N1 what is in force is replaced only by something that has been loaded and checked as a whole, in a process of its own.
 *    The process before it lets go of the store first, and serves again if the new one cannot.
 * N2 a contract or a monitor that cannot be read changes nothing: neither its last version nor any other file's.
 * N3 changes are worked on one after the other, in the order in which they came.
 * N4 code that does not come to an end holds nobody up: what is being loaded is given up for the next change, and for the end.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEVELOPER_TOKEN } from '../../people/server-people.ts'
import { deleteDisposable } from '../disposable-store.ts'
import { describeError } from '../failure.ts'
import { type DevPlace, findRulesFile, prepareDevPlace } from './dev-place.ts'
import { listRulesChanges } from './rules-changes.ts'
import {
  classifyFile,
  type DocumentKind,
  isCode,
  type ProjectDocument,
  scanProject,
} from './scan-project.ts'
import type { DevNotice, DocumentNames, LoadAnswer } from './worker-messages.ts'
import { WorkerProcess } from './worker-process.ts'

export type DevEvent =
  | DevNotice
  | { readonly kind: 'serving'; readonly url: string }
  | { readonly kind: 'reloaded'; readonly changes: readonly string[] }
  | { readonly kind: 'repaired'; readonly file: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'printed'; readonly line: string }

type Served = {
  readonly worker: WorkerProcess
  readonly loaded: LoadAnswer
  readonly since: number
}

/** One that ends sooner than this would most likely end again. */
const STEADY_MS = 5_000
/** After this somebody is told that it still loads. */
const SLOW_MS = 15_000

const STILL_LOADS = 'the rules are still being loaded; the next change of a file begins anew'

export class DevSession {
  readonly #place: DevPlace
  readonly #host: string
  readonly #token: string
  readonly #tell: (event: DevEvent) => void
  readonly #kinds = new Map<string, DocumentKind>()
  #names: DocumentNames = {}
  /** Contracts and monitors that could not be read, or deployed, as they were last. */
  readonly #broken = new Set<string>()
  #port: number
  #current: Served | null = null
  #loading: WorkerProcess | null = null
  /** Files that the rules were loaded from; null: they could not be, so that any file may be the reason. */
  #files: ReadonlySet<string> | null = null
  /** What changed last was never loaded. */
  #isBehind = false
  #last: Promise<void> = Promise.resolve()
  #isEnded = false

  constructor(
    place: DevPlace,
    { host, port, token }: { readonly host: string; readonly port: number; readonly token: string },
    tell: (event: DevEvent) => void,
  ) {
    this.#place = place
    this.#host = host
    this.#port = port
    this.#token = token
    this.#tell = tell
  }

  get url(): string | null {
    return this.#current === null ? null : `http://${this.#host}:${this.#port}`
  }

  /** Throws where there is no store or no port to be had; a project that cannot be read is told, and waited for. */
  start(): Promise<void> {
    const started = this.#begin()
    // A change that comes meanwhile waits, and so does the end: no process is left behind (N3).
    this.#last = started.catch(() => {})
    return started
  }

  async #begin(): Promise<void> {
    const problem = await this.#replaceWorker()
    if (problem !== null) throw problem
    await this.#deploy(this.#listDocuments())
  }

  change(paths: ReadonlySet<string>): Promise<void> {
    // What it read is not what stands there now.
    this.#giveUpLoading()
    return this.#enqueue(() => this.#handleChange(paths))
  }

  /** Everything in the dev store is gone, and the project is deployed anew, by what is in force. */
  reset(): Promise<void> {
    return this.#enqueue(async () => {
      const current = this.#current
      await current?.worker.release()
      try {
        deleteDisposable(this.#place)
        prepareDevPlace(this.#place)
        writeToken(this.#place, this.#token)
        this.#tell({ kind: 'reset' })
      } finally {
        // Also where it could not be deleted: somebody else may have it open.
        if (current !== null) await this.#serve(current.worker)
      }
      await this.#deploy(this.#listDocuments())
    })
  }

  async end(): Promise<void> {
    this.#isEnded = true
    this.#giveUpLoading()
    await this.#last
    await this.#current?.worker.end()
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last
      .then(() => (this.#isEnded ? undefined : work()))
      .catch((error) => this.#warn(error))
    return this.#last
  }

  async #handleChange(paths: ReadonlySet<string>): Promise<void> {
    const { folder } = this.#place
    const present = scanProject(folder)
    const before = new Map(this.#kinds)
    const listed = this.#listDocuments()
    const gone = [...paths].filter((path) => before.has(path) && !present.has(path))
    for (const path of gone)
      this.#tell({ kind: 'warning', text: `${path} is gone; what it deployed stays in force` })
    // Another file may hold the same, as after a renaming.
    const documents = gone.length > 0 ? listed : listed.filter(({ file }) => paths.has(file))
    const others = [...paths].filter((path) => !this.#kinds.has(path) && !before.has(path))
    const isFirst = this.#current === null
    const isStale =
      this.#isBehind || others.some((path) => !isCode(path) || (this.#files?.has(path) ?? true))
    if (isStale || isFirst) {
      const problem = await this.#replaceWorker()
      if (problem !== null) this.#warn(problem)
    }
    await this.#deploy(isFirst ? listed : documents)
  }

  /** N1. What keeps a worker that could be loaded from serving is returned. */
  async #replaceWorker(): Promise<unknown> {
    const next = this.#createWorker()
    let loaded: LoadAnswer
    this.#loading = next
    const slow = setTimeout(() => this.#tell({ kind: 'warning', text: STILL_LOADS }), SLOW_MS)
    this.#isBehind = false
    try {
      loaded = await next.ask({ kind: 'load' })
    } catch (error) {
      await next.end()
      this.#files = null
      return this.#isBehind ? null : error
    } finally {
      clearTimeout(slow)
      this.#loading = null
    }
    this.#files = loaded.problems.length > 0 ? null : new Set(loaded.files)
    const before = this.#current
    if (loaded.problems.length > 0) {
      await next.end()
      this.#tell({ kind: 'problem', problems: loaded.problems, keeps: before !== null })
      return null
    }
    // One that has ended holds nothing.
    await before?.worker.release().catch(() => {})
    try {
      await this.#serve(next)
    } catch (error) {
      await next.end()
      if (before !== null) await this.#serve(before.worker)
      return error
    }
    this.#current = { worker: next, loaded, since: Date.now() }
    await before?.worker.end()
    if (before === null) this.#tell({ kind: 'serving', url: this.url ?? '' })
    else
      this.#tell({
        kind: 'reloaded',
        changes: listRulesChanges(before.loaded.rules, loaded.rules),
      })
    return null
  }

  /** Nothing is open in it yet: it can be killed at any moment. */
  #giveUpLoading(): void {
    if (this.#loading === null) return
    this.#isBehind = true
    this.#loading.kill()
  }

  #createWorker(): WorkerProcess {
    const { folder, store, state, tenant } = this.#place
    const rules = findRulesFile(this.#place)
    return new WorkerProcess(
      { folder, rules, store, state, tenant, host: this.#host },
      {
        noticed: (notice) => this.#tell(notice),
        printed: (line) => this.#tell({ kind: 'printed', line }),
        lost: (worker, how) => this.#handleLost(worker, how),
      },
    )
  }

  /** The port that was free at first is kept: a browser finds the next one where the one before was. */
  async #serve(worker: WorkerProcess): Promise<void> {
    const { url } = await worker.ask({ kind: 'serve', port: this.#port, token: this.#token })
    this.#port = Number(new URL(url).port)
  }

  /** Code of the project has ended it. What was served is started once more, unless it would only end again. */
  #handleLost(worker: WorkerProcess, how: string): void {
    const current = this.#current
    if (current?.worker !== worker) return
    this.#current = null
    this.#tell({ kind: 'warning', text: `the process that serves the project has ended (${how})` })
    if (Date.now() - current.since >= STEADY_MS) void this.change(new Set())
    else this.#tell({ kind: 'warning', text: 'the next change of a file starts it again' })
  }

  async #deploy(documents: readonly ProjectDocument[]): Promise<void> {
    if (documents.length === 0 || this.#current === null) return
    const present = Object.entries(this.#names).filter(([file]) => this.#kinds.has(file))
    const { notices, names } = await this.#current.worker.ask({
      kind: 'deploy',
      documents,
      names: Object.fromEntries(present),
    })
    this.#names = names
    for (const notice of notices) this.#tell(notice)
    this.#tellRepaired(documents, notices)
  }

  /** A file that is again as it is in force deploys nothing, and its author waits for a word. */
  #tellRepaired(documents: readonly ProjectDocument[], notices: readonly DevNotice[]): void {
    for (const { file } of documents) {
      const about = notices.filter((notice) => listFiles(notice).includes(file))
      if (about.some(({ kind }) => kind === 'problem')) this.#broken.add(file)
      else if (this.#broken.delete(file) && about.length === 0)
        this.#tell({ kind: 'repaired', file })
    }
  }

  #listDocuments(): readonly ProjectDocument[] {
    const { folder } = this.#place
    const documents: ProjectDocument[] = []
    const present = scanProject(folder)
    for (const file of present.keys()) {
      const kind = classifyFile(folder, file, this.#kinds.get(file))
      if (kind !== null) documents.push({ file, kind })
    }
    this.#kinds.clear()
    for (const { file, kind } of documents) this.#kinds.set(file, kind)
    return documents
  }

  #warn(error: unknown): void {
    const { summary, why } = describeError(error).failure
    const text = why === undefined || why === '' ? summary : `${summary}: ${why}`
    this.#tell({ kind: 'warning', text })
  }
}

function listFiles(notice: DevNotice): readonly string[] {
  if (notice.kind === 'problem') return notice.problems.map(({ file }) => file)
  return 'file' in notice ? [notice.file] : []
}

export function getTokenFile(place: Pick<DevPlace, 'state'>): string {
  return join(place.state, DEVELOPER_TOKEN)
}

export function writeToken(place: Pick<DevPlace, 'state'>, token: string): void {
  writeFileSync(getTokenFile(place), `${token}\n`, { mode: 0o600 })
}
