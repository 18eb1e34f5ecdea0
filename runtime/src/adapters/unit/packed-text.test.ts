import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryKind } from 'rubicon-kernel'
import { DICTIONARIES } from './dictionaries.ts'
import { packText, unpackText } from './packed-text.ts'

const KINDS: readonly EntryKind[] = ['writ', 'dispatch', 'commit']
const HASH = '8d8d484121d7719ff185b3de63b210fd09e23c26d799e42a8eb5683e94e3fbe1'
const OTHER = 'e3608b6691abe7930bbcc23374d75fb695010ab1749cb49225ea412ae224e577'

/** The same numbers every time. */
function createNumbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function assertPacked(text: string, kind: EntryKind): Uint8Array {
  const packed = packText(text, kind)
  ok(packed !== null && packed.length < text.length, `${kind}: ${text.slice(0, 40)}`)
  equal(unpackText(packed), text)
  return packed
}

/** A part of a dictionary, digits, words of somebody, or what was said before. */
function drawText(draw: (below: number) => number, parts: number): string {
  const said = DICTIONARIES.map(({ text }) => text).join('')
  let text = ''
  for (let i = 0; i < parts; i += 1) {
    const from = draw(said.length)
    const before = draw(text.length + 1)
    text += [
      said.slice(from, from + draw(400)),
      Array.from({ length: draw(140) }, () => draw(16).toString(16)).join(''),
      ['ü', '日本', '😀', '\\u0000', '"', "'", 'DEADBEEF'][draw(7)] ?? '',
      text.slice(before, before + draw(500)),
    ][draw(4)]
  }
  return text.toWellFormed()
}

test('what was packed comes back, whatever it is made of', () => {
  const draw = createNumbers(1)
  let packed = 0
  for (let i = 0; i < 3_000; i += 1) {
    const text = drawText(draw, 1 + draw(60))
    const bytes = packText(text, KINDS[draw(3)] ?? 'commit')
    if (bytes === null) continue
    packed += 1
    equal(unpackText(bytes), text)
  }
  ok(packed > 2_000, String(packed))
})

test('every length of a step comes back, and the next', () => {
  for (let length = 1; length < 400; length += 1) {
    const plain = Array.from({ length }, (_, i) => String.fromCharCode(0x67 + (i % 20))).join('')
    const digits = `${OTHER}${HASH}`.repeat(4).slice(0, length)
    const copied = (DICTIONARIES[1]?.text ?? '').slice(700, 700 + length)
    for (const text of [plain, digits, copied])
      assertPacked(`{"${HASH}":${OTHER}-${text}-${OTHER}:${text}:${HASH}`, 'dispatch')
  }
})

test('a text that is longer than the window still comes back', () => {
  const draw = createNumbers(2)
  const long = drawText(draw, 3_000)
  ok(long.length > 200_000)
  assertPacked(long, 'dispatch')
})

test('a text that UTF-8 cannot hold stays one', () => {
  equal(packText(`${HASH}${HASH}${HASH}${HASH}\ud83d`, 'commit'), null)
})

test('what gains nothing, or is short, stays a text', () => {
  equal(packText('{}', 'commit'), null)
  equal(packText('ü'.repeat(20), 'commit'), null)
  const draw = createNumbers(3)
  const noise = Array.from({ length: 400 }, () => String.fromCharCode(0x4e00 + draw(20_000)))
  equal(packText(noise.join(''), 'commit'), null)
})

test('a hash takes half of its digits, and a second time three bytes', () => {
  const text = `{"receipt":"${'zyx '.repeat(70)}"`
  const none = assertPacked(`${text}-`, 'commit')
  const once = assertPacked(`${text}-${HASH}`, 'commit')
  const twice = assertPacked(`${text}-${HASH}-${HASH}`, 'commit')
  deepEqual([once.length - none.length, twice.length - once.length], [33, 3])
})

test('bytes that somebody changed are another text or none, and never more than a moment', () => {
  const text = `{"attempt":1,"facts":{"agent":{"maintenance":false,"status":"${HASH.repeat(3)}`
  const packed = assertPacked(`${text}${text}`, 'dispatch')
  const draw = createNumbers(4)
  for (let i = 0; i < 20_000; i += 1) {
    const changed = packed.slice(0, 1 + draw(packed.length))
    changed[draw(changed.length)] = draw(256)
    equal(typeof unpackText(changed), 'string')
  }
  equal(unpackText(new Uint8Array()), '')
  equal(unpackText(Uint8Array.of(99, 1, 2, 3)), '', 'no such dictionary')
  equal(unpackText(Uint8Array.of(1, 255, 0, 255, 255)), '', 'from before the dictionary')
  equal(unpackText(Uint8Array.of(1, 5, 65)), '', 'it ends too early')
})

test('dictionaries hold nothing that a flow could have said, and no quote that SQL would read', () => {
  for (const { text } of DICTIONARIES) {
    equal(/[0-9a-f]{8}/.test(text), false)
    equal(text.includes("'"), false)
    ok(/^[ -~]*$/.test(text), 'printable ASCII')
  }
  deepEqual(
    DICTIONARIES.map(({ number }) => number),
    [1, 2, 3],
  )
})
