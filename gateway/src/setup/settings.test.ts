/** What is read of the settings of clients: their formats, their variables, their credentials. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { parseClientFile } from './client-file.ts'
import { listClientPlaces } from './client-places.ts'
import { toPlainJson } from './plain-json.ts'
import { hasGateway, rewriteClient } from './rewrite-client.ts'
import { isSecretArgument, isSecretText } from './secret-text.ts'
import { type TakenServer, takeServer } from './take-server.ts'

const NODE = process.execPath
const TOKEN = 'ghp_abcdefghijklmnopqrstuvwxyz012345'

function take(entry: JsonObject, name = 'Files'): TakenServer | string {
  const taken = takeServer(
    { name, entry },
    {
      ...{ folder: '/srv/project', home: '/people/ann', path: '/nowhere' },
      ...{ env: { REGION: 'north' }, names: new Set(['taken']) },
    },
  )
  return taken.ok ? taken.value : taken.error
}

test('comments and last commas are none of the JSON, and texts are left as they are', () => {
  const text = '{ // one\n "a": "//no /* comment */, }", /* two */ "b": [1, 2,], }'
  assert.deepEqual(JSON.parse(toPlainJson(text)), { a: '//no /* comment */, }', b: [1, 2] })
})

test('the settings of Claude Desktop, Cursor and VS Code are read, and nothing else is', () => {
  const entry = { command: NODE }
  const desktop = parseClientFile('f', JSON.stringify({ mcpServers: { a: entry }, theme: 'dark' }))
  const code = parseClientFile('f', `{ "inputs": [], "servers": { "a": {"type": "stdio"} } } // x`)
  assert.ok(desktop.ok && code.ok)
  assert.equal(desktop.value.member, 'mcpServers')
  assert.equal(code.value.member, 'servers')
  for (const text of ['', '[]', '{}', '{"mcpServers": []}', '{"mcpServers": {"a": 1}}'])
    assert.equal(parseClientFile('f', text).ok, false, text)
  assert.equal(parseClientFile('f', '{"mcpServers": {}, "servers": {}}').ok, false)
})

test('settings of a project come before those of a person', () => {
  const places = listClientPlaces({
    ...{ folder: '/srv/project', home: '/people/ann', platform: 'darwin', appData: undefined },
  })
  assert.equal(places[0], '/srv/project/.mcp.json')
  const own = '/people/ann/Library/Application Support/Claude/claude_desktop_config.json'
  assert.ok(places.includes(own))
})

test('credentials become references, whatever they are called', () => {
  const taken = take({ command: NODE, env: { GITHUB_TOKEN: TOKEN, MODE: 'strict', OTHER: TOKEN } })
  assert.ok(typeof taken === 'object')
  const names = { GITHUB_TOKEN: 'FILES_GITHUB_TOKEN', OTHER: 'FILES_OTHER' }
  assert.deepEqual(taken.entry.env, {
    GITHUB_TOKEN: { secret: names.GITHUB_TOKEN },
    MODE: 'strict',
    OTHER: { secret: names.OTHER },
  })
  assert.deepEqual([...taken.secrets.keys()], Object.values(names))
  assert.doesNotMatch(JSON.stringify(taken.entry), /ghp_/)
})

test('headers are credentials, and their scheme is none', () => {
  const headers = { Authorization: `Bearer ${TOKEN}`, 'X-Api-Key': 'short-key' }
  const taken = take({ type: 'http', url: 'https://mcp.example/mcp', headers })
  assert.ok(typeof taken === 'object')
  assert.deepEqual(taken.entry.headers, {
    Authorization: { secret: 'FILES_AUTHORIZATION', format: 'Bearer {secret}' },
    'X-Api-Key': { secret: 'FILES_X_API_KEY' },
  })
  assert.equal(taken.secrets.get('FILES_AUTHORIZATION'), TOKEN)
})

test('what looks like a credential is one, and paths and words are none', () => {
  for (const [name, value] of [
    ['API_KEY', 'correct-horse'],
    ['DATABASE_URL', 'postgres://ann:swordfish@db.example/shop'],
    ['X', 'a1b2c3d4e5f6a7b8c9d0e1f2'],
    ['X', 'sk-abcdefgh'],
    ['dbPassword', 'swordfish'],
  ] as const)
    assert.equal(isSecretText(name, value), true, `${name} ${value}`)
  for (const [name, value] of [
    ['KEYBOARD', 'german'],
    ['HOME', '/people/ann/a1b2c3d4e5f6a7b8c9d0e1f2'],
    ['LOG_LEVEL', 'debug'],
    ['TOKEN_FILE', '/run/secrets/token'],
  ] as const)
    assert.equal(isSecretText(name, value), false, `${name} ${value}`)
  assert.equal(isSecretArgument('--api-key=correct-horse'), true)
  assert.equal(isSecretArgument('postgres://ann:swordfish@db.example/shop'), true)
  assert.equal(isSecretArgument('--root=/srv/notes'), false)
})

test('variables are filled in where they are known, and refused where the client alone knows them', () => {
  const taken = take({
    command: NODE,
    args: ['$' + '{workspaceFolder}/x', '$' + '{env:REGION}', '$' + '{NONE:-south}'],
  })
  assert.ok(typeof taken === 'object')
  assert.deepEqual(taken.entry.command, [NODE, '/srv/project/x', 'north', 'south'])
  const asked = take({ command: NODE, env: { KEY: '$' + '{input:key}' } })
  assert.match(String(asked), /\$\{input:key\}.*client alone/)
})

test('a server that could not be started as before is not taken over', () => {
  for (const [entry, wanted] of [
    [{ command: 'no-such-program' }, /program `no-such-program` is not found/],
    [{ command: NODE, envFile: '.env' }, /`envFile` of it is not known here/],
    [{ type: 'sse', url: 'https://mcp.example/' }, /its type `sse`/],
    [{ url: 'http://mcp.example/' }, /its address is http/],
    [{ command: NODE, disabled: true }, /it is disabled/],
    [{ args: [] }, /neither `command` nor `url`/],
    [{ command: NODE, args: [1] }, /no text/],
  ] as const)
    assert.match(String(take(entry)), wanted)
})

test('names are made such that nobody takes one server for another', () => {
  const nameOf = (name: string): string => {
    const taken = take({ command: NODE }, name)
    return typeof taken === 'object' ? taken.name : taken
  }
  assert.equal(nameOf('My Files_2'), 'my-files-2')
  assert.equal(nameOf('Taken'), 'taken-2')
  assert.equal(nameOf('x'.repeat(40)), 'x'.repeat(22))
  assert.match(nameOf('файлы'), /no letter or figure/)
})

test('the gateway stands in the place of servers that it has taken over, and of nothing else', () => {
  const text = '{"servers": {"a": {"command": "x"}, "b": {"command": "y"}}, "inputs": [1]}'
  const before = parseClientFile('f', text)
  assert.ok(before.ok)
  const gateway = { command: NODE, args: ['rubicon.js', 'mcp', '--mcp', '/srv/mcp.yaml'] }
  const after = parseClientFile('f', rewriteClient(before.value, new Set(['a']), gateway))
  assert.ok(after.ok)
  assert.deepEqual(JSON.parse(JSON.stringify(after.value.document)), {
    servers: { b: { command: 'y' }, rubicon: { type: 'stdio', ...gateway } },
    inputs: [1],
  })
  assert.equal(hasGateway(before.value), false)
  assert.equal(hasGateway(after.value), true)
})
