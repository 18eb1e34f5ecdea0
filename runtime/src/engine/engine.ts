/**
 * The engine: one per tenant and process. It owns what is remembered between calls, and the two
 * things that happen by themselves: reconciliation and checkpoints.
 */
import {
  type AnchorPayload,
  type Answer,
  type Contract,
  type Failure,
  formatInstant,
  LIMITS,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import { type StoredCheckpoint, StoreError } from '../ports/store.ts'
import { AuthorityCache } from './authority-cache.ts'
import { LedgerCorrupt, makeCheckpoint } from './checkpoint.ts'
import type { Context } from './context.ts'
import type { Deps } from './deps.ts'
import { cancelFlow, closeFlow } from './end-flow.ts'
import { InFlight } from './in-flight.ts'
import { type OpenedFlow, type OpenRequest, openFlow } from './open.ts'
import { type ProposeOptions, propose } from './propose.ts'
import type { ProposalInput } from './receive.ts'
import { reconcileDue } from './reconcile.ts'
import { recover, recoverLost } from './recover.ts'
import {
  bootstrap,
  type Deployed,
  deployContract,
  handshake,
  type LifecycleMove,
  moveAgent,
  recordRules,
  revoke,
} from './registry.ts'
import { returnEndedWrits } from './return-writs.ts'
import { acceptRestore, findRollback, rollbackFailure } from './rollback.ts'
import { SendTimes } from './send-times.ts'
import { WritCache } from './writ-cache.ts'

export type EngineOptions = {
  readonly proposalsInFlight?: number
  /** False: nothing happens by itself; the caller drives reconciliation and checkpoints. */
  readonly background?: boolean
}

export class Engine {
  readonly context: Context
  readonly #background: boolean
  #stopped = false
  #loop: Promise<void> = Promise.resolve()
  #signing: Promise<unknown> = Promise.resolve()
  #damage: LedgerCorrupt | null = null
  #wake: (() => void) | null = null

  constructor(deps: Deps, options: EngineOptions = {}) {
    this.context = {
      ...deps,
      authorities: new AuthorityCache(deps.store),
      writs: new WritCache(deps),
      sends: new SendTimes(deps.clock),
      inFlight: new InFlight(options.proposalsInFlight ?? LIMITS.proposalsInFlight),
    }
    this.#background = options.background ?? true
  }

  /** Prepares the store, refuses a rolled-back ledger, and takes over what a dead engine left. */
  async start(): Promise<Result<{ readonly recovered: number }, Failure>> {
    const { context } = this
    const ready = await bootstrap(context, context.authorities)
    if (!ready.ok) return ready
    const rollback = await findRollback(context)
    if (rollback !== null) return { ok: false, error: rollbackFailure(rollback) }
    const ruled = await recordRules(context, context.authorities)
    if (!ruled.ok) return ruled
    const recovered = await recover(context)
    if (this.#background) this.#loop = this.#run()
    return ok({ recovered })
  }

  open(request: OpenRequest): Promise<Result<OpenedFlow, Failure>> {
    return this.#guarded(() =>
      openFlow(this.context, this.context.authorities, this.context.writs, request),
    )
  }

  propose(dfid: string, input: ProposalInput, options?: ProposeOptions): Promise<Answer> {
    return this.#guarded(() => propose(this.context, dfid, input, options))
  }

  /** Ends a flow whose effects have not been sent. */
  cancel(dfid: string, reason: string): Promise<Result<void, Failure>> {
    return this.#guarded(() => cancelFlow(this.context, dfid, reason))
  }

  /** Ends a flow of several steps, by its agent. */
  close(dfid: string): Promise<Result<void, Failure>> {
    return this.#guarded(() => closeFlow(this.context, dfid))
  }

  deploy(
    contract: Contract,
    options?: { revokePrevious?: boolean },
  ): Promise<Result<Deployed, Failure>> {
    return this.#guarded(() =>
      deployContract(this.context, this.context.authorities, contract, options),
    )
  }

  handshake(agent: string): Promise<Result<void, Failure>> {
    return this.#guarded(() => handshake(this.context, this.context.authorities, agent))
  }

  moveAgent(move: LifecycleMove): Promise<Result<void, Failure>> {
    return this.#guarded(() => moveAgent(this.context, this.context.authorities, move))
  }

  revoke(target: Parameters<typeof revoke>[2]): Promise<Result<{ readonly seq: number }, Failure>> {
    return this.#guarded(() => revoke(this.context, this.context.authorities, target))
  }

  checkpoint(): Promise<StoredCheckpoint> {
    return this.#guarded(() => this.#checkpoint())
  }

  acceptRestore(reason: string): Promise<Result<AnchorPayload['body'], Failure>> {
    return this.#guarded(async () => {
      const ready = await bootstrap(this.context, this.context.authorities)
      return ready.ok ? acceptRestore(this.context, reason) : ready
    })
  }

  /** Looks at uncertain effects that are due; returns how many. */
  reconcile(): Promise<number> {
    return this.#guarded(() => this.#reconcile())
  }

  /** Waits for what is on its way, signs a last checkpoint, and lets go of the store. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake?.()
    await this.#loop
    await this.context.inFlight.drained()
    try {
      await this.#lastCheckpoint()
    } finally {
      await this.context.store.close()
    }
  }

  async #lastCheckpoint(): Promise<void> {
    const { authorities } = this.context
    if (this.#damage !== null || (await authorities.latest()).seq < 0) return
    if ((await findRollback(this.context)) === null) await this.#checkpoint()
  }

  /** After a failed transaction nothing that was cached can be relied on. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    // Nothing is decided on a record that is known to be damaged.
    if (this.#damage !== null) throw this.#damage
    try {
      return await work()
    } catch (error) {
      if (error instanceof StoreError) this.context.authorities.drop()
      throw error
    }
  }

  async #run(): Promise<void> {
    const { clock, store } = this.context
    let checkpointAt = clock.monotonic() + LIMITS.checkpointEveryMs
    while (!this.#stopped) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const timer = clock.after(await this.#untilNext())
      await Promise.race([timer.elapsed, woken])
      timer.cancel()
      if (this.#stopped) return
      try {
        await this.#reconcile()
        const due =
          clock.monotonic() >= checkpointAt ||
          (await this.#entriesSince()) >= LIMITS.checkpointEveryEntries
        if (!due) continue
        await this.#checkpoint()
        checkpointAt = clock.monotonic() + LIMITS.checkpointEveryMs
      } catch (error) {
        // The store is gone or damaged: every call says so, and there is nothing to do here.
        if (error instanceof StoreError && error.code === 'STORE_CLOSED') return
        this.context.authorities.drop()
        if (store.epoch === 0) return
      }
    }
  }

  /** One at a time: a slow one must not put a smaller checkpoint over a larger. */
  #checkpoint(): Promise<StoredCheckpoint> {
    const made = this.#signing.then(() => makeCheckpoint(this.context))
    this.#signing = made.catch((error: unknown) => {
      if (error instanceof LedgerCorrupt) this.#damage = error
    })
    return made
  }

  async #reconcile(): Promise<number> {
    await recoverLost(this.context)
    await returnEndedWrits(this.context)
    return reconcileDue(this.context)
  }

  async #entriesSince(): Promise<number> {
    const { store } = this.context
    return (await store.leafCount()) - ((await store.checkpoint())?.size ?? 0)
  }

  /** When something will be due: at most a second ahead, also when the store does not answer. */
  async #untilNext(): Promise<number> {
    const { store, clock, inFlight } = this.context
    try {
      const rows = await store.executions({ status: ['UNKNOWN', 'NOT_APPLIED'], limit: 100 })
      const now = clock.now()
      // What is being looked into already needs no wake-up: waiting for it would only spin.
      const idle = rows.filter(({ dfid, step_id }) => !inFlight.effect(dfid, step_id))
      const waits = idle.map(
        (row) => (parseInstant(row.next_at ?? formatInstant(now)) ?? now) - now,
      )
      return Math.max(10, Math.min(1000, ...waits))
    } catch {
      return 1000
    }
  }
}
