import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isMcpServerName,
  isMcpToolName,
  parseShownName,
  toMcpKind,
  toMcpReadKind,
  toShownName,
} from './mcp-name.ts'

test('a name that a client is shown is read back as the same server and tool', () => {
  for (const [server, tool] of [
    ['files', 'read_file'],
    ['a-b', '_x'],
    ['g', '__'],
  ] as const) {
    const shown = toShownName(server, tool)
    assert.ok(shown !== undefined)
    assert.deepEqual(parseShownName(shown), { server, tool })
  }
  assert.equal(toMcpKind('files', 'read_file'), 'mcp.files.read_file')
})

test('reading what a server holds has a kind for each way of it, and none that a tool has', () => {
  assert.equal(toMcpReadKind('files', 'resources/read'), 'mcp.files.resources.read')
  assert.equal(toMcpReadKind('files', 'prompts/get'), 'mcp.files.prompts.get')
})

test('a server has up to 24 characters, a tool and what a client is shown up to 64', () => {
  assert.ok(isMcpServerName('a'.repeat(24)))
  assert.ok(isMcpToolName('x'.repeat(64)))
  assert.equal(isMcpToolName('x'.repeat(65)), false)
  const shown = `files__${'x'.repeat(57)}`
  assert.equal(toShownName('files', 'x'.repeat(57)), shown)
  assert.deepEqual(parseShownName(shown), { server: 'files', tool: 'x'.repeat(57) })
})

test('names that could be taken for others are none', () => {
  for (const name of ['', 'a_b', 'Files', 'a.b', 'fіles', 'a'.repeat(25)])
    assert.equal(isMcpServerName(name), false, name)
  for (const name of ['', 'read file', 'réad', 'a.b', 'a/b', 'read\u200b'])
    assert.equal(isMcpToolName(name), false, name)
  for (const name of ['', '__x', 'files', 'files_', 'files__', 'Files__x', 'files__a b'])
    assert.equal(parseShownName(name), undefined, name)
  assert.equal(toShownName('files', 'x'.repeat(58)), undefined)
  assert.equal(parseShownName(`files__${'x'.repeat(58)}`), undefined)
})
