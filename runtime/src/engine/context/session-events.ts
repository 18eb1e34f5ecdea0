/**
 * What a flow has done so far, as its session: each proposal, what was decided about it, and what was
 * observed of it. It is made of what the agent remembers, so that nothing is written twice.
 *
 * E1 each event carries the label of whoever it comes from: the agent, the kernel, or the outside.
 *    What came of it is the outside's, unless the manifest of the tool vouches for its results.
 * E2 a proposal stands once, however often something became known about it.
 */
import {
  type FactLabel,
  type JsonObject,
  type JsonValue,
  type LayerRecord,
  type SessionEvent,
  type StoredMemory,
  toCanonicalText,
} from 'rubicon-kernel'
import { sanitiseText } from './clean.ts'

type Told = readonly [kind: NonNullable<SessionEvent['kind']>, label: FactLabel, said: JsonObject]

/** Of the records of one flow, newest first. */
export function buildSessionEvents(
  own: readonly LayerRecord<StoredMemory>[],
  countTokens: (text: string) => number,
): readonly LayerRecord<SessionEvent>[] {
  const oldestFirst = own.toReversed()
  return oldestFirst.flatMap(({ key, body }, place) => {
    const isFirst = !oldestFirst.slice(0, place).some((one) => one.body.attempt === body.attempt)
    return describeMemory(body, isFirst).map(([kind, label, said], part) => {
      const { value: text, flags } = sanitiseText(toCanonicalText(said), label)
      const event = { kind, at: body.at, label, text, tokens: countTokens(text), flags }
      return { key: `${key}:${part}`, body: event }
    })
  })
}

function describeMemory(memory: StoredMemory, isFirst: boolean): readonly Told[] {
  const { attempt, policy_kind, outcome, reason_code, summary, said = { salt: '' } } = memory
  const { params, rationale, left_out } = said
  const proposed = omitAbsent({ attempt, policy_kind, params, rationale, left_out })
  const isVerdict = VERDICTS.has(outcome)
  const verdict = isVerdict
    ? { attempt, outcome, reason_code, summary }
    : { attempt, outcome: 'ACCEPTED', reason_code: null, summary: 'it was sent' }
  const { details, result, result_label = 'external' } = said
  const status = isVerdict ? undefined : outcome
  const code = isVerdict ? undefined : (reason_code ?? undefined)
  const observed = omitAbsent({ attempt, status, reason_code: code, details, result })
  // Details are the words of whoever refused: no manifest vouches for those.
  const observer = details === undefined ? result_label : 'external'
  return [
    ...(isFirst ? [['proposal', 'agent', proposed] as const] : []),
    ...(isFirst || isVerdict ? [['verdict', 'trusted', verdict] as const] : []),
    ...(Object.keys(observed).length > 1 ? [['observation', observer, observed] as const] : []),
  ]
}

/** What is said before anything is sent; every other outcome is that of an effect. */
const VERDICTS: ReadonlySet<string> = new Set(['REJECTED', 'EXHAUSTED', 'ESCALATED'])

function omitAbsent(members: Readonly<Record<string, unknown>>): JsonObject {
  const present = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Readonly<Record<string, JsonValue>>
}
