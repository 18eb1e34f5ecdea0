/**
 * A manifest of an operation in OpenAPI, as far as the document says what a tool is. It is a draft: what the document
 * cannot say stands in `undecided`, for which the kernel refuses it; so does a member that is missing.
 *
 * D1 nothing of the document becomes an address that the kernel has not read: the whole draft is parsed, with
 *    stand-ins for what is undecided, before anybody gets it.
 */
import {
  err,
  escapeControls,
  type Failure,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  parseManifest,
  type Result,
  shorten,
} from 'rubicon-kernel'
import type { FindToolProblem } from '../inspect-tools.ts'
import { SchemaConverter } from './convert-schema.ts'
import { findJsonSchema } from './json-schema-of.ts'
import { type Operation, toKind } from './list-operations.ts'
import { isOpenSchema } from './open-schema.ts'
import { BODY, readParameters } from './read-parameters.ts'
import { followReference } from './read-reference.ts'
import { readResponses } from './read-responses.ts'
import { RefusedOperation } from './refused-operation.ts'

export type DraftedManifest = {
  readonly kind: string
  readonly manifest: JsonObject
  readonly undecided: readonly string[]
}

/** Err: why there is none. */
export function draftManifest(
  document: JsonObject,
  operation: Operation,
  findProblem: FindToolProblem,
): Result<DraftedManifest, string> {
  try {
    const draft = buildDraft(document, operation)
    const problem = findDraftProblem(draft.manifest, findProblem)
    return problem === null ? ok(draft) : err(problem.summary)
  } catch (error) {
    if (error instanceof RefusedOperation) return err(error.message)
    throw error
  }
}

function buildDraft(document: JsonObject, operation: Operation): DraftedManifest {
  const kind = toKind(operation.name)
  if (kind === undefined) throw new RefusedOperation('no kind can be made of its name')
  const converter = new SchemaConverter(document)
  const parameters = readParameters(document, operation, converter)
  const body = readBody(document, operation, converter)
  const responses = readResponses(document, operation, converter)
  const effect = guessEffect(operation)
  const undecided = [
    ...['effect', 'risk', 'reversible', 'scopes', 'sinks', 'measures', 'secrets'],
    ...(effect === 'read' ? [] : ['probe', 'idempotency']),
    ...parameters.undecided,
    ...body.undecided,
    ...responses.undecided,
  ]
  const properties = { ...parameters.properties, ...body.properties }
  const manifest = {
    manifest: 'rubicon/tool/1',
    undecided,
    kind,
    version: '1',
    summary: readSummary(operation),
    params: {
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    },
    ...(responses.result === undefined ? {} : { result: responses.result }),
    effect,
    executor: {
      http: {
        method: operation.method,
        url: `${readServer(document, operation)}${fillPath(operation, parameters.pathNames)}`,
        ...(Object.keys(parameters.query).length === 0 ? {} : { query: parameters.query }),
        ...(Object.hasOwn(body.properties, BODY) ? { body: { $: { param: `/${BODY}` } } } : {}),
        applied: responses.applied,
        ...(responses.notApplied.length === 0 ? {} : { not_applied: responses.notApplied }),
      },
    },
  }
  return { kind, manifest, undecided }
}

/** As if everything had been decided: whether the rest can be a tool at all. */
function findDraftProblem(draft: JsonObject, findProblem: FindToolProblem): Failure | null {
  const { undecided: _, executor, ...rest } = draft
  const http = isObject(executor) && isObject(executor.http) ? executor.http : {}
  const { applied } = http
  const statuses = Array.isArray(applied) && applied.length === 0 ? [200] : (applied ?? null)
  const decided = {
    ...rest,
    risk: 'high',
    reversible: false,
    executor: { http: { ...http, applied: statuses } },
  }
  const parsed = parseManifest(decided)
  return parsed.ok ? findProblem(parsed.value) : parsed.error
}

/**
 * What HTTP promises of the method. Servers break it, so that it stays undecided. That PUT and DELETE may be sent
 * twice holds only while nobody else writes: with `if_match` such an operation is `put_if_match`.
 */
function guessEffect({ method }: Operation): string {
  return method === 'GET' || method === 'HEAD' ? 'read' : 'unsafe'
}

function readSummary({ said, method, path }: Operation): string {
  const text = [said.summary, said.description].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  )
  const line = typeof text === 'string' ? text.trim().split('\n')[0] : undefined
  return escapeControls(shorten(line ?? `${method} ${path}`, 200))
}

/** The first server of the operation, else of its path, else of the document; its host is literal. */
function readServer(document: JsonObject, { said, shared }: Operation): string {
  const servers = said.servers ?? shared.servers ?? document.servers
  const first: JsonValue | undefined = Array.isArray(servers) ? servers[0] : undefined
  const url = isObject(first) ? first.url : undefined
  if (typeof url !== 'string') throw new RefusedOperation('no server is named')
  if (url.includes('{')) throw new RefusedOperation(`the server \`${url}\` is a template`)
  if (!/^https?:\/\//.test(url))
    throw new RefusedOperation(`the server \`${url}\` is no address with a host`)
  return url.endsWith('/') ? url.slice(0, -1) : url
}

/** `/orders/{id}` becomes `/orders/{/id}`; each parameter of the path stands in it, and no other. */
function fillPath({ path }: Operation, names: readonly string[]): string {
  if (!path.startsWith('/'))
    throw new RefusedOperation(`the path \`${path}\` does not begin with /`)
  const seen = new Set<string>()
  const filled = path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    if (!names.includes(name))
      throw new RefusedOperation(`nothing is said of \`${name}\` in the path`)
    seen.add(name)
    return `{/${name}}`
  })
  const stray = names.find((name) => !seen.has(name))
  if (stray !== undefined) throw new RefusedOperation(`\`${stray}\` does not stand in the path`)
  return filled
}

type Body = { readonly properties: JsonObject; readonly undecided: readonly string[] }

/** The whole body is one parameter: what is optional in it stays so. */
function readBody(
  document: JsonObject,
  { said, method }: Operation,
  converter: SchemaConverter,
): Body {
  if (said.requestBody === undefined) return { properties: {}, undecided: [] }
  const { value } = followReference(document, said.requestBody)
  const isRequired = isObject(value) && value.required === true
  const schema = isObject(value) ? findJsonSchema(value.content) : undefined
  const isSent = schema !== undefined && method !== 'GET' && method !== 'HEAD'
  if (!isSent && isRequired) throw new RefusedOperation('its body cannot be sent as JSON')
  if (!isSent) return { properties: {}, undecided: [BODY] }
  const converted = converter.convert(schema, { closed: true })
  const isDecided = isRequired && !isOpenSchema(converted)
  return { properties: { [BODY]: converted }, undecided: isDecided ? [] : [BODY] }
}
