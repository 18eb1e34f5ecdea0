/** The other side of `LookupThread`: opens the store for reading and answers, until it is ended. */
import { parentPort, workerData } from 'node:worker_threads'
import { openSqliteStore } from './adapters/sqlite/store.ts'
import { systemClock } from './adapters/system/clock.ts'
import { sha256 } from './adapters/system/sha256.ts'
import { StoreError } from './ports/store.ts'
import { lookupTable } from './server/lookups/all.ts'
import type { LookupName, Question } from './server/lookups/lookup.ts'
import { thrownProblem } from './server/problem.ts'
import type { Reply } from './server/route.ts'

/** A file of SQLite, and whose rows are read. */
export type LookupPlace = { readonly path: string; readonly tenant: string }

export type LookupQuestion = {
  readonly id: number
  readonly name: LookupName
  readonly question: Question
}

/** `bug`: what was thrown, and nobody foresaw; it is for the log. */
export type LookupAnswer =
  | { readonly id: number; readonly found: Found }
  | { readonly id: number; readonly bug: string }

/** A reply whose body is written already: that is half of the work. */
export type Found = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array<ArrayBuffer>
}

const { path, tenant } = workerData as LookupPlace
const store = await openSqliteStore({ path, tenant, sha256, clock: systemClock.now, mode: 'read' })
const table = lookupTable({ store, clock: systemClock, sha256 })
const encoder = new TextEncoder()

parentPort?.on('message', (questions: readonly LookupQuestion[]) => {
  for (const { id, name, question } of questions)
    table[name](question)
      .catch((error: unknown) => {
        if (error instanceof StoreError) return thrownProblem(error)
        throw error
      })
      .then(
        (reply) => tell({ id, found: foundIn(reply) }),
        (error: unknown) => tell({ id, bug: bugOf(error) }),
      )
})

function foundIn({ status, headers, body }: Reply): Found {
  const type = { 'content-type': 'application/json; charset=utf-8' }
  return { status, headers: { ...type, ...headers }, bytes: encoder.encode(JSON.stringify(body)) }
}

let leaving: LookupAnswer[] = []

/** What was found in the same turn goes together, and what was written goes without being copied. */
function tell(answer: LookupAnswer): void {
  leaving.push(answer)
  if (leaving.length > 1) return
  setImmediate(() => {
    const written = leaving.flatMap((one) => ('found' in one ? [one.found.bytes.buffer] : []))
    parentPort?.postMessage(leaving, written)
    leaving = []
  })
}

function bugOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
