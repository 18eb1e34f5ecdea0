import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from 'rubicon-kernel'
import { parseMcpConfig } from './mcp-file.ts'

function listProblems(document: JsonValue): readonly string[] {
  const parsed = parseMcpConfig(document)
  return parsed.ok ? [] : parsed.error.map(({ path, detail }) => `${path.join('.')} ${detail}`)
}

const FILES = { command: ['/usr/bin/node', 'server.js'] }

test('a program, an address and their secrets are read as they are written', () => {
  const parsed = parseMcpConfig({
    agent: 'desk',
    servers: {
      files: { ...FILES, env: { MODE: 'strict', TOKEN: { secret: 'FILES_KEY' } }, cwd: '/srv' },
      web: {
        url: 'https://mcp.example/mcp',
        headers: { Authorization: { secret: 'WEB_KEY', format: 'Bearer {secret}' } },
        era: 'modern',
      },
    },
    secrets: { FILES_KEY: { from: 'environment' }, WEB_KEY: { from: { file: '/run/web' } } },
  })
  assert.ok(parsed.ok)
  assert.deepEqual([...parsed.value.servers.keys()], ['files', 'web'])
  assert.equal(parsed.value.servers.get('web')?.era, 'modern')
  assert.equal(parsed.value.servers.get('files')?.era, 'legacy')
})

test('what is not known, not whole or not safe is refused by its place', () => {
  const refuse = (server: JsonValue): readonly string[] =>
    listProblems({ agent: 'desk', servers: { files: server } })
  for (const [server, wanted] of [
    [{ command: ['node', 'server.js'] }, /servers\.files\.command begins with no absolute path/],
    [{ command: [] }, /servers\.files\.command begins with no absolute path/],
    [{ ...FILES, shell: true }, /servers\.files\.shell is not known/],
    [{ ...FILES, era: 'newest' }, /servers\.files\.era is none of/],
    [{ ...FILES, env: { A: { secret: 'NONE' } } }, /env\.A\.secret is none of `secrets`/],
    [{ url: 'http://mcp.example/mcp' }, /servers\.files\.url is http/],
    [{ url: 'https://a:b@mcp.example/' }, /servers\.files\.url has credentials/],
    [{ url: 'file:///etc/passwd' }, /servers\.files\.url is neither https nor http/],
    [{ url: 'https://mcp.example/', addresses: 'any' }, /servers\.files\.addresses is none of/],
    [{ url: 'https://mcp.example/', ...FILES }, /servers\.files\.command is not known/],
  ] as const)
    assert.match(refuse(server).join('\n'), wanted)
  assert.match(listProblems({ servers: {} }).join('\n'), /agent is missing/)
  const named = listProblems({ agent: 'desk', servers: { a_b: FILES } })
  assert.match(named.join('\n'), /servers\.a_b is no name of a server/)
})
