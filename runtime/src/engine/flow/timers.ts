/**
 * Timers: flows that the runtime opens by itself.
 *
 * A timer is two records: one in the order of time, which is looked through when it is due, and one
 * under its name. They are written together.
 *
 * T1 a timer that is due opens one flow: the unit that opens it takes the timer away or moves it on.
 * T2 a timer survives its engine. What was missed meanwhile fires once, not as often as it was missed.
 * T3 the timer of a suspended agent waits for it; that of a retired one is dropped.
 * T4 what an agent sets for itself has a name that begins with its own and a `/`, which no identifier
 *    has: it reaches no timer of another agent, of this process or of the runtime.
 */
import {
  err,
  type Failure,
  findAgentStatus,
  findShownContract,
  formatInstant,
  isBlank,
  isIdentifier,
  LIMITS,
  MAIN,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import { buildNoContractFailure } from '../authority/registry/no-contract.ts'
import { isStatePattern } from '../context/compile-context.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { processRows } from '../rows/each-row.ts'
import { mintId } from '../rows/identity.ts'
import type { OpenedFlow } from '../rows/opened-flow.ts'
import { parseChoiceTimer } from '../saga/choice-timer.ts'
import { buildFirstClaim, toEngineName } from './flow-claim.ts'
import { type BesideOpening, type OpenRequest, openFlow } from './open.ts'
import {
  buildDroppedTimerUnit,
  buildEndedTimerUnit,
  buildMovedTimerUnit,
  buildTimerUnit,
  DUE,
  type FlowTimer,
  findPendingTimer,
  NAMES,
  type Pending,
  toLastTimerKey,
} from './timer-units.ts'

export type TimerRequest = Pick<OpenRequest, 'agent' | 'trigger' | 'state' | 'steps'> & {
  /** A timer of that name is replaced. The runtime finds a name where none is given. */
  readonly name?: string
  /** When it fires first; without it, after `every_ms`. */
  readonly at?: string
  readonly every_ms?: number
}

export type { FlowTimer, Pending } from './timer-units.ts'

const PAGE = 100

/** `own`: by the agent itself, under a name of its own. */
export async function schedule(
  context: Context,
  request: TimerRequest,
  own = false,
): Promise<Result<FlowTimer, Failure>> {
  const { store } = context
  const given = request.name ?? mintId(context)
  if (!isIdentifier(given)) return err(buildTimerInvalidFailure('its name is not an identifier'))
  const name = own ? toOwnName(request.agent, given) : given
  const least = own ? LIMITS.agentTimerLeastMs : LIMITS.timerLeastMs
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await store.readNow(MAIN)
    const timer = parseTimer(request, name, parseInstant(now) ?? 0, least)
    if (!timer.ok) return timer
    const problem = await checkTimerAgent(context, request.agent, now)
    if (problem !== null) return err(problem)
    const earlier = await findPendingTimer(context, name)
    // Those that are set at the same moment may be a few too many; the next one is refused.
    const isOneMore = own && earlier === null
    if (isOneMore && (await listOwnTimers(context, request.agent)).length >= LIMITS.timersPerAgent)
      return err(full)
    const unit =
      earlier === null ? buildTimerUnit(timer.value) : buildMovedTimerUnit(earlier, timer.value)
    if ((await store.commit(unit)).ok) return timer
  }
  return err(contended)
}

/** The name of what an agent sets for itself. */
export function toOwnName(agent: string, name: string): string {
  return `${agent}/${name}`
}

/** What an agent has set for itself, by name, without its own name before it. */
export async function listOwnTimers(
  { store }: Context,
  agent: string,
): Promise<readonly FlowTimer[]> {
  const before = toOwnName(agent, '')
  // A few more than there may be; `~` is behind whatever an identifier begins with.
  const range = { after: before, until: `${before}~`, limit: 2 * LIMITS.timersPerAgent }
  const found = await store.listRecords('timer', NAMES, range)
  return found.map(({ body }) => ({ ...body, name: body.name.slice(before.length) }))
}

export async function unschedule(
  context: Context,
  name: string,
): Promise<Result<FlowTimer, Failure>> {
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const found = await findPendingTimer(context, name)
    if (found === null) return err(buildUnknownTimerFailure(name))
    if ((await context.store.commit(buildEndedTimerUnit(found))).ok) return ok(found.body)
  }
  return err(contended)
}

/** Opens a flow for every timer that is due; returns what was opened. */
export async function fireTimers(context: Context): Promise<readonly OpenedFlow[]> {
  const { store } = context
  const { now } = await store.readNow(MAIN)
  const opened: OpenedFlow[] = []
  let after = ''
  for (;;) {
    const range = { after, until: toLastTimerKey(now), limit: PAGE }
    const page: readonly Pending[] = await store.listRecords('timer', DUE, range)
    await processRows(context, 'timers', page, async (timer) => {
      const flow = await fire(context, timer, parseInstant(now) ?? 0)
      if (flow !== null) opened.push(flow)
      return flow !== null
    })
    after = page.at(-1)?.key ?? after
    if (page.length < PAGE) return opened
  }
}

/** Null: another engine was faster, or it is not the time for it. It is looked at again. */
async function fire(context: Context, timer: Pending, now: number): Promise<OpenedFlow | null> {
  const { authorities, store, writs } = context
  const { agent_id: agent, trigger, state, steps, event } = timer.body
  const status = findAgentStatus(await authorities.loadLatest(), agent)
  if (status === 'SUSPENDED') return null
  if (status === undefined || status === 'RETIRED') {
    await store.commit(await buildDroppedTimerUnit(store, timer))
    return null
  }
  const next = computeNextTimer(timer.body, now)
  const by = { kind: 'runtime' } as const
  const asked = event === undefined ? parseChoiceTimer(timer.body.name) : { event }
  const request = { agent, trigger, state, steps, by, ...asked }
  const taken = next === null ? buildEndedTimerUnit(timer) : buildMovedTimerUnit(timer, next)
  const claimant = context.handlers.hasHandler(agent) ? toEngineName(context) : null
  const buildBeside: BesideOpening = (_dfid, { flow }) =>
    event === undefined
      ? taken
      : { ...taken, writes: [...taken.writes, buildFirstClaim(flow, claimant)] }
  const opened = await openFlow(context, authorities, writs, request, buildBeside)
  return opened.ok ? opened.value : null
}

/** The first time after now that lies a whole number of periods after the one that was due. */
function computeNextTimer(timer: FlowTimer, now: number): FlowTimer | null {
  const { at, every_ms } = timer
  if (every_ms === null) return null
  const due = parseInstant(at) ?? now
  const periods = Math.floor((now - due) / every_ms) + 1
  return { ...timer, at: formatInstant(due + periods * every_ms) }
}

/** When the next timer is due; those that are due already were looked at. */
export async function readNextTimerAt({ store, clock }: Context): Promise<number | null> {
  const after = toLastTimerKey(formatInstant(clock.now()))
  const [next] = await store.listRecords('timer', DUE, { after, limit: 1 })
  return next === undefined ? null : (parseInstant(next.body.at) ?? null)
}

function parseTimer(
  request: TimerRequest,
  name: string,
  now: number,
  leastMs: number,
): Result<FlowTimer, Failure> {
  const { agent: agent_id, trigger, state = [], steps = 'one', every_ms = null } = request
  if (isBlank(trigger) || !trigger.isWellFormed() || trigger.length > LIMITS.triggerLength)
    return err(buildTimerInvalidFailure('its trigger is empty, too long, or no text'))
  // No flow could ever be opened with it, and nobody would be there to be told.
  if (!state.every(isStatePattern))
    return err(buildTimerInvalidFailure('it asks for what is no path of State'))
  if (every_ms !== null && !isBetween(every_ms, leastMs, LIMITS.timerMostMs))
    return err(
      buildTimerInvalidFailure(
        `it repeats after less than ${leastMs / 1000} s or more than a year`,
      ),
    )
  const first = request.at === undefined ? now + (every_ms ?? Number.NaN) : parseInstant(request.at)
  if (first === undefined || !isBetween(first, 0, now + LIMITS.timerMostMs))
    return err(buildTimerInvalidFailure('it names no time, or one that is more than a year ahead'))
  return ok({ name, at: formatInstant(first), agent_id, trigger, state, steps, every_ms })
}

function isBetween(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= least && value <= most
}

/** A timer for nobody would wait for ever; one for a contract to come may wait for it. */
async function checkTimerAgent(
  { authorities }: Context,
  agent: string,
  now: string,
): Promise<Failure | null> {
  const authority = await authorities.loadLatest()
  if (findAgentStatus(authority, agent) === 'RETIRED')
    return {
      code: 'AGENT_RETIRED',
      summary: `\`${agent}\` is retired`,
      fix: 'schedule its successor',
    }
  return findShownContract(authority, agent, now) === undefined
    ? buildNoContractFailure(authority, agent, now)
    : null
}

const contended: Failure = buildContentionFailure('the timer')

function buildTimerInvalidFailure(why: string): Failure {
  return {
    code: 'TIMER_INVALID',
    summary: 'the timer cannot be scheduled',
    why,
    fix: 'give an agent, a trigger, and `at`, `every_ms` or both',
  }
}

function buildUnknownTimerFailure(name: string): Failure {
  return {
    code: 'TIMER_UNKNOWN',
    summary: `there is no timer \`${name}\``,
    why: 'it has fired, or was never scheduled',
    fix: 'check its name',
  }
}

const full: Failure = {
  code: 'TIMERS_FULL',
  summary: `the agent has ${LIMITS.timersPerAgent} timers, and may have no more`,
  fix: 'drop one of them, or set one of the same name again',
}
