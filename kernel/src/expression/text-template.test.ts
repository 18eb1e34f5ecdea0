import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { LIMITS } from '../limits.ts'
import {
  fillTextTemplate,
  findTemplateProblem,
  parseTextTemplate,
  type TemplateUse,
  toTemplateText,
} from './text-template.ts'

function findProblem(text: string, use: TemplateUse = 'id'): string | undefined {
  const parts = parseTextTemplate(text)
  return parts.ok ? findTemplateProblem(parts.value, use) : parts.error
}

/** The text, or why there is none. */
function fill(text: string, params: JsonObject, use: TemplateUse = 'id'): string {
  const filled = fillTextTemplate(text, params, use)
  return filled.ok ? filled.value : filled.error.kind
}

test('a template is its literal parts and its parameters, in their order', () => {
  const parsed = parseTextTemplate('a:{/b}-{/c/0}')
  assert.deepEqual(parsed, {
    ok: true,
    value: [
      { kind: 'literal', text: 'a:' },
      { kind: 'param', pointer: '/b' },
      { kind: 'literal', text: '-' },
      { kind: 'param', pointer: '/c/0' },
    ],
  })
  assert.deepEqual(parseTextTemplate('{/b}'), {
    ok: true,
    value: [{ kind: 'param', pointer: '/b' }],
  })
  assert.match(findProblem('') ?? '', /must not be empty/)
  for (const text of ['{', 'a{', '{}', '{b}', '{/b', '{/a/*}', '{{/b}}'])
    assert.match(findProblem(text) ?? '', /has a `\{` that begins no/, text)
  for (const text of ['}', 'a}', '{/b}}', '}{/b}'])
    assert.match(findProblem(text) ?? '', /has a `\}` that ends nothing/, text)
})

test('between two parameters stands punctuation, behind the last nothing has to', () => {
  for (const text of ['{/a}:{/b}', '{/a}x-{/b}', '{/a}x', 'x{/a}', '{/a}:{/b}x'])
    assert.equal(findProblem(text), undefined, text)
  assert.match(findProblem('{/a}{/b}') ?? '', /nothing between them/)
  for (const text of ['{/a}x{/b}', '{/a}Z9{/b}:c', '{/a}:{/b}0{/c}'])
    assert.match(findProblem(text) ?? '', /no punctuation between/, text)
})

test('a path of State has the characters of one, an id all but those that nobody sees', () => {
  assert.equal(findProblem('price.{/a}', 'path'), undefined)
  for (const text of ['a b', 'é', 'a/{/b}'])
    assert.match(findProblem(text, 'path') ?? '', /no path of State/, text)
  for (const text of [' ', '~', '\u00a0', 'é', '\u{1f600}', 'a/{/b}'])
    assert.equal(findProblem(text), undefined, JSON.stringify(text))
  for (const text of ['\u0000', '\u001f', '\u007f', '\u0080', '\u009f', 'a\u001f', 'ab\ud800'])
    assert.match(findProblem(text) ?? '', /no id has/, JSON.stringify(text))
})

test('a parameter holds none of the punctuation around it, and in a path no dot', () => {
  assert.equal(fill('order:{/a}', { a: 'x-1' }), 'order:x-1')
  assert.equal(fill('order:{/a}', { a: 'x:1' }), 'mismatch')
  assert.equal(fill('order:{/a}', { a: 'order' }), 'order:order', 'letters are no punctuation')
  assert.equal(fill('{/a}', { a: 'x.1' }), 'x.1')
  assert.equal(fill('{/a}', { a: 'x.1' }, 'path'), 'mismatch')
  assert.equal(fill('{/a}-{/b}', { a: 'x', b: 'y' }), 'x-y')
  assert.equal(fill('{/a}-{/b}', { a: 'x-y', b: 'z' }), 'mismatch')
  assert.equal(fill('{/a}', {}), 'absent')
  for (const a of ['', null, true, ['x'], {}, '\u0000', '\ud800'] as readonly JsonValue[])
    assert.equal(fill('order:{/a}', { a }), 'mismatch', JSON.stringify(a))
  assert.equal(fill('{', {}), 'mismatch')
})

test('an id has up to 256 characters, and so has what stands in it', () => {
  const most = LIMITS.resourceIdLength
  assert.equal(fill('{/a}', { a: 'x'.repeat(most) }), 'x'.repeat(most))
  assert.equal(fill('{/a}', { a: 'x'.repeat(most + 1) }), 'mismatch')
  assert.equal(fill('a{/a}', { a: 'x'.repeat(most - 1) }), `a${'x'.repeat(most - 1)}`)
  assert.equal(fill('a{/a}', { a: 'x'.repeat(most) }), 'mismatch')
  const name = LIMITS.identifierLength
  assert.equal(fill('{/a}', { a: 'x'.repeat(name) }, 'path'), 'x'.repeat(name))
  assert.equal(fill('{/a}', { a: 'x'.repeat(name + 1) }, 'path'), 'mismatch')
})

test('a number stands in plain digits', () => {
  assert.equal(toTemplateText(1e21), '1000000000000000000000')
  assert.equal(toTemplateText(-0.5), '-0.5')
  assert.equal(toTemplateText('1e3'), '1e3')
  for (const value of [null, true, [], {}] as readonly JsonValue[])
    assert.equal(toTemplateText(value), undefined)
})
