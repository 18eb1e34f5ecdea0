/**
 * A form from the parameters' JSON Schema. What a field cannot say (a list, an object, a choice of
 * forms) is written as JSON; the schema itself is held against it by the runtime, like everything else.
 */
export type Field = {
  readonly name: string
  readonly kind: 'text' | 'number' | 'flag' | 'choice' | 'json'
  readonly required: boolean
  readonly choices: readonly string[]
  readonly hint: string
}

type Schema = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, unknown>>

/** Those of the schema first, then what the agent sent beyond it. */
export function toFields(schema: Schema | null, params: Params): readonly Field[] {
  const properties = parseObject(schema?.properties)
  const required = Array.isArray(schema?.required) ? schema.required : []
  const names = [...new Set([...Object.keys(properties), ...Object.keys(params)])]
  return names.map((name) => {
    const own = parseObject(properties[name])
    const choices = listChoices(own)
    return {
      name,
      kind: toFieldKind(own, choices, params[name]),
      required: required.includes(name),
      choices,
      hint: formatHint(own),
    }
  })
}

function toFieldKind(schema: Schema, choices: readonly string[], value: unknown): Field['kind'] {
  if (choices.length > 0) return 'choice'
  const { type = value === undefined ? undefined : typeof value } = schema
  if (type === 'string') return 'text'
  if (type === 'number' || type === 'integer') return 'number'
  return type === 'boolean' ? 'flag' : 'json'
}

function listChoices({ enum: values }: Schema): readonly string[] {
  if (!Array.isArray(values)) return []
  const texts = values.filter((value) => typeof value === 'string')
  return texts.length === values.length ? texts : []
}

/** Keyword of JSON Schema → words; `$` is its value. */
const HINTS: Readonly<Record<string, string>> = {
  pattern: 'pattern $',
  minimum: 'at least $',
  maximum: 'at most $',
  minLength: 'at least $ characters',
  maxLength: 'at most $ characters',
  format: 'format $',
}

function formatHint(schema: Schema): string {
  const { description } = schema
  const limits = Object.entries(HINTS).flatMap(([name, words]) =>
    schema[name] === undefined ? [] : [words.replace('$', () => String(schema[name]))],
  )
  return [...(typeof description === 'string' ? [description] : []), ...limits].join(', ')
}

/** As texts, for fields to hold. */
export function toFieldTexts(
  fields: readonly Field[],
  params: Params,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    fields.map((field) => [field.name, toFieldText(field, params[field.name])]),
  )
}

function toFieldText({ kind }: Field, value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string' && kind !== 'json') return value
  return JSON.stringify(value)
}

export type Filled =
  | { readonly ok: true; readonly params: Params }
  | { readonly ok: false; readonly field: string; readonly problem: string }

/** From texts back to parameters; a field that is left empty is left out. */
export function parseParams(
  fields: readonly Field[],
  texts: Readonly<Record<string, string>>,
): Filled {
  const params: Record<string, unknown> = {}
  for (const field of fields) {
    const text = texts[field.name] ?? ''
    const isText = field.kind === 'text' || field.kind === 'choice'
    if (text === '' && field.required && !isText)
      return { ok: false, field: field.name, problem: 'is required' }
    if (text === '' && !field.required) continue
    const value = isText ? text : parseValue(field.kind, text)
    if (value === undefined)
      return { ok: false, field: field.name, problem: `is not ${WANTS[field.kind]}` }
    params[field.name] = value
  }
  return { ok: true, params }
}

const WANTS: Readonly<Record<Field['kind'], string>> = {
  text: 'text',
  number: 'a number',
  flag: 'true or false',
  choice: 'one of the choices',
  json: 'JSON',
}

/** Undefined: it is none. */
function parseValue(kind: Field['kind'], text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'number' && typeof value !== 'number') return undefined
    return kind === 'flag' && typeof value !== 'boolean' ? undefined : value
  } catch {
    return undefined
  }
}

function parseObject(value: unknown): Schema {
  return typeof value === 'object' && value !== null ? (value as Schema) : {}
}
