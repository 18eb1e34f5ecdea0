import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { get, served } from '../served.test-support.ts'
import { buildOpenApi } from './openapi.ts'
import { type Route, toReply } from './route.ts'
import {
  allowNull,
  buildArray,
  buildClosedObject,
  buildWholeObject,
  identifier,
  integer,
  nameSchema,
  string,
} from './shape.ts'

const row = nameSchema('Row', buildWholeObject({ id: string, title: allowNull(string) }))

const routes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/rows/:id',
    operation: 'getRow',
    summary: 'a row',
    roles: ['operator', 'agent'],
    query: buildClosedObject({ since: string, kind: identifier }, ['kind']),
    reply: buildWholeObject({ row, rows: buildArray(row), count: integer }),
    handle: () => toReply({}),
  },
  {
    method: 'POST',
    path: '/v1/rows/:id',
    operation: 'addRow',
    summary: 'add one',
    roles: ['approver'],
    body: row,
    once: true,
    reply: row,
    status: 201,
    handle: () => toReply({}),
  },
  {
    method: 'GET',
    path: '/plain',
    operation: 'getPlain',
    summary: 'as text',
    roles: 'anyone',
    reply: 'text',
    also: 503,
    handle: () => toReply({}),
  },
]

/** What stands at a path of the document. */
function at(document: JsonObject, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => parseMembers(value)[name], document)
}

function parseMembers(value: unknown): Readonly<Record<string, unknown>> {
  assert.ok(typeof value === 'object' && value !== null)
  return value as Readonly<Record<string, unknown>>
}

const REF = { $ref: '#/components/schemas/Row' }

test('schemas with a name are components, and referred to wherever they stand', () => {
  const document = buildOpenApi(routes)
  const { title: _, ...plain } = row
  assert.deepEqual(at(document, 'components', 'schemas', 'Row'), plain)
  const reply = at(document, 'paths', '/v1/rows/{id}', 'get', 'responses', '200', 'content')
  const properties = at(parseJson(reply), 'application/json', 'schema', 'properties')
  assert.deepEqual(properties, { row: REF, rows: { type: 'array', items: REF }, count: integer })
  const body = at(document, 'paths', '/v1/rows/{id}', 'post', 'requestBody', 'content')
  assert.deepEqual(at(parseJson(body), 'application/json', 'schema'), REF)
})

function parseJson(value: unknown): JsonObject {
  return value as JsonObject
}

test('a name stands for one schema', () => {
  const [first] = routes
  assert.ok(first !== undefined)
  const other = {
    ...first,
    path: '/other',
    reply: nameSchema('Row', buildWholeObject({ id: integer })),
  }
  assert.throws(() => buildOpenApi([...routes, other]), /a name stands for one schema: Row/)
})

test('parameters come from the path, the query, and the key of what is done once', () => {
  const document = buildOpenApi(routes)
  const names = (method: string): unknown => {
    const parameters = at(document, 'paths', '/v1/rows/{id}', method, 'parameters')
    assert.ok(Array.isArray(parameters))
    return parameters.map(({ name, in: place, required }) => [name, place, required])
  }
  assert.deepEqual(names('get'), [
    ['id', 'path', true],
    ['since', 'query', false],
    ['kind', 'query', true],
  ])
  assert.deepEqual(names('post'), [
    ['id', 'path', true],
    ['Idempotency-Key', 'header', true],
  ])
})

test('who may ask is said by the ways in which they prove it', () => {
  const document = buildOpenApi(routes)
  assert.deepEqual(at(document, 'paths', '/v1/rows/{id}', 'get', 'security'), [
    { bearer: [] },
    { cookie: [] },
    { agentSession: [], agentSignature: [] },
  ])
  assert.deepEqual(at(document, 'paths', '/v1/rows/{id}', 'post', 'security'), [
    { bearer: [] },
    { cookie: [], csrf: [] },
  ])
  assert.deepEqual(at(document, 'paths', '/plain', 'get', 'security'), [])
})

test('a success has its status, and everything else is a problem', () => {
  const document = buildOpenApi(routes)
  const statuses = (path: string, method: string): readonly string[] =>
    Object.keys(parseMembers(at(document, 'paths', path, method, 'responses')))
  assert.deepEqual(statuses('/v1/rows/{id}', 'post'), ['201', '4XX', '5XX'])
  assert.deepEqual(statuses('/plain', 'get'), ['200', '503', '4XX', '5XX'])
  const both = at(document, 'paths', '/plain', 'get', 'responses', '503', 'content')
  assert.deepEqual(Object.keys(parseMembers(both)), ['text/plain', 'application/problem+json'])
})

test('every route of the runtime has a name of its own, and says what it answers', async (t) => {
  const { server } = await served(t)
  const { body } = await get({ url: server.url }, '/openapi.json')
  const operations = Object.values(parseMembers(body.paths)).flatMap((methods) =>
    Object.values(parseMembers(methods)).map(parseMembers),
  )
  const names = operations.map(({ operationId }) => operationId)
  assert.equal(new Set(names).size, names.length)
  for (const name of names) assert.match(String(name), /^[a-z]+([A-Z][a-z]+)*$/)
  const open = operations.filter(({ responses }) => isOpen(parseJson(responses)))
  assert.deepEqual(
    open.map(({ operationId }) => operationId),
    ['getDocument'],
  )
})

/** A success whose JSON could be anything. */
function isOpen(responses: JsonObject): boolean {
  const [success] = Object.values(responses)
  const { content = {} } = parseMembers(success)
  const json = parseMembers(content)['application/json']
  if (json === undefined) return false
  const { $ref, properties } = parseMembers(parseMembers(json).schema)
  return $ref === undefined && properties === undefined
}
