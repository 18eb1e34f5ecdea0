import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toCanonicalText } from '../canonical/write-json.ts'
import { mergePatch, setMember } from './merge-patch.ts'

/** RFC 7396, appendix A: target, patch, result. */
const CASES = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
] as const

test('the cases of RFC 7396 come out as printed', () => {
  for (const [target, patch, result] of CASES) {
    const merged = mergePatch(JSON.parse(target), JSON.parse(patch))
    assert.equal(toCanonicalText(merged), result, `${target} with ${patch}`)
  }
})

test('neither the target nor the patch is changed', () => {
  const target = { a: { b: 1 } }
  const patch = { a: { c: 2, b: null } }
  mergePatch(target, patch)
  setMember(target, 'x', 1)
  assert.deepEqual(target, { a: { b: 1 } })
  assert.deepEqual(patch, { a: { c: 2, b: null } })
})

test('a member called __proto__ stays a member and reaches no prototype', () => {
  const patch = JSON.parse('{"__proto__":{"polluted":true}}')
  const merged = mergePatch({}, patch)
  assert.equal(toCanonicalText(merged), '{"__proto__":{"polluted":true}}')
  assert.equal(Object.getPrototypeOf(merged), null)
  assert.equal(Reflect.get({}, 'polluted'), undefined)
})
