/**
 * Whether the runtime can decide now, and if not, why. It is found out once in a while and for
 * everybody: to ask is free, and anybody may.
 */
import { LIMITS, REASONS } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { mayBegin } from 'rubicon-runtime/engine/authority'
import { findRollback, toRollbackFailure } from 'rubicon-runtime/engine/ledger'
import { describeSkew, HeadMismatch } from 'rubicon-runtime/ports'

export type Unready = { readonly code: string; readonly summary: string }

const DAMAGED: Unready = {
  code: 'HEAD_MISMATCH',
  summary: 'the ledger is not the one that was signed; nothing is decided',
}

export class Readiness {
  readonly #engine: Engine
  #until = Number.NEGATIVE_INFINITY
  #found: Promise<readonly Unready[]> = Promise.resolve([])

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** None: it is ready. */
  findProblems(): Promise<readonly Unready[]> {
    const now = this.#engine.context.clock.monotonic()
    if (now >= this.#until) {
      this.#until = now + LIMITS.readinessMs
      this.#found = findReadinessProblems(this.#engine)
    }
    return this.#found
  }
}

async function findReadinessProblems(engine: Engine): Promise<readonly Unready[]> {
  const { context, status } = engine
  const stored = await storeProblems(engine)
  const problems: Unready[] = []
  if (context.store.epoch === 0)
    problems.push({ code: 'STORE_READ_ONLY', summary: 'the store is open to read only' })
  if (status.damaged && !stored.includes(DAMAGED)) problems.push(DAMAGED)
  if (status.degraded)
    problems.push({ code: 'REGISTRY_UNAVAILABLE', summary: 'the registry does not answer' })
  const skew = context.store.time.findSkew()
  if (skew !== null) problems.push({ code: 'CLOCK_SKEW', summary: describeSkew(skew) })
  if (!status.background)
    problems.push({ code: 'BACKGROUND_STOPPED', summary: 'background work has stopped' })
  return [...problems, ...stored, ...(await findRulesProblems(engine))]
}

/** Nothing new is decided here, so that whoever balances load sends proposals elsewhere. */
async function findRulesProblems(engine: Engine): Promise<readonly Unready[]> {
  try {
    if (await mayBegin(engine.context)) return []
    const { means } = REASONS.RULES_NOT_IN_FORCE
    return [{ code: 'RULES_NOT_IN_FORCE', summary: means }]
  } catch {
    // The registry does not answer: that was said already.
    return []
  }
}

async function storeProblems({ context }: Engine): Promise<readonly Unready[]> {
  const { store } = context
  try {
    // What waits for its place in the tree and may not get it is found here before anybody asks.
    if (store.epoch > 0) await store.integrate()
    const rollback = await findRollback(context)
    if (rollback === null) return []
    const { code, summary } = toRollbackFailure(rollback)
    return [{ code, summary }]
  } catch (error) {
    if (error instanceof HeadMismatch) return [DAMAGED]
    // What exactly it said may name hosts and paths; the log has it.
    return [{ code: 'STORE_ERROR', summary: 'the store does not answer' }]
  }
}
