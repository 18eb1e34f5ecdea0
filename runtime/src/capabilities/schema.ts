/**
 * JSON Schema, enforced. Patterns run in a linear-time engine: a schema that a user wrote must not
 * be able to stop the runtime.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { ArgumentProblem, Failure, JsonObject, JsonValue, Result } from 'rubicon-kernel'
import { canonicalText, decimalOf, err, isMultipleOf, isObject, ok } from 'rubicon-kernel'
import { unjudgedProblem } from './judged-schema.ts'

/** With our own `multipleOf`: what is judged otherwise is another engine. */
export const SCHEMA_ENGINE = 'ajv-decimal/8.20.0'
export const REGEX_ENGINE = 're2js/2.10.0'

const linearRegex = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    // Ajv keeps one object per text of the expression, so it must print as what it is.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern }
  },
  { code: 'linearRegex' },
)

export type Validate = (value: JsonValue) => readonly ArgumentProblem[]

/** One for all schemas: it compiles the schema of schemas once, which takes longer than the rest. */
const ajv = new Ajv2020({
  strict: true,
  // Of a text or nothing there is no other way to speak.
  allowUnionTypes: true,
  // A name that every object of JavaScript has is still absent.
  ownProperties: true,
  allErrors: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  code: { regExp: linearRegex },
})
// It says what a log may show of a value, and nothing about the value.
ajv.addKeyword({ keyword: 'x-log', metaSchema: { const: 'plain' } })
// As decimals are written: to a double 0.07 is no multiple of 0.01.
ajv.removeKeyword('multipleOf')
ajv.addKeyword({
  keyword: 'multipleOf',
  type: 'number',
  schemaType: 'number',
  compile: (step: number) => (value: number) => isMultiple(value, step),
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
})

function isMultiple(value: number, step: number): boolean {
  const [whole, part] = [decimalOf(value), decimalOf(step)]
  return whole !== undefined && part !== undefined && isMultipleOf(whole, part)
}

export function compileSchema(given: JsonObject): Result<Validate, Failure> {
  if (!isObject(given)) return err(refused(new Error('a schema is an object')))
  const schema = canonical(given)
  const unjudged = unjudgedProblem(schema)
  if (unjudged !== undefined) return err(refused(new Error(unjudged)))
  try {
    const validate = ajv.compile(schema)
    return ok((value) => problems(validate, value))
  } catch (cause) {
    return err(refused(cause))
  } finally {
    // Another capability may use the same `$id` for another schema.
    ajv.removeSchema(schema)
  }
}

/** As it is recorded: which problem is found first follows the order of the members. */
function canonical(schema: JsonObject): JsonObject {
  try {
    return JSON.parse(canonicalText(schema)) as JsonObject
  } catch {
    return schema
  }
}

function refused(cause: unknown): Failure {
  const detail = cause instanceof Error ? cause.message : String(cause)
  const unsafe = cause instanceof Error && cause.name.startsWith('RE2')
  return {
    code: unsafe ? 'POLICY_REGEX_UNSAFE' : 'SCHEMA_REFUSED',
    summary: `the schema cannot be compiled: ${detail}`,
    fix: 'write JSON Schema 2020-12, with patterns that need no back-references or look-around',
  }
}

function problems(validate: ValidateFunction, value: JsonValue): readonly ArgumentProblem[] {
  try {
    if (validate(value) === true) return []
  } catch (cause) {
    // A schema that refers to itself without end: what cannot be judged does not fit.
    return [{ path: '/', detail: `cannot be judged: ${String(cause)}` }]
  }
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    path: instancePath === '' ? '/' : instancePath,
    detail: detailOf(message ?? 'does not fit', params),
  }))
}

function detailOf(message: string, params: Record<string, unknown>): string {
  const extra = params.additionalProperty
  return typeof extra === 'string' ? `${message}: \`${extra}\`` : message
}
