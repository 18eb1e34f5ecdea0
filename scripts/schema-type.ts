/** A JSON Schema as a TypeScript type: what a reader may rely on. */
export type ApiSchema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ApiSchema
  readonly items?: ApiSchema
  readonly description?: string
}

export function formatType(schema: ApiSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return formatLiteral(schema.const)
  if (schema.enum !== undefined) return joinUnion(schema.enum.map(formatLiteral))
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joinUnion(choices.map(formatType))
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.length === 0
    ? 'unknown'
    : joinUnion(types.map((type) => formatPlainType(type, schema)))
}

function formatPlainType(type: string, schema: ApiSchema): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'array':
      return `readonly (${formatType(schema.items ?? {})})[]`
    case 'object':
      return formatObjectType(schema)
    default:
      return type
  }
}

function formatObjectType({ properties, required = [], additionalProperties }: ApiSchema): string {
  if (properties === undefined) {
    const values = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `Readonly<Record<string, ${formatType(values)}>>`
  }
  // An object that has no members, not any value at all.
  if (Object.keys(properties).length === 0) return 'Readonly<Record<string, never>>'
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name)
    return `${formatNote(schema)}readonly ${formatMemberName(name)}${isRequired ? '' : '?'}: ${formatType(schema)}`
  })
  return `{\n${members.join('\n')}\n}`
}

/** What the document says of it, as whoever reads the type sees it. */
export function formatNote({ description }: ApiSchema): string {
  return description === undefined ? '' : `/** ${description} */\n`
}

function formatMemberName(name: string): string {
  return /^[a-z_$][a-z0-9_$]*$/i.test(name) ? name : JSON.stringify(name)
}

function formatLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function joinUnion(choices: readonly string[]): string {
  return [...new Set(choices)].join(' | ')
}
