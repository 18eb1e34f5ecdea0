/**
 * Turns a contract document, in the full form or in the flat one, into the form that is stored.
 *
 * Everything wrong with it is reported at once. Nothing unknown passes: a rule that this version
 * does not understand is a rule that it would not enforce.
 */

import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import { buildThresholdMonitor } from '../monitor/threshold-name.ts'
import { isReasonCode } from '../reason.ts'
import { err, ok, type Result } from '../result.ts'
import type { AuthorityLevel, Contract, DomainReason, Role } from './contract.ts'
import { checkMeant } from './meant-kinds.ts'
import { isLimitCode } from './parse-limit.ts'
import { createPermissionsReader } from './parse-permissions.ts'
import { readJitVerification, readSafetyRules } from './parse-safety.ts'
import { checkRequired, readWorkingContext } from './parse-working-context.ts'
import { DEFAULT_PRIORITY } from './priority.ts'
import { createDistinctListReader, createMapReader, listOf } from './read-list.ts'
import {
  count,
  createChoiceReader,
  freeText,
  readDecimal,
  readIdentifier,
  readInstant,
  readPersonName,
  readVersion,
} from './read-scalar.ts'
import { type DocumentProblem, describeValue, Fields, Place, type Read } from './reader.ts'

export type ContractProblem = DocumentProblem

/** Reads a contract in either form; every problem is named with its place. */
export function parseContract(document: JsonValue): Result<Contract, readonly ContractProblem[]> {
  const problems: ContractProblem[] = []
  const place = new Place(problems)
  const contract = readContract(document, place)
  checkNames(contract, place)
  checkRequired(contract, place.stepInto('working_context'))
  checkEnvelope(contract, place.stepInto('jit_verification').stepInto('drift_envelope'))
  return problems.length === 0 ? ok(contract) : err(problems)
}

function readContract(document: JsonValue, place: Place): Contract {
  const fields = new Fields(document, place)
  const reason_codes = fields.readDefaulted('reason_codes', readDomainReasons, {})
  const contract: Contract = {
    ...readHead(fields),
    ...readWindow(fields, place),
    ...fields.readNullable('instance_of', readIdentifier, (instance_of) => ({ instance_of })),
    ...fields.readNullable('parent_agent', readIdentifier, (parent_agent) => ({ parent_agent })),
    priority: fields.readDefaulted('priority', count(0), DEFAULT_PRIORITY),
    mission: fields.readRequired('mission', freeText),
    permissions: fields.readRequired(
      'permissions',
      createPermissionsReader(listDomainCodes(document)),
    ),
    safety_rules: fields.readDefaulted('safety_rules', readSafetyRules, readSafetyRules({}, place)),
    jit_verification: fields.readDefaulted('jit_verification', readJitVerification, {
      drift_envelope: {},
    }),
    aggregate_thresholds: fields.readDefaulted('aggregate_thresholds', readAggregateThresholds, {}),
    ...fields.readNullable('host', readHost, (read) => ({ host: read })),
    ...fields.readNullable('context_schema', freeText, (context_schema) => ({ context_schema })),
    ...fields.readOptional('working_context', readWorkingContext, (working_context) => ({
      working_context,
    })),
    compensation: fields.readDefaulted(
      'compensation',
      createDistinctListReader(readIdentifier),
      [],
    ),
    reason_codes,
  }
  fields.end()
  return contract
}

type Head = Pick<
  Contract,
  'api_version' | 'kind' | 'agent_id' | 'version' | 'owner' | 'role' | 'authority'
>

const role: Read<Role> = createChoiceReader('EXECUTOR', 'STRATEGIST', 'MONITOR')
const authority: Read<AuthorityLevel> = createChoiceReader(
  'OBSERVE',
  'PROPOSE',
  'EXECUTE_LIMITED',
  'EXECUTE_FULL',
)

/** The flat form names no version of ours and no authority: it means EXECUTE_LIMITED. */
function readHead(fields: Fields): Head {
  const flat = !fields.has('api_version') && !fields.has('kind')
  const api_version: Read<'rubicon/v1'> = createChoiceReader('rubicon/v1')
  const kind: Read<'ResponsibilityContract'> = createChoiceReader('ResponsibilityContract')
  return {
    api_version: flat ? 'rubicon/v1' : fields.readRequired('api_version', api_version),
    kind: flat ? 'ResponsibilityContract' : fields.readRequired('kind', kind),
    agent_id: fields.readRequired('agent_id', readIdentifier),
    version: fields.readRequired('version', readVersion),
    owner: fields.readRequired('owner', readPersonName),
    role: flat ? fields.readDefaulted('role', role, 'EXECUTOR') : fields.readRequired('role', role),
    authority: flat
      ? fields.readDefaulted('authority', authority, 'EXECUTE_LIMITED')
      : fields.readRequired('authority', authority),
  }
}

function readWindow(
  fields: Fields,
  place: Place,
): Pick<Contract, 'effective_from' | 'effective_until'> {
  const window = {
    effective_from: fields.readRequired('effective_from', readInstant),
    ...fields.readNullable('effective_until', readInstant, (effective_until) => ({
      effective_until,
    })),
  }
  const from = parseInstant(window.effective_from)
  const until = parseInstant(window.effective_until ?? '')
  if (from !== undefined && until !== undefined && until <= from) {
    place.stepInto('effective_until').refuse('is not after `effective_from`')
  }
  return window
}

const readHost: Read<JsonObject> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    ...fields.readOptional('network', listOf(freeText), (network) => ({ network })),
    ...fields.readOptional('memory_mb', count(1), (memory_mb) => ({ memory_mb })),
  }
  fields.end()
  return read
}

/** A threshold that no monitor enforces would be a promise that nobody keeps. */
const readAggregateThresholds: Read<Readonly<Record<string, string>>> = (value, place) => {
  const bounds = createMapReader(readDecimal)(value, place)
  for (const [name, bound] of Object.entries(bounds)) {
    if (buildThresholdMonitor('agent', name, bound) === undefined)
      place
        .stepInto(name)
        .refuse('is no readable threshold: see `max_average_MEASURE_30d` and others')
  }
  return bounds
}

/** Also the names of entries that are wrong, so that one mistake is reported once. */
function listDomainCodes(document: JsonValue): ReadonlySet<string> {
  const codes = isObject(document) ? document.reason_codes : undefined
  return new Set(isObject(codes) ? Object.keys(codes) : [])
}

/** A domain code is another word for a kernel code, never another meaning for one. */
const readDomainReasons: Read<Readonly<Record<string, DomainReason>>> = (value, place) => {
  const reasons = createMapReader(readDomainReason)(value, place)
  for (const code of Object.keys(reasons)) {
    if (isReasonCode(code))
      place.stepInto(code).refuse(`${describeValue(code)} is a code of the kernel`)
  }
  return reasons
}

const readDomainReason: Read<DomainReason> = (value, place) => {
  const fields = new Fields(value, place)
  const reason = {
    kernel: fields.readRequired('kernel', readKernelCode),
    summary: fields.readRequired('summary', freeText),
    ...fields.readOptional('fix', freeText, (fix) => ({ fix })),
  }
  fields.end()
  return reason
}

const readKernelCode: Read<string> = (value, place) => {
  if (typeof value === 'string' && isLimitCode(value)) return value
  place.refuseValue(value, 'a kernel code of a limit or a policy')
  return ''
}

function checkEnvelope({ permissions, jit_verification }: Contract, place: Place): void {
  for (const [name, entry] of Object.entries(jit_verification.drift_envelope))
    if (typeof entry !== 'string') checkMeant(entry.applies_to, permissions, place.stepInto(name))
}

/** An agent that answers for itself, or is made from itself, answers to nobody. */
function checkNames(contract: Contract, place: Place): void {
  if (contract.agent_id === '') return
  for (const name of ['parent_agent', 'instance_of'] as const) {
    if (contract[name] === contract.agent_id) place.stepInto(name).refuse('is the agent itself')
  }
}
