/**
 * The one way in for what an agent says. Unknown members are refused: a member that nobody reads
 * is a member that somebody believes was read.
 */
import { assert } from '../assert.ts'
import { isAddress } from '../canonical/address.ts'
import {
  compareDecimal,
  formatDecimal,
  isNegative,
  parseDecimal,
  toDecimal,
} from '../canonical/decimal.ts'
import { isIdentifier, isUuid } from '../canonical/identifier.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import type { Refusal } from '../compile/verdict.ts'
import { LIMITS } from '../limits.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import { convertDottedName, isConcretePointer } from './pointer.ts'
import type { PolicyProposal, ResourceClaim } from './proposal.ts'

type Check = (value: JsonValue) => string | null

const checkIdentifier: Check = (value) =>
  typeof value === 'string' && isIdentifier(value) ? null : 'is not an identifier'
const checkUuid: Check = (value) =>
  typeof value === 'string' && isUuid(value) ? null : 'is not a lower-case UUID'
const text =
  (max: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= max ? null : `is not text of at most ${max}`
const checkObject: Check = (value) => (isObject(value) ? null : 'is not an object')
const checkInstant: Check = (value) =>
  typeof value === 'string' && parseInstant(value) !== undefined ? null : 'is not a UTC time'

const ONE = parseDecimal('1')

const checkConfidence: Check = (value) => {
  const decimal = toDecimal(value)
  const inside =
    decimal !== undefined &&
    ONE !== undefined &&
    !isNegative(decimal) &&
    compareDecimal(decimal, ONE) <= 0
  return inside ? null : 'is not a number between 0 and 1'
}

const checkResources: Check = (value) => {
  if (!Array.isArray(value) || value.length > LIMITS.resourcesPerProposal)
    return 'is not a short list'
  for (const item of value) {
    if (!isObject(item) || Object.keys(item).some((key) => key !== 'id' && key !== 'amount'))
      return 'holds something that is not {id, amount}'
    if (checkIdentifier(item.id ?? null) !== null) return 'holds an id that is not an identifier'
    const amount = toDecimal(item.amount ?? null)
    if (amount === undefined || isNegative(amount)) return 'holds an amount that is not a decimal'
  }
  return null
}

const checkGrounds: Check = (value) => {
  if (!isObject(value) || !Object.values(value).every((path) => typeof path === 'string'))
    return 'is not a map of parameters to fact paths'
  const unplaced = Object.keys(value).find((key) => !isConcretePointer(key))
  if (unplaced === undefined) return null
  const written = isIdentifier(unplaced) ? `, as in \`${convertDottedName(unplaced)}\`` : ''
  return `names parameters otherwise than by JSON pointers to one place${written}`
}

const checkHash: Check = (value) =>
  typeof value === 'string' && isAddress(`sha256:${value}`)
    ? null
    : 'is not a SHA-256 hash in hexadecimal'

const checkAddress: Check = (value) =>
  typeof value === 'string' && isAddress(value) ? null : 'is not an address'

const checkSignature: Check = (value) =>
  isObject(value) &&
  Object.keys(value).length === 2 &&
  typeof value.key_id === 'string' &&
  typeof value.sig === 'string'
    ? null
    : 'is not {key_id, sig}'

type Member = {
  readonly check: Check
  /** Always, or where nothing is filled in. */
  readonly required?: true | 'if signed' | 'if proven'
}

const MEMBERS: Readonly<Record<string, Member>> = {
  dfid: { check: checkUuid, required: true },
  agent_id: { check: checkIdentifier, required: true },
  step_id: { check: checkIdentifier },
  policy_kind: { check: checkIdentifier, required: true },
  params: { check: checkObject },
  context_ref: { check: checkIdentifier, required: 'if signed' },
  mission_context_hash: { check: checkIdentifier, required: 'if signed' },
  execution_constraints: { check: checkObject },
  resources: { check: checkResources },
  valid_until: { check: checkInstant },
  confidence: { check: checkConfidence },
  justification: { check: text(LIMITS.justificationLength) },
  explain_ref: { check: checkIdentifier },
  grounds: { check: checkGrounds },
  schema_version: { check: text(16) },
  writ_id: { check: checkIdentifier },
  evidence_hash: { check: checkHash },
  atom_id: { check: checkAddress },
  signature: { check: checkSignature, required: 'if proven' },
  supersedes: { check: checkIdentifier },
}

/** Members whose refusal means a bad character, not a bad shape. */
const IDENTIFIERS = new Set(['agent_id', 'step_id', 'policy_kind', 'explain_ref', 'context_ref'])

export function parseProposal(document: JsonValue): Result<PolicyProposal, Refusal> {
  if (!isObject(document)) return refuse('SCHEMA_INVALID', [['', 'is not an object']])
  const problems: [string, string][] = []
  let onlyCharset = true
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(MEMBERS, key)) problems.push([key, 'is unknown'])
  }
  if (problems.length > 0) onlyCharset = false
  for (const [name, member] of Object.entries(MEMBERS)) {
    const value = document[name]
    if (value === undefined) {
      const missing = findMissingProblem(member, document)
      if (missing !== null) {
        problems.push([name, missing])
        onlyCharset = false
      }
      continue
    }
    const problem = member.check(value)
    if (problem === null) continue
    problems.push([name, problem])
    if (!(IDENTIFIERS.has(name) && typeof value === 'string')) onlyCharset = false
  }
  if (problems.length > 0) return refuse(onlyCharset ? 'ID_CHARSET' : 'SCHEMA_INVALID', problems)
  return ok(parseCheckedProposal(document))
}

function findMissingProblem(
  { required }: Member,
  { signature: signed, evidence_hash: proven }: JsonObject,
): string | null {
  if (proven !== undefined && required === 'if proven')
    return 'is missing, and a proof is worth what its signature is worth'
  if (signed !== undefined && required !== undefined)
    return 'is missing, and a signed proposal is never completed'
  return required === true ? 'is missing' : null
}

function refuse(
  code: 'SCHEMA_INVALID' | 'ID_CHARSET',
  problems: readonly (readonly [string, string])[],
): Result<never, Refusal> {
  const details = { problems: problems.map(([member, detail]) => ({ member, detail })) }
  return err({ code, details })
}

/** Every member was checked above; defaults are filled in here and nowhere else. */
function parseCheckedProposal(document: JsonObject): PolicyProposal {
  const { step_id, params, execution_constraints, confidence: sure, resources: claimed } = document
  const rest = document as unknown as PolicyProposal
  return Object.freeze({
    ...rest,
    step_id: typeof step_id === 'string' ? step_id : 'step-1',
    params: isObject(params) ? params : {},
    execution_constraints: isObject(execution_constraints) ? execution_constraints : {},
    confidence: normaliseDecimal(sure ?? 1),
    ...(Array.isArray(claimed) ? { resources: claimed.map(parseResourceClaim) } : {}),
  })
}

function parseResourceClaim(item: JsonValue): ResourceClaim {
  const claim = item as unknown as { readonly id: string; readonly amount: JsonValue }
  return { id: claim.id, amount: normaliseDecimal(claim.amount) }
}

function normaliseDecimal(value: JsonValue): string {
  const decimal = toDecimal(value)
  assert(decimal !== undefined, 'a decimal was checked before')
  return formatDecimal(decimal)
}
