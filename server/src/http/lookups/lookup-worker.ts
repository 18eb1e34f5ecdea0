/** The other side of `LookupThread`: opens the store for reading and answers, until it is ended. */
import { parentPort, workerData } from 'node:worker_threads'
import type { RuntimePlace } from 'rubicon-runtime/compose'
import { openStore } from 'rubicon-runtime/open-store'
import { StoreError } from 'rubicon-runtime/ports'
import { sha256, systemClock } from 'rubicon-runtime/system'
import { convertThrown } from '../problems/problem.ts'
import { JSON_TYPE, type Reply } from '../schemas/route.ts'
import { RequestTurns } from '../turns/request-turns.ts'
import { createLookupTable, createSearch } from './all.ts'
import { openArtifactSource } from './artifacts/open-source.ts'
import type { LookupName, LookupRequest } from './lookup.ts'

export type LookupPlace = Pick<RuntimePlace, 'store' | 'tenant'> & {
  /** The folder of what artifacts consist of; null: there are none. */
  readonly artifacts: string | null
  /** The file of the search index; null: it is in memory. */
  readonly search: string | null
  /** How often the index looks at the ledger, though nobody asks for a list. */
  readonly followMs: number
}

export type LookupQuestion = {
  readonly id: number
  readonly name: LookupName
  readonly question: LookupRequest
}

/** `bug`: what was thrown, and nobody foresaw; it is for the log. */
export type LookupAnswer =
  | { readonly id: number; readonly found: Found }
  | { readonly id: number; readonly bug: string }

/**
 * A reply whose body is written already: that is half of the work. As text, which is copied: bytes that
 * are handed over are memory outside of the heap, and enough of it makes everybody wait for the collector.
 */
export type Found = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

const place = workerData as LookupPlace
const { store: address, tenant, artifacts: folder, search: path, followMs } = place
const store = await openStore(address, tenant, systemClock, 'read')
// Its desk ends with this thread: nobody is left who could ask it.
const artifacts = folder === null ? undefined : await openArtifactSource(folder)
const parts = { store, clock: systemClock, sha256, artifacts, search: { path, isAlone: true } }
const search = createSearch(parts)
const table = createLookupTable(parts, search)
followLedger()

/** No connections come to this thread. */
const turns = new RequestTurns(systemClock, { count: 0 })

parentPort?.on('message', receiveQuestions)

function receiveQuestions(questions: readonly LookupQuestion[]): void {
  for (const one of questions)
    void turns.wait(one.question.asker, () => false).then(() => respond(one))
}

/** Whoever opens a list finds the index made. What another process erased is forgotten, too, though nobody asks for a list. */
function followLedger(): void {
  search.start()
  setInterval(() => search.start(), followMs)
}

async function respond({ id, name, question }: LookupQuestion): Promise<void> {
  try {
    tell({ id, found: toFound(await table[name](question)) })
  } catch (error) {
    if (error instanceof StoreError) tell({ id, found: toFound(convertThrown(error)) })
    else tell({ id, bug: describeBug(error) })
  }
}

function toFound({ status, headers, body }: Reply): Found {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { status, headers: { ...JSON_TYPE, ...headers }, text }
}

let leaving: LookupAnswer[] = []

/** What was found in the same turn goes together. */
function tell(answer: LookupAnswer): void {
  leaving.push(answer)
  if (leaving.length > 1) return
  setImmediate(() => {
    parentPort?.postMessage(leaving)
    leaving = []
  })
}

function describeBug(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
