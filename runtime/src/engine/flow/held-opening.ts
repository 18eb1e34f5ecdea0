/**
 * An opening that waits for the first decision in its flow, and is written with it in one unit.
 *
 * H1 what is written is what an opening and a decision write one after the other: the entries of both in
 *    that order, and of the two rows of the flow the later.
 * H2 all guards of both hold, or nothing is written. Where one of the opening fails, the opening is void:
 *    the next attempt prepares another.
 * H3 where nothing is decided, nothing is opened.
 */
import { assert } from 'rubicon-kernel'
import type { DecisionView, FlowRow, Guard, Store, Unit, Write } from '../../ports/store.ts'
import { moveEntry } from '../rows/join-units.ts'
import type { PreparedOpening } from './prepare-opening.ts'

export class HeldOpening {
  /** For whoever decides in the flow: it is there already. */
  readonly store: Store
  readonly #inner: Store
  readonly #flow: FlowRow
  readonly #opening: Unit
  readonly #onWritten: () => void
  #isWritten = false
  #failed: Guard | undefined

  constructor(
    store: Store,
    { unit, opened }: PreparedOpening,
    beside: Unit,
    onWritten: () => void,
  ) {
    this.#inner = store
    this.#flow = opened.flow
    const { dfid } = opened.flow
    const writes = unit.writes.filter((write) => !isRowOf(write, dfid))
    this.#opening = {
      guards: [...unit.guards, ...beside.guards],
      writes: [...writes, ...beside.writes],
    }
    this.#onWritten = onWritten
    this.store = this.#wrapStore()
  }

  /** What did not hold of the opening; undefined: it is not void. */
  get failed(): Guard | undefined {
    return this.#failed
  }

  #wrapStore(): Store {
    const own: Pick<Store, 'commit' | 'readFlow' | 'readDecision'> = {
      commit: (unit) => this.#commit(unit),
      readFlow: async (dfid) => (this.#isHeld(dfid) ? this.#flow : this.#inner.readFlow(dfid)),
      readDecision: (dfid, step, counters) =>
        this.#isHeld(dfid)
          ? this.#readHeld(counters)
          : this.#inner.readDecision(dfid, step, counters),
    }
    return new Proxy(this.#inner, {
      get(target, name) {
        if (Object.hasOwn(own, name)) return Reflect.get(own, name)
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  get #isWaiting(): boolean {
    return !this.#isWritten && this.#failed === undefined
  }

  #isHeld(dfid: string): boolean {
    return this.#isWaiting && dfid === this.#flow.dfid
  }

  async #commit(unit: Unit): ReturnType<Store['commit']> {
    const own = unit.guards.find((guard) => isVersionOf(guard, this.#flow.dfid))
    if (own === undefined || !this.#isWaiting) return this.#inner.commit(unit)
    assert(own.version === this.#flow.version, 'the first decision moves the row of the opening')
    const { guards, writes } = this.#opening
    const outcome = await this.#inner.commit({
      guards: [...guards, ...unit.guards.filter((guard) => guard !== own)],
      writes: [
        ...writes,
        ...unit.writes.map((write) => moveEntry(write, (entry) => entry + writes.length)),
      ],
    })
    if (!outcome.ok) {
      this.#failed = guards.find((guard) => isSameGuard(guard, outcome.failed))
      return outcome
    }
    this.#isWritten = true
    this.#onWritten()
    return { ...outcome, entries: outcome.entries.slice(writes.filter(isAppend).length) }
  }

  /** What a store would read of it: it has no step yet, and nothing of its own budget is used. */
  async #readHeld(counters: Parameters<Store['readDecision']>[2]): Promise<DecisionView> {
    const { dfid, trajectory } = this.#flow
    // Asked at once: a store answers them together.
    const counting = counters(this.#flow).map(
      async (id) =>
        [id, id.startsWith(`${dfid}:`) ? 0 : await this.#inner.readCounter(id)] as const,
    )
    const asked = [this.#inner.readNow(trajectory), Promise.all(counting)] as const
    const [{ now, authority_seq }, used] = await Promise.all(asked)
    return {
      now,
      authority_seq,
      flow: this.#flow,
      claim: null,
      counters: Object.fromEntries(used),
    }
  }
}

function isRowOf(write: Write, dfid: string): boolean {
  return write.kind === 'put_flow' && write.flow.dfid === dfid
}

function isVersionOf(
  guard: Guard,
  dfid: string,
): guard is Extract<Guard, { kind: 'flow_version' }> {
  return guard.kind === 'flow_version' && guard.dfid === dfid
}

/** A store may answer with a copy. */
function isSameGuard(guard: Guard, failed: object): boolean {
  return JSON.stringify(guard) === JSON.stringify(failed)
}

function isAppend({ kind }: Write): boolean {
  return kind === 'append' || kind === 'append_commit' || kind === 'append_branch'
}
