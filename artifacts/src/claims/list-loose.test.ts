import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import type { ParsedText } from '../tree/parsed.ts'
import { listLoose } from './list-loose.ts'

function parse(name: string, text: string): ParsedText {
  const parsed = findFormat(name)?.parse(text)
  return parsed?.ok ? parsed.value : assert.fail(`${name} does not parse`)
}

const CODE = `// One.\nclass A {\n  // Two.\n  a() {\n    // Three.\n    return 1\n  }\n}\n\n// Four.\n\nclass B {\n  b() {}\n}\n`

test('what is written in a comment, in white space or beside all symbols is not overlooked', () => {
  const cases: readonly [name: string, text: string, from: string, to: string, path: string][] = [
    ['a.ts', CODE, '// One.', '// 1.', 'class:A'],
    ['a.ts', CODE, '// Two.', '// 2.', 'class:A/method:a'],
    ['a.ts', CODE, '// Three.', '// 3.', 'class:A/method:a'],
    ['a.ts', CODE, '// Four.', '// 4.', ''],
    ['a.ts', CODE, 'return 1', 'return  1', 'class:A/method:a'],
    ['a.ts', `#!/bin/a\n${CODE}`, '/bin/a', '/bin/b', ''],
    ['a.md', '---\nq: 1\n---\n\n# A\n\ntext\n', 'q: 1', 'q: 2', ''],
    ['a.jsonc', '{\n  // One.\n  "a": 1,\n  "b": 2\n}\n', '// One.', '// 1.', 'key:a'],
  ]
  for (const [name, text, from, to, path] of cases)
    assert.deepEqual(
      listLoose(parse(name, text), parse(name, text.replace(from, to))),
      [path],
      `${from} in ${name}`,
    )
})

test('who has another member beside it is not written', () => {
  const more = CODE.replace('  b() {}', '  b() {}\n\n  c() {}')
  assert.deepEqual(listLoose(parse('a.ts', CODE), parse('a.ts', more)), [])
  const json = '{ "a": 1 }'
  assert.deepEqual(listLoose(parse('a.json', json), parse('a.json', '{ "a": 1, "b": 2 }')), [])
})
