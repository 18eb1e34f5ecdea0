/** The search index of the tenant, for every lookup that needs it: opened when somebody first does. */
import { err, ok, type Result } from 'rubicon-kernel'
import {
  countRows,
  type FilterCounts,
  type FilterProblem,
  type FoundRows,
  findRows,
  type Indexed,
  isSearch,
  type ListName,
  listMeasures,
  parseFilter,
  refuseMovedPage,
  SearchIndex,
} from '../../search/index.ts'
import { toProblemReply } from '../problems/problem.ts'
import type { Reply } from '../schemas/route.ts'
import { parseLimit } from '../schemas/shape.ts'
import { SlowReads } from '../turns/slow-reads.ts'
import type { LookupParts, LookupRequest } from './lookup.ts'

export type SearchedPage = FoundRows & {
  readonly counts: FilterCounts | null
  readonly indexed: Indexed
}

export type CountedBeside = Pick<SearchedPage, 'counts' | 'indexed'>

/** So long a list waits that does not need them, be the store however slow. */
const BESIDE_MS = 1_000

/** Nothing at all can be said of it. */
export const UNUSABLE: Indexed = { leaf: 0, size: 0, problem: 'the search index cannot be used' }
const LATE: Indexed = { leaf: 0, size: 0, problem: 'the search index does not answer in time' }

export class Search {
  readonly #parts: LookupParts
  #opened: SearchIndex | null = null

  constructor(parts: LookupParts) {
    this.#parts = parts
  }

  /** What the index holds that has caught up as far as it could in a short time. */
  async ask<Found>(
    question: (database: SearchIndex['database']) => Found,
  ): Promise<{ readonly found: Found; readonly indexed: Indexed }> {
    const index = this.#open()
    const indexed = await index.catchUp()
    return { found: index.read(question), indexed }
  }

  /** For what the store answers: nobody waits for an index that is behind, and none is missed. */
  async askBeside<Found>(
    question: (database: SearchIndex['database']) => Found,
  ): Promise<{ readonly found: Found | null; readonly indexed: Indexed }> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(resolve, BESIDE_MS, null)
    })
    try {
      const index = this.#open()
      const indexed = await Promise.race([index.catchUp('beside'), late])
      return indexed === null
        ? { found: null, indexed: LATE }
        : { found: index.read(question), indexed }
    } catch {
      return { found: null, indexed: UNUSABLE }
    } finally {
      clearTimeout(timer)
    }
  }

  /** What it holds as it is, for a reply for which it was asked to catch up already. Null: it cannot be used. */
  readAsIs<Found>(question: (database: SearchIndex['database']) => Found): Found | null {
    try {
      return this.#open().read(question)
    } catch {
      return null
    }
  }

  isSearch(list: ListName, { query }: LookupRequest): boolean {
    return isSearch(list, query)
  }

  /** Rows of the index that the question asks for. */
  async findPage(list: ListName, question: LookupRequest): Promise<Result<SearchedPage, Reply>> {
    const { own, query } = question
    const { found, indexed } = await this.ask((database) => {
      // Which measures there are is known once the index has caught up.
      const measures = listMeasures(database, own)
      const filter = parseFilter(query, { list, own, measures, limit: parseLimit(query) })
      if (!filter.ok) return err(refuseFilter(filter.error))
      const moved = refuseMovedPage(database, list, filter.value)
      if (moved !== null) return err(refuseFilter(moved))
      const counts = isCounted(question) ? countRows(database, list, filter.value) : null
      return ok({ ...findRows(database, list, filter.value), counts })
    })
    return found.ok ? ok({ ...found.value, indexed }) : found
  }

  /** For a page that the store answers. An index that is behind has none for it. */
  async count(list: ListName, question: LookupRequest): Promise<CountedBeside> {
    const { own, query } = question
    const { found, indexed } = await this.askBeside((database) => {
      if (!isCounted(question)) return null
      const measures = listMeasures(database, own)
      const filter = parseFilter(query, { list, own, measures, limit: parseLimit(query) })
      return filter.ok ? countRows(database, list, filter.value) : null
    })
    return { counts: indexed.leaf < indexed.size ? null : found, indexed }
  }

  /** The index of this server has nothing more of what the flow said. */
  async forgetFlow(dfid: string): Promise<void> {
    await this.#open().forgetFlow(dfid)
  }

  start(): void {
    this.#open().start()
  }

  #open(): SearchIndex {
    if (this.#opened !== null) return this.#opened
    const { store, clock, search } = this.#parts
    const { path, isAlone } = search ?? { path: null, isAlone: false }
    const pause = isAlone ? passTurn : new SlowReads(clock).createPause()
    this.#opened = new SearchIndex({ store, clock, path, pause })
    return this.#opened
  }
}

/** On later pages nobody does. */
function isCounted({ query }: LookupRequest): boolean {
  return query.counts !== undefined && query.cursor === undefined
}

export function refuseFilter({ path, detail }: FilterProblem): Reply {
  return toProblemReply({
    code: 'QUERY_UNREADABLE',
    summary: `\`${path.slice(1)}\` cannot be answered: ${detail}`,
  })
}

/** In a thread of its own the index makes way for questions, and for nothing else. */
function passTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
