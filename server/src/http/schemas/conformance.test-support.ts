/**
 * Holds responses against the API document, by a tool that is not ours (`openapi-backend`): it finds
 * the operation and judges the body. The status and the media type have to be in the document too.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Document, OpenAPIBackend } from 'openapi-backend'
import type { JsonObject } from 'rubicon-kernel'

export type SeenResponse = {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly status: number
  /** Its media type, without parameters. */
  readonly type: string
  /** JSON as it was read, or text; of a stream nothing is looked at. */
  readonly body: unknown
}

/** What is wrong with a response, in words; null: nothing. */
export type FaultOf = (seen: SeenResponse) => Promise<string | null>

/** What the tool looks into, and nothing else. */
const ITS_TYPE = 'application/json'
const PROBLEM = 'application/problem+json'
/** It does not end, and its schema is that of each event. */
const STREAM = 'text/event-stream'

export function conformanceTo(document: JsonObject): FaultOf {
  const tools = new Map<string, Promise<OpenAPIBackend>>()
  const toolFor = (type: string): Promise<OpenAPIBackend> => {
    const made = tools.get(type) ?? makeTool(underItsName(document, type))
    tools.set(type, made)
    return made
  }
  return async ({ method, path, status, type, body }) => {
    const { router, validator } = await toolFor(type)
    const operation = router.matchOperation({ method, path, headers: {} })
    // What is not in the document can only be refused.
    if (operation?.operationId === undefined)
      return type === PROBLEM ? null : 'the document has no such operation'
    const response = parseResponses(operation.responses, status)
    if (response === undefined) return `the document has no status ${status} here`
    const content = response.content?.[ITS_TYPE]
    if (content === undefined) return `status ${status} does not come as \`${type}\` here`
    if (content.schema === undefined || type === STREAM) return null
    const { errors } = validator.validateResponse(body, operation.operationId, status)
    return (errors ?? []).length === 0 ? null : JSON.stringify(errors)
  }
}

async function makeTool(definition: Document): Promise<OpenAPIBackend> {
  const tool = new OpenAPIBackend({
    definition,
    // Operations are compiled when a response of theirs is seen.
    quick: true,
    // Whether the document is one is asked elsewhere, once; to compile the rules for it takes a second.
    customizeAjv: (_theirs, options) =>
      parseAjv(new Ajv2020({ ...options, strict: false, validateSchema: false })),
  })
  const made = await tool.init()
  // It lists them anew for each response, which takes longer than to judge one.
  const operations = made.router.getOperations()
  for (const router of [made.router, made.validator.router]) router.getOperations = () => operations
  return made
}

/** The document with contents of one media type only, under the name that the tool looks for. */
function underItsName(document: JsonObject, type: string): Document {
  const text = JSON.stringify(document)
  return JSON.parse(text, (key, value) => {
    if (key !== 'content') return value
    return type in value ? { [ITS_TYPE]: value[type] } : undefined
  })
}

type ToolResponse = {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>
}

/** `404` is found under `404` or `4XX`. */
function parseResponses(responses: unknown, status: number): ToolResponse | undefined {
  const known = (responses ?? {}) as Readonly<Record<string, ToolResponse>>
  return known[status] ?? known[`${Math.floor(status / 100)}XX`]
}

/** It is one in all but its declared type: that of another draft. */
function parseAjv(ajv: unknown): ReturnType<NonNullable<OpenAPIBackend['customizeAjv']>> {
  return ajv as ReturnType<NonNullable<OpenAPIBackend['customizeAjv']>>
}
