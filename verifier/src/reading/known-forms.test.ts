import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonValue, parseJson, toCanonicalText } from 'rubicon-kernel'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { CanonicalScan } from './canonical-scan.ts'
import { createKnownForms, type KnownForms } from './known-forms.ts'
import { LINE_LIMITS } from './limits.ts'
import { cutTexts, writeMemberTexts } from './member-texts.ts'
import { seededDraws } from './seeded-draws.test-support.ts'

const scan = new CanonicalScan(LINE_LIMITS)

function learn(forms: KnownForms, text: string): void {
  assert.ok(scan.isCanonical(text), text)
  forms.learn('a', text, JSON.parse(text) as JsonValue, scan.getMemberPlaces(), 0)
}

/** Forms of texts that differ in what stands in their gaps. */
function formsOf(...texts: readonly string[]): KnownForms {
  const forms = createKnownForms()
  for (const text of texts) learn(forms, text)
  return forms
}

function meant(forms: KnownForms, text: string): JsonValue | undefined {
  return forms.find('a', text)?.buildValue()
}

function meantSlowly(text: string): JsonValue | undefined {
  const read = parseJson(text, LINE_LIMITS)
  return read.ok && toCanonicalText(read.value) === text ? read.value : undefined
}

const ALIKE = [
  '{"a":"x","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
  '{"a":"other","b":[20,{"c":"same","d":""},[]],"n":7,"o":{"p":{"q":true}}}',
]

test('a text of a known form means what parsing says, and no other text has it', () => {
  const forms = formsOf(...ALIKE)
  const yes = [
    ...ALIKE,
    '{"a":"","b":[999999999999999,{"c":"same","d":"é😀/"},[]],"n":10,"o":{"p":{"q":true}}}',
  ]
  for (const text of yes) {
    assert.deepEqual(meant(forms, text), JSON.parse(text))
    assert.ok(meantSlowly(text) !== undefined, text)
  }
  const no = [
    '{"a":"x","b":[01,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","b":[1000000000000000,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","b":[,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","b":[-1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","b":[1,{"c":"else","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"\\u0061","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"\\n","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"\u0001","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","a":"x","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}}',
    '{"a":"x","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}} ',
    '{"a":"x","b":[1,{"c":"same","d":"y"},[]],"n":0,"o":{"p":{"q":true}}',
    '{"a":"x","b":[1,{"c":"same","d":"y',
    '',
  ]
  for (const text of no) assert.equal(meant(forms, text), undefined, text)
  assert.equal(forms.find('b', ALIKE[0] ?? ''), undefined)
  assert.ok(forms.find('a', '{"a":"","b":[9,{"c":"same","d":""},[]],"n":0,"o":{"p":{"q":true}}}'))
  const colon = '{"a":"","b":[9:,{"c":"same","d":""},[]],"n":0,"o":{"p":{"q":true}}}'
  assert.equal(forms.find('a', colon), undefined)
})

test('of more than eight forms those are known that were met last', () => {
  const texts = Array.from({ length: 9 }, (_, n) => `{"${'abcdefghi'.charAt(n)}":1}`)
  const [first = '', second = ''] = texts
  const forms = formsOf(...texts.slice(0, 8))
  for (const text of texts.slice(0, 8)) assert.ok(forms.find('a', text), text)
  assert.ok(forms.find('a', first))
  learn(forms, texts[8] ?? '')
  for (const text of texts) assert.equal(forms.find('a', text) !== undefined, text !== second, text)
})

test('names that are numbers stand in a text in another order than in an object', () => {
  const forms = formsOf('{"10":"a","9":"b"}', '{"10":"c","9":"d"}')
  assert.deepEqual(meant(forms, '{"10":"e","9":"f"}'), { '9': 'f', '10': 'e' })
})

test('members are cut from the text that was looked at last, and from no other', () => {
  const forms = formsOf(...ALIKE)
  const [one = '', other = ''] = ALIKE
  const texts = cutTexts(forms.find('a', one)?.computeMemberPlaces(one, 0) ?? assert.fail())
  assert.equal(texts.getText('a'), '"x"')
  assert.ok(forms.find('a', one))
  assert.throws(() => texts.getText('a'))
  assert.equal(
    cutTexts(forms.find('a', other)?.computeMemberPlaces(other, 0) ?? assert.fail()).getText('n'),
    '7',
  )
})

test('what is shared between values that are alike cannot be changed', () => {
  const forms = formsOf(...ALIKE)
  const one = meant(forms, ALIKE[0] ?? '') as { o: { p: object }; a: string }
  const two = meant(forms, ALIKE[1] ?? '') as { o: { p: object }; a: string }
  assert.equal(one.a, 'x')
  assert.equal(one.o, two.o)
  assert.throws(() => Object.assign(one.o.p, { q: false }), TypeError)
})

test('whatever is changed in payloads of a ledger, a known form says what parsing says', () => {
  const draws = seededDraws(11)
  const texts = payloads()
  const forms = createKnownForms()
  for (const text of texts) learn(forms, text)
  const parts = ['', ',', '"', '{', '}', ']', '0', '7', 'a', '-', ' ', '\\', 'null', '\u0001', 'é']
  let found = 0
  for (let round = 0; round < 2_000; round += 1) {
    const text = texts[draws(texts.length)] ?? ''
    const at = draws(text.length)
    const changed =
      text.slice(0, at) + (parts[draws(parts.length)] ?? '') + text.slice(at + draws(3))
    const form = forms.find('a', changed)
    const value = form?.buildValue()
    if (form === undefined || value === undefined) {
      if (scan.isCanonical(changed) && meantSlowly(changed) !== undefined) learn(forms, changed)
      continue
    }
    found += 1
    assert.equal(toCanonicalText(value), changed)
    assert.ok(meantSlowly(changed) !== undefined, changed)
    sameTexts(changed, value, cutTexts(form.computeMemberPlaces(`..${changed}`, 2)))
  }
  assert.ok(found > 100, String(found))
})

function payloads(): readonly string[] {
  const lines = sampleLedger().builder.text().split('\n').slice(1, -1)
  const values = lines.map((line) => (JSON.parse(line) as { payload: JsonValue }).payload)
  return values.filter((value) => value !== null).map(toCanonicalText)
}

function sameTexts(text: string, value: JsonValue, texts: ReturnType<typeof cutTexts>): void {
  assert.ok(isObject(value))
  const written = writeMemberTexts(value)
  for (const [name, member] of Object.entries(value)) {
    assert.equal(texts.getText(name), written.getText(name), text)
    if (!isObject(member)) continue
    const inner = Object.keys(member)
    for (const one of inner)
      assert.equal(texts.getText(name, one), written.getText(name, one), text)
    assert.equal(
      texts.getTextWithout(name, inner.slice(1, 2)),
      written.getTextWithout(name, inner.slice(1, 2)),
    )
  }
}
