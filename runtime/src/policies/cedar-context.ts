/** What a rule sees of a proposal, in the values of Cedar. */
import type * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import { formatDecimal, isObject, type JsonObject, type JsonValue, toDecimal } from 'rubicon-kernel'
import type { CedarInput } from './cedar.ts'

/** What a rule can read in `context`. */
export const CEDAR_CONTEXT = [
  'params',
  'measures',
  'confidence',
  'risk',
  'reversible',
  'effect',
  'role',
  'authority',
] as const

export function buildCedarContext({
  proposal,
  measures,
  capability,
  contract,
}: CedarInput): Record<(typeof CEDAR_CONTEXT)[number], cedar.CedarValueJson> {
  return {
    params: toCedarRecord(proposal.params),
    measures: measureRecord(measures),
    confidence: toCedarDecimal(proposal.confidence),
    risk: capability.risk,
    reversible: capability.reversible,
    effect: capability.effect,
    role: contract.role,
    authority: contract.authority,
  }
}

function toCedarRecord(object: JsonObject): Record<string, cedar.CedarValueJson> {
  const record: Record<string, cedar.CedarValueJson> = {}
  // Cedar has no null: a rule that needs the member errors, and an error refuses.
  for (const [name, value] of Object.entries(object))
    if (value !== null) record[name] = toCedarValue(value)
  return record
}

/** Measures are decimals, also where they are written as text. */
function measureRecord(measures: CedarInput['measures']): Record<string, cedar.CedarValueJson> {
  const entries = Object.entries(measures).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([name, value]) => [name, toCedarDecimal(value)]))
}

/** Text stays text: an account number is not an amount. */
function toCedarValue(value: JsonValue): cedar.CedarValueJson {
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.filter((item) => item !== null).map(toCedarValue)
  if (isObject(value)) return toCedarRecord(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : toCedarDecimal(value)
}

/** A Cedar decimal where its four digits hold the value, else text. */
function toCedarDecimal(value: JsonValue): cedar.CedarValueJson {
  const decimal = value === null ? undefined : toDecimal(value)
  if (decimal === undefined || decimal.scale > 4) return String(value)
  const text = formatDecimal(decimal)
  return { __extn: { fn: 'decimal', arg: text.includes('.') ? text : `${text}.0` } }
}
