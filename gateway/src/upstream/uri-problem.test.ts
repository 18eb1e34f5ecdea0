import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUriProblem } from './uri-problem.ts'

test('a URI that names its place plainly is sent as it is', () => {
  for (const uri of [
    'file:///srv/notes/a.txt',
    'demo://resource/dynamic/text/1',
    'note:a',
    'https://example.com/a?b=%20c#d',
    'file:///srv/..notes/a..b',
  ])
    assert.equal(findUriProblem(uri), null, uri)
})

test('a URI that a server would take for another place than its text says is not sent', () => {
  for (const uri of [
    'file:///srv/notes/../secrets',
    'file:///srv/notes/%2e%2e/secrets',
    'file:///srv/notes/%2E./secrets',
    'file:///srv/notes/%252e%252e/secrets',
    'file:///srv/notes%2f..%2fsecrets',
    'file:///srv/notes/..\\secrets',
    'file:///srv/notes/..%5csecrets',
    'file:///srv/notes/./a',
    'file:///srv/notes/\u200b..',
    'file:///srv/a b',
    'file:///srv/a\n',
    'notes',
    `note:${'a'.repeat(3_000)}`,
  ])
    assert.notEqual(findUriProblem(uri), null, uri)
})
