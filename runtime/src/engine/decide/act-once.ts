/**
 * An act of a client that may repeat itself: it asks again because it lost an answer, was started anew, or does not know better.
 *
 * O1 whether it was asked for before is decided on the record (`call-claims.ts`), so that it does not matter which process is asked.
 * O2 what was asked for before is answered with what has become of it, and nothing is done.
 * O3 what was under way when a call came is what it asked for, also if it is over by the time that the record is read.
 * O4 what a call is known by is claimed with the act, or neither is there.
 */
import {
  type Answer,
  checkJson,
  err,
  type Failure,
  findCurrentContract,
  isObject,
  type JsonObject,
  LIMITS,
  MAIN,
  type OpenedBy,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { Unit } from '../../ports/store.ts'
import { performForFlow } from '../authority/registry/in-session.ts'
import type { Context } from '../engine-context.ts'
import { readActAnswer } from '../flow/act-answer.ts'
import { addUnits } from '../flow/add-units.ts'
import {
  buildFirstClaims,
  buildNameClaims,
  buildReusedFailure,
  CALL_OVERTAKEN,
  type CallNames,
  type CallPlaces,
  type EarlierAct,
  findEarlierAct,
  toCallPlaces,
} from '../flow/call-claims.ts'
import type { Came } from '../flow/call-order.ts'
import { toLastingFailure } from '../flow/open.ts'
import { awaitFlowOutcome } from '../flow/settled.ts'
import { type ActOptions, type ActRequest, act } from './act.ts'

/** `repeated`: it was asked for before, and nothing was done now. */
export type ActedOnce = { readonly answer: Answer; readonly repeated: boolean }

export async function actOnce(
  context: Context,
  request: ActRequest,
  names: CallNames,
  by: OpenedBy,
  came: Came,
  options: ActOptions = {},
): Promise<Result<ActedOnce, Failure>> {
  const { store, sha256, callOrder } = context
  const wanted = toWanted(request)
  // What is no JSON is refused where it is judged.
  if (wanted === null) return toFirst(await act(context, request, by, options))
  const places = toCallPlaces(request.agent, names, wanted, sha256)
  const { beside = () => NOTHING } = options
  let began: string | null | undefined
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const { now } = await store.readNow(MAIN)
    callOrder.recordNow(now)
    const found = await findEarlierAct(store, places, now, {
      began,
      readWindowS: () => readRepeatWindow(context, request.agent),
      isOverBefore: (dfid) => callOrder.isOverBefore(came, dfid),
    })
    if (found.kind === 'contended') break
    if (found.kind === 'reused') return err(buildReusedFailure(found.dfid))
    if (found.kind === 'repeated') {
      const also = beside(found.dfid)
      const failed = await claimNames(context, places, found, also, now)
      if (failed === null) return answerRepeated(context, request.agent, found.dfid, options)
      if (failed !== CALL_OVERTAKEN) return err(failed)
      continue
    }
    // Asked behind what was read: whatever was under way when it came would have been found within that time.
    if (callOrder.isTooOld(came)) return err(CALL_TOO_OLD)
    if (began === undefined) began = found.same?.body.dfid ?? null
    const claim = (dfid: string): Unit =>
      addUnits(beside(dfid), buildFirstClaims(store, places, found.same, dfid, now))
    const acted = await performInOrder(context, request, by, { ...options, beside: claim })
    if (acted.ok || acted.error !== CALL_OVERTAKEN) return toFirst(acted)
  }
  return err({
    code: 'STORE_CONTENTION',
    summary: 'the act could not be decided',
    fix: 'try again',
  })
}

const NOTHING: Unit = { guards: [], writes: [] }

const CALL_TOO_OLD: Failure = {
  code: 'STORE_CONTENTION',
  summary: 'the call came too long ago to be decided',
  why: 'what was under way when it came may not be known any more',
  fix: 'look at what has become of the call before, and ask again if it is wanted',
}

function toFirst(acted: Awaited<ReturnType<typeof act>>): Result<ActedOnce, Failure> {
  return acted.ok ? ok({ answer: acted.value.answer, repeated: false }) : acted
}

/** Who comes while it is under way is known to have come before it was over. */
async function performInOrder(
  context: Context,
  request: ActRequest,
  by: OpenedBy,
  { beside = () => NOTHING, ...options }: ActOptions,
): ReturnType<typeof act> {
  const { callOrder } = context
  const opening = new Set<string>()
  const mark = (dfid: string): Unit => {
    opening.add(dfid)
    callOrder.markOpening(dfid)
    return beside(dfid)
  }
  try {
    const acted = await act(context, request, by, { ...options, beside: mark })
    if (acted.ok) callOrder.markAnswered(acted.value.answer)
    return acted
  } finally {
    for (const dfid of opening) callOrder.markEnded(dfid)
  }
}

/** All that says what would be done; null: it is no JSON. What an agent thinks of it is another's. */
function toWanted(request: ActRequest): JsonObject | null {
  const { trajectory = MAIN, steps = 'one', policy_kind, params = {} } = request
  const { execution_constraints = {}, resources = [] } = request
  const read = checkJson({
    ...{ trajectory, steps, policy_kind, params },
    ...{ execution_constraints, resources },
  })
  return read.ok && isObject(read.value) ? read.value : null
}

async function readRepeatWindow({ store, authorities }: Context, agent: string): Promise<number> {
  const { now, authority_seq } = await store.readNow(MAIN)
  const authority = await authorities.loadCurrent(authority_seq)
  const deployed = findCurrentContract(authority, agent, now)
  return deployed?.contract.safety_rules.repeat_window_s ?? 0
}

/** Null: they are claimed. */
async function claimNames(
  { store }: Context,
  { asked }: CallPlaces,
  { dfid, unclaimed }: Extract<EarlierAct, { kind: 'repeated' }>,
  also: Unit,
  now: string,
): Promise<Failure | null> {
  const unit = addUnits(also, buildNameClaims(store, unclaimed, asked, dfid, now))
  if (unit.writes.length === 0) return null
  const outcome = await store.commit(unit)
  if (outcome.ok) return null
  return (await toLastingFailure(store, outcome.failed)) ?? CALL_OVERTAKEN
}

/** As long as it is under way it is waited for, as the first one does. */
async function answerRepeated(
  context: Context,
  agent: string,
  dfid: string,
  options: ActOptions,
): Promise<Result<ActedOnce, Failure>> {
  const waitMs = options.wait === 'dispatched' ? 0 : (options.waitMs ?? LIMITS.waitMs)
  const found = await performForFlow(context, dfid, { ...options, agent }, async () => {
    const first = await readActAnswer(context, dfid)
    if (!first.ok || first.value.execution?.status !== 'PENDING' || waitMs === 0) return first
    const outcome = await awaitFlowOutcome(context, dfid, { waitMs })
    return outcome.ok ? readActAnswer(context, dfid) : outcome
  })
  if (!found.ok) return found
  context.callOrder.markAnswered(found.value)
  return ok({ answer: found.value, repeated: true })
}
