import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { findHostProblem } from './host-name.ts'
import { fillPath, parseUrlTemplate } from './url-template.ts'

/** Text as an adversary would choose it. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...'./\\%?#;:@&=+ \r\n\t\0a0é２。'.split(''), '..', '%2e', '%2f', '//'),
    maxLength: 8,
  }),
)

test('another reader of URLs finds each parameter in its own segment, or nothing is sent', () => {
  const url = parseUrlTemplate('https://api.example.com/orders/{/a}/lines:{/b}')
  assert.ok(url.ok)
  let sent = 0
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const params: Readonly<Record<string, string>> = { '/a': a, '/b': b }
      const path = fillPath(url.value, (pointer) => params[pointer])
      if (!path.ok) return
      sent += 1
      assert.match(path.value, /^[\x21-\x7e]+$/)
      const read = new URL(`https://api.example.com${path.value}`)
      assert.deepEqual([read.pathname, read.search, read.hash], [path.value, '', ''])
      const segments = read.pathname.split('/').map(decodeURIComponent)
      assert.deepEqual(segments, ['', 'orders', a, `lines:${b}`])
    }),
    { numRuns: 3_000 },
  )
  assert.ok(sent > 100, `${sent}`)
})

test('a host that is accepted is the same to another reader of URLs', () => {
  const host = fc.string({
    unit: fc.constantFrom(...'abxyz019.-:[]%@/\\#?f_ALé。'.split(''), '0x', 'xn--', '127', '::'),
    maxLength: 10,
  })
  let accepted = 0
  fc.assert(
    fc.property(host, (text) => {
      if (findHostProblem(text) !== null || text.includes('xn--')) return
      accepted += 1
      assert.equal(new URL(`https://${text}/`).hostname, text)
      assert.equal(new URL(`https://${text}/`).username, '')
    }),
    { numRuns: 20_000 },
  )
  assert.ok(accepted > 100, `${accepted}`)
})
