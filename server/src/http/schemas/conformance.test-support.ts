/**
 * Holds responses against the API document, by a tool that is not ours (`openapi-backend`): it finds
 * the operation and judges the body. The status and the media type have to be in the document too.
 */
import { Ajv2020, type AnySchema, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import { type Document, OpenAPIBackend, type Operation } from 'openapi-backend'
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'

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
  const tools = new Map<string, Promise<Tool>>()
  const toolFor = (type: string): Promise<Tool> => {
    const made = tools.get(type) ?? makeTool(underItsName(document, type))
    tools.set(type, made)
    return made
  }
  return async ({ method, path, status, type, body }) => {
    const { validator, findOperation } = await toolFor(type)
    const operation = findOperation(method, path)
    // What is not in the document can only be refused.
    if (operation?.operationId === undefined)
      return type === PROBLEM ? null : 'the document has no such operation'
    const response = parseResponses(operation.responses, status)
    if (response === undefined) return `the document has no status ${status} here`
    const content = response.content?.[ITS_TYPE]
    if (content === undefined) return `status ${status} does not come as \`${type}\` here`
    if (content.schema === undefined || type === STREAM) return null
    const { errors } = validator.validateResponse(body, operation, status)
    return (errors ?? []).length === 0 ? null : JSON.stringify(errors)
  }
}

type Tool = Pick<OpenAPIBackend, 'validator'> & {
  findOperation(method: string, path: string): Operation | undefined
}

async function makeTool(definition: Document): Promise<Tool> {
  const tool = new OpenAPIBackend({
    definition,
    // Operations are compiled when a response of theirs is seen.
    quick: true,
    // Whether the document is one is asked elsewhere, once; to compile the rules for it takes a second.
    customizeAjv: (_theirs, options) =>
      parseAjv(compileWhenAsked({ ...options, strict: false, validateSchema: false })),
  })
  const { router, validator } = await tool.init()
  // It lists them anew for each response, and makes an expression of each of their paths, which takes longer than to
  // judge one: it is shown those that have as many parts.
  const operations = router.getOperations()
  const toShape = (method: string, path: string): string =>
    `${method.toLowerCase()} ${path.split('/').filter((part) => part !== '').length}`
  const shapes = Map.groupBy(operations, ({ method, path }) => toShape(method, path))
  validator.router.getOperations = () => operations
  return {
    validator,
    findOperation(method, path) {
      router.getOperations = () => shapes.get(toShape(method, path)) ?? []
      return router.matchOperation({ method, path, headers: {} })
    },
  }
}

/**
 * The tool compiles the schema of every status of an operation, and each inlines what it refers to; few are seen in
 * a process, and nearly all others are those of a problem. So a schema is compiled when it first judges something,
 * and the same text once.
 */
function compileWhenAsked(options: Options): Ajv2020 {
  // Its passes over the text of a function cost more than a function saves that is run a few times.
  const ajv = new Ajv2020({ ...options, code: { ...options.code, optimize: false } })
  const compileNow = ajv.compile.bind(ajv)
  const compiled = new Map<string, ValidateFunction>()
  const compile = (schema: AnySchema): ValidateFunction => {
    const text = JSON.stringify(schema)
    const known = compiled.get(text) ?? compileNow(schema)
    compiled.set(text, known)
    return known
  }
  return Object.assign(ajv, {
    compile(schema: AnySchema): LazyValidate {
      let validate: ValidateFunction | null = null
      const judge: LazyValidate = (value) => {
        validate ??= compile(schema)
        const fits = validate(value) === true
        judge.errors = validate.errors
        return fits
      }
      return judge
    },
  })
}

/** What the tool uses of a compiled schema. */
type LazyValidate = {
  (value: unknown): boolean
  errors?: ValidateFunction['errors']
}

/** The document with contents of one media type only, under the name that the tool looks for. */
function underItsName(document: JsonObject, type: string): Document {
  const rename = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(rename)
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([key, member]): [string, JsonValue] => {
      if (key !== 'content' || !isContent(member)) return [key, rename(member)]
      const content = member[type]
      return [key, content === undefined ? {} : { [ITS_TYPE]: rename(content) }]
    })
    return Object.fromEntries(members)
  }
  return parseDocument(rename(document))
}

/** By media type; a property of a schema may be called `content` too. */
function isContent(value: JsonValue): value is JsonObject {
  return isObject(value) && Object.keys(value).every((type) => type.includes('/'))
}

/** The tool's own type says more than it asks for. */
function parseDocument(document: unknown): Document {
  return document as Document
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
