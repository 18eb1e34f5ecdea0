/** The page of routes, from the API document. */
import type { ApiDocument, ApiOperation } from './client-text.ts'
import { type ApiSchema, formatType } from './schema-type.ts'

type Routed = ApiOperation & { readonly method: string; readonly path: string }

export function renderRoutesPage({ paths, components }: ApiDocument): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  )
  const groups = Map.groupBy(routes, ({ path }) => toGroup(path))
  return [
    '# HTTP',
    '',
    'Every route, from the API document that the runtime serves as OpenAPI 3.1 at `/openapi.json`; written by',
    '`node scripts/docs-reference.ts`. Who may ask, what is refused and how to ask again is in the',
    '[specification of the server](../spec/http.md). Errors are `application/problem+json` with a `code`.',
    ...[...groups].flatMap(([group, members]) => [
      '',
      `## ${group}`,
      ...members.flatMap(renderRoute),
    ]),
    '',
    '## Types',
    '',
    'As TypeScript writes them.',
    ...Object.entries(components.schemas).flatMap(([name, schema]) => renderType(name, schema)),
    '',
  ].join('\n')
}

/** `/v1/flows/{dfid}` belongs to `flows`. */
function toGroup(path: string): string {
  const [first = '', second = ''] = path.slice(1).split('/')
  return first === 'v1' ? second : 'server'
}

function renderRoute(route: Routed): readonly string[] {
  const { method, path, operationId, summary, description, parameters, requestBody } = route
  const body = findSchema(requestBody?.content)
  const asked = parameters.filter((one) => one.in !== 'path')
  const rows = asked.map(({ name, in: place, required, schema }) => {
    const text = required ? 'required' : ''
    return `| \`${name}\` | ${place} | \`${escapeCell(formatType(schema))}\` | ${text} |`
  })
  return [
    '',
    `### ${method} ${path}`,
    '',
    `${toSentence(summary)} (\`${operationId}\`${description === undefined ? ', for anyone' : `, ${description}`})`,
    ...(rows.length === 0 ? [] : ['', '| | in | type | |', '|---|---|---|---|', ...rows]),
    ...(body === null ? [] : ['', renderSchema('Body', body)]),
    ...renderAnswers(route),
  ]
}

function renderAnswers({ responses }: Routed): readonly string[] {
  return Object.entries(responses)
    .filter(([status]) => !status.endsWith('XX'))
    .flatMap(([status, { content }]) => {
      const schema = findSchema(content)
      if (schema !== null) return ['', renderSchema(status, schema)]
      const [type = 'nothing'] = Object.keys(content ?? {})
      return ['', `${status}: \`${type}\``]
    })
}

function findSchema(content: ApiOperation['responses'][string]['content']): ApiSchema | null {
  return content?.['application/json']?.schema ?? null
}

const SHORT = 80

/** Short ones in the line, long ones in a block. */
function renderSchema(label: string, schema: ApiSchema): string {
  const text = formatIndented(formatType(schema))
  const line = text
    .replaceAll(/\{\n */g, '{ ')
    .replaceAll(/\n *\}/g, ' }')
    .replaceAll(/\n */g, '; ')
  if (line.length <= SHORT) return `${label}: \`${line}\``
  return `${label}:\n\n\`\`\`ts\n${text}\n\`\`\``
}

function renderType(name: string, schema: ApiSchema): readonly string[] {
  return [
    '',
    `### ${name}`,
    '',
    '```ts',
    `type ${name} = ${formatIndented(formatType(schema))}`,
    '```',
  ]
}

/** Members by the braces around them. */
function formatIndented(text: string): string {
  let depth = 0
  const lines = text.split('\n').map((line) => {
    if (line.startsWith('}')) depth -= 1
    const shown = `${'  '.repeat(depth)}${line.replace(/^readonly /, '')}`
    if (line.endsWith('{')) depth += 1
    return shown
  })
  return lines.join('\n')
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
