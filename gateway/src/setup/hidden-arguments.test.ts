import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideInAddress, hideSecretArguments } from './hidden-arguments.ts'

test('arguments are shown, and those that may be credentials are not', () => {
  const shown = hideSecretArguments([
    ...['/usr/bin/node', '/srv/tool/index.js', '--port', '8080', '/srv/notes'],
    ...['--token', 'abc', '--api-key=abc', 'GITHUB_TOKEN=hunter2', '-phunter2'],
    ...['--header', 'Authorization: Bearer abc', '--verbose', '--level=debug'],
    ...['ghp_0123456789abcdef', 'postgres://ann:pw@db.example.com/notes?x=1'],
    ...['https://api.example.com/v1?key=abc', '--url=https://api.example.com/?k=abc'],
    'A1b2C3d4E5f6G7h8I9j0K1l2M3',
  ])
  assert.deepEqual(shown, [
    ...['/usr/bin/node', '/srv/tool/index.js', '--port', '8080', '/srv/notes'],
    ...['--token', '‹hidden›', '--api-key=‹hidden›', 'GITHUB_TOKEN=‹hidden›', '-p‹hidden›'],
    ...['--header', 'Authorization: ‹hidden›', '--verbose', '--level=debug'],
    ...['‹hidden›', 'postgres://db.example.com/‹hidden›'],
    ...['https://api.example.com/v1?‹hidden›', '--url=https://api.example.com/?‹hidden›'],
    '‹hidden›',
  ])
})

test('a long argument, such as a program in a line, is cut', () => {
  const [, , script = ''] = hideSecretArguments(['node', '-e', 'x '.repeat(1_000)])
  assert.ok(script.length <= 120, String(script.length))
})

test('an address is shown without its user, its query and tokens in its path', () => {
  assert.equal(
    hideInAddress('https://ann:pw@mcp.example.com/s/A1b2C3d4E5f6G7h8I9j0K1l2M3/mcp?key=1'),
    'https://mcp.example.com/s/‹hidden›/mcp?‹hidden›',
  )
})
