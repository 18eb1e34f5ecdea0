/** Every route that is done once keeps to what a key promises, whatever the route does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PERSON_ROLES } from '../../people/principal.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import type { Method } from '../schemas/route.ts'
import { get, problemOf, served } from '../served.test-support.ts'

type Operation = {
  readonly operationId: string
  readonly description: string
  readonly parameters: readonly { readonly name: string }[]
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: Schema } }
  }
}

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
}

type Schemas = Readonly<Record<string, Schema>>

/** The least that fits: nothing that is meant, but a body that is read. */
function least(schema: Schema, named: Schemas): unknown {
  if (schema.$ref !== undefined) return least(named[schema.$ref.replace(/^.*\//, '')] ?? {}, named)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const [first] = schema.anyOf ?? []
  if (first !== undefined) return least(first, named)
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  if (type === 'string') return 'a'
  if (type === 'integer' || type === 'number') return 1
  if (type === 'boolean') return true
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => least(schema.items ?? {}, named))
  const required = schema.required ?? []
  return Object.fromEntries(
    required.map((name) => [name, least(schema.properties?.[name] ?? {}, named)]),
  )
}

type Once = {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

function onceIn(paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>): Once[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([method, operation]) => ({
        method: method.toUpperCase() as Method,
        path: path.replaceAll(/\{[a-z_]+\}/g, 'a:b'),
        operation,
      })),
  )
}

test('a key is asked for, stands for one body, and is answered once', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const jane = it.person('jane', ...PERSON_ROLES)
  const { body: document } = await get(jane, '/openapi.json')
  const routes = onceIn(document.paths)
  assert.ok(routes.length >= 4)
  for (const { method, path, operation } of routes) {
    const { operationId, requestBody, description } = operation
    const isForPeople = PERSON_ROLES.some((role) => description.includes(role))
    const place: HttpPlace = isForPeople ? jane : bot
    const schema = requestBody?.content['application/json'].schema ?? {}
    const body = JSON.stringify(least(schema, document.components.schemas))
    const asked = (key: string | null, sent: string): Promise<HttpAnswer> =>
      ask(place, method, path, {
        body: sent,
        headers: key === null ? {} : { 'idempotency-key': key },
      })
    const keyless = await asked(null, body)
    assert.deepEqual(problemOf(keyless), [400, 'IDEMPOTENCY_KEY_MISSING'], operationId)
    const first = await asked('k1', body)
    assert.ok(first.status < 500, `${operationId}: ${JSON.stringify(first.body)}`)
    assert.equal(first.headers.get('idempotent-replayed'), null, operationId)
    const again = await asked('k1', body)
    assert.deepEqual([again.status, again.body], [first.status, first.body], operationId)
    // Of what was refused nothing is kept.
    const isKept = first.status < 400
    assert.equal(again.headers.get('idempotent-replayed'), isKept ? 'true' : null, operationId)
    const other = await asked('k1', ` ${body}`)
    if (isKept) assert.deepEqual(problemOf(other), [422, 'IDEMPOTENCY_BODY_MISMATCH'], operationId)
    else assert.equal(other.status, first.status, operationId)
    const fresh = await asked('k2', body)
    assert.equal(fresh.headers.get('idempotent-replayed'), null, operationId)
  }
})
