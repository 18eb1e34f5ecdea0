import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { type GrammarNode, toNodeSchema } from './node.ts'

test('each node is written as the schema of its values', () => {
  const half = { digits: 5n, scale: 1 }
  const text: GrammarNode = { kind: 'text', min: 1, max: 2, isLengthStated: true }
  const string = { type: 'string', minLength: 1, maxLength: 2 }
  for (const [node, schema] of [
    [{ kind: 'number', min: null, max: null }, { type: 'number' }],
    [
      { kind: 'number', min: half, max: null },
      { type: 'number', minimum: 0.5 },
    ],
    [
      { kind: 'number', min: null, max: half },
      { type: 'number', maximum: 0.5 },
    ],
    [
      { kind: 'integer', min: -1n, max: 2n },
      { type: 'integer', minimum: -1, maximum: 2 },
    ],
    [
      { kind: 'decimal', min: half, max: half, scale: 1 },
      { type: 'string', pattern: '^(?:0[.]5)$' },
    ],
    [text, string],
    [
      { ...text, pattern: '^a$' },
      { ...string, pattern: '^a$' },
    ],
    [{ kind: 'values', values: [1, null] }, { enum: [1, null] }],
    [
      { kind: 'choice', of: [text, { kind: 'values', values: [1] }] },
      { anyOf: [string, { enum: [1] }] },
    ],
    [
      { kind: 'list', items: text, min: 1, max: 3 },
      { type: 'array', items: string, minItems: 1, maxItems: 3 },
    ],
    [
      {
        kind: 'object',
        members: [
          { name: 'a', required: true, node: text },
          { name: 'b', required: false, node: text },
        ],
      },
      {
        type: 'object',
        properties: { a: string, b: string },
        required: ['a'],
        additionalProperties: false,
      },
    ],
  ] satisfies readonly (readonly [GrammarNode, JsonObject])[])
    assert.deepEqual(JSON.parse(JSON.stringify(toNodeSchema(node))), schema, node.kind)
})
