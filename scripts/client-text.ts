/** The API document as TypeScript: a type for each component, a method for each operation. */
import { type ApiSchema, formatNote, formatType } from './schema-type.ts'

export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

export type ApiOperation = {
  readonly operationId: string
  readonly summary: string
  /** For whom it is. */
  readonly description?: string
  readonly parameters: readonly ApiParameter[]
  readonly requestBody?: ApiContent
  readonly responses: Readonly<Record<string, Partial<ApiContent>>>
}

type ApiParameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: ApiSchema
}

type ApiContent = { readonly content: Readonly<Record<string, { readonly schema?: ApiSchema }>> }

type Operation = ApiOperation & { readonly method: string; readonly path: string }

export function formatClient({ paths, components }: ApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => ({
      ...operation,
      path,
      method: name.toUpperCase(),
    })),
  )
  return [
    '/** The API as types and a client. Written by `node scripts/api-client.ts`; do not edit. */',
    "import { type ClientAnswer, type ClientOptions, createCall } from './call.ts'",
    '',
    "export type { AnyProblem, ClientAnswer, ClientOptions } from './call.ts'",
    '',
    ...Object.entries(components.schemas).map(
      ([name, schema]) => `${formatNote(schema)}export type ${name} = ${formatType(schema)}\n`,
    ),
    ...operations.map(formatOperationTypes),
    '/** Every operation of the API, by its name in the document. */',
    'export type Client = {',
    ...operations.map(formatMethodType),
    '}',
    '',
    '/** A client for one server; nothing that the server says is thrown. */',
    'export function createClient(options: ClientOptions = {}): Client {',
    'const call = createCall(options)',
    'return {',
    ...operations.map(formatMethod),
    '}',
    '}',
    '',
  ].join('\n')
}

/** `ListFlowsAsked` and `ListFlowsBody`. */
function formatOperationTypes(operation: Operation): string {
  const name = toPascalCase(operation.operationId)
  return [
    `export type ${name}Asked = ${formatAsked(operation)}`,
    `export type ${name}Reply = ${replyText(operation)}`,
    '',
  ].join('\n')
}

function formatAsked({ parameters, requestBody }: Operation): string {
  const members = [
    formatMembers('params', parameters, 'path'),
    formatMembers('query', parameters, 'query'),
    ...(requestBody === undefined
      ? []
      : [`readonly body: ${formatType(getSchema(requestBody, 'application/json'))}`]),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key')
      ? ['/** A new one for each intention; the same one to ask again. */\nreadonly key: string']
      : []),
    'readonly signal?: AbortSignal',
  ]
  return `{\n${members.filter((member) => member !== '').join('\n')}\n}`
}

function formatMembers(
  member: 'params' | 'query',
  parameters: readonly ApiParameter[],
  place: ApiParameter['in'],
): string {
  const here = parameters.filter((parameter) => parameter.in === place)
  if (here.length === 0) return ''
  const texts = here.map(({ name, required, schema }) =>
    required
      ? `readonly ${name}: ${formatType(schema)}`
      : `readonly ${name}?: ${formatType(schema)} | undefined`,
  )
  const optional = here.some(({ required }) => required) ? '' : '?'
  return `readonly ${member}${optional}: { ${texts.join('\n')} }`
}

/** What the body is, and how the call is to read it. */
const OTHER_REPLIES: Readonly<Record<string, readonly [type: string, expected: string]>> = {
  'text/plain': ['string', 'text'],
  'text/event-stream': ['ReadableStream<Uint8Array>', 'stream'],
  'application/octet-stream': ['Uint8Array', 'bytes'],
}

function replyText(operation: Operation): string {
  const success = findSuccess(operation)
  if (success.content === undefined) return 'null'
  const [media = ''] = Object.keys(success.content)
  return OTHER_REPLIES[media]?.[0] ?? formatType(getSchema({ content: success.content }, media))
}

function findExpected(operation: Operation): string | undefined {
  const [media = ''] = Object.keys(findSuccess(operation).content ?? {})
  return OTHER_REPLIES[media]?.[1]
}

function findSuccess({ responses }: Operation): Partial<ApiContent> {
  const status = Object.keys(responses).find((name) => name.startsWith('2'))
  return status === undefined ? {} : (responses[status] ?? {})
}

function getSchema({ content }: ApiContent, media: string): ApiSchema {
  return content[media]?.schema ?? {}
}

function formatMethodType(operation: Operation): string {
  const { operationId, summary, parameters, requestBody } = operation
  const name = toPascalCase(operationId)
  const isOptional = requestBody === undefined && !parameters.some(({ required }) => required)
  return [
    `/** ${summary} */`,
    `${operationId}(asked${isOptional ? '?' : ''}: ${name}Asked): Promise<ClientAnswer<${name}Reply>>`,
  ].join('\n')
}

function formatMethod(operation: Operation): string {
  const { operationId, method, path } = operation
  const expected = findExpected(operation)
  const last = expected === undefined ? '' : `, '${expected}'`
  return `${operationId}: (asked) => call('${method}', '${path}', asked${last}),`
}

function toPascalCase(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
