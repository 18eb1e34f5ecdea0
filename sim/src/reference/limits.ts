/** The limits of a contract. Null where it cannot be said whether one holds. */
import type { CompileInput, Contract, Limit, ReasonCode } from 'rubicon-kernel'
import { canonicaliseJson } from './canonical.ts'
import { isMatch, type Regex } from './delegation.ts'
import { multiplyDecimals, order, parseDecimal } from './exact.ts'
import { findBelieved } from './labels.ts'
import { findPlaces } from './places.ts'

type Values = Readonly<Record<string, unknown>>

/** Null: it cannot be said. */
export function limitHolds(limit: Limit, measures: Values, input: CompileInput): boolean | null {
  const { proposal, rules } = input
  switch (limit.kind) {
    case 'range':
      return checkEvery(listSubjects(limit, measures, proposal.params), (value) =>
        rangeHolds(limit, value),
      )
    case 'set':
      return checkEvery(listSubjects(limit, measures, proposal.params), (value) =>
        setHolds(limit, value, rules.regex),
      )
    case 'state_match': {
      const fact = findBelieved(input, limit.field)
      if (fact === undefined) return null
      const value = parseDecimal(fact.value)
      const wanted = typeof limit.expected === 'number' ? parseDecimal(limit.expected) : null
      if (value !== null && wanted !== null) return order(value, wanted) === 0
      return canonicaliseJson(fact.value) === canonicaliseJson(limit.expected)
    }
    case 'ratio': {
      const [part, whole] = [
        parseDecimal(measures[limit.measure]),
        parseDecimal(measures[limit.of]),
      ]
      const max = parseDecimal(limit.max)
      if (part === null || whole === null || max === null || whole.units <= 0n) return null
      return part.units >= 0n && order(part, multiplyDecimals(max, whole)) <= 0
    }
  }
}

/** Without a lower bound of its own, what has an upper one starts at nothing. */
function rangeHolds(limit: Extract<Limit, { kind: 'range' }>, given: unknown): boolean | null {
  const value = parseDecimal(given)
  const least = limit.min ?? (limit.max === undefined ? undefined : '0')
  const [min, max] = [least, limit.max].map((bound) =>
    bound === undefined ? value : parseDecimal(bound),
  )
  if (value === null || !min || !max) return null
  return order(value, min) >= 0 && order(value, max) <= 0
}

/** Null outranks false: what cannot be said of one cannot be said. */
function checkEvery(
  values: readonly unknown[],
  holds: (value: unknown) => boolean | null,
): boolean | null {
  const found = (values.length === 0 ? [undefined] : values).map(holds)
  return found.includes(null) ? null : !found.includes(false)
}

function listSubjects(
  limit: { readonly measure?: string; readonly field?: string },
  measures: Values,
  params: unknown,
): readonly unknown[] {
  if (limit.measure !== undefined) return [measures[limit.measure]]
  return findPlaces(params, limit.field ?? '').map(({ value }) => value)
}

function setHolds(
  limit: Extract<Limit, { kind: 'set' }>,
  value: unknown,
  regex: Regex,
): boolean | null {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const plain = list.every((one) => ['string', 'number', 'boolean'].includes(typeof one))
  if (!plain || list.length === 0) return null
  return checkEvery(list.map(String), (text) => {
    const isAmong = (patterns: readonly string[]): boolean | null => {
      const found = patterns.map((pattern) => isMatch(pattern, String(text), regex))
      return found.includes(true) ? true : found.includes(undefined) ? null : false
    }
    const allowed = limit.allowed === undefined ? true : isAmong(limit.allowed)
    const denied = limit.denied === undefined ? false : isAmong(limit.denied)
    return allowed === null || denied === null ? null : allowed && !denied
  })
}

/** The limit's own code, or the kernel code that the contract's word stands for. */
export function limitCode(limit: Limit, contract: Contract): ReasonCode {
  const domain = contract.reason_codes[limit.reason_code]
  return (domain === undefined ? limit.reason_code : domain.kernel) as ReasonCode
}
