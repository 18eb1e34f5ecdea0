import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWhole } from '../claims/parsed.test-support.ts'
import { findFormat } from '../formats/formats.ts'
import type { Delta } from './delta.ts'
import type { PlanResult } from './plan.ts'
import { planDelta } from './plan-delta.ts'

function plan(name: string, text: string, target: string, fragment: string): PlanResult {
  const format = findFormat(name) ?? assert.fail()
  const delta: Delta = { op: 'replaceBody', target, fragment }
  return planDelta(parseWhole(format, text), delta, format)
}

const CLASS = 'class A {\n  m() {\n    return 1\n  }\n\n  x = 1\n\n  n() {}\n}\n'
const OBJECT = 'const o = {\n  b: 2,\n  a: 1,\n}\n'

test('a body that ends its symbol and goes on behind it is refused', () => {
  for (const [name, text, target, fragment] of [
    ['a.ts', CLASS, 'class:A/method:m', '{ return 1 }\n  more() { return 2 }'],
    ['a.ts', CLASS, 'class:A/field:x', '1; more() {}'],
    ['a.ts', 'function f() {}\nf()\n', 'function:f', '{}\nprocess.exit()'],
    ['a.ts', 'const a = 1\nconst b = 2\n', 'variable:a', '1\nmore()'],
    ['a.ts', 'const a = () => 1\n', 'variable:a', '1\nmore()'],
    ['a.ts', 'type A = string\ntype B = 1\n', 'type:A', 'string\nexport type C = 1'],
    ['a.ts', 'enum E {\n  A = 1,\n  C = 3,\n}\n', 'enum:E/member:A', '1, B = 2'],
    ['a.ts', OBJECT, 'variable:o/property:a', '1, b: 3'],
    ['a.ts', 'export default 1\n', 'default:default', '1; more()'],
    ['a.json', '{\n  "a": 1,\n  "b": 2\n}\n', 'key:a', '1, "more": 3'],
    ['a.yaml', 'a: 1\nb: 2\n', 'key:a', '1\nmore: 3'],
  ] as const) {
    const planned = plan(name, text, target, fragment)
    const got = planned.ok ? planned.value.after.text : planned.error.code
    assert.equal(got, 'FRAGMENT_REACHES_OUT', `${target} ${fragment}`)
  }
})

test('a body with comments around it is a body', () => {
  for (const [target, fragment] of [
    ['class:A/method:m', '// now\n  {\n    return 2\n  }'],
    ['class:A/method:m', '{\n    return 2\n  } // now'],
    ['class:A/field:x', '2 /* two */'],
  ] as const)
    assert.equal(plan('a.ts', CLASS, target, fragment).ok, true, fragment)
})
