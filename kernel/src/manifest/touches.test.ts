import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseManifest } from './parse-manifest.ts'

const NOTE: JsonObject = {
  ...{ manifest: 'rubicon/tool/1', kind: 'NOTE', version: '1', summary: 'notes' },
  params: {
    type: 'object',
    properties: { to: { type: 'string' } },
    required: ['to'],
    additionalProperties: false,
  },
  ...{ effect: 'unsafe', reversible: false, risk: 'low', touches: 'none' },
  executor: { http: { method: 'POST', url: 'https://notes.example/', applied: [200] } },
}

function describeProblem(more: JsonObject): string {
  const parsed = parseManifest({ ...NOTE, ...more })
  return parsed.ok ? 'parsed' : parsed.error.summary
}

test('a tool that touches nothing names nothing that it touches', () => {
  assert.equal(describeProblem({}), 'parsed')
  assert.equal(describeProblem({ measures: { sent: { const: '1' } } }), 'parsed')
  for (const more of [
    { scopes: { people: '/to' } },
    { sinks: { '/to': ['operator'] } },
    { resources: [{ id: 'note:{/to}' }] },
    { measures: { sent: { const: '1' } }, exposure: { measure: 'sent', threshold: '1' } },
    { delta: [{ op: 'create', kind: 'note', id: '{/to}', value: {} }] },
  ] as const)
    assert.match(describeProblem(more), /`\/touches` says nothing/, JSON.stringify(more))
})
