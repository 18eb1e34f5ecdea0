/**
 * The API as a document (OpenAPI 3.1), from the routes and the schemas that validate their requests.
 * Whatever has a name (`title`) becomes a component; the rest stands where it is used.
 */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { Role } from '../../people/principal.ts'
import { PROBLEM_CODES } from '../problems/problem.ts'
import type { Route } from './route.ts'
import { type Components, lift, parseProperties } from './schema-components.ts'
import {
  buildEnum,
  buildWholeObject,
  identifier,
  integer,
  nameSchema,
  open,
  string,
} from './shape.ts'

/** Of `/v1`: added to freely; what goes or changes its meaning goes under `/v2`. */
const API_VERSION = '1'

export function buildOpenApi(routes: readonly Route[]): JsonObject {
  const components: Components = new Map()
  const paths: Record<string, JsonObject> = {}
  lift(problem, components)
  for (const route of routes) {
    if (route.undescribed === true) continue
    const path = route.path.replaceAll(/:([a-z_]+)/g, '{$1}')
    const method = route.method.toLowerCase()
    paths[path] = { ...paths[path], [method]: buildOperation(route, components) }
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Rubicon',
      version: API_VERSION,
      summary: 'agents propose, a deterministic kernel decides',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      responses: { Problem: problemResponse },
      securitySchemes,
    },
  }
}

function buildOperation(route: Route, components: Components): JsonObject {
  const { summary, roles, once } = route
  return {
    operationId: route.operation,
    summary,
    ...(roles === 'anyone' ? {} : { description: `for ${roles.join(', ')}` }),
    security: roles === 'anyone' ? [] : buildSecurity(route, roles),
    parameters: [
      ...listPathParameters(route),
      ...queryParameters(route, components),
      ...(once === undefined ? [] : [idempotencyKey]),
    ],
    ...requestBody(route, components),
    responses: buildResponses(route, components),
  }
}

function listPathParameters({ path }: Route): readonly JsonObject[] {
  return [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    // An identifier, or two of them joined by a colon.
    schema: { type: 'string', pattern: '^[A-Za-z0-9._:@-]{1,257}$' },
  }))
}

function queryParameters({ query }: Route, components: Components): readonly JsonObject[] {
  if (query === undefined) return []
  return parseProperties(query).map(({ name, required, schema }) => ({
    name,
    in: 'query',
    required,
    schema: lift(schema, components),
  }))
}

const idempotencyKey: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'a new one for each intention; the same one to ask again',
  schema: identifier,
}

function requestBody({ body, written }: Route, components: Components): JsonObject {
  if (body === undefined) return {}
  const schema = written ?? (body === 'bytes' ? {} : body)
  const content = { 'application/json': { schema: lift(schema, components) } }
  return { requestBody: { required: true, content } }
}

function buildResponses(route: Route, components: Components): JsonObject {
  const { summary, status = 200, also } = route
  const success = { description: summary, ...buildSuccessContent(route, components) }
  return {
    [status]: success,
    ...(also === undefined ? {} : { [also]: addProblemContent(success) }),
    '4XX': { $ref: '#/components/responses/Problem' },
    '5XX': { $ref: '#/components/responses/Problem' },
  }
}

/** A status that may mean either. */
function addProblemContent(success: JsonObject): JsonObject {
  const content = { ...parseContent(success.content), ...problemContent }
  return { ...success, content }
}

/** We have just made it. */
function parseContent(content: JsonValue | undefined): JsonObject {
  return (content ?? {}) as JsonObject
}

function buildSuccessContent(
  { reply, status, streams }: Route,
  components: Components,
): JsonObject {
  if (status === 204) return {}
  switch (reply) {
    case 'text':
      return { content: { 'text/plain': { schema: string } } }
    case 'events':
      return { content: { 'text/event-stream': { schema: lift(serverSentEvent, components) } } }
    case 'bytes':
      return { content: { 'application/octet-stream': {} } }
    default:
      return {
        content: {
          'application/json': { schema: lift(reply, components) },
          ...(streams === true
            ? { 'text/event-stream': { schema: lift(serverSentEvent, components) } }
            : {}),
        },
      }
  }
}

/** A stream is many of these; its tools hold each of them against the schema. */
const serverSentEvent: JsonObject = nameSchema(
  'ServerSentEvent',
  buildWholeObject({ id: string, event: string, data: string, retry: integer }, ['retry']),
)

const problem: JsonObject = nameSchema(
  'Problem',
  buildWholeObject(
    {
      type: { type: 'string', description: '`urn:rubicon:reason:CODE`' },
      title: { ...string, description: 'what the code means' },
      status: { ...integer, description: 'of HTTP' },
      code: buildEnum(...PROBLEM_CODES),
      detail: { ...string, description: 'what went wrong here' },
      fix: { ...string, description: 'what helps' },
      meta: { ...open, description: 'what belongs to it' },
      answer: { ...open, description: 'of a proposal: the answer, which is one all the same' },
    },
    ['fix', 'meta', 'answer'],
  ),
)

const problemContent: JsonObject = {
  'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
}

const problemResponse: JsonObject = {
  description: 'what was refused or failed, with a code (RFC 9457)',
  content: problemContent,
}

const securitySchemes: JsonObject = {
  bearer: { type: 'http', scheme: 'bearer', description: 'a person\u2019s token' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'rubicon-session-PORT',
    description:
      'a person\u2019s session, from `POST /v1/session`; behind TLS it is called `__Host-rubicon-session`',
  },
  csrf: {
    type: 'apiKey',
    in: 'header',
    name: 'Rubicon-CSRF',
    description: 'the word that came with the session, where a request changes something',
  },
  agentSession: { type: 'http', scheme: 'bearer', description: 'the token of a handshake' },
  agentSignature: {
    type: 'apiKey',
    in: 'header',
    name: 'Signature',
    description:
      'with `Signature-Input` and `Content-Digest`: the request, signed with the key of the session (RFC 9421)',
  },
}

function buildSecurity({ method }: Route, roles: readonly Role[]): readonly JsonObject[] {
  const csrf: JsonObject = method === 'GET' ? {} : { csrf: [] }
  return [
    ...(roles.some((role) => role !== 'agent') ? [{ bearer: [] }, { cookie: [], ...csrf }] : []),
    ...(roles.includes('agent') ? [{ agentSession: [], agentSignature: [] }] : []),
  ]
}
