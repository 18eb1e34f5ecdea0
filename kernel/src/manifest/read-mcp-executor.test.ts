import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseManifest } from './parse-manifest.ts'

const PIN = `sha256:${'0a'.repeat(32)}`

function describeProblem(mcp: JsonObject, more: JsonObject = {}): string {
  const parsed = parseManifest({
    ...{ manifest: 'rubicon/tool/1', kind: 'mcp.files.write', version: '1', summary: 'writes' },
    params: { type: 'object', properties: {}, additionalProperties: false },
    ...{ effect: 'unsafe', reversible: false, risk: 'high' },
    executor: { mcp: { server: 'files', tool: 'write', pin: PIN, ...mcp } },
    ...more,
  })
  return parsed.ok ? 'parsed' : parsed.error.summary
}

test('a tool of an MCP server is named by server, tool and the definition that was agreed to', () => {
  assert.equal(describeProblem({}), 'parsed')
  assert.equal(describeProblem({ timeout_ms: 1_000, max_bytes: 1_000 }), 'parsed')
})

test('what names no server, no tool or no definition is refused by its place', () => {
  for (const [member, value] of [
    ['server', 'Files'],
    ['server', 'a_b'],
    ['tool', 'read file'],
    ['tool', ''],
    ['pin', 'sha256:0a'],
    ['pin', null],
    ['timeout_ms', 600_001],
    ['shell', 'sh'],
  ] as const)
    assert.match(describeProblem({ [member]: value }), new RegExp(`\`/executor/mcp/${member}`))
})

test('nothing is sent again to a server that was promised by nobody to do it once', () => {
  assert.match(describeProblem({}, { effect: 'put_if_match' }), /put_if_match/)
  const idempotency = { carrier: 'Idempotency-Key', window_s: 60 }
  assert.match(describeProblem({}, { effect: 'keyed', idempotency }), /carrier/)
})
