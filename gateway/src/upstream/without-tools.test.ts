/** A server that offers resources or prompts, and no tools. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startProgram } from './program.test-support.ts'

const WITHOUT_TOOLS = `
globalThis.own = true
const respondToAll = respond
respond = ({ method, params, answer, refuse }) =>
  method === 'initialize'
    ? answer({
        protocolVersion: params.protocolVersion,
        capabilities: { prompts: {} },
        serverInfo: { name: 'fake', version: '1' },
      })
    : respondToAll({ method, params, answer, refuse })
`

test('a server without tools has an empty list, and nothing is written to standard output about it', async (t) => {
  const said = t.mock.method(console, 'debug', () => {})
  const { definitions, refused } = await startProgram(t, { before: WITHOUT_TOOLS }).listTools()
  assert.deepEqual([definitions.size, refused.length], [0, 0])
  assert.equal(said.mock.callCount(), 0)
})
