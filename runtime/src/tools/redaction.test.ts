import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedaction, REDACTED } from './redaction.ts'

const SECRET = 'sk_live/4+ä "q"\\ 9'
const encode = (text: string, coding: BufferEncoding): string => Buffer.from(text).toString(coding)

const CODINGS: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  JSON: (text) => JSON.stringify(text).slice(1, -1),
  'upper case': (text) => text.toUpperCase(),
  percent: encodeURIComponent,
  'percent, lower case': (text) => encodeURIComponent(text).toLowerCase(),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
  'percent, every byte': (text) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  hex: (text) => encode(text, 'hex'),
  base64: (text) => encode(text, 'base64'),
  base64url: (text) => encode(text, 'base64url'),
  'base64 of a user and it': (text) => encode(`user:${text}`, 'base64'),
  'base64 after one character': (text) => encode(`u${text}!`, 'base64'),
  'JSON in JSON in JSON': (text) =>
    JSON.stringify(JSON.stringify(JSON.stringify(text))).replaceAll(/^[\\"]+|[\\"]+$/g, ''),
  'JSON, every character': (text) =>
    [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  HTML: (text) => text.replaceAll('"', '&quot;').replaceAll('+', '&#43;').replaceAll('/', '&#x2F;'),
  'percent in JSON': (text) => JSON.stringify(`\\${encodeURIComponent(text)}`),
  'base64url after two': (text) => encode(`uv${text}!!`, 'base64url'),
}

test('a secret is removed in every coding in which servers quote it', () => {
  const { redactText, redactJson } = createRedaction([SECRET])
  for (const [name, code] of Object.entries(CODINGS)) {
    const coded = code(SECRET)
    const said = redactText(`before ${coded} after`)
    assert.ok(said.includes(REDACTED), `${name}: ${said}`)
    const core = coded.slice(6, -6)
    assert.ok(!said.includes(core), `${name}: ${said}`)
    const json = JSON.stringify(redactJson({ a: [{ [coded]: `x${coded}` }] }))
    assert.ok(!json.includes(core), `${name}: ${json}`)
  }
})

test('a secret of digits is removed where it is a number', () => {
  const { redactJson } = createRedaction(['12345678'])
  assert.deepEqual(redactJson([12345678, 1123456789, 1, null, true]), [
    REDACTED,
    REDACTED,
    1,
    null,
    true,
  ])
})

test('everything else stays as it is; without secrets all of it does', () => {
  const value = { a: ['b', 1.5, null, { 'c%20d': 'sk_live' }] }
  assert.deepEqual(createRedaction([SECRET]).redactJson(value), value)
  assert.deepEqual(createRedaction([]).redactJson(value), value)
  assert.equal(createRedaction([]).redactText(''), '')
})

test('of two secrets of which one begins the other nothing is left', () => {
  const { redactText } = createRedaction(['abcdefgh', 'abcdefghijkl'])
  assert.equal(redactText('abcdefghijkl abcdefgh'), `${REDACTED} ${REDACTED}`)
})
