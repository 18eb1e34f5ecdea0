import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArchiveHeader, parseArchiveLine } from './archive-line.ts'

const LINE = '{"dfid":"f-1","leaf":3,"payload":{"salt":"x"}}'

test('a line is what was written, with what a model said where there is some', () => {
  const plain = { dfid: 'f-1', leaf: 3, payload: '{"salt":"x"}', text: null }
  assert.deepEqual(parseArchiveLine(LINE), { ok: true, value: plain })
  const said = '"text":{"failure":null,"request":"{}","response":null}'
  const text = { failure: null, request: '{}', response: null }
  const read = parseArchiveLine(`${LINE.slice(0, -1)},${said}}`)
  assert.deepEqual(read, { ok: true, value: { ...plain, text } })
})

test('what was written otherwise is no line', () => {
  const others = [
    '',
    'null',
    '{}',
    `${LINE} `,
    LINE.replace('"leaf":3', '"leaf":-3'),
    LINE.replace('"leaf":3', '"leaf":0.5'),
    LINE.replace('"leaf":3', '"leaf":"3"'),
    LINE.replace('"f-1"', '1'),
    LINE.replace('{"salt":"x"}', 'null'),
    LINE.replace('"leaf":3', '"leaf": 3'),
    LINE.replace('"dfid"', '"did"'),
    `${LINE.slice(0, -1)},"more":1}`,
    `${LINE.slice(0, -1)},"text":{}}`,
    `${LINE.slice(0, -1)},"text":{"failure":null,"request":1,"response":null}}`,
    `${LINE.slice(0, -1)},"text":{"failure":null,"request":"{}","response":1}}`,
  ]
  for (const line of others) assert.equal(parseArchiveLine(line).ok, false, line)
})

test('a header names the format and the tenant', () => {
  const header = '{"format":"rubicon/archive/1","tenant":"acme"}'
  assert.ok(parseArchiveHeader(header).ok)
  for (const line of [header.replace('/1', '/2'), header.replace('"acme"', '1'), LINE, ''])
    assert.equal(parseArchiveHeader(line).ok, false, line)
})
