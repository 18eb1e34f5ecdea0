import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { createRuntime } from '../../../../runtime/src/compose.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { createPeople } from '../../people/people.ts'
import { formatHello } from '../events/event-view.ts'
import { createAllRoutes } from '../routes/all.ts'
import { buildOpenApi } from './openapi.ts'

type Place = { readonly at: string; readonly schema: JsonObject }

let document: JsonObject = {}
let places: readonly Place[] = []

before(async () => {
  const runtime = await createRuntime({ store: 'memory', stateDirectory: temporaryFolder() })
  const engine = await runtime.start()
  const people = createPeople(() => [], nodeCrypto.sha256)
  document = buildOpenApi(createAllRoutes({ engine, people, host: '127.0.0.1', report: () => {} }))
  await runtime.close()
  places = [...schemasIn(document, '')]
})

/** Keywords under which schemas stand by names, which are data. */
const NAMED: readonly string[] = ['properties', 'schemas']
const ONE: readonly string[] = ['schema', 'items', 'additionalProperties']
const LISTS: readonly string[] = ['anyOf', 'oneOf', 'allOf']

/** Every schema of the document, with where it stands. */
function* schemasIn(value: JsonValue, at: string): Generator<Place> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const here = `${at}/${key}`
    const found = NAMED.includes(key)
      ? Object.entries(parseMembers(member)).map(([name, one]) => [`${here}/${name}`, one] as const)
      : LISTS.includes(key)
        ? parseList(member).map((one, i) => [`${here}/${i}`, one] as const)
        : ONE.includes(key)
          ? [[here, member] as const]
          : null
    if (found === null) yield* schemasIn(member, here)
    else
      for (const [place, one] of found) {
        if (typeof one === 'object') yield { at: place, schema: parseMembers(one) }
        yield* schemasIn(one, place)
      }
  }
}

function parseMembers(value: JsonValue | undefined): JsonObject {
  assert.ok(typeof value === 'object' && value !== null)
  return value as JsonObject
}

function parseList(value: JsonValue): readonly JsonValue[] {
  assert.ok(Array.isArray(value))
  return value
}

function typesOf({ type }: JsonObject): readonly JsonValue[] {
  return Array.isArray(type) ? type : [type ?? null]
}

function lacking(isWrong: (schema: JsonObject) => boolean): readonly string[] {
  return places.filter(({ schema }) => isWrong(schema)).map(({ at }) => at)
}

function operations(): readonly (readonly [name: string, JsonObject])[] {
  return Object.entries(parseMembers(document.paths)).flatMap(([path, methods]) =>
    Object.entries(parseMembers(methods)).map(
      ([method, operation]) => [`${method} ${path}`, parseMembers(operation)] as const,
    ),
  )
}

test('finding 41e: every object says which members it must have, every list what it holds', () => {
  assert.ok(places.length > 500, `${places.length} schemas were looked at`)
  const isObject = ({ properties }: JsonObject): boolean => properties !== undefined
  assert.deepEqual(
    lacking((schema) => isObject(schema) && !Array.isArray(schema.required)),
    [],
  )
  assert.deepEqual(
    lacking((schema) => typesOf(schema).includes('array') && schema.items === undefined),
    [],
  )
  // The kernel alone reads it, and says what is missing; the document says it before.
  const decision = schemaAt('/v1/escalations/{id}/decision', 'post')
  assert.deepEqual(decision.required, [
    'decision',
    'intent_digest',
    'shown_snapshot',
    'justification',
  ])
})

function schemaAt(path: string, method: string): JsonObject {
  const body = parseMembers(parseMembers(parseMembers(document.paths)[path])[method]).requestBody
  const content = parseMembers(parseMembers(body).content)
  return parseMembers(parseMembers(content['application/json']).schema)
}

/** Names that stand for words of ours wherever they stand as text, but at these places. */
const VOCABULARIES: Readonly<Record<string, readonly string[]>> = {
  status: [],
  state: [],
  purpose: [],
  effect: [],
  risk: [],
  bound: [],
  decision: [],
  impact: [],
  acknowledged_impact: [],
  language: [],
  actor: [],
  op: [],
  stage: [],
  // What a mark of a series says is text.
  label: ['SeriesMark'],
  // As it was kept.
  outcome: ['MemoryEntry'],
  // Of resources and capabilities: the user's own. Of symbols: those of their format.
  kind: [
    'ArtifactSymbol',
    'CapabilityInForce',
    'FlowBranch',
    'FlowSummary',
    'McpApproved',
    'McpTool',
    'OfferedTool',
    'SymbolDifference',
    'WaitingRequest',
    'WorldFact',
    'WorldMoment',
    'WorldOp',
    'WorldResource',
    '/v1/flows',
    '/v1/trajectories/{id}/flows',
  ],
}

test('finding 41e: what is one of our words lists them, and is text', () => {
  const wrong = places.filter(({ at, schema }) => {
    const name = at.slice(at.lastIndexOf('/') + 1)
    if (!at.includes('/properties/') || !Object.hasOwn(VOCABULARIES, name)) return false
    const isElsewhere = VOCABULARIES[name]?.some((place) =>
      at.includes(`/${place.replace(/^\//, '')}/`),
    )
    return typesOf(schema).includes('string') && schema.enum === undefined && isElsewhere !== true
  })
  assert.deepEqual(
    wrong.map(({ at }) => at),
    [],
  )
  const untyped = lacking(({ enum: known, type }) => known !== undefined && type !== 'string')
  assert.deepEqual(untyped, [])
})

test('finding 41e: every operation has a name, and says what a refusal is', () => {
  for (const [name, { operationId, responses }] of operations()) {
    assert.equal(typeof operationId, 'string', name)
    const known = parseMembers(responses)
    for (const refusal of ['4XX', '5XX'])
      assert.deepEqual(known[refusal], { $ref: '#/components/responses/Problem' }, name)
    assert.ok(
      Object.keys(known).some((status) => /^[23]\d\d$/.test(status)),
      name,
    )
  }
})

test('finding 41f: nothing in the document makes a generator give up or leave something out', () => {
  const twice = lacking(({ enum: known }) => {
    const words = known === undefined ? [] : parseList(known)
    return new Set(words).size !== words.length
  })
  assert.deepEqual(twice, [], 'a word stands once in its list')
  // Files and classes are named after these, and not every file system tells cases apart.
  const names = [
    ...operations().map(([, { operationId }]) => `operation ${operationId}`),
    ...Object.keys(parseMembers(parseMembers(document.components).schemas)),
  ].map((name) => name.toLowerCase())
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
  const silent = operations().flatMap(([name, { responses }]) =>
    Object.entries(parseMembers(responses))
      .flatMap(([, response]) => Object.entries(parseMembers(parseMembers(response).content ?? {})))
      .filter(([, content]) => parseMembers(content).schema === undefined)
      .map(([type]) => `${name} ${type}`),
  )
  assert.deepEqual(silent, [], 'every answer has a schema')
})

test('a stream is described by the members of its events, as they are written', () => {
  const { schemas } = parseMembers(document.components)
  const described = parseMembers(parseMembers(schemas).ServerSentEvent)
  const text = formatHello(-1).trimEnd()
  const members = text.split('\n').map((line) => line.slice(0, line.indexOf(':')))
  assert.deepEqual(new Set(Object.keys(parseMembers(described.properties))), new Set(members))
  for (const name of parseList(described.required ?? null))
    assert.ok(members.includes(String(name)))
})
