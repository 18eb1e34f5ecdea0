/**
 * What happens by itself: uncertain effects are looked into, budgets of ended writs go back, timers
 * open flows, silent flows go to a person, those that nobody can move end, monitors are looked at, checkpoints are signed, and the
 * directory of the ledger is brought on.
 *
 * Boundary: it decides nothing and holds no state that matters. Everything it finds to do stands in
 * the store, so that another engine would find the same.
 */
import { formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import { StoreError } from '../ports/store.ts'
import { carryOutAccepted } from './carry-out.ts'
import type { Context } from './context.ts'
import { endInstances } from './end-instances.ts'
import { sweepEscalations } from './escalate/sweep.ts'
import { expireFlows } from './expire-flows.ts'
import { indexLeaves } from './find/index-leaves.ts'
import type { OpenedFlow } from './open.ts'
import { reconcileDue } from './reconcile.ts'
import { recover, recoverLost } from './recover.ts'
import { RegistryUnavailable } from './registry/unavailable.ts'
import { returnEndedWrits } from './return-writs.ts'
import { mayBegin } from './rules/held-standing.ts'
import { continueSagas } from './saga/continue.ts'
import { fireTimers, nextTimerAt } from './timers.ts'
import { escalateSilent } from './watchdog.ts'

/** Hands over a flow that nobody asked for. It must not wait for whoever works on it. */
export type OnOpened = (opened: Pick<OpenedFlow, 'flow' | 'working'>) => void

type Hooks = { readonly checkpoint: () => Promise<unknown>; readonly opened: OnOpened }

/** Carries out what was accepted, and looks at effects that are due; returns how many of these. */
export async function reconcileAll(context: Context): Promise<number> {
  const { store, executors } = context
  // An engine of another process may have died meanwhile.
  if (store.shared) await recover(context)
  await recoverLost(context)
  if (executors !== 'elsewhere') await carryOutAccepted(context)
  await returnEndedWrits(context)
  const touched = await reconcileDue(context)
  if (executors !== 'elsewhere') await continueSagas(context)
  await context.sweep.round()
  return touched
}

/** Opens a flow for every timer that is due; returns how many. */
export async function openDue(context: Context, opened: OnOpened): Promise<number> {
  // Nobody here could do anything in them; a process whose rules are in force opens them.
  if (!(await mayBegin(context))) return 0
  const flows = await fireTimers(context)
  for (const flow of flows) opened(flow)
  return flows.length
}

export class Background {
  readonly #context: Context
  readonly #hooks: Hooks
  #stopped = false
  #alive = false
  #loop: Promise<void> = Promise.resolve()
  #wake: (() => void) | null = null
  #checkpointAt: number
  #watchAt: number

  constructor(context: Context, hooks: Hooks) {
    this.#context = context
    this.#hooks = hooks
    const now = context.clock.monotonic()
    this.#checkpointAt = now + LIMITS.checkpointEveryMs
    this.#watchAt = now + LIMITS.watchdogEveryMs
  }

  start(): void {
    this.#alive = true
    this.#loop = this.#run().finally(() => {
      this.#alive = false
    })
  }

  /** It has been started and goes on. */
  get alive(): boolean {
    return this.#alive
  }

  /** There is something to do now. */
  wake(): void {
    this.#wake?.()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake?.()
    await this.#loop
  }

  async #run(): Promise<void> {
    const { clock, store, authorities } = this.#context
    while (!this.#stopped) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const timer = clock.after(await this.#untilNext())
      await Promise.race([timer.elapsed, woken])
      timer.cancel()
      if (this.#stopped) return
      try {
        await this.#round()
      } catch (error) {
        // The store is gone or damaged: every call says so, and there is nothing to do here.
        if (error instanceof StoreError && error.code === 'STORE_CLOSED') return
        this.#context.signals?.failed('round', error)
        // What is remembered of a registry that does not answer is what its agents are served from.
        if (error instanceof RegistryUnavailable) continue
        authorities.drop()
        if (store.epoch === 0) return
      }
    }
  }

  async #round(): Promise<void> {
    const { clock } = this.#context
    await reconcileAll(this.#context)
    await this.#context.beside.round()
    await this.#context.monitors.sweep()
    if (await this.#isCheckpointDue()) {
      await this.#hooks.checkpoint()
      this.#checkpointAt = clock.monotonic() + LIMITS.checkpointEveryMs
    }
    await this.#index()
    // Last: a registry that does not answer keeps nothing else from being done.
    await openDue(this.#context, this.#hooks.opened)
    await sweepEscalations(this.#context)
    await endInstances(this.#context)
    if (clock.monotonic() < this.#watchAt) return
    this.#watchAt = clock.monotonic() + LIMITS.watchdogEveryMs
    await escalateSilent(this.#context)
    await expireFlows(this.#context)
  }

  /** Nobody waits for the directory: while there are proposals it is brought on a little. */
  async #index(): Promise<void> {
    const { clock, store, inFlight } = this.#context
    const most = inFlight.proposals > 0 ? LIMITS.leafBlocksBusy : LIMITS.leafBlocksPerRound
    await indexLeaves(store, { most, pause: () => clock.after(0).elapsed })
  }

  async #isCheckpointDue(): Promise<boolean> {
    const { clock, store } = this.#context
    if (clock.monotonic() >= this.#checkpointAt) return true
    const since = (await store.leafCount()) - ((await store.checkpoint())?.size ?? 0)
    return since >= LIMITS.checkpointEveryEntries
  }

  /** When something will be due: at most a second ahead, also when the store does not answer. */
  async #untilNext(): Promise<number> {
    const { store, clock, inFlight } = this.#context
    try {
      const rows = await store.executions({ status: ['UNKNOWN', 'NOT_APPLIED'], limit: 100 })
      const timerAt = await nextTimerAt(this.#context)
      const now = clock.now()
      // What is being looked into already needs no wake-up: waiting for it would only spin.
      const idle = rows.filter(({ dfid, step_id }) => !inFlight.effect(dfid, step_id))
      const waits = idle.map(
        (row) => (parseInstant(row.next_at ?? formatInstant(now)) ?? now) - now,
      )
      if (timerAt !== null) waits.push(timerAt - now)
      return Math.max(10, Math.min(1000, ...waits))
    } catch {
      return 1000
    }
  }
}
