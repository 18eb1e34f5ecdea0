/**
 * What is sent some time after its decision was judged again, by the facts of then. A resend records the
 * trace of that, and must come out as recorded. A dispatch of what was accepted records none: what the
 * capability answered then is taken from its decision, and where other State or World could have made it
 * answer otherwise, only what does not depend on that is judged; of a tool that is data, everything is.
 */
import {
  type CapabilityDescription,
  type CompileInput,
  computeKeyEndMs,
  dispatchDeadline,
  formatInstant,
  type ReasonCode,
  type Rechecked,
  recheck,
  recheckUndo,
} from 'rubicon-kernel'
import { describeTraceDifference, toComparableText } from './compare-verdict.ts'
import type { OpenEffect } from './open-effects.ts'
import type { RecordedSend } from './recorded-send.ts'

/** What is wrong, in words; null: it is as the law says. */
export function sendProblem(
  send: RecordedSend,
  known: OpenEffect,
  input: CompileInput,
  description: CapabilityDescription | undefined,
): string | null {
  const undoes = known.intent.compensation !== undefined
  const checked = undoes ? recheckUndo(input) : recheck(input)
  const isComputed = description?.manifest !== undefined
  if (send.again === null) return findCarriedOutProblem(checked, send, known, isComputed)
  const { trace, send_before } = send.again
  if (checked.refusal !== null) return `it was sent again; the law says ${checked.refusal.code}`
  const other = describeTraceDifference(trace, checked.trace)
  if (other !== null) return other
  if (!undoes && formatNeeds(checked.resources) !== formatNeeds(known.intent.resources))
    return 'it was sent again with other resources than it holds'
  const lawful = computeSendEnd(input, known, description)
  return send_before === lawful ? null : `it may leave until ${lawful}, by the law`
}

/** Refusals that follow from facts alone, whatever the capability would answer by now. */
const BY_FACTS: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'STALE_CONTEXT',
  'MISSION_DISSONANCE',
  'DRAWDOWN_LIMIT',
])

function findCarriedOutProblem(
  { refusal, trace }: Rechecked,
  { facts }: RecordedSend,
  known: OpenEffect,
  isComputed: boolean,
): string | null {
  if (refusal === null) return null
  const problem = `it was carried out; the law says ${refusal.code}`
  const last = trace.at(-1)
  if (last?.stage !== 'preconditions' || isComputed) return problem
  const formatSeenFacts = ({ state, world }: OpenEffect['facts']): string =>
    toComparableText({ state, world })
  if (formatSeenFacts(facts) === formatSeenFacts(known.facts)) return problem
  return (last.refusals ?? []).some(({ code }) => BY_FACTS.has(code)) ? problem : null
}

/** How much there is of a resource may have changed. */
function formatNeeds(needs: OpenEffect['intent']['resources']): string {
  return toComparableText(needs.map(({ id, amount }) => ({ id, amount })))
}

function computeSendEnd(
  input: CompileInput,
  { firstSent }: OpenEffect,
  description: CapabilityDescription | undefined,
): string {
  const deadline = dispatchDeadline(input)
  const end = description === undefined ? null : computeKeyEndMs(description, firstSent)
  if (end === null) return deadline
  const text = formatInstant(Math.max(0, end))
  return text < deadline ? text : deadline
}
