/** What an agent asks a model, read as strictly as anything that it says. */
import {
  checkMessage,
  err,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
  ok,
  type Result,
} from 'rubicon-kernel'
import type { ModelRequest } from '../../ports/model.ts'

/** What a model is asked for a flow. */
export type GenerationRequest = ModelRequest & {
  /** One of those that the runtime was given; left out where there is one. */
  readonly provider?: string
  /**
   * The answer is a proposal of one of these kinds, inside of what the contract of the agent leaves; in place of
   * `output` and `tools`.
   */
  readonly decode?: { readonly kinds: readonly string[] }
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/
const CHOICES: readonly JsonValue[] = ['auto', 'required', 'none']
const STOPS = 8

type Check = (value: JsonValue) => boolean

const isText: Check = (value) => typeof value === 'string'
const isShort: Check = (value) =>
  typeof value === 'string' && value !== '' && value.length <= LIMITS.modelNameLength
const isName: Check = (value) => typeof value === 'string' && NAME.test(value)
const isFlag: Check = (value) => typeof value === 'boolean'

export function parseModelRequest(value: unknown): Result<GenerationRequest, Failure> {
  const read = checkMessage(value)
  if (!read.ok) return err({ code: read.error.code, summary: read.error.detail })
  const problem = findProblem(read.value, REQUEST, OPTIONAL) ?? findClash(read.value)
  return problem === null
    ? ok(read.value as unknown as GenerationRequest)
    : err({
        code: 'SCHEMA_INVALID',
        summary: `the request to the model is not valid: ${problem}`,
        fix: 'see docs/guides/with-an-llm.md',
      })
}

/** A document has one form, and whoever calls tools writes none. */
function findClash(value: JsonValue): string | null {
  if (!isObject(value) || value.decode === undefined) return null
  const other = ['output', 'tools', 'tool_choice'].find((name) => Object.hasOwn(value, name))
  return other === undefined ? null : `\`decode\` stands in place of \`${other}\``
}

type Checks = Readonly<Record<string, Check>>

const isCall: Check = (value) =>
  findProblem(value, { id: isShort, name: isShort, arguments: isText }, { signature: isText }) ===
  null

const isMessage: Check = (value) => {
  if (!isObject(value)) return false
  const { role } = value
  const is = (word: string): Checks => ({ role: (one) => one === word, text: isText })
  if (role === 'user') return findProblem(value, is('user'), {}) === null
  if (role === 'assistant')
    return (
      findProblem(value, is('assistant'), { calls: listUpTo(LIMITS.modelCalls, isCall) }) === null
    )
  const result = { ...is('tool'), call_id: isShort, name: isShort }
  return findProblem(value, result, { failed: isFlag }) === null
}

const isTool: Check = (value) =>
  findProblem(value, { name: isName, description: isText, params: isObject }, {}) === null

const REQUEST: Checks = {
  model: isShort,
  messages: listUpTo(LIMITS.modelMessages, isMessage),
  max_tokens: (value) =>
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= 1 &&
    value <= LIMITS.modelTokens,
}

const OPTIONAL: Checks = {
  provider: isShort,
  system: isText,
  tools: listUpTo(LIMITS.modelTools, isTool),
  tool_choice: (value) => CHOICES.includes(value),
  output: (value) => findProblem(value, { name: isName, schema: isObject }, {}) === null,
  decode: (value) =>
    findProblem(value, { kinds: listUpTo(LIMITS.modelTools, isShort) }, {}) === null,
  temperature: (value) => typeof value === 'number' && value >= 0 && value <= 2,
  seed: (value) => Number.isSafeInteger(value),
  stop: listUpTo(STOPS, isShort),
}

function listUpTo(most: number, check: Check): Check {
  return (value) => Array.isArray(value) && value.length <= most && value.every((one) => check(one))
}

function findProblem(value: JsonValue, required: Checks, optional: Checks): string | null {
  if (!isObject(value)) return 'it is no object'
  const checks = new Map(Object.entries({ ...required, ...optional }))
  const missing = Object.keys(required).find((name) => !Object.hasOwn(value, name))
  if (missing !== undefined) return `\`${missing}\` is missing`
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const check = checks.get(name)
    if (check === undefined) return 'it has a member that it must not have'
    if (!check(member)) return `\`${name}\` is not valid`
  }
  return null
}
