/**
 * A store that a storm rages around: commits take time, fail, or are made durable in the moment in
 * which the process dies. What the tables hold is durable; everything else dies with the process.
 *
 * It keeps the promises of the port: of a transaction that failed nothing is left (S5), and an answer
 * comes only after the unit is durable (S1). An answer that was lost, or never comes, may mean either.
 */
import {
  createMemoryStore,
  type MemoryStoreOptions,
} from '../../runtime/src/adapters/memory/store.ts'
import type { Tables } from '../../runtime/src/adapters/memory/tables.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { type LeafEntry, type Store, StoreError } from '../../runtime/src/ports/store.ts'
import type { VirtualTime } from './clock.ts'
import type { MachineClock } from './machine-clock.ts'
import type { SimProcess } from './process.ts'
import type { Faults } from './swarm.ts'

export type StormStoreOptions = {
  readonly tenant: string
  readonly tables: Tables
  readonly time: VirtualTime
  readonly clock: MachineClock
  /** With it the clock is watched. */
  readonly monotonic?: () => number
  readonly faults: Faults
  readonly process: SimProcess
  /** Null: nobody else works on the tables. */
  readonly shared: NonNullable<MemoryStoreOptions['shared']> | null
  /** The engine holds what it reads at its start against the ledger, as it does with a database. */
  readonly exposed: boolean
  /** Called with what has just become durable, and by whom. */
  readonly committed: (entries: readonly LeafEntry[], epoch: number) => void
}

const READS = [
  'readNow',
  'readDecision',
  'readFlow',
  'listFlows',
  'listFlowSummaries',
  'listExpiredFlows',
  'listExecutions',
  'countRows',
  'readCounter',
  'readRecord',
  'listRecords',
  'readWrit',
  'listWrits',
  'readResources',
  'listWorld',
  'listHeads',
  'listEntries',
  'listCommits',
  'listFlowEntries',
  'listLeaves',
  'listLeafEnvelopes',
  'countLeaves',
  'listLeafIds',
  'listTiles',
  'readCheckpoint',
] as const satisfies readonly (keyof Store)[]

export function createStormStore(options: StormStoreOptions): Store {
  const { tenant, tables, time, clock, monotonic, faults, process, shared, exposed, committed } =
    options
  const { epoch } = process
  const inner = createMemoryStore({
    tenant,
    sha256,
    clock: () => clock.getNow(),
    ...(monotonic === undefined ? {} : { monotonic }),
    kept: { tables, epoch },
    ...(shared === null ? {} : { shared }),
  })

  const read = async (name: (typeof READS)[number], args: readonly unknown[]): Promise<unknown> => {
    if (!process.runs) await process.turn()
    if (faults.drawFault('read_slow')) await process.wait(time.sleep(faults.drawBetween(1, 40)))
    if (faults.drawFault('read_failed')) throw createStoreError('the disk did not answer')
    return (inner[name] as (...given: readonly unknown[]) => unknown)(...args)
  }

  /** Around a durable write: before it, instead of it, after it. */
  const write = async <T>(apply: () => Promise<T>): Promise<T> => {
    if (!process.runs) await process.turn()
    const slow = faults.drawFault('commit_slow') ? faults.drawBetween(1, 3000) : 0
    if (slow > 0) await process.wait(time.sleep(faults.drawBetween(0, slow)))
    if (faults.drawFault('crash_before_commit')) return process.simulateCrash('before a commit')
    if (faults.drawFault('commit_failed')) throw createStoreError('the transaction failed')
    const first = tables.entries.length
    const done = apply()
    // It may be refused, and the process that asked may not live to hear that.
    done.catch(() => {})
    committed(tables.entries.slice(first), epoch)
    if (faults.drawFault('commit_then_crash')) return process.simulateCrash('after a commit')
    if (faults.drawFault('commit_answer_lost')) {
      await done
      throw createStoreError(
        'the connection was lost during COMMIT: whether it is durable is not known',
      )
    }
    if (slow > 0) await process.wait(time.sleep(faults.drawBetween(0, slow)))
    return done
  }

  const reads = Object.fromEntries(
    READS.map((name) => [name, (...args: readonly unknown[]) => read(name, args)]),
  ) as Pick<Store, (typeof READS)[number]>
  return {
    ...reads,
    name: 'storm',
    shared: inner.shared,
    exposed,
    time: inner.time,
    tenant,
    epoch,
    commit: (unit) => write(() => inner.commit(unit)),
    overwriteRemains: () => inner.overwriteRemains(),
    integrate: () => inner.integrate(),
    async listEndedEpochs(epochs) {
      if (!process.runs) await process.turn()
      return inner.listEndedEpochs(epochs)
    },
    readTree: () => inner.readTree(),
    signHeads: (keeper, from) => inner.signHeads(keeper, from),
    saveCheckpoint: (checkpoint) => write(() => inner.saveCheckpoint(checkpoint)),
    close: () => inner.close(),
  }
}

function createStoreError(detail: string): StoreError {
  return new StoreError('STORE_ERROR', detail, 'try again')
}
