/** Secrets in the escapes in which servers and pages write text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { answerWith, callHttp, listen } from './http/outside.test-support.ts'
import { createRedaction, REDACTED } from './redaction.ts'

const SECRET = 'c4n/+ry&7f=<3a>9c"21\'d4'
const hex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0')
const each = (text: string, code: (character: string) => string): string =>
  [...text].map(code).join('')

const ESCAPES: Readonly<Record<string, (text: string) => string>> = {
  'JSON, each character': (text) => each(text, (one) => `\\u${hex(one, 4)}`),
  'JSON, upper case': (text) => each(text, (one) => `\\u${hex(one, 4).toUpperCase()}`),
  'JSON as PHP writes it': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON as .NET writes it': (text) => text.replaceAll(/[+&<>"']/g, (one) => `\\u${hex(one, 4)}`),
  'JSON in JSON': (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  'a literal of C': (text) => each(text, (one) => `\\x${hex(one, 2)}`),
  'HTML, by name': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&apos;'),
  'HTML, by number': (text) => each(text, (one) => `&#${one.charCodeAt(0)};`),
  'HTML, by hexadecimal number': (text) => each(text, (one) => `&#x${hex(one, 4)};`),
  'an address in HTML': (text) => encodeURIComponent(text).replaceAll("'", '&#39;'),
  'an address in JSON': (text) => encodeURIComponent(text).replaceAll('%', '\\u0025'),
  'an address in an address': (text) => encodeURIComponent(encodeURIComponent(text)),
}

test('a secret is removed in every escape in which servers quote it', () => {
  const { redactText, redactJson } = createRedaction([SECRET])
  for (const [name, write] of Object.entries(ESCAPES)) {
    const said = `you sent "Bearer ${write(SECRET)}", which is unknown`
    for (const told of [redactText(said), JSON.stringify(redactJson({ [said]: [said] }))]) {
      assert.ok(told.includes(REDACTED), `${name}: ${told}`)
      assert.ok(!told.includes(write(SECRET).slice(4, -4)), `${name}: ${told}`)
    }
  }
})

test('escapes of something else stay as they are', () => {
  const { redactText } = createRedaction([SECRET])
  for (const text of ['\\u0041 \\/ &amp; %41 100%', '&#x110000; &#0; \\u12', '\\\\', '%%41'])
    assert.equal(redactText(text), text)
})

test('an answer that strict readers refuse does not tell its secret in escapes', async (t) => {
  const value = each(SECRET, (one) => `\\u${hex(one, 4)}`)
  // A name that stands twice: no JSON here, and text to whoever keeps the refusal.
  const { port } = await listen(t, answerWith(422, `{"a": 1, "a": 2, "sent": "${value}"}`))
  const headers = { authorization: { secret: 'KEY', format: 'Bearer {secret}' } }
  const hosts = [`127.0.0.1:${port}`]
  const grant = { source: { read: async () => SECRET }, tools: ['acme.pay'], hosts, commands: [] }
  const options = { secrets: new Map([['KEY', grant]]) }
  await assert.rejects(callHttp(port, { headers }, { options }), (error) => {
    const shown = inspect(error, { depth: null })
    assert.ok(shown.includes(REDACTED), shown)
    assert.ok(!shown.includes('u0063'), shown)
    return true
  })
})
