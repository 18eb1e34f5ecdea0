import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { compileSchema } from './schema.ts'

const VECTORS = new URL('../../../../shared/vectors/json-schema-2020-12.json', import.meta.url)
const withoutVectors =
  !existsSync(VECTORS) && 'NOT BESIDE: there is no ../shared/vectors beside this checkout'

const problemOf = (schema: JsonObject): string => {
  const result = compileSchema(schema)
  return result.ok ? '' : result.error.summary
}

test('finding 38a: a schema whose check answers later passes everything', () => {
  const amount = { type: 'object', properties: { amount: { type: 'number' } } }
  assert.match(problemOf({ $async: true, ...amount }), /`#\/\$async` makes a check/)
  const inner = { type: 'object', properties: { to: { $async: true, type: 'string' } } }
  assert.match(problemOf(inner), /`#\/properties\/to\/\$async`/)
  assert.match(problemOf({ $defs: { a: { $async: true } }, $ref: '#/$defs/a' }), /\$defs\/a/)
})

test('finding 38b: a keyword is judged otherwise than the standard says', () => {
  const text = { type: 'string' }
  for (const [name, schema] of Object.entries<JsonObject>({
    nullable: { ...text, nullable: true },
    $dynamicRef: { type: 'array', items: { $dynamicRef: '#x' } },
    $dynamicAnchor: { ...text, $dynamicAnchor: 'x' },
    $recursiveRef: { type: 'array', items: { $recursiveRef: '#' } },
    $recursiveAnchor: { ...text, $recursiveAnchor: true },
    unevaluatedItems: { allOf: [{ type: 'array', unevaluatedItems: false }] },
    unevaluatedProperties: {
      type: 'object',
      properties: { a: text },
      if: { required: ['a'] },
      else: { required: ['b'] },
      unevaluatedProperties: false,
    },
  }))
    assert.match(problemOf(schema), new RegExp(`/${name.replace('$', '\\$')}\``), name)
  // A parameter may be called so, and data may hold it.
  const named = { type: 'object', properties: { nullable: text, $async: text } }
  assert.equal(problemOf(named), '')
  assert.equal(problemOf({ type: 'object', const: { $async: true } }), '')
  assert.equal(problemOf({ type: 'object', unevaluatedProperties: false }), '')
})

test('finding 38c: an amount is refused because a double is no multiple of a cent', () => {
  const schema = compileSchema({ type: 'number', multipleOf: 0.01 })
  assert.ok(schema.ok)
  const wrong = Array.from({ length: 10_000 }, (_, cents) => Number(`${cents / 100}`)).filter(
    (amount) => schema.value(amount).length > 0,
  )
  assert.deepEqual(wrong, [])
  for (const amount of [0.001, 1.005, 19.999, 1e-7])
    assert.equal(schema.value(amount)[0]?.detail, 'must be multiple of 0.01')
})

test('what refers to itself without end fits nothing', () => {
  const schema = compileSchema({ $ref: '#' })
  assert.ok(schema.ok)
  assert.match(schema.value({})[0]?.detail ?? '', /cannot be judged/)
})

type Group = {
  readonly description: string
  readonly schema: JsonObject
  readonly tests: readonly { readonly data: never; readonly valid: boolean }[]
}

test('what is registered is judged as the published cases say', { skip: withoutVectors }, () => {
  const files = JSON.parse(readFileSync(VECTORS, 'utf8')) as Record<string, readonly Group[]>
  let judged = 0
  for (const [file, groups] of Object.entries(files))
    for (const { description, schema, tests } of groups) {
      const compiled = compileSchema(schema)
      if (!compiled.ok) continue
      judged += tests.length
      for (const { data, valid } of tests)
        assert.equal(compiled.value(data).length === 0, valid, `${file}: ${description}`)
    }
  assert.ok(judged >= 300, `${judged} judged`)
})
