/**
 * JSON Schema, enforced. Patterns run in a linear-time engine: a schema that a user wrote must not
 * be able to stop the runtime.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { ArgumentProblem, Failure, JsonObject, JsonValue, Result } from 'rubicon-kernel'
import {
  err,
  isMultipleOf,
  isObject,
  LIMITS,
  ok,
  shorten,
  toCanonicalText,
  toDecimal,
} from 'rubicon-kernel'
import { Recent } from '../recent.ts'
import { findUnjudgedProblem } from './judged-schema.ts'
import { countPatternStates, stepCounter } from './schema-cost.ts'
import { SchemaReferences } from './schema-references.ts'

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

// By its text: comparing each with each takes a square of a length that an agent chooses.
ajv.removeKeyword('uniqueItems')
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  compile: (unique: boolean) => (items: readonly JsonValue[]) =>
    !unique || new Set(items.map(toCanonicalText)).size === items.length,
  error: { message: 'must NOT have duplicate items' },
})

function isMultiple(value: number, step: number): boolean {
  const [whole, part] = [toDecimal(value), toDecimal(step)]
  return whole !== undefined && part !== undefined && isMultipleOf(whole, part)
}

/** By canonical text: every tenant of a process registers the same ones, and to compile one takes milliseconds. */
const compiled = new Recent<Validate>(LIMITS.schemasKept)

export function compileSchema(given: JsonObject): Result<Validate, Failure> {
  if (!isObject(given)) return err(buildSchemaFailure(new Error('a schema is an object')))
  const text = toSchemaText(given)
  const known = text === null ? undefined : compiled.get(text)
  if (known !== undefined) return ok(known)
  // As it is recorded: which problem is found first follows the order of the members.
  const schema: JsonObject = text === null ? given : JSON.parse(text)
  const result = compileNew(schema)
  if (result.ok && text !== null) compiled.set(text, result.value)
  return result
}

function compileNew(schema: JsonObject): Result<Validate, Failure> {
  const unjudged = findUnjudgedProblem(schema)
  if (unjudged !== undefined) return err(buildSchemaFailure(new Error(unjudged)))
  try {
    const references = new SchemaReferences(schema)
    const size = findSizeProblem(references, schema)
    if (size !== undefined) return err(buildSchemaFailure(new Error(size)))
    const count = stepCounter(schema, references)
    const validate = ajv.compile(schema)
    return ok((value) =>
      count(value, LIMITS.schemaSteps) > LIMITS.schemaSteps
        ? TOO_COSTLY
        : findProblems(validate, value),
    )
  } catch (cause) {
    return err(buildSchemaFailure(cause))
  } finally {
    // Another capability may use the same `$id` for another schema.
    ajv.removeSchema(schema)
  }
}

const TOO_COSTLY: readonly ArgumentProblem[] = [
  { path: '/', detail: 'cannot be judged: too long, or too many values, for this schema' },
]

/** What takes long to compile, and whose cost could not be counted. */
function findSizeProblem(references: SchemaReferences, schema: JsonObject): string | undefined {
  if (references.size > LIMITS.schemaParts)
    return `it holds ${references.size} schemas, at most ${LIMITS.schemaParts}`
  const lost = references.findLostReference()
  if (lost !== undefined) return `\`$ref\` to \`${lost}\`, where no schema is`
  const states = countPatternStates(schema)
  if (states > LIMITS.schemaStates)
    return `its expressions have ${states} states, at most ${LIMITS.schemaStates}`
  return undefined
}

/** Null: it is no JSON. */
function toSchemaText(schema: JsonObject): string | null {
  try {
    return toCanonicalText(schema)
  } catch {
    return null
  }
}

function buildSchemaFailure(cause: unknown): Failure {
  const detail = cause instanceof Error ? cause.message : String(cause)
  const unsafe = cause instanceof Error && cause.name.startsWith('RE2')
  return {
    code: unsafe ? 'POLICY_REGEX_UNSAFE' : 'SCHEMA_REFUSED',
    summary: `the schema cannot be compiled: ${detail}`,
    fix: 'write JSON Schema 2020-12, with patterns that need no back-references or look-around',
  }
}

const PROBLEMS = 16

function findProblems(validate: ValidateFunction, value: JsonValue): readonly ArgumentProblem[] {
  try {
    if (validate(value) === true) return []
  } catch (cause) {
    // A schema that refers to itself without end: what cannot be judged does not fit.
    return [{ path: '/', detail: `cannot be judged: ${String(cause)}` }]
  }
  // Names of members are an agent's, and of alternatives each has its own problem.
  return (validate.errors ?? []).slice(0, PROBLEMS).map(({ instancePath, message, params }) => ({
    path: shorten(instancePath === '' ? '/' : instancePath, LIMITS.pointerLength),
    detail: shorten(formatDetail(message ?? 'does not fit', params), LIMITS.wordsLength),
  }))
}

function formatDetail(message: string, params: Record<string, unknown>): string {
  const extra = params.additionalProperty
  return typeof extra === 'string' ? `${message}: \`${extra}\`` : message
}
