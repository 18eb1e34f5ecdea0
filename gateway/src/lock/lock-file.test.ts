import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from 'rubicon-kernel'
import type { LockedTool } from './lock-file.ts'
import { formatLock, parseLock } from './lock-file.ts'

const INPUT = { type: 'object', properties: {} }

function tool(name: string): LockedTool {
  return { server: 'files', definition: { name, inputSchema: INPUT }, class: null }
}

function describeProblem(value: JsonValue): string {
  const parsed = parseLock(value)
  return parsed.ok ? 'parsed' : parsed.error
}

test('what is written is read back, in one order', () => {
  const text = formatLock({ tools: [tool('write'), tool('read')] })
  assert.equal(text, formatLock({ tools: [tool('read'), tool('write')] }))
  const read = parseLock(JSON.parse(text))
  assert.ok(read.ok)
  assert.deepEqual(
    read.value.tools.map(({ definition }) => definition.name),
    ['read', 'write'],
  )
})

test('a lock that says something unknown, or a tool twice, is not used', () => {
  const form = 'rubicon/mcp-lock/1'
  const whole = { server: 'files', definition: { name: 'read', inputSchema: INPUT }, class: null }
  assert.equal(describeProblem({ lock: form, tools: [whole] }), 'parsed')
  assert.match(describeProblem({ lock: 'rubicon/mcp-lock/2', tools: [] }), /is no/)
  assert.match(describeProblem({ lock: form, tools: {} }), /no list/)
  assert.match(describeProblem({ lock: form, tools: [{ ...whole, allow: true }] }), /`allow`/)
  assert.match(describeProblem({ lock: form, tools: [{ ...whole, class: 'read' }] }), /`class`/)
  assert.match(describeProblem({ lock: form, tools: [{ ...whole, server: 'A' }] }), /no server/)
  const upper = { ...whole, definition: { name: 'READ', inputSchema: INPUT } }
  assert.match(describeProblem({ lock: form, tools: [whole, upper] }), /twice/)
})
