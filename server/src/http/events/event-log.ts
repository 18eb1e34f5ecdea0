/**
 * The ledger as a list of events: the latest are remembered for everybody, the rest is read from the
 * store by whoever needs it.
 *
 * Boundary: it reads. Nothing here knows who listens.
 *
 * L1 what is remembered has no gaps: it is what stands at the end of the ledger.
 * L2 each new entry is read once, however many listen.
 * L3 whoever reads the past waits for others who do, and lets everything else go first: a long way
 *    back costs whoever goes it. For whoever has gone nothing is read.
 * L4 of a flow that was erased no code is remembered: whoever goes back hears what the store still has.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { isErasable, LIMITS } from 'rubicon-kernel'
import { FlowAgents, parseNamedAgent, readLeafPage } from 'rubicon-runtime/engine/ledger'
import type { Clock, Store } from 'rubicon-runtime/ports'
import { SharedTurns } from '../turns/shared-turns.ts'
import { EventPage } from './event-page.ts'
import { type LedgerEvent, removeCode, toLedgerEvent } from './event-view.ts'

const NOTHING = new EventPage([])

export type EventSource = Pick<Store, 'countLeaves' | 'listLeaves' | 'readFlow'>

export class EventLog {
  readonly #store: EventSource
  readonly #agents: FlowAgents
  readonly #past: SharedTurns
  #recent: LedgerEvent[] = []
  /** The leaf behind the last that is remembered. */
  #end = 0
  /** What was asked for last. Whoever is up to date asks for the same as everybody else who is. */
  #last: { readonly leaf: number; readonly end: number; readonly page: EventPage } | null = null

  constructor(store: EventSource, clock: Pick<Clock, 'monotonic'>) {
    this.#store = store
    this.#past = new SharedTurns(clock)
    this.#agents = new FlowAgents(store)
  }

  /** Somebody listens again: what is remembered is of use, unless it ends too far before this leaf. */
  begin(leaf: number): void {
    const isNear = leaf - this.#end <= LIMITS.eventsRemembered
    if (isNear && this.#recent.length > 0) return
    this.#recent = []
    this.#end = leaf
  }

  /** Reads what is new; false: nothing is. */
  async follow(): Promise<boolean> {
    const count = await this.#store.countLeaves()
    const isNew = count > this.#end
    while (this.#end < count) {
      const page = await this.#read(this.#end)
      if (page.length === 0) break
      // Whoever comes back after a while finds many.
      if (this.#end + page.length < count) await turn()
      this.#recent.push(...page)
      this.#end += page.length
      this.#forgetErased(page)
      this.#recent.splice(0, this.#recent.length - LIMITS.eventsRemembered)
    }
    return isNew
  }

  #forgetErased(page: readonly LedgerEvent[]): void {
    const erased = new Set(
      page.filter(({ view }) => view.kind === 'erasure').map(({ view }) => view.dfid),
    )
    if (erased.size === 0) return
    this.#recent = this.#recent.map((event) =>
      erased.has(event.view.dfid) && isErasable(event.view.kind) ? removeCode(event) : event,
    )
    this.#last = null
  }

  /** The next events from this leaf on, a page at most; none: there are no more yet. */
  async readFrom(leaf: number, asker: string, isGone: () => boolean): Promise<EventPage> {
    const end = this.#end
    if (leaf >= end) return NOTHING
    if (this.#last?.leaf === leaf && this.#last.end === end) return this.#last.page
    const first = end - this.#recent.length
    if (leaf < first) {
      const past = await this.#past.take(asker, isGone, () => this.#read(leaf))
      return past === null ? NOTHING : new EventPage(past)
    }
    const page = new EventPage(
      this.#recent.slice(leaf - first, leaf - first + LIMITS.eventsPerPage),
    )
    this.#last = { leaf, end, page }
    return page
  }

  async #read(from: number): Promise<readonly LedgerEvent[]> {
    const entries = await readLeafPage(this.#store, from, LIMITS.eventsPerPage)
    const events: LedgerEvent[] = []
    for (const entry of entries) {
      const { dfid } = entry.envelope
      const agent = dfid === undefined ? parseNamedAgent(entry) : await this.#agents.findAgent(dfid)
      events.push(toLedgerEvent(entry, agent))
    }
    return events
  }
}
