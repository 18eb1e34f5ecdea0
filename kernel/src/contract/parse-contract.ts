/**
 * Turns a contract document, in the full form or in the flat one, into the form that is stored.
 *
 * Everything wrong with it is reported at once. Nothing unknown passes: a rule that this version
 * does not understand is a rule that it would not enforce.
 */
import { isObject, type JsonObject, type JsonValue } from '../canonical/json-value.ts'
import { parseInstant } from '../canonical/time.ts'
import { thresholdMonitor } from '../monitor/threshold-name.ts'
import { isReasonCode } from '../reason.ts'
import { err, ok, type Result } from '../result.ts'
import type { AuthorityLevel, Contract, DomainReason, Role } from './contract.ts'
import { checkMeant } from './meant-kinds.ts'
import { isLimitCode } from './parse-limit.ts'
import { permissionsReader } from './parse-permissions.ts'
import { jitVerification, safetyRules } from './parse-safety.ts'
import { checkRequired, workingContextReader } from './parse-working-context.ts'
import { distinct, listOf, mapOf } from './read-list.ts'
import {
  choice,
  count,
  decimal,
  freeText,
  identifier,
  instant,
  personName,
  version,
} from './read-scalar.ts'
import { type DocumentProblem, Fields, Place, type Read, shown } from './reader.ts'

export type ContractProblem = DocumentProblem

const DEFAULT_PRIORITY = 50

export function parseContract(document: JsonValue): Result<Contract, readonly ContractProblem[]> {
  const problems: ContractProblem[] = []
  const place = new Place(problems)
  const contract = readContract(document, place)
  checkNames(contract, place)
  checkRequired(contract, place.at('working_context'))
  checkEnvelope(contract, place.at('jit_verification').at('drift_envelope'))
  return problems.length === 0 ? ok(contract) : err(problems)
}

function readContract(document: JsonValue, place: Place): Contract {
  const fields = new Fields(document, place)
  const reason_codes = fields.defaulted('reason_codes', domainReasons, {})
  const contract: Contract = {
    ...readHead(fields),
    ...readWindow(fields, place),
    ...fields.nullable('instance_of', identifier, (instance_of) => ({ instance_of })),
    ...fields.nullable('parent_agent', identifier, (parent_agent) => ({ parent_agent })),
    priority: fields.defaulted('priority', count(0), DEFAULT_PRIORITY),
    mission: fields.required('mission', freeText),
    permissions: fields.required('permissions', permissionsReader(codesOf(document))),
    safety_rules: fields.defaulted('safety_rules', safetyRules, safetyRules({}, place)),
    jit_verification: fields.defaulted('jit_verification', jitVerification, { drift_envelope: {} }),
    aggregate_thresholds: fields.defaulted('aggregate_thresholds', thresholds, {}),
    ...fields.nullable('host', host, (read) => ({ host: read })),
    ...fields.nullable('context_schema', freeText, (context_schema) => ({ context_schema })),
    ...fields.optional('working_context', workingContextReader, (working_context) => ({
      working_context,
    })),
    compensation: fields.defaulted('compensation', distinct(identifier), []),
    reason_codes,
  }
  fields.end()
  return contract
}

type Head = Pick<
  Contract,
  'api_version' | 'kind' | 'agent_id' | 'version' | 'owner' | 'role' | 'authority'
>

const role: Read<Role> = choice('EXECUTOR', 'STRATEGIST', 'MONITOR')
const authority: Read<AuthorityLevel> = choice(
  'OBSERVE',
  'PROPOSE',
  'EXECUTE_LIMITED',
  'EXECUTE_FULL',
)

/** The flat form names no version of ours and no authority: it means EXECUTE_LIMITED. */
function readHead(fields: Fields): Head {
  const flat = !fields.has('api_version') && !fields.has('kind')
  const api_version: Read<'rubicon/v1'> = choice('rubicon/v1')
  const kind: Read<'ResponsibilityContract'> = choice('ResponsibilityContract')
  return {
    api_version: flat ? 'rubicon/v1' : fields.required('api_version', api_version),
    kind: flat ? 'ResponsibilityContract' : fields.required('kind', kind),
    agent_id: fields.required('agent_id', identifier),
    version: fields.required('version', version),
    owner: fields.required('owner', personName),
    role: flat ? fields.defaulted('role', role, 'EXECUTOR') : fields.required('role', role),
    authority: flat
      ? fields.defaulted('authority', authority, 'EXECUTE_LIMITED')
      : fields.required('authority', authority),
  }
}

function readWindow(
  fields: Fields,
  place: Place,
): Pick<Contract, 'effective_from' | 'effective_until'> {
  const window = {
    effective_from: fields.required('effective_from', instant),
    ...fields.nullable('effective_until', instant, (effective_until) => ({ effective_until })),
  }
  const from = parseInstant(window.effective_from)
  const until = parseInstant(window.effective_until ?? '')
  if (from !== undefined && until !== undefined && until <= from) {
    place.at('effective_until').refuse('is not after `effective_from`')
  }
  return window
}

const host: Read<JsonObject> = (value, place) => {
  const fields = new Fields(value, place)
  const read = {
    ...fields.optional('network', listOf(freeText), (network) => ({ network })),
    ...fields.optional('memory_mb', count(1), (memory_mb) => ({ memory_mb })),
  }
  fields.end()
  return read
}

/** A threshold that no monitor enforces would be a promise that nobody keeps. */
const thresholds: Read<Readonly<Record<string, string>>> = (value, place) => {
  const bounds = mapOf(decimal)(value, place)
  for (const [name, bound] of Object.entries(bounds)) {
    if (thresholdMonitor('agent', name, bound) === undefined)
      place.at(name).refuse('is no readable threshold: see `max_average_MEASURE_30d` and others')
  }
  return bounds
}

/** Also the names of entries that are wrong, so that one mistake is reported once. */
function codesOf(document: JsonValue): ReadonlySet<string> {
  const codes = isObject(document) ? document.reason_codes : undefined
  return new Set(isObject(codes) ? Object.keys(codes) : [])
}

/** A domain code is another word for a kernel code, never another meaning for one. */
const domainReasons: Read<Readonly<Record<string, DomainReason>>> = (value, place) => {
  const reasons = mapOf(domainReason)(value, place)
  for (const code of Object.keys(reasons)) {
    if (isReasonCode(code)) place.at(code).refuse(`${shown(code)} is a code of the kernel`)
  }
  return reasons
}

const domainReason: Read<DomainReason> = (value, place) => {
  const fields = new Fields(value, place)
  const reason = {
    kernel: fields.required('kernel', kernelCode),
    summary: fields.required('summary', freeText),
    ...fields.optional('fix', freeText, (fix) => ({ fix })),
  }
  fields.end()
  return reason
}

const kernelCode: Read<string> = (value, place) => {
  if (typeof value === 'string' && isLimitCode(value)) return value
  place.refuseValue(value, 'a kernel code of a limit or a policy')
  return ''
}

function checkEnvelope({ permissions, jit_verification }: Contract, place: Place): void {
  for (const [name, entry] of Object.entries(jit_verification.drift_envelope))
    if (typeof entry !== 'string')
      checkMeant(entry.applies_to, permissions.policy_kinds, place.at(name))
}

/** An agent that answers for itself, or is made from itself, answers to nobody. */
function checkNames(contract: Contract, place: Place): void {
  if (contract.agent_id === '') return
  for (const name of ['parent_agent', 'instance_of'] as const) {
    if (contract[name] === contract.agent_id) place.at(name).refuse('is the agent itself')
  }
}
