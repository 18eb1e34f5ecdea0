/** A decision as it is recorded, beside the one that the law makes. */
import { type JsonValue, type Trace, toCanonicalText, type Verdict } from 'rubicon-kernel'
import type { RecordedDecision } from './recorded-decision.ts'

/** What differs from the record, in words; null: nothing. */
export function describeDifference(
  { said, trace }: RecordedDecision,
  verdict: Verdict,
): string | null {
  const lawful = describeVerdict(verdict)
  switch (said.kind) {
    case 'moved':
      return verdict.kind === 'staged' ? null : `it was let pass; the law says ${lawful}`
    case 'staged':
      if (verdict.kind !== 'staged') return `it was let pass; the law says ${lawful}`
      return (
        describeTraceDifference(trace, verdict.trace) ??
        // What takes an effect back carries the decision that chose so.
        (said.intent.compensation !== undefined ||
        said.intent.intent_id === verdict.intent.intent_id
          ? null
          : describeIntentDifference(said.intent, verdict.intent))
      )
    case 'suspended':
      if (verdict.kind !== 'suspended' || verdict.code !== said.code)
        return `${said.code} was asked; the law says ${lawful}`
      if (verdict.intent_digest !== said.intent_digest) return 'it was asked about another intent'
      return describeTraceDifference(trace, verdict.trace)
    case 'rejected':
      if (verdict.kind !== 'rejected' || verdict.code !== said.code || verdict.stage !== said.stage)
        return `it was refused as ${said.code} at ${said.stage}; the law says ${lawful}`
      return describeTraceDifference(trace, verdict.trace)
  }
}

function describeVerdict(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'staged':
      return 'that it passes'
    case 'repeated':
      return 'that it was decided before'
    case 'suspended':
      return `that somebody is asked (${verdict.code})`
    case 'rejected':
      return `${verdict.code} at ${verdict.stage}`
  }
}

/** The first stage of which the law says something else; null: none. */
export function describeTraceDifference(recorded: Trace, lawful: Trace): string | null {
  if (toComparableText(recorded) === toComparableText(lawful)) return null
  const at = lawful.findIndex(
    (line, index) => toComparableText(line) !== toComparableText(recorded[index] ?? null),
  )
  return `stage ${lawful[at]?.stage ?? 'emission'} says something else`
}

function describeIntentDifference(recorded: object, lawful: object): string {
  const [mine, theirs] = [Object.entries(lawful), new Map(Object.entries(recorded))]
  const names = mine.filter(
    ([name, value]) => toComparableText(theirs.get(name)) !== toComparableText(value),
  )
  return `the law gives another intent: ${names.map(([name]) => name).join(', ')}`
}

export function toComparableText(value: unknown): string {
  return toCanonicalText((value ?? null) as JsonValue)
}
