/**
 * The hands: sends a dispatched intent and records what came of it.
 *
 * X1 the kernel's signature is checked first, and that nothing leaves World from a branch.
 * X2 only `NotApplied` says that nothing happened; everything else that goes wrong is UNKNOWN.
 * X3 an answer that does not fit its declared form is not a success.
 */
import {
  checkJson,
  encodeUtf8,
  findBranchRefusal,
  isObject,
  type JsonObject,
  LIMITS,
  parseInstant,
  type SignedIntent,
  shorten,
  toCanonicalText,
  type WorldFact,
} from 'rubicon-kernel'
import {
  type Effect,
  type EffectIo,
  NotApplied,
  type RegisteredCapability,
} from '../../ports/capability.ts'
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import type { Dispatched, ReadyToSend } from '../rows/dispatched.ts'
import { checkSignature } from '../rows/sign.ts'
import { parseIntent, stripIntentSignature } from '../rows/stored-intent.ts'
import { findHands } from './hands-of.ts'
import { parseEffect } from './parse-effect.ts'
import { settle } from './settle.ts'
import type { Settlement } from './settlement.ts'
import { findUndone } from './undo-hands.ts'

const SEND_DEADLINE_MS = 30_000

export type SendOptions = {
  /** When the decision began, by the monotonic clock: a send must not leave too late. */
  readonly startedMonotonic?: number
  /** Of what is sent again: until when it may leave, as it was judged then. */
  readonly sendBefore?: string
  /** An earlier send of this effect may have arrived. */
  readonly earlierUnknown?: boolean
}

/** Sends the effect and settles it; resolves with the execution as it then stands. */
export async function performEffect(
  context: Context,
  dispatched: ReadyToSend,
  options: SendOptions = {},
): Promise<ExecutionRow> {
  const { clock, sends } = context
  const began = clock.monotonic()
  const sent = context.signals?.readMoment()
  const settlement = await attempt(context, dispatched, options)
  sends.recordSendEnd(dispatched.execution, began)
  if (sent !== undefined)
    context.signals?.recordEffect(dispatched, context.signals.measureSince(sent), settlement)
  const said =
    options.earlierUnknown === true
      ? keepEarlierUnknown(context, dispatched, settlement)
      : settlement
  const row = await settle(context, dispatched, said)
  if (row.next_at === null) sends.forget(row)
  return row
}

/** A refusal of this send says nothing about an earlier one: the effect stays unknown. */
function keepEarlierUnknown(
  context: Context,
  { intent }: Dispatched,
  settlement: Settlement,
): Settlement {
  const isRead = context.book.capability(intent.policy_kind)?.law.description.effect === 'read'
  if (settlement.kind !== 'failed' || isRead) return settlement
  const detail = 'this send was refused, but an earlier one may have arrived'
  return buildUnknownSettlement('OUTCOME_UNKNOWN', { ...settlement.details, detail })
}

/** Checks what was signed, and sends it; what came of it is for the caller to record. */
export async function attempt(
  context: Context,
  { execution, world }: ReadyToSend,
  { startedMonotonic, sendBefore }: SendOptions,
): Promise<Settlement> {
  // What is sent is what was stored: the intent is read from the bytes whose signature is checked.
  const intent = parseIntent(execution.intent)
  const undone = intent.compensation === undefined ? null : await findUndone(context, intent)
  const capability = findHands(context, intent, undone)
  if (capability === undefined || capability.law.hash !== intent.capability_hash)
    return buildNotSentSettlement('INTENT_SIGNATURE_INVALID', {
      detail: 'the capability is not the one that was approved',
    })
  if (!(await isOurs(context, execution.intent, intent)))
    return buildNotSentSettlement('INTENT_SIGNATURE_INVALID', {
      key_id: intent.kernel_signature.key_id,
    })
  // Also what an earlier version of the law let pass.
  const branched = findBranchRefusal(intent.trajectory, capability.law.description)
  if (branched !== null)
    return buildNotSentSettlement('EFFECT_FAILED', {
      detail: 'it was not sent',
      refused: branched.code,
      because: branched.details,
    })
  const period = sendPeriod(intent, execution, sendBefore)
  if (startedMonotonic !== undefined && isLate(context, period, startedMonotonic))
    return buildNotSentSettlement('DISPATCH_EXPIRED', { dispatch_before: period.before })

  await context.failpoints.reach('effect.before_send')
  const settlement = await send(context, capability, intent, execution.sends, world)
  await context.failpoints.reach('effect.after_send')
  return settlement
}

function buildNotSentSettlement(
  code: 'EFFECT_FAILED' | 'INTENT_SIGNATURE_INVALID' | 'DISPATCH_EXPIRED',
  details: JsonObject,
): Settlement {
  return { kind: 'failed', code, details, transient: false }
}

/** The stored bytes of the intent, without the signature, are what the kernel signed. */
async function isOurs(context: Context, stored: string, intent: SignedIntent): Promise<boolean> {
  const { key_id, sig } = intent.kernel_signature
  const text = stripIntentSignature(stored, intent)
  const key = (await context.authorities.loadAtLeast(0)).keys.get(key_id)
  if (text === null || key === undefined || key.purpose !== 'kernel') return false
  // Somebody else may have made it: then the signature says nothing about the kernel.
  if (key.compromised_since_seq !== undefined) return false
  return checkSignature(context, key.public_key, 'intent', text, sig)
}

/**
 * A process that was stopped between dispatch and send must not send when it wakes up. The monotonic
 * clock may have stood still while its machine slept, and the wall clock may be set back: either says so.
 */
function isLate(
  { clock }: Context,
  { decided, before }: SendPeriod,
  startedMonotonic: number,
): boolean {
  const end = parseInstant(before) ?? 0
  const began = parseInstant(decided) ?? end
  return clock.monotonic() - startedMonotonic > end - began || clock.now() >= end
}

type SendPeriod = { readonly decided: string; readonly before: string }

/** What is sent again was decided anew, with an end of its own. */
function sendPeriod(
  { staged_at, dispatch_before }: SignedIntent,
  { last_sent_at }: ExecutionRow,
  sendBefore: string | undefined,
): SendPeriod {
  if (sendBefore === undefined) return { decided: staged_at, before: dispatch_before }
  return { decided: last_sent_at, before: sendBefore }
}

async function send(
  context: Context,
  { hands, checkResult }: RegisteredCapability,
  intent: SignedIntent,
  sends: number,
  world: readonly WorldFact[],
): Promise<Settlement> {
  const deadlineMs = hands.sendDeadlineMs ?? SEND_DEADLINE_MS
  const deadline = createEffectIo(context, intent, { send: sends, deadlineMs, world })
  try {
    const answer = await Promise.race([
      Promise.resolve(hands.execute(intent, deadline.io)),
      deadline.passed,
    ])
    if (answer === 'timeout')
      return buildUnknownSettlement('OUTCOME_UNKNOWN', { detail: 'no answer in time' })
    return judgeAnswer(intent, answer, hands.postcondition, checkResult)
  } catch (error) {
    if (error instanceof NotApplied) return toFailedSettlement(error)
    return buildUnknownSettlement('OUTCOME_UNKNOWN', { detail: toErrorMessage(error) })
  } finally {
    deadline.cancel()
  }
}

export function toFailedSettlement(refusal: NotApplied): Settlement {
  const details = toRefusalDetails(refusal)
  return { kind: 'failed', code: 'EFFECT_FAILED', details, transient: refusal.transient }
}

type Sending = {
  readonly send: number
  readonly deadlineMs: number
  /** What of World the hands may look at. */
  readonly world: readonly WorldFact[]
}

export function createEffectIo(
  context: Context,
  intent: SignedIntent,
  { send, deadlineMs, world }: Sending,
): { readonly io: EffectIo; readonly passed: Promise<'timeout'>; cancel(): void } {
  // Made when somebody asks for it: most effects answer long before.
  let controller: AbortController | null = null
  let isPast = false
  const { clock } = context
  const [began, now] = [clock.monotonic(), clock.now()]
  // Whoever slept hears of its connections before its timers: by the clocks, either of which may have stood still.
  const isOver = (): boolean =>
    isPast || clock.monotonic() - began >= deadlineMs || clock.now() - now >= deadlineMs
  const timer = clock.after(deadlineMs)
  const passed = timer.elapsed.then((): 'timeout' => {
    isPast = true
    controller?.abort()
    return 'timeout'
  })
  const io: EffectIo = {
    idempotencyKey: intent.idempotency_key,
    send,
    fence: context.store.epoch,
    world: (kind, id) => world.find((fact) => fact.kind === kind && fact.id === id),
    get signal() {
      controller ??= new AbortController()
      if (isOver()) controller.abort()
      return controller.signal
    },
  }
  return { io, passed, cancel: () => timer.cancel() }
}

/** Reads what the hands returned, as strictly as anything else from outside. */
export function judgeAnswer(
  intent: SignedIntent,
  answer: unknown,
  postcondition: ((intent: SignedIntent, effect: Effect) => string | null) | undefined,
  checkResult: RegisteredCapability['checkResult'],
): Settlement {
  const effect = parseEffect(answer)
  if (!effect.ok)
    return buildUnknownSettlement('OBSERVATION_INVALID', {
      detail: shorten(effect.error, LIMITS.wordsLength),
    })
  const problems = checkResult === null ? [] : checkResult(effect.value.result ?? null)
  if (problems.length > 0) {
    const named = problems.slice(0, 8).map(({ path, detail }) => ({ path, detail }))
    return buildUnknownSettlement('OBSERVATION_INVALID', { problems: named })
  }
  const broken = checkPostcondition(intent, effect.value, postcondition)
  if (broken !== null) return { kind: 'dirty', code: 'POSTCONDITION_FAILED', details: { broken } }
  return { kind: 'applied', effect: effect.value, by: 'answer' }
}

function checkPostcondition(
  intent: SignedIntent,
  effect: Effect,
  postcondition: ((intent: SignedIntent, effect: Effect) => string | null) | undefined,
): string | null {
  try {
    const broken = postcondition?.(intent, effect) ?? null
    return broken === null ? null : shorten(broken, LIMITS.wordsLength)
  } catch (error) {
    return `the postcondition could not be evaluated: ${toErrorMessage(error)}`
  }
}

function buildUnknownSettlement(
  code: 'OUTCOME_UNKNOWN' | 'OBSERVATION_INVALID',
  details: JsonObject,
): Settlement {
  return { kind: 'unknown', code, details }
}

/** What a refusal says is foreign like an answer; what of it could not be recorded is left out. */
function toRefusalDetails(refusal: NotApplied): JsonObject {
  const detail = toErrorMessage(refusal)
  const checked = checkJson({ detail, ...readSafely(() => refusal.details, {}) })
  const isFit =
    checked.ok && encodeUtf8(toCanonicalText(checked.value)).length <= LIMITS.resultBytes
  return isFit && isObject(checked.value) ? checked.value : { detail }
}

/** What foreign code threw must not stop us from recording what came of it. */
export function toErrorMessage(error: unknown): string {
  const message = readSafely(() => (error instanceof Error ? error.message : null), null)
  const words = typeof message === 'string' ? message : 'threw something that is not an error'
  return shorten(words, LIMITS.wordsLength)
}

/** Members of what foreign code threw may themselves be code. */
function readSafely<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}
