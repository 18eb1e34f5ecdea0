/** The other side of `LookupThread`: opens the store for reading and answers, until it is ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from './adapters/sqlite/store.ts'
import { systemClock } from './adapters/system/clock.ts'
import { sha256 } from './adapters/system/sha256.ts'
import { StoreError } from './ports/store.ts'
import { createLookupTable } from './server/lookups/all.ts'
import type { LookupName, LookupRequest } from './server/lookups/lookup.ts'
import { convertThrown } from './server/problems/problem.ts'
import { JSON_TYPE, type Reply } from './server/schemas/route.ts'

/** A file of SQLite, and whose rows are read. */
export type LookupPlace = { readonly path: string; readonly tenant: string }

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

const { path, tenant } = workerData as LookupPlace
const store = await openSqliteStore({ path, tenant, sha256, clock: systemClock.now, mode: 'read' })
const table = createLookupTable({ store, clock: systemClock, sha256 })

parentPort?.on('message', (questions: readonly LookupQuestion[]) => {
  for (const { id, name, question } of questions)
    table[name](question)
      .catch((error: unknown) => {
        if (error instanceof StoreError) return convertThrown(error)
        throw error
      })
      .then(
        (reply) => tell({ id, found: toFound(reply) }),
        (error: unknown) => tell({ id, bug: describeBug(error) }),
      )
})

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
