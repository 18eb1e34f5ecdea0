/** What passes between a client and a reference server that has all of it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { callTool, catchProblem, openFront } from './front.test-support.ts'

const EVERYTHING = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
const LONG = 'trigger-long-running-operation'

test('a client reads resources and prompts, and is told how far its call is', async (t) => {
  const command = [process.execPath, EVERYTHING]
  const { client } = await openFront(t, {
    servers: { everything: { command, resources: true, prompts: true } },
    agreed: { everything: ['echo', LONG] },
    permissions: {
      policy_kinds: [
        ...['mcp.everything.echo', `mcp.everything.${LONG}`],
        ...['mcp.everything.resources.read', 'mcp.everything.prompts.get'],
      ],
      resources: {
        uris: { allow: ['demo://resource/*'], applies_to: ['mcp.everything.resources.read'] },
        prompts: { allow: ['args-prompt'], applies_to: ['mcp.everything.prompts.get'] },
      },
    },
  })

  const { resources } = await client.listResources()
  assert.ok(resources.length > 0)
  assert.ok(resources.every(({ uri }) => uri.startsWith('mcp.everything+')))
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.ok(resourceTemplates.every(({ uriTemplate }) => uriTemplate.startsWith('mcp.everything+')))

  const uri = 'demo://resource/dynamic/text/1'
  const shown = `mcp.everything+${uri}`
  const { contents } = await client.readResource({ uri: shown })
  assert.equal(contents[0]?.uri, shown)
  assert.match(JSON.stringify(contents), /Resource 1/)
  const raw = await client.readResource({ uri })
  assert.equal(raw.contents[0]?.uri, uri)

  const outside = await catchProblem(client.readResource({ uri: 'mcp.everything+file:///etc/a' }))
  assert.equal(outside.code, 'RESOURCE_SCOPE')
  const upward = `mcp.everything+demo://resource/%2e%2e/secret`
  assert.match((await catchProblem(client.readResource({ uri: upward }))).message, /URI_INVALID/)

  const { prompts } = await client.listPrompts()
  assert.ok(prompts.some(({ name }) => name === 'everything__args-prompt'))
  const prompt = await client.getPrompt({
    name: 'everything__args-prompt',
    arguments: { city: 'Oslo' },
  })
  assert.match(JSON.stringify(prompt.messages), /Oslo/)
  const denied = await catchProblem(client.getPrompt({ name: 'everything__resource-prompt' }))
  assert.equal(denied.code, 'RESOURCE_SCOPE')
  const missing = await catchProblem(client.getPrompt({ name: 'simple-prompt' }))
  assert.equal(missing.code, 'PROMPT_UNKNOWN')

  const reached: number[] = []
  await client.callTool(
    { name: `everything__${LONG}`, arguments: { duration: 0.6, steps: 3 } },
    { onprogress: ({ progress }) => reached.push(progress) },
  )
  // The last one comes with the answer, after which libraries listen to no more progress.
  assert.deepEqual(reached.slice(0, 2), [1, 2])
  assert.equal((await callTool(client, 'everything__echo', { message: 'a' })).isError, undefined)
})
