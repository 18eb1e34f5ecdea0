import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
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

test('how long it may take and how much it may say is at least one, and at most what the runtime allows', () => {
  for (const bounds of [
    { timeout_ms: 1, max_bytes: 1 },
    { timeout_ms: LIMITS.manifestTimeoutMs, max_bytes: LIMITS.resultBytes },
  ])
    assert.equal(describeProblem(bounds), 'parsed')
  for (const name of ['timeout_ms', 'max_bytes'])
    for (const value of [0, 1.5, '1', LIMITS.manifestTimeoutMs + 1])
      assert.match(describeProblem({ [name]: value }), new RegExp(`\`/executor/mcp/${name}\``))
  assert.match(describeProblem({ max_bytes: LIMITS.resultBytes + 1 }), /max_bytes/)
})

test('reading what a server holds names the server and one way of reading, and only reads', () => {
  const read = (mcp_read: JsonObject, effect = 'read'): string =>
    describeProblem({}, { effect, executor: { mcp_read } })
  for (const method of ['resources/read', 'prompts/get'])
    assert.equal(read({ server: 'files', method, timeout_ms: 1_000, max_bytes: 1_000 }), 'parsed')
  const good = { server: 'files', method: 'resources/read' }
  for (const [member, value] of [
    ['server', 'Files'],
    ['server', 7],
    ['method', 'tools/call'],
    ['timeout_ms', 0],
    ['tool', 'write'],
  ] as const)
    assert.match(read({ ...good, [member]: value }), new RegExp(`/executor/mcp_read/${member}`))
  assert.match(read({ method: 'prompts/get' }), /`\/executor\/mcp_read\/server` is missing/)
  assert.match(read({ server: 'files' }), /`\/executor\/mcp_read\/method` is missing/)
  assert.match(read(good, 'unsafe'), /`mcp_read` is a `read`/)
})

test('nothing is sent again to a server that was promised by nobody to do it once', () => {
  assert.match(describeProblem({}, { effect: 'put_if_match' }), /put_if_match/)
  const idempotency = { carrier: 'Idempotency-Key', window_s: 60 }
  assert.match(describeProblem({}, { effect: 'keyed', idempotency }), /carrier/)
})
