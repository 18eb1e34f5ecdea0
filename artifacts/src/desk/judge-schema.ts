/**
 * Judges the value of a config artifact by JSON Schema 2020-12. Patterns run in an engine that takes linear time, as those of capabilities
 * do. A schema takes as long as it takes: that is what the deadline of the desk is for.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { RE2JS } from 're2js'
import { type JsonObject, shorten, toCanonicalText } from 'rubicon-kernel'
import type { JudgeValue } from '../delta/check-schema.ts'

const LONGEST_DETAIL = 512
const SCHEMAS_KEPT = 64

const linearRegex = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    // Ajv keeps one object per text of the expression, so it must print as what it is.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => pattern }
  },
  { code: 'linearRegex' },
)

const compiled = new Map<string, ValidateFunction>()

/** A text: why it is no schema. */
export function judgeBySchema(schema: JsonObject): JudgeValue | string {
  try {
    const validate = compileOnce(schema)
    return (value) => {
      if (validate(value)) return []
      return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
        path: shorten(instancePath === '' ? '/' : instancePath, LONGEST_DETAIL),
        detail: shorten(describe(message, params), LONGEST_DETAIL),
      }))
    }
  } catch (cause) {
    return shorten(cause instanceof Error ? cause.message : String(cause), LONGEST_DETAIL)
  }
}

function compileOnce(schema: JsonObject): ValidateFunction {
  const text = toCanonicalText(schema)
  const known = compiled.get(text)
  if (known !== undefined) return known
  // One for each: another artifact may use the same `$id` for another schema.
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    ownProperties: true,
    code: { regExp: linearRegex },
  })
  const validate = ajv.compile(JSON.parse(text))
  const [oldest] = compiled.keys()
  if (compiled.size >= SCHEMAS_KEPT && oldest !== undefined) compiled.delete(oldest)
  compiled.set(text, validate)
  return validate
}

function describe(message: string | undefined, params: Readonly<Record<string, unknown>>): string {
  const { additionalProperty, allowedValues } = params
  if (typeof additionalProperty === 'string') return `must not have \`${additionalProperty}\``
  if (Array.isArray(allowedValues)) return `must be one of ${JSON.stringify(allowedValues)}`
  return message ?? 'does not fit'
}
