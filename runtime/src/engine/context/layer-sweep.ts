/**
 * Takes away what the layers need not keep: notes of flows that have ended, and of each agent's
 * memory all but the newest. Nothing reads either by then, so that it may happen some time later.
 *
 * 1. A round does a bounded piece of work, however much there is.
 * 2. Notes are found by an index in the store, so that another engine finds what this one left.
 * 3. Memory is looked through once an agent has decided so and so often in this process. What a dead
 *    process did not count is found when the agent has decided as often again.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Store, Write } from '../../ports/store.ts'

const FLOWS_AT_ONCE = 50
const NOTES_AT_ONCE = 200
const DECISIONS_BETWEEN = 500
const MEMORIES_AT_ONCE = 500

export class LayerSweep {
  readonly #store: Store
  readonly #decisions = new Map<string, number>()
  /** The flow that the last round ended with. */
  #last = ''

  constructor(store: Store) {
    this.#store = store
  }

  /** An agent's memory has become longer. */
  countDecision(agent: string): void {
    this.#decisions.set(agent, (this.#decisions.get(agent) ?? 0) + 1)
  }

  /** How many records were dropped. */
  async round(): Promise<number> {
    return (await this.#sweepNotes()) + (await this.#sweepMemory())
  }

  async #sweepNotes(): Promise<number> {
    const noted = await this.#store.listRecords('noted_flow', 'flows', {
      after: this.#last,
      limit: FLOWS_AT_ONCE,
    })
    // At the end it starts over: a flow that was open may have ended meanwhile.
    this.#last = noted.length < FLOWS_AT_ONCE ? '' : (noted.at(-1)?.key ?? '')
    let dropped = 0
    for (const { key: dfid } of noted) {
      const state = (await this.#store.readFlow(dfid))?.state
      if (state === 'CLOSED' || state === 'ABORTED') dropped += await this.#dropNotes(dfid)
    }
    return dropped
  }

  /** The entry of the index goes with the last of its notes. */
  async #dropNotes(dfid: string): Promise<number> {
    const notes = await this.#store.listRecords('note', dfid, { limit: NOTES_AT_ONCE })
    const writes = notes.map(
      ({ key }): Write => ({ kind: 'drop_record', record: 'note', group: dfid, key }),
    )
    if (notes.length < NOTES_AT_ONCE)
      writes.push({ kind: 'drop_record', record: 'noted_flow', group: 'flows', key: dfid })
    await this.#store.commit({ guards: [], writes })
    return writes.length
  }

  async #sweepMemory(): Promise<number> {
    let dropped = 0
    for (const [agent, decisions] of this.#decisions) {
      if (decisions < DECISIONS_BETWEEN) continue
      const writes = await this.#listSurplusDrops(agent)
      if (writes.length < MEMORIES_AT_ONCE) this.#decisions.delete(agent)
      if (writes.length > 0) await this.#store.commit({ guards: [], writes })
      dropped += writes.length
    }
    return dropped
  }

  async #listSurplusDrops(agent: string): Promise<readonly Write[]> {
    const limit = LIMITS.memoryKept
    const kept = await this.#store.listRecords('memory', agent, { newest: true, limit })
    const oldest = kept[limit - 1]?.key
    if (oldest === undefined) return []
    const old = await this.#store.listRecords('memory', agent, {
      until: oldest,
      limit: MEMORIES_AT_ONCE,
    })
    return old
      .filter(({ key }) => key !== oldest)
      .map(({ key }): Write => ({ kind: 'drop_record', record: 'memory', group: agent, key }))
  }
}
