/**
 * JSON Schema, enforced. Patterns run in a linear-time engine: a schema that a user wrote must not
 * be able to stop the runtime.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import type { ArgumentProblem, Failure, JsonObject, JsonValue, Result } from 'rubicon-kernel'
import { canonicalText, err, ok } from 'rubicon-kernel'

export const SCHEMA_ENGINE = 'ajv/8.20.0'
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
  allErrors: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  code: { regExp: linearRegex },
})
// It says what a log may show of a value, and nothing about the value.
ajv.addKeyword({ keyword: 'x-log', metaSchema: { const: 'plain' } })

export function compileSchema(given: JsonObject): Result<Validate, Failure> {
  const schema = canonical(given)
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
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
    path: instancePath === '' ? '/' : instancePath,
    detail: detailOf(message ?? 'does not fit', params),
  }))
}

function detailOf(message: string, params: Record<string, unknown>): string {
  const extra = params.additionalProperty
  return typeof extra === 'string' ? `${message}: \`${extra}\`` : message
}
