/** A limit of a contract, as a sentence for people. */
import { assertUnreachable, type Limit, toCanonicalText } from 'rubicon-kernel'

export function limitSentence(limit: Limit): string {
  const { on_breach, reason_code, applies_to } = limit
  const where = applies_to === undefined ? '' : `for ${formatWordList(applies_to)}, `
  const otherwise =
    on_breach === 'escalate' ? 'otherwise somebody is asked' : 'otherwise it is refused'
  return `${where}${demand(limit)}; ${otherwise} (${reason_code})`
}

function demand(limit: Limit): string {
  switch (limit.kind) {
    case 'range':
      return `${formatLimitName(limit)} must be ${formatBounds(limit)}`
    case 'set':
      return `${formatLimitName(limit)} must be ${formatChoices(limit)}`
    case 'state_match':
      return `${limit.field} must be ${toCanonicalText(limit.expected)} at the moment of the decision`
    case 'ratio':
      return `${limit.measure} must be at most ${limit.max} times ${limit.of}`
    default:
      return assertUnreachable(limit)
  }
}

/** A measure is computed by the capability; a field is what the agent wrote. */
function formatLimitName({
  measure,
  field,
}: {
  readonly measure?: string
  readonly field?: string
}): string {
  return measure ?? `parameter ${field}`
}

function formatBounds({ min, max }: { readonly min?: string; readonly max?: string }): string {
  if (min === undefined) return `at most ${max}`
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`
}

function formatChoices(limit: {
  readonly allowed?: readonly string[]
  readonly denied?: readonly string[]
}): string {
  const { allowed, denied } = limit
  if (denied === undefined) return `one of ${formatWordList(allowed ?? [])}`
  if (allowed === undefined) return `none of ${formatWordList(denied)}`
  return `one of ${formatWordList(allowed)}, and none of ${formatWordList(denied)}`
}

/** `A`, `A and B`, `A, B and C`. */
export function formatWordList(words: readonly string[], join = 'and'): string {
  const last = words.at(-1)
  if (last === undefined) return 'nothing'
  return words.length === 1 ? last : `${words.slice(0, -1).join(', ')} ${join} ${last}`
}
