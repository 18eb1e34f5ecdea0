import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeMcpError } from './mcp-answer.ts'

const content = [{ type: 'text', text: 'ENOENT' }]

test('the answer of an MCP tool says whether it is an error, as a result and as the one observation', () => {
  const answer = { content, isError: true }
  assert.equal(describeMcpError(answer), 'the tool answered with an error')
  assert.equal(describeMcpError([answer]), 'the tool answered with an error')
  const withheld = { ...answer, withheld: 'RESULT_TOO_LARGE' }
  assert.equal(describeMcpError(withheld), 'the answer of the tool was withheld')
})

test('what is no answer of an MCP tool with an error says nothing', () => {
  for (const one of [
    undefined,
    null,
    'x',
    [],
    [{ content, isError: true }, 1],
    { content },
    { content, isError: false },
    { content, isError: 'true' },
    { isError: true },
  ])
    assert.equal(describeMcpError(one), null, JSON.stringify(one))
})
