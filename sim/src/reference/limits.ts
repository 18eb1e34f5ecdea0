/** The limits of a contract. Null where it cannot be said whether one holds. */
import type { CompileInput, Contract, Limit, ReasonCode } from 'rubicon-kernel'
import { jcs } from './canonical.ts'
import { matches, type Regex } from './delegation.ts'
import { exact, order, times } from './exact.ts'
import { believed } from './labels.ts'
import { placesOf } from './places.ts'

type Values = Readonly<Record<string, unknown>>

/** Null: it cannot be said. */
export function limitHolds(limit: Limit, measures: Values, input: CompileInput): boolean | null {
  const { proposal, rules } = input
  switch (limit.kind) {
    case 'range':
      return every(subjects(limit, measures, proposal.params), (value) => rangeHolds(limit, value))
    case 'set':
      return every(subjects(limit, measures, proposal.params), (value) =>
        setHolds(limit, value, rules.regex),
      )
    case 'state_match': {
      const fact = believed(input, limit.field)
      if (fact === undefined) return null
      const value = exact(fact.value)
      const wanted = typeof limit.expected === 'number' ? exact(limit.expected) : null
      if (value !== null && wanted !== null) return order(value, wanted) === 0
      return jcs(fact.value) === jcs(limit.expected)
    }
    case 'ratio': {
      const [part, whole] = [exact(measures[limit.measure]), exact(measures[limit.of])]
      const max = exact(limit.max)
      if (part === null || whole === null || max === null || whole.units <= 0n) return null
      return part.units >= 0n && order(part, times(max, whole)) <= 0
    }
  }
}

/** Without a lower bound of its own, what has an upper one starts at nothing. */
function rangeHolds(limit: Extract<Limit, { kind: 'range' }>, given: unknown): boolean | null {
  const value = exact(given)
  const least = limit.min ?? (limit.max === undefined ? undefined : '0')
  const [min, max] = [least, limit.max].map((bound) => (bound === undefined ? value : exact(bound)))
  if (value === null || !min || !max) return null
  return order(value, min) >= 0 && order(value, max) <= 0
}

/** Null outranks false: what cannot be said of one cannot be said. */
function every(
  values: readonly unknown[],
  holds: (value: unknown) => boolean | null,
): boolean | null {
  const found = (values.length === 0 ? [undefined] : values).map(holds)
  return found.includes(null) ? null : !found.includes(false)
}

function subjects(
  limit: { readonly measure?: string; readonly field?: string },
  measures: Values,
  params: unknown,
): readonly unknown[] {
  if (limit.measure !== undefined) return [measures[limit.measure]]
  return placesOf(params, limit.field ?? '').map(({ value }) => value)
}

function setHolds(
  limit: Extract<Limit, { kind: 'set' }>,
  value: unknown,
  regex: Regex,
): boolean | null {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const plain = list.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  if (!plain || list.length === 0) return null
  return every(list.map(String), (text) => {
    const among = (patterns: readonly string[]): boolean | null => {
      const found = patterns.map((pattern) => matches(pattern, String(text), regex))
      return found.includes(true) ? true : found.includes(undefined) ? null : false
    }
    const allowed = limit.allowed === undefined ? true : among(limit.allowed)
    const denied = limit.denied === undefined ? false : among(limit.denied)
    return allowed === null || denied === null ? null : allowed && !denied
  })
}

/** The limit's own code, or the kernel code that the contract's word stands for. */
export function limitCode(limit: Limit, contract: Contract): ReasonCode {
  const domain = contract.reason_codes[limit.reason_code]
  return (domain === undefined ? limit.reason_code : domain.kernel) as ReasonCode
}
