/**
 * What somebody types before HIGH_IMPACT is approved: the object, and how much is at stake, so that
 * whoever types it has read it.
 *
 * An agent chooses its parameters. What cannot be typed as it looks (other scripts, characters that
 * nobody sees, a page of text) is not asked for: then the kind of the action stands in its place.
 */
import { formatDecimal, toDecimal } from '../canonical/decimal.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import type { CapabilityDescription } from '../execution/capability.ts'
import { LIMITS } from '../limits.ts'
import { resolvePointer } from '../proposal/pointer.ts'
import type { Exposure } from './impact.ts'

export function formatAcknowledgement(
  { kind, scopes }: Pick<CapabilityDescription, 'kind' | 'scopes'>,
  params: JsonObject,
  exposure: Exposure | null,
): string {
  const subject = findSubject(scopes, params)
  const amount = exposure === null ? undefined : toDecimal(exposure.value)
  const words = [subject ?? kind, ...(amount === undefined ? [] : [formatDecimal(amount)])]
  const all = words.join(' ')
  return isTypable(all) ? all : kind
}

/** The resources that the parameters name, as far as the contract grants them by name. */
export function findSubject(
  scopes: CapabilityDescription['scopes'],
  params: JsonObject,
): string | undefined {
  const parameters = Object.entries(scopes).sort(([a], [b]) => (a < b ? -1 : 1))
  const places = parameters.flatMap(([, parameter]) => resolvePointer(params, parameter))
  const named = places.flatMap((place) => (place.kind === 'found' ? place.value : []))
  const subject = named.filter((one) => typeof one === 'string').join(' ')
  return isTypable(subject) ? subject : undefined
}

const SPACE = 0x20
const TILDE = 0x7e

/** Printable ASCII of a line's length, with single spaces inside. */
function isTypable(text: string): boolean {
  if (text.length === 0 || text.length > LIMITS.acknowledgementLength) return false
  let before = SPACE
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < SPACE || code > TILDE || (code === SPACE && before === SPACE)) return false
    before = code
  }
  return before !== SPACE
}
