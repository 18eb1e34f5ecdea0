/**
 * What happens by itself: uncertain effects are looked into, budgets of ended writs go back, timers
 * open flows, silent flows go to a person, those that nobody can move end, monitors are looked at,
 * checkpoints are signed, and the directory of the ledger is brought on.
 *
 * Boundary: it decides nothing and holds no state that matters. Everything it finds to do stands in
 * the store, so that another engine would find the same.
 *
 * 1. Jobs run beside each other: none waits for another, and one that hangs or fails stops no other.
 * 2. A job runs once at a time in an engine. When it is due and still under way, it is not begun again.
 * 3. What waits for somebody outside (a probe, a resend) is started and not waited for.
 * 4. On a ledger that was found damaged no job is begun; a job that finds it damaged says so to everybody.
 */

import { formatInstant, LIMITS, parseInstant } from 'rubicon-kernel'
import type { BackgroundJob } from '../ports/background-job.ts'
import { StoreError } from '../ports/store.ts'
import { sweepEscalations } from './approve/sweep.ts'
import { readNextWindowAt, sweepEvents } from './arbitrate/sweep-events.ts'
import { returnAtoms } from './atoms/return-atoms.ts'
import { mayBegin } from './authority/rules/held-standing.ts'
import { endInstances } from './close/end-instances.ts'
import { expireFlows } from './close/expire-flows.ts'
import { expireWakes } from './close/expire-wakes.ts'
import { forgetEvents } from './close/forget-events.ts'
import { escalateSilent } from './close/watchdog.ts'
import { continueSagas } from './compensate/continue.ts'
import { judgeOnce } from './decide/propose.ts'
import { carryOutAccepted } from './effect/carry-out.ts'
import { reconcileDue, startReconciling } from './effect/reconcile.ts'
import { recover } from './effect/recover.ts'
import type { Context } from './engine-context.ts'
import { sendLetters } from './flow/bus-outbox.ts'
import { returnEndedWrits } from './flow/return-writs.ts'
import { fireTimers, readNextTimerAt } from './flow/timers.ts'
import { recoverGenerations } from './generate/recover-generations.ts'
import { indexLeaves } from './ledger/find/index-leaves.ts'
import type { OnOpened } from './rows/opened-flow.ts'

/** How many flows were opened, found silent, and ended because their time is over, and how many requests moved on. */
export type DueRun = {
  readonly opened: number
  readonly silent: number
  readonly expired: number
  /** Instances whose occasion is over. */
  readonly ended: number
  readonly escalations: number
}

import { RegistryUnavailable } from './rows/registry-unavailable.ts'

/** What only one may do at a time, or what stops everybody. */
type Hooks = {
  checkpoint(): Promise<unknown>
  scrub(): Promise<unknown>
}

/** Carries out what was accepted, and looks at effects that are due; returns how many of these. */
export async function reconcileAll(context: Context): Promise<number> {
  const { executors } = context
  await recoverAll(context)
  if (executors !== 'elsewhere') await carryOutAccepted(context)
  await returnEndedWrits(context)
  const touched = await reconcileDue(context)
  if (executors !== 'elsewhere') await continueSagas(context)
  await context.sweep.round()
  return touched
}

/** What was left behind: effects, requests to models, and atoms that nobody used; returns how many of the former. */
export async function recoverAll(context: Context): Promise<number> {
  const effects = await recover(context)
  await recoverGenerations(context)
  await returnAtoms(context)
  return effects
}

/** Opens a flow for every timer that is due; returns how many. */
export async function openDue(context: Context, opened: OnOpened): Promise<number> {
  // Nobody here could do anything in them; a process whose rules are in force opens them.
  if (!(await mayBegin(context))) return 0
  const flows = await fireTimers(context)
  for (const flow of flows) opened(flow)
  return flows.length
}

/** Ends flows whose time is over, and those that were woken in vain, and forgets old events; returns how many flows. */
async function expireAll(context: Context): Promise<number> {
  const ended = (await expireFlows(context)) + (await expireWakes(context))
  await forgetEvents(context)
  return ended
}

/** Opens flows that are due, and moves silent ones and requests on; returns how many of each. */
export async function runDue(context: Context): Promise<DueRun> {
  const opened = await openDue(context, context.opened)
  await sweepEvents(context, judgeOnce)
  return {
    opened,
    silent: await escalateSilent(context),
    expired: await expireAll(context),
    ended: await endInstances(context),
    escalations: await sweepEscalations(context),
  }
}

type Job = {
  readonly name: BackgroundJob
  /** Without it, in every round. */
  readonly everyMs?: number
  readonly run: () => Promise<unknown>
}

/** Between two rounds, where nothing is due before. */
const LONGEST_MS = 1000

export class Background {
  readonly #context: Context
  readonly #hooks: Hooks
  readonly #jobs: readonly Job[]
  readonly #underWay = new Map<BackgroundJob, Promise<void>>()
  readonly #dueAt = new Map<BackgroundJob, number>()
  #stopped = false
  #alive = false
  #loop: Promise<void> = Promise.resolve()
  #wake: (() => void) | null = null
  #checkpointAt: number

  constructor(context: Context, hooks: Hooks) {
    this.#context = context
    this.#hooks = hooks
    this.#jobs = this.#listJobs()
    const now = context.clock.monotonic()
    this.#checkpointAt = now + LIMITS.checkpointEveryMs
    for (const { name, everyMs = 0 } of this.#jobs) this.#dueAt.set(name, now + everyMs)
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
    await Promise.all(this.#underWay.values())
  }

  #listJobs(): readonly Job[] {
    const context = this.#context
    const everyMs = LIMITS.watchdogEveryMs
    const isHere = context.executors !== 'elsewhere'
    const here: readonly Job[] = [
      { name: 'carry_out', run: () => carryOutAccepted(context) },
      { name: 'sagas', run: () => continueSagas(context) },
    ]
    return [
      { name: 'recover', run: () => recoverAll(context) },
      ...(isHere ? here : []),
      { name: 'writs', run: () => returnEndedWrits(context) },
      { name: 'reconcile', run: () => this.#reconcile() },
      { name: 'layers', run: () => context.sweep.round() },
      { name: 'beside', run: () => context.advisers.round() },
      { name: 'monitors', run: () => context.monitors.sweep() },
      { name: 'checkpoint', run: () => this.#makeDueCheckpoint() },
      { name: 'scrub', everyMs: LIMITS.scrubEveryMs, run: () => this.#hooks.scrub() },
      { name: 'index', run: () => this.#index() },
      { name: 'timers', run: () => openDue(context, context.opened) },
      { name: 'escalations', run: () => sweepEscalations(context) },
      { name: 'arbitration', run: () => sweepEvents(context, judgeOnce) },
      { name: 'instances', run: () => endInstances(context) },
      { name: 'silence', everyMs, run: () => escalateSilent(context) },
      { name: 'expiry', everyMs, run: () => expireAll(context) },
      { name: 'bus', run: () => sendLetters(context) },
    ]
  }

  async #run(): Promise<void> {
    const { clock } = this.#context
    while (!this.#stopped) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      const timer = clock.after(await this.#findNextDelay(), true)
      await Promise.race([timer.elapsed, woken])
      timer.cancel()
      if (!this.#stopped) this.#startDue()
    }
  }

  /** Starts every job that is due and not under way. */
  #startDue(): void {
    const { clock, damage } = this.#context
    if (damage.isFound) return
    const now = clock.monotonic()
    for (const job of this.#jobs) {
      const { name, everyMs = 0 } = job
      if (this.#underWay.has(name) || now < (this.#dueAt.get(name) ?? 0)) continue
      this.#dueAt.set(name, now + everyMs)
      this.#underWay.set(
        name,
        this.#attempt(job).finally(() => this.#underWay.delete(name)),
      )
    }
  }

  async #attempt({ name, run }: Job): Promise<void> {
    const { store, authorities, damage, signals } = this.#context
    try {
      await run()
    } catch (error) {
      // The store is gone or damaged: every call says so, and there is nothing to do here.
      if (error instanceof StoreError && error.code === 'STORE_CLOSED') return this.#end()
      signals?.recordFailure(name, error)
      damage.keep(error)
      // What is remembered of a registry that does not answer is what its agents are served from.
      if (error instanceof RegistryUnavailable) return
      authorities.drop()
      if (store.epoch === 0) this.#end()
    }
  }

  #end(): void {
    this.#stopped = true
    this.#wake?.()
  }

  /** Nobody here waits for a probe; when one is over there may be room for the next. */
  async #reconcile(): Promise<void> {
    const started = await startReconciling(this.#context)
    if (started.length > 0) void Promise.race(started).then(() => this.wake())
  }

  async #makeDueCheckpoint(): Promise<void> {
    if (!(await this.#isCheckpointDue())) return
    await this.#hooks.checkpoint()
    this.#checkpointAt = this.#context.clock.monotonic() + LIMITS.checkpointEveryMs
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
    const since = (await store.countLeaves()) - ((await store.readCheckpoint())?.size ?? 0)
    return since >= LIMITS.checkpointEveryEntries
  }

  /** When something will be due: at most a second ahead, also when the store does not answer. */
  async #findNextDelay(): Promise<number> {
    const { store, clock, damage, reconciling } = this.#context
    // Nothing is begun, so that what is due stays due.
    if (damage.isFound) return LONGEST_MS
    try {
      const rows = await store.listExecutions({ status: ['UNKNOWN', 'NOT_APPLIED'], limit: 100 })
      const timerAt = await readNextTimerAt(this.#context)
      const now = clock.now()
      // What cannot be looked into now needs no wake-up: waiting for it would only spin.
      const idle = rows.filter((row) => reconciling.mayStart(row))
      const waits = idle.map(
        (row) => (parseInstant(row.next_at ?? formatInstant(now)) ?? now) - now,
      )
      if (timerAt !== null) waits.push(timerAt - now)
      const windowAt = await readNextWindowAt(this.#context)
      // What could not be closed in time needs no wake-up: it is looked at in every round.
      if (windowAt !== null && windowAt > now) waits.push(windowAt - now)
      return Math.max(10, Math.min(LONGEST_MS, ...waits))
    } catch {
      return LONGEST_MS
    }
  }
}
