/**
 * The search index of a storm: it takes in the ledger while the storm goes on, in pieces, and is opened anew now and then,
 * as a server that starts again does. In the end it is asked what lists ask.
 */
import { createMemoryStore } from '../../runtime/src/adapters/memory/store.ts'
import type { Tables } from '../../runtime/src/adapters/memory/tables.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { countRows } from '../../server/src/search/count-rows.ts'
import { parseFilter } from '../../server/src/search/filter.ts'
import { findRows } from '../../server/src/search/query.ts'
import { SearchIndex } from '../../server/src/search/search-index.ts'
import { auditFound, type FoundByIndex } from './audit/found.ts'
import type { Auditor } from './auditor.ts'
import { TENANT } from './host.ts'
import { listRecords } from './stored-records.ts'

/** One storm in so many has an index. */
const INDEXED_EVERY = 7
const INDEXED_FROM = 2
/** Wake-ups between two looks at the ledger, and looks after which it is opened anew. */
const STEPS_APART = 48
const LOOKS = 64

export class WatchedIndex {
  readonly #getTables: () => Tables
  readonly #auditor: Pick<Auditor, 'report'>
  #index: SearchIndex | null = null
  #steps = 0

  constructor(getTables: () => Tables, auditor: Pick<Auditor, 'report'>) {
    this.#getTables = getTables
    this.#auditor = auditor
  }

  /** Between two wake-ups of the storm. */
  async follow(): Promise<void> {
    this.#steps += 1
    if (this.#steps % STEPS_APART !== 0) return
    if (this.#steps % (STEPS_APART * LOOKS) === 0) this.#close()
    await this.#open().catchUp()
  }

  async finish(): Promise<void> {
    const { problem } = await this.#open().catchUp()
    const tables = this.#getTables()
    auditFound(
      { problem, ...readFound(this.#open()) },
      {
        entries: tables.entries,
        flows: tables.flows,
        executions: [...tables.executions.values()].flatMap((steps) => [...steps.values()]),
        escalations: listRecords(tables, 'escalation'),
      },
      (...found) => this.#auditor.report(...found),
    )
    this.#close()
  }

  #open(): SearchIndex {
    this.#index ??= openIndex(this.#getTables())
    return this.#index
  }

  #close(): void {
    this.#index?.close()
    this.#index = null
  }
}

export function createWatchedIndex(
  seed: number,
  ...given: ConstructorParameters<typeof WatchedIndex>
): WatchedIndex | null {
  return seed % INDEXED_EVERY === INDEXED_FROM ? new WatchedIndex(...given) : null
}

function openIndex(tables: Tables): SearchIndex {
  // Nobody waits: time stands still while it reads.
  const clock = { monotonic: () => 0 }
  const kept = { tables, epoch: 0 }
  const store = createMemoryStore({ tenant: TENANT, sha256, clock: () => 0, kept, mode: 'read' })
  return new SearchIndex({ store, clock, path: null, pause: async () => {} })
}

const MOST = 1_000_000

function readFound(index: SearchIndex): Omit<FoundByIndex, 'problem'> {
  const read = (sql: string): ReadonlyMap<string, string> =>
    new Map(
      index
        .read((database) => database.prepare(sql).all())
        .map((row) => [String(row.name), String(row.value)]),
    )
  const verdicts = readVerdicts(index)
  return {
    ...verdicts,
    flows: read("SELECT dfid AS name, state || ' ' || trim(tags, ',') AS value FROM flow"),
    steps: read("SELECT dfid || ':' || step_id AS name, status AS value FROM execution"),
    requests: read('SELECT id AS name, state AS value FROM escalation'),
    words: read(`SELECT flow.dfid AS name, group_concat(words.said, char(10)) AS value FROM flow
      JOIN said ON said.flow = flow.id JOIN words ON words.rowid = said.id GROUP BY 1`),
  }
}

/** Each outcome with each of its reasons, as a list would be asked for it. */
function readVerdicts(index: SearchIndex): Pick<FoundByIndex, 'verdicts' | 'counts'> {
  const pairs = index.read((database) =>
    database.prepare('SELECT DISTINCT outcome, reason FROM decision').all(),
  )
  const verdicts = new Map<string, readonly string[]>()
  const counts = new Map<string, number>()
  for (const { outcome, reason } of pairs) {
    const query = {
      outcome: String(outcome),
      ...(reason === null ? {} : { reason: String(reason) }),
    }
    const filter = parseFilter(query, { list: 'flows', limit: MOST, own: null, measures: [] })
    if (!filter.ok) throw new Error(filter.error.detail)
    const { value } = filter
    const { rows } = index.read((database) => findRows(database, 'flows', value))
    const name = `${outcome} ${reason ?? ''}`
    verdicts.set(name, rows.map(({ dfid }) => String(dfid)).sort())
    counts.set(name, index.read((database) => countRows(database, 'flows', value)).total)
  }
  return { verdicts, counts }
}
