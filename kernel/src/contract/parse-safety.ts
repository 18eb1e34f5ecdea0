/** Reads `safety_rules` and `jit_verification`: where an agent stops, and how fresh is fresh. */
import { compareDecimal, parseDecimal } from '../canonical/decimal.ts'
import { isObject, type JsonObject } from '../canonical/json-value.ts'
import { listNamedFields } from '../jit/envelope.ts'
import { LIMITS } from '../limits.ts'
import { toBudgetUnits } from '../writ/budget.ts'
import { parseActiveHours } from './active-hours.ts'
import { getBound } from './applies.ts'
import type { Contract, SilenceWatchdog } from './contract.ts'
import { readSomeKinds } from './meant-kinds.ts'
import { createDistinctListReader, createMapReader, kinds, listOf } from './read-list.ts'
import {
  count,
  createChoiceReader,
  freeText,
  readConfidence,
  readFlag,
  readPersonIdentifier,
  readPositiveOrZero,
} from './read-scalar.ts'
import { describeValue, Fields, type Place, type Read } from './reader.ts'

type SafetyRules = Contract['safety_rules']
type JitVerification = Contract['jit_verification']

const ESCALATIONS_PER_HOUR = 3

export const readSafetyRules: Read<SafetyRules> = (value, place) => {
  const fields = new Fields(value, place)
  const rules: SafetyRules = {
    ...readThresholds(fields, place),
    requires_human_approval: fields.readDefaulted('requires_human_approval', kinds, []),
    max_intent_retries: fields.readDefaulted('max_intent_retries', count(1), LIMITS.intentRetries),
    ...fields.readOptional(
      'suspend_after_rejections',
      readSuspension,
      (suspend_after_rejections) => ({
        suspend_after_rejections,
      }),
    ),
    escalations_per_hour: fields.readDefaulted(
      'escalations_per_hour',
      count(0),
      ESCALATIONS_PER_HOUR,
    ),
    rejections_per_hour: fields.readDefaulted(
      'rejections_per_hour',
      count(1),
      LIMITS.rejectionsPerHour,
    ),
    budget_per_flow: fields.readDefaulted('budget_per_flow', readBudget, {}),
    ...fields.readOptional('budget_per_agent', readAgentWindow, (budget_per_agent) => ({
      budget_per_agent,
    })),
    ...fields.readOptional('silence_watchdog', readWatchdog, (silence_watchdog) => ({
      silence_watchdog,
    })),
    pause_on_escalation: fields.readDefaulted('pause_on_escalation', readFlag, false),
    ...fields.readOptional('approvers', readApprovers, (people) => ({ approvers: people })),
    ...fields.readOptional('self_approval', selfApproval, (said) =>
      said === 'allowed' ? { self_approval: said } : {},
    ),
    ...fields.readOptional('approval_window_s', readApprovalWindow, (approval_window_s) =>
      approval_window_s * 1000 === LIMITS.approvalWindowMs.usual ? {} : { approval_window_s },
    ),
    ...fields.readOptional('repeat_window_s', readRepeatWindow, (repeat_window_s) =>
      repeat_window_s === 0 ? {} : { repeat_window_s },
    ),
    requires_signature: fields.readDefaulted('requires_signature', readFlag, false),
  }
  fields.end()
  return rules
}

/** Long enough to read a request, and no longer than the writ of a flow, on which what is approved runs. */
const readApprovalWindow: Read<number> = (value, place) => {
  const { least, most: mostMs } = LIMITS.approvalWindowMs
  const seconds = count(least / 1000)(value, place)
  const most = mostMs / 1000
  if (seconds > most) place.refuse(`is more than ${most}`)
  return seconds
}

/** No longer than a call is remembered. */
const readRepeatWindow: Read<number> = (value, place) => {
  const seconds = count(0)(value, place)
  const most = LIMITS.deadlineHorizonMs / 1000
  if (seconds > most) place.refuse(`is more than ${most}`)
  return seconds
}

const selfApproval: Read<'refused' | 'allowed'> = createChoiceReader('refused', 'allowed')

const readApprovers: Read<NonNullable<SafetyRules['approvers']>> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    needs: fields.readRequired('needs', count(1)),
    of: fields.readRequired('of', createDistinctListReader(readPersonIdentifier, LIMITS.approvers)),
  }
  fields.end()
  if (read.needs > read.of.length)
    place.stepInto('needs').refuse('is more than there are people in `of`')
  return read
}

type Thresholds = Pick<
  SafetyRules,
  | 'min_confidence_threshold'
  | 'escalate_on_uncertainty'
  | 'max_drawdown_limit_pct'
  | 'wake_up_threshold_pnl_pct'
>

function readThresholds(fields: Fields, place: Place): Thresholds {
  const thresholds = {
    ...fields.readOptional(
      'min_confidence_threshold',
      readConfidence,
      (min_confidence_threshold) => ({
        min_confidence_threshold,
      }),
    ),
    ...fields.readOptional(
      'escalate_on_uncertainty',
      readConfidence,
      (escalate_on_uncertainty) => ({
        escalate_on_uncertainty,
      }),
    ),
    ...fields.readOptional(
      'max_drawdown_limit_pct',
      readPositiveOrZero,
      (max_drawdown_limit_pct) => ({
        max_drawdown_limit_pct,
      }),
    ),
    ...fields.readOptional('wake_up_threshold_pnl_pct', readPositiveOrZero, (pct) => ({
      wake_up_threshold_pnl_pct: pct,
    })),
  }
  checkConfidence(thresholds, place)
  return thresholds
}

/** Below the lower threshold a person looks; between the two it goes back. In that order only. */
function checkConfidence(thresholds: Thresholds, place: Place): void {
  const upper = parseDecimal(thresholds.min_confidence_threshold ?? '')
  const lower = parseDecimal(thresholds.escalate_on_uncertainty ?? '')
  if (upper !== undefined && lower !== undefined && compareDecimal(lower, upper) > 0) {
    place.stepInto('escalate_on_uncertainty').refuse('is above `min_confidence_threshold`')
  }
}

const readSuspension: Read<{ readonly count: number; readonly window_s: number }> = (
  value,
  place,
) => {
  const fields = new Fields(value, place)
  const read = {
    count: fields.readRequired('count', count(1)),
    window_s: fields.readRequired('window_s', count(1)),
  }
  fields.end()
  return read
}

/** Amounts that can be counted in minor units: a budget that must be rounded is not a budget. */
const readBudget: Read<Readonly<Record<string, string>>> = (value, place) => {
  const amounts = createMapReader(readPositiveOrZero)(value, place)
  for (const [measure, amount] of Object.entries(amounts)) {
    if (toBudgetUnits(measure, amount) === undefined) {
      place
        .stepInto(measure)
        .refuse(`${describeValue(amount)} is finer than ${describeValue(measure)} can be counted`)
    }
  }
  return amounts
}

/** The length of its windows, and at least one amount. */
const readAgentWindow: Read<Readonly<Record<string, string>>> = (value, place) => {
  const read = readBudget(value, place)
  const { window_s = '', ...amounts } = read
  const seconds = Number(window_s)
  if (window_s === '' || !Number.isInteger(seconds) || seconds < 1 || seconds > LIMITS.windowS)
    place.stepInto('window_s').refuse(`is no whole number of seconds from 1 to ${LIMITS.windowS}`)
  if (Object.keys(amounts).length === 0) place.refuse('names no amount')
  return read
}

const readWatchdog: Read<SilenceWatchdog> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    minutes: fields.readRequired('minutes', readWatchedMinutes),
    ...fields.readOptional('active', readActiveHours, (active) => ({ active })),
    ...fields.readOptional('scope', watchdogScope, (scope) => (scope === 'agent' ? { scope } : {})),
  }
  fields.end()
  return read
}

const watchdogScope: Read<'flow' | 'agent'> = createChoiceReader('flow', 'agent')

const readWatchedMinutes: Read<number> = (value, place) => {
  const minutes = count(1)(value, place)
  if (minutes > LIMITS.watchdogMinutes) place.refuse(`is more than ${LIMITS.watchdogMinutes}`)
  return minutes
}

const readActiveHours: Read<string> = (value, place) => {
  if (typeof value === 'string' && parseActiveHours(value) !== undefined) return value
  place.refuseValue(value, 'days, hours and zone like `Mon-Fri 09:00-17:30 Europe/Warsaw`')
  return ''
}

export const readJitVerification: Read<JitVerification> = (value, place) => {
  const fields = new Fields(value, place)
  fields.readOptional('enabled', readAlwaysOn, () => ({}))
  const jit: JitVerification = {
    drift_envelope: fields.readDefaulted('drift_envelope', readDriftEnvelope, {}),
    ...fields.readOptional('max_context_age_seconds', count(1), (max_context_age_seconds) => ({
      max_context_age_seconds,
    })),
    ...fields.readOptional('max_state_age_ms', count(1), (max_state_age_ms) => ({
      max_state_age_ms,
    })),
    ...fields.readOptional('on_drift_exceeded', readDriftAnswer, (on_drift_exceeded) => ({
      on_drift_exceeded,
    })),
  }
  fields.end()
  return jit
}

/** The DIR specification has a switch here. The check before dispatch cannot be switched off. */
const readAlwaysOn: Read<boolean> = (value, place) => {
  if (value !== true) place.refuse('the check before dispatch cannot be switched off')
  return true
}

/** A tolerance, or none. */
const readDrift: Read<string> = (value, place) =>
  value === 'strict' ? value : readPositiveOrZero(value, place)

/** A bound, or one for some kinds; for all kinds it is stored as the bound. */
const readDriftBound: Read<JitVerification['drift_envelope'][string]> = (value, place) => {
  if (!isObject(value)) return readDrift(value, place)
  const fields = new Fields(value, place)
  const max = fields.readRequired('max', readDrift)
  const read = fields.readOptional('applies_to', readSomeKinds, (applies_to) => ({ applies_to }))
  fields.end()
  return read.applies_to === undefined ? max : { max, applies_to: read.applies_to }
}

/** A number whose name does not say its unit would be strict at dispatch: better to hear so now. */
const readDriftEnvelope: Read<JitVerification['drift_envelope']> = (value, place) => {
  const envelope = createMapReader(readDriftBound)(value, place)
  for (const [name, entry] of Object.entries(envelope)) {
    if (listNamedFields(name, getBound(entry)).length === 0) {
      place
        .stepInto(name)
        .refuse('is no readable tolerance: `_pct`, `_bps` or `_abs` ends its name')
    }
  }
  return envelope
}

const readDriftAnswer: Read<JsonObject> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    action: fields.readRequired('action', createChoiceReader('ABORT')),
    ...fields.readOptional('retry_with_fresh_context', readFlag, (retry_with_fresh_context) => ({
      retry_with_fresh_context,
    })),
    ...fields.readOptional('notify', listOf(freeText), (notify) => ({ notify })),
  }
  fields.end()
  return read
}
