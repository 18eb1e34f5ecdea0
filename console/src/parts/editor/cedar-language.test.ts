import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StringStream } from '@codemirror/language'
import { readCedarToken } from './cedar-language.ts'

function tokens(line: string): readonly (readonly [string, string])[] {
  const stream = new StringStream(line, 2, 2)
  const found: (readonly [string, string])[] = []
  while (!stream.eol()) {
    stream.start = stream.pos
    const kind = readCedarToken(stream)
    if (kind !== null) found.push([stream.current(), kind])
  }
  return found
}

test('keywords, variables, types, texts and comments are told apart', () => {
  assert.deepEqual(tokens('@id("a") forbid(principal, action == Action::"X") // no'), [
    ['@id', 'meta'],
    ['"a"', 'string'],
    ['forbid', 'keyword'],
    ['principal', 'variableName'],
    ['action', 'variableName'],
    ['==', 'operator'],
    ['Action', 'typeName'],
    ['"X"', 'string'],
    ['// no', 'comment'],
  ])
})

test('a text with an escaped quote is one text, and one without an end ends with its line', () => {
  assert.deepEqual(tokens('"a\\"b" like'), [
    ['"a\\"b"', 'string'],
    ['like', 'keyword'],
  ])
  assert.deepEqual(tokens('"open // no comment'), [['"open // no comment', 'string']])
})

test('whatever stands there, it goes on to the end of the line', () => {
  for (const line of ['\\', '\u0000\u202e', '"\\', '@', ':::', '😀', '`$`']) tokens(line)
})
