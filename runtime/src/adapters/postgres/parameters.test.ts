import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodeText, encodeArray, encodeText } from './parameters.ts'

const anyText = fc.string({
  unit: fc.constantFrom('\0', '\u0001', '\u0002', 'a', 'ü', '"', '\\', '{', ','),
  maxLength: 8,
})

const bytes = (text: string) => Buffer.from(text)

describe('texts on their way to the server', () => {
  it('hold no NUL, and come back as they were', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        equal(encodeText(text).includes('\0'), false)
        equal(decodeText(encodeText(text)), text)
      }),
    )
  })

  it('keep their order', () => {
    fc.assert(
      fc.property(anyText, anyText, (a, b) => {
        const after = Buffer.compare(bytes(encodeText(a)), bytes(encodeText(b)))
        equal(Math.sign(after), Math.sign(Buffer.compare(bytes(a), bytes(b))))
      }),
    )
  })

  it('are not touched when there is nothing to escape', () => {
    for (const text of ['', 'plain', '{"a":"\\u0000"}', 'tab\tü']) equal(encodeText(text), text)
  })
})

describe('arrays on their way to the server', () => {
  const numbers = (array: Uint8Array) => {
    const view = Buffer.from(array)
    return Array.from({ length: array.length >> 2 }, (_, i) => view.readInt32BE(i * 4))
  }

  it('have a head and their elements with lengths, as the protocol says', () => {
    deepEqual(numbers(encodeArray('text', [])), [0, 0, 25])
    const array = encodeArray('text', ['abcd', null])
    deepEqual(numbers(array), [1, 1, 25, 2, 1, 4, bytes('abcd').readInt32BE(), -1])
    deepEqual(numbers(encodeArray('bigint', [-2, 5n])), [1, 0, 20, 2, 1, 8, -1, -2, 8, 0, 5])
    deepEqual(numbers(encodeArray('bytea', [Uint8Array.of(0, 0, 0, 9)])), [1, 0, 17, 1, 1, 4, 9])
    equal(encodeArray('boolean', [true, false]).length, 20 + 2 * 5)
  })

  it('refuse an element of another type', () => {
    const wrong = [
      () => encodeArray('bigint', [1.5]),
      () => encodeArray('bigint', [true]),
      () => encodeArray('bytea', ['text']),
      () => encodeArray('text', [1]),
    ]
    for (const make of wrong) {
      let thrown = ''
      try {
        make()
      } catch (error) {
        thrown = String(error)
      }
      equal(/invariant broken/.test(thrown), true, String(make))
    }
  })
})
