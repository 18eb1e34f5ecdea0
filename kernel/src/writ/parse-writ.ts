/**
 * Reads a writ. Nothing is normalised: the id covers the bytes as they came, so there is one
 * spelling of everything and every other one is refused.
 */
import { type Address, isAddress } from '../canonical/address.ts'
import { decodeBase64 } from '../canonical/bytes.ts'
import { isDfid, isIdentifier } from '../canonical/identifier.ts'
import type { JsonValue } from '../canonical/json-value.ts'
import { isExactInstant } from '../canonical/time.ts'
import { stripStar } from '../contract/pattern.ts'
import { createMapReader, isName, listOf, patterns } from '../contract/read-list.ts'
import { count, readFlag, readIdentifier } from '../contract/read-scalar.ts'
import {
  createRememberingReader,
  type DocumentProblem,
  Fields,
  Place,
  type Read,
} from '../contract/reader.ts'
import type { Signature } from '../keys/key.ts'
import { LIMITS } from '../limits.ts'
import { err, ok, type Result } from '../result.ts'
import { toBudgetUnits } from './budget.ts'
import type { Budget, EffectCeiling, Writ, WritBody, WritScope } from './writ.ts'

export type WritProblem = DocumentProblem

const SIGNATURE_BYTES = 64
const NO_ADDRESS: Address = 'sha256:'

export function parseWrit(document: JsonValue): Result<Writ, readonly WritProblem[]> {
  return readWhole(document, readWrit)
}

export function parseWritBody(document: JsonValue): Result<WritBody, readonly WritProblem[]> {
  return readWhole(document, readBody)
}

function readWhole<T>(document: JsonValue, read: Read<T>): Result<T, readonly WritProblem[]> {
  const problems: WritProblem[] = []
  const value = read(document, new Place(problems))
  return problems.length === 0 ? ok(value) : err(problems)
}

const readWrit: Read<Writ> = (value, place) => {
  const fields = new Fields(value, place)
  const writ = {
    id: fields.readRequired('id', readAddress),
    body: fields.readRequired('body', readBody),
    signature: fields.readRequired('signature', readSignature),
  }
  fields.end()
  return writ
}

const readBody: Read<WritBody> = (value, place) => {
  const fields = new Fields(value, place)
  const body: WritBody = {
    tenant: fields.readRequired('tenant', readIdentifier),
    issuer_key: fields.readRequired('issuer_key', readIdentifier),
    subject: fields.readRequired('subject', readIdentifier),
    ...fields.readOptional('subject_key', readIdentifier, (subject_key) => ({ subject_key })),
    audience: fields.readRequired('audience', readIdentifier),
    nonce: fields.readRequired('nonce', readNonce),
    ...fields.readOptional('parent', readAddress, (parent) => ({ parent })),
    scopes: fields.readRequired('scopes', knownScopes),
    effect_ceiling: fields.readRequired('effect_ceiling', knownCeiling),
    budget: fields.readRequired('budget', knownBudget),
    window: fields.readRequired('window', readWindow),
    delegation: fields.readRequired('delegation', knownDelegation),
  }
  fields.end()
  return body
}

const readAddress: Read<Address> = (value, place) => {
  if (typeof value === 'string' && isAddress(value)) return value
  place.refuseValue(value, '`sha256:` and 64 hexadecimal digits')
  return NO_ADDRESS
}

const readNonce: Read<string> = (value, place) => {
  if (typeof value === 'string' && isDfid(value)) return value
  place.refuseValue(value, 'a UUID of version 7')
  return ''
}

const readSignature: Read<Signature> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    key_id: fields.readRequired('key_id', readIdentifier),
    sig: fields.readRequired('sig', readSignatureText),
  }
  fields.end()
  return read
}

const readSignatureText: Read<string> = (value, place) => {
  const bytes = typeof value === 'string' ? decodeBase64(value) : undefined
  if (typeof value === 'string' && bytes?.length === SIGNATURE_BYTES) return value
  place.refuseValue(value, `base64 of ${SIGNATURE_BYTES} bytes`)
  return ''
}

const readScope: Read<WritScope> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    kind: fields.readRequired('kind', readKindPattern),
    ...fields.readOptional('resources', createMapReader(patterns), (resources) => ({ resources })),
  }
  fields.end()
  return read
}

const readKindPattern: Read<string> = (value, place) => {
  if (typeof value === 'string' && (value === '*' || isIdentifier(stripStar(value)))) return value
  place.refuseValue(value, 'a policy kind, or a prefix ending in `*`')
  return ''
}

const readCeiling: Read<EffectCeiling> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    read: fields.readRequired('read', readFlag),
    write: fields.readRequired('write', readFlag),
    external: fields.readRequired('external', readFlag),
    irreversible: fields.readRequired('irreversible', readFlag),
  }
  fields.end()
  return read
}

const readBudget: Read<Budget> = (value, place) => {
  const amounts: Record<string, string> = Object.create(null)
  const fields = new Fields(value, place)
  for (const measure of fields.listUntaken()) {
    if (isName(measure, place))
      amounts[measure] = fields.readRequired(measure, createAmountReader(measure))
  }
  return amounts
}

function createAmountReader(measure: string): Read<string> {
  return (value, place) => {
    if (typeof value === 'string' && toBudgetUnits(measure, value) !== undefined) return value
    place.refuseValue(value, 'decimal text of at least 0, no finer than the measure is counted')
    return '0'
  }
}

/** An empty window is sound: it authorises nothing. */
const readWindow: Read<WritBody['window']> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    not_before: fields.readRequired('not_before', readExactInstant),
    expires_at: fields.readRequired('expires_at', readExactInstant),
  }
  fields.end()
  // What cannot be read is empty text, and nothing is before that.
  if (read.expires_at !== '' && read.expires_at < read.not_before)
    place.refuse('ends before it begins')
  return read
}

const readExactInstant: Read<string> = (value, place) => {
  if (typeof value === 'string' && isExactInstant(value)) return value
  place.refuseValue(value, 'a UTC time with milliseconds like `2026-02-01T09:30:00.000Z`')
  return ''
}

const readDelegation: Read<WritBody['delegation']> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    max_depth: fields.readRequired('max_depth', count(0)),
    may_delegate: fields.readRequired('may_delegate', readFlag),
  }
  fields.end()
  if (read.max_depth > LIMITS.delegationDepth) {
    place.stepInto('max_depth').refuse(`is above ${LIMITS.delegationDepth}`)
  }
  return read
}

const knownScopes = createRememberingReader(listOf(readScope, LIMITS.writScopes))
const knownCeiling = createRememberingReader(readCeiling)
const knownBudget = createRememberingReader(readBudget)
const knownDelegation = createRememberingReader(readDelegation)
