/** Reads executors of manifests: what leaves the process is literal, but for parameters in their own places. */
import { isIdentifier } from '../canonical/identifier.ts'
import { isObject, type JsonValue } from '../canonical/json-value.ts'
import { createChoiceReader } from '../contract/read-scalar.ts'
import { Fields, type Place, type Read } from '../contract/reader.ts'
import { readJsonTemplate } from '../expression/json-template.ts'
import { parsePlace } from '../expression/read-at.ts'
import { type Named, readExpression } from '../expression/read-expression.ts'
import { LIMITS } from '../limits.ts'
import { isConcretePointer } from '../proposal/pointer.ts'
import { hasOnly, isPrintable, TOKEN_CHARACTERS, toAsciiLower } from './plain-text.ts'
import { findProgramProblem } from './program-problem.ts'
import { checkBounds } from './read-bounds.ts'
import { checkMcp, checkMcpRead } from './read-mcp-executor.ts'
import { isSecretFormat, PLACE_OF_SECRET } from './secret-format.ts'
import { parseUrl } from './url-problem.ts'
import { findVariableProblem } from './variable-problem.ts'

/** An executor reads parameters and nothing else. */
const PARAMETERS = {}

const KINDS = ['http', 'command', 'mcp', 'mcp_read', 'world'] as const

export function checkExecutor(value: JsonValue | undefined, place: Place, named: Named): void {
  const [kind, second] = KINDS.filter((one) => isObject(value) && Object.hasOwn(value, one))
  if (!isObject(value) || kind === undefined || second !== undefined) {
    place.refuseValue(value, `an object with one of ${KINDS.join(', ')}`)
    return
  }
  for (const name of Object.keys(value))
    if (name !== kind) place.stepInto(name).refuse('is not a known field')
  const at = place.stepInto(kind)
  if (kind === 'http') checkHttp(value.http, at, named)
  else if (kind === 'command') checkCommand(value.command, at, named)
  else if (kind === 'mcp') checkMcp(value.mcp, at)
  else if (kind === 'mcp_read') checkMcpRead(value.mcp_read, at)
  else if (value.world !== true) at.refuseValue(value.world, '`true`')
}

const method = createChoiceReader('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE')

function checkHttp(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  const how = fields.readRequired('method', method)
  fields.readRequired('url', (url, at) => checkUrl(url, at, named))
  fields.readDefaulted('query', createQueryReader(named), undefined)
  fields.readDefaulted('headers', checkHeaders, undefined)
  if (fields.has('body') && (how === 'GET' || how === 'HEAD'))
    place.stepInto('body').refuse(`does not belong to a ${how} request`)
  fields.readDefaulted('body', createTemplateReader(named), undefined)
  fields.readDefaulted('idempotency_header', checkHeaderName, undefined)
  if (fields.has('if_match') && (how === 'GET' || how === 'HEAD'))
    place.stepInto('if_match').refuse(`does not belong to a ${how} request`)
  fields.readDefaulted('if_match', createConditionReader(named), undefined)
  checkStatuses(fields, place, 200, 599)
  fields.readDefaulted('result', checkResultPlace, undefined)
  checkBounds(fields)
  fields.end()
  checkCarrier(value, place)
}

function checkCommand(value: JsonValue | undefined, place: Place, named: Named): void {
  const fields = new Fields(value, place)
  fields.readRequired('argv', (argv, at) => checkArguments(argv, at, named))
  fields.readDefaulted('stdin', createTemplateReader(named), undefined)
  fields.readDefaulted('env', checkVariables, undefined)
  fields.readDefaulted('idempotency_env', checkVariableName, undefined)
  checkStatuses(fields, place, 0, 255)
  checkBounds(fields)
  fields.end()
}

function createTemplateReader(named: Named): Read<void> {
  return (value, place) => {
    if (value !== undefined) readJsonTemplate(value, place, PARAMETERS, named)
  }
}

function createConditionReader(named: Named): Read<void> {
  return (value, place) => {
    if (value !== undefined) readExpression(value, place, PARAMETERS, named)
  }
}

function checkUrl(value: JsonValue | undefined, place: Place, named: Named): void {
  if (typeof value !== 'string' || value.length > LIMITS.manifestTextLength) {
    place.refuseValue(value, 'an address')
    return
  }
  const url = parseUrl(value)
  if (!url.ok) place.refuse(url.error)
  else for (const pointer of url.value) named.pointers.add(pointer)
}

function createQueryReader(named: Named): Read<void> {
  return (value, place) => {
    for (const [name, one] of listMembers(value, place)) {
      const at = place.stepInto(name)
      if (name === '' || !isPrintable(name)) at.refuse('is no name in a query')
      readExpression(one, at, PARAMETERS, named)
    }
  }
}

/** They say where a request goes, where it ends, how it is read, or who is in between. */
const RESERVED_HEADERS: readonly string[] = [
  ...['accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type'],
  ...['expect', 'host', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'via'],
  // Servers take them for another method, host or path than those that the operator allowed.
  ...['forwarded', 'x-host', 'x-method-override', 'x-real-ip'],
]
const RESERVED_PREFIXES: readonly string[] = [
  ...['proxy-', 'sec-', 'x-forwarded-', 'x-original-', 'x-rewrite-'],
  ...['x-http-method', 'x-http-host'],
]

const checkHeaderName: Read<void> = (value, place) => {
  const problem = typeof value === 'string' ? findHeaderProblem(value) : 'is no name of a header'
  if (problem !== undefined) place.refuse(problem)
}

function findHeaderProblem(name: string): string | undefined {
  if (name === '' || name.length > LIMITS.identifierLength || !hasOnly(name, TOKEN_CHARACTERS))
    return 'is no name of a header'
  const lower = toAsciiLower(name)
  const isReserved =
    RESERVED_HEADERS.includes(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))
  return isReserved ? 'is not for a tool to say' : undefined
}

function checkHeaders(value: JsonValue | undefined, place: Place): void {
  const seen = new Set<string>()
  for (const [name, one] of listMembers(value, place)) {
    const at = place.stepInto(name)
    checkHeaderName(name, at)
    if (seen.has(toAsciiLower(name))) at.refuse('stands here twice')
    seen.add(toAsciiLower(name))
    checkTextOrSecret(one, at)
  }
}

/** The key goes in one header, the condition in another, and nothing else does. */
function checkCarrier(value: JsonValue | undefined, place: Place): void {
  if (!isObject(value)) return
  const { idempotency_header: carrier, headers } = value
  const named = isObject(headers) ? Object.keys(headers).map(toAsciiLower) : []
  if (typeof carrier === 'string' && named.includes(toAsciiLower(carrier)))
    place.stepInto('idempotency_header').refuse('stands among `headers` too')
  if (!Object.hasOwn(value, 'if_match')) return
  const lower = typeof carrier === 'string' ? toAsciiLower(carrier) : ''
  if ([...named, lower].includes('if-match'))
    place.stepInto('if_match').refuse('stands among the headers too')
}

function checkArguments(value: JsonValue | undefined, place: Place, named: Named): void {
  if (!Array.isArray(value) || value.length === 0 || value.length > LIMITS.manifestList) {
    place.refuseValue(value, `a list of 1 to ${LIMITS.manifestList} arguments`)
    return
  }
  const [program, ...others] = value as readonly JsonValue[]
  const problem =
    typeof program === 'string' && isPrintable(program)
      ? findProgramProblem(program, others)
      : 'must be a text: the program is literal'
  if (problem !== undefined) place.stepInto(0).refuse(problem)
  for (const [index, one] of others.entries()) checkArgument(one, place.stepInto(index + 1), named)
}

function checkArgument(value: JsonValue, place: Place, named: Named): void {
  if (typeof value === 'string') {
    if (value.length > LIMITS.manifestTextLength || value.includes('\0') || !value.isWellFormed())
      place.refuse('is no text that an argument can hold')
    return
  }
  const fields = new Fields(value, place)
  fields.readRequired('param', (pointer, at) => {
    if (typeof pointer === 'string' && isConcretePointer(pointer)) named.pointers.add(pointer)
    else at.refuseValue(pointer, 'a JSON pointer to one parameter, without `*`')
  })
  fields.end()
}

const checkVariableName: Read<void> = (value, place) => {
  const problem = findVariableProblem(value)
  if (problem !== undefined) place.refuse(problem)
}

function checkVariables(value: JsonValue | undefined, place: Place): void {
  for (const [name, one] of listMembers(value, place)) {
    const at = place.stepInto(name)
    checkVariableName(name, at)
    checkTextOrSecret(one, at)
  }
}

function checkTextOrSecret(value: JsonValue, place: Place): void {
  if (typeof value === 'string') {
    checkLiteral(value, place)
    return
  }
  const fields = new Fields(value, place)
  fields.readRequired('secret', (name, at) => {
    if (typeof name !== 'string' || !isIdentifier(name))
      at.refuseValue(name, 'the name of a secret')
  })
  fields.readDefaulted(
    'format',
    (format, at) => {
      if (typeof format !== 'string' || !isSecretFormat(format))
        at.refuseValue(format, 'a text in which `{secret}` stands once')
      else checkLiteral(format.split(PLACE_OF_SECRET).join(''), at)
    },
    undefined,
  )
  fields.end()
}

/** A line end would begin another header, or another request. */
function checkLiteral(text: string, place: Place): void {
  if (text.length > LIMITS.manifestTextLength || !isPrintable(text))
    place.refuse('has characters other than printable ASCII, or too many')
  else if (text.includes('{/') || text.includes(PLACE_OF_SECRET))
    place.refuse('is literal: neither parameters nor secrets stand in it')
}

/** Each status means one thing; what is not listed is UNKNOWN. */
function checkStatuses(fields: Fields, place: Place, least: number, most: number): void {
  const read: Read<readonly number[]> = (value, at) => readStatuses(value, at, least, most)
  const applied = fields.readRequired('applied', read)
  const notApplied = fields.readDefaulted('not_applied', read, [])
  const transient = fields.readDefaulted('transient', read, [])
  if (fields.hasList('applied') && applied.length === 0)
    place.stepInto('applied').refuse('must name one at least')
  const twice = notApplied.find((status) => applied.includes(status))
  if (twice !== undefined)
    place.stepInto('not_applied').refuse(`has \`${twice}\`, which stands in \`applied\` too`)
  const stray = transient.find((status) => !notApplied.includes(status))
  if (stray !== undefined)
    place.stepInto('transient').refuse(`has \`${stray}\`, which is not in \`not_applied\``)
}

function readStatuses(
  value: JsonValue | undefined,
  place: Place,
  least: number,
  most: number,
): readonly number[] {
  const list: readonly JsonValue[] = Array.isArray(value) ? value : []
  const statuses = list.filter(
    (one): one is number =>
      typeof one === 'number' && Number.isInteger(one) && one >= least && one <= most,
  )
  const isSound = Array.isArray(value) && statuses.length === list.length
  if (!isSound || new Set(statuses).size < statuses.length)
    place.refuseValue(value, `a list of distinct whole numbers from ${least} to ${most}`)
  return statuses
}

const checkResultPlace: Read<void> = (value, place) => {
  const names = typeof value === 'string' ? parsePlace(value) : undefined
  if (names === undefined || names.includes('*')) place.refuseValue(value, 'a JSON pointer')
}

export function listMembers(
  value: JsonValue | undefined,
  place: Place,
): readonly (readonly [string, JsonValue])[] {
  if (!isObject(value)) {
    place.refuseValue(value, 'a map')
    return []
  }
  const members = Object.entries(value)
  if (members.length > LIMITS.manifestList) place.refuse(`has more than ${LIMITS.manifestList}`)
  return members
}
