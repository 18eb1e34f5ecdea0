import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findFormat } from '../formats/formats.ts'
import { createGitMergeLines } from '../git/merge-file.ts'
import type { MergeResult } from './merge.ts'
import { mergeTexts } from './merge-texts.ts'

const mergeLines = createGitMergeLines()

/** Merged both ways round: a clean merge is the same text. */
function merge(name: string, base: string, ours: string, theirs: string): MergeResult {
  const format = findFormat(name)
  const one = mergeTexts({ base, ours, theirs }, format, { mergeLines })
  const other = mergeTexts({ base, ours: theirs, theirs: ours }, format, { mergeLines })
  assert.equal(one.conflicts.length === 0, other.conflicts.length === 0)
  if (one.conflicts.length === 0) assert.equal(one.text, other.text)
  return one
}

function assertMerged(result: MergeResult, text: string): void {
  assert.deepEqual(result.conflicts, [])
  assert.equal(result.text, text)
  assert.equal(result.by, 'symbols')
}

function assertConflict(result: MergeResult, kind: string, reason: RegExp): void {
  assert.equal(result.conflicts[0]?.kind, kind)
  assert.match(result.conflicts[0]?.reason ?? '', reason)
  assert.match(result.text, /^<{7} /mu)
  assert.match(result.text, /^>{7} /mu)
}

const CLASS = `class A {
  one() {
    return 1
  }
}
`

describe('merge by symbols', () => {
  test('two methods added at one place are both there, in the order of their names', () => {
    const add = (name: string) => CLASS.replace(/\}\n$/u, `\n  ${name}() {\n    return 2\n  }\n}\n`)
    assertMerged(
      merge('a.ts', CLASS, add('zwei'), add('deux')),
      `class A {
  one() {
    return 1
  }

  deux() {
    return 2
  }

  zwei() {
    return 2
  }
}
`,
    )
  })

  test('two methods put into an empty class are both there', () => {
    const result = merge(
      'a.ts',
      'class A {}\n',
      'class A {\n  a() {}\n}\n',
      'class A {\n  b() {}\n}\n',
    )
    assertMerged(result, 'class A {\n  a() {}\n\n  b() {}\n}\n')
  })

  test('neighbours that both sides changed are both changed', () => {
    const base = 'function a() {\n  return 1\n}\nfunction b() {\n  return 1\n}\n'
    const ours = base.replace('return 1', 'return 2')
    const theirs = base.replace(/return 1(?=\n\}\n$)/u, 'return 3')
    assertMerged(
      merge('a.ts', base, ours, theirs),
      'function a() {\n  return 2\n}\nfunction b() {\n  return 3\n}\n',
    )
  })

  test('what both sides add alike is there once', () => {
    const base = 'const a = 1\n'
    const ours = `${base}const b = 2\n`
    assertMerged(merge('a.ts', base, ours, `${base}const b = 2\n`), ours)
    const more = merge(
      'a.ts',
      base,
      `${base}const b = 2\nconst c = 3\n`,
      `${base}const b = 2\nconst d = 4\n`,
    )
    assertMerged(more, `${base}const b = 2\nconst c = 3\nconst d = 4\n`)
  })

  test('a removal beside an addition, and two removals of neighbours', () => {
    const base = 'const a = 1\n\nconst b = 2\n\nconst c = 3\n'
    const withoutA = base.replace('const a = 1\n\n', '')
    const withoutB = base.replace('const b = 2\n\n', '')
    assertMerged(merge('a.ts', base, withoutA, withoutB), 'const c = 3\n')
    const added = base.replace('const c', 'const x = 9\n\nconst c')
    assertMerged(
      merge('a.ts', base, withoutB, added),
      'const a = 1\n\nconst x = 9\n\nconst c = 3\n',
    )
  })

  test('a member that one side moved and the other changed is changed at its new place', () => {
    const base = 'function a() {\n  return 1\n}\nfunction b() {\n  return 1\n}\n'
    const ours = 'function b() {\n  return 1\n}\nfunction a() {\n  return 1\n}\n'
    const theirs = base.replace('return 1', 'return 7')
    assertMerged(
      merge('a.ts', base, ours, theirs),
      ours.replace(/return 1(?=\n\}\n$)/u, 'return 7'),
    )
  })

  test('keys of JSON that both sides add get the comma that they need, and no other', () => {
    assertMerged(
      merge(
        'a.json',
        '{\n  "a": 1\n}\n',
        '{\n  "a": 1,\n  "c": 3\n}\n',
        '{\n  "a": 1,\n  "b": 2\n}\n',
      ),
      '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n',
    )
    assertMerged(
      merge('a.json', '{"a": 1}', '{"a": 1, "c": 3}', '{"a": 1, "b": 2}'),
      '{"a": 1, "b": 2, "c": 3}',
    )
    assertMerged(
      merge(
        'a.json',
        '{"a": {"x": 1}, "b": 2}',
        '{"a": {"x": 2}, "b": 2}',
        '{"a": {"x": 1}, "b": 3}',
      ),
      '{"a": {"x": 2}, "b": 3}',
    )
  })

  test('keys of YAML that both sides add, and lines with CRLF', () => {
    assertMerged(
      merge(
        'a.yml',
        'a:\n  x: 1\nb: 2\n',
        'a:\n  x: 1\n  z: 3\nb: 2\n',
        'a:\n  x: 1\n  y: 3\nb: 2\n',
      ),
      'a:\n  x: 1\n  y: 3\n  z: 3\nb: 2\n',
    )
    assertMerged(
      merge(
        'a.ts',
        'const a = 1\r\n',
        'const a = 1\r\nconst b = 2\r\n',
        'const a = 1\r\nconst c = 3\r\n',
      ),
      'const a = 1\r\nconst b = 2\r\nconst c = 3\r\n',
    )
  })

  test('texts without a last line break, and a semicolon behind a function', () => {
    assertMerged(
      merge('a.ts', 'const a = 1', 'const a = 1\nconst b = 2', 'const a = 1\nconst c = 3'),
      'const a = 1\nconst b = 2\nconst c = 3',
    )
    const base = 'function a() {};\n'
    assertMerged(
      merge('a.ts', base, `${base}const b = 2\n`, `${base}const c = 3\n`),
      `${base}const b = 2\nconst c = 3\n`,
    )
  })

  test('a comment over several lines that belongs to nobody stays whole', () => {
    const base = 'const a = 1\n\n/*\n\nloose\n\n*/\n\nconst b = 2\n'
    const [ours, theirs] = [base.replace('= 1', '= 3'), base.replace('= 2', '= 4')]
    assertMerged(merge('a.ts', base, ours, theirs), ours.replace('= 2', '= 4'))
  })

  test('both changed one symbol: by its lines, else a conflict around that symbol alone', () => {
    const base = 'function a() {\n  let x = 1\n  x += 1\n  x += 2\n  return x\n}\nconst z = 1\n'
    const clean = merge(
      'a.ts',
      base,
      base.replace('let x = 1', 'let x = 5'),
      base.replace('return x', 'return -x'),
    )
    assertMerged(clean, base.replace('let x = 1', 'let x = 5').replace('return x', 'return -x'))
    const both = merge(
      'a.ts',
      base,
      base.replace('x += 1', 'x += 8'),
      base.replace('x += 1', 'x += 9'),
    )
    assertConflict(both, 'overlap', /both sides changed/u)
    assert.ok(both.text.endsWith('}\nconst z = 1\n'))
  })

  test('one removed what the other changed: a conflict', () => {
    const base = 'const z = 1\nfunction a() {\n  return 1\n}\nconst y = 1\n'
    const result = merge(
      'a.ts',
      base,
      'const z = 1\nconst y = 1\n',
      base.replace('return 1', 'return 2'),
    )
    assert.notEqual(result.conflicts.length, 0)
    assert.match(result.text, /^<{7} /mu)
  })

  test('members whose order means something and that both insert at one place are a conflict', () => {
    const base = 'run(1)\n'
    const result = merge('a.ts', base, `${base}run(2)\n`, `${base}run(3)\n`)
    assert.notEqual(result.conflicts.length, 0)
    const items = merge('a.json', '[\n  1\n]\n', '[\n  1,\n  2\n]\n', '[\n  1,\n  3\n]\n')
    assert.notEqual(items.conflicts.length, 0)
  })

  test('a text that does not parse, and one that nothing reads, go to git', () => {
    const [base, ours, theirs] = ['a\n\n\n\nb\n', 'x\n\n\n\nb\n', 'a\n\n\n\ny\n']
    const unknown = mergeTexts({ base, ours, theirs }, undefined, { mergeLines })
    assert.deepEqual([unknown.by, unknown.text], ['lines', 'x\n\n\n\ny\n'])
    const broken = mergeTexts(
      { base: 'a b\n\n\n\nc\n', ours: 'x b\n\n\n\nc\n', theirs: 'a b\n\n\n\ny\n' },
      findFormat('a.ts'),
      { mergeLines },
    )
    assert.deepEqual([broken.by, broken.fallback], ['lines', 'base does not parse'])
  })
})

describe('imports are a set', () => {
  const base = "import { b } from 'm'\n\nb()\n"

  test('names that both sides add to one import are both there, in its order', () => {
    const ours = base.replace('{ b }', '{ b, c }')
    const theirs = base.replace('{ b }', '{ a, b }')
    assertMerged(merge('a.ts', base, ours, theirs), base.replace('{ b }', '{ a, b, c }'))
  })

  test('imports of different modules, and of one module, that both sides add', () => {
    const ours = `import { x } from 'k'\n${base}`
    const theirs = `import { y } from 'l'\nimport { z } from 'k'\n${base}`
    assertMerged(
      merge('a.ts', base, ours, theirs),
      `import { x, z } from 'k'\nimport { y } from 'l'\n${base}`,
    )
  })

  test('an import that one side removes stays where the other begins to use it', () => {
    const start =
      "import { b } from 'm'\nimport { c } from 'n'\n\nexport function f() {\n  b()\n}\n"
    const ours = start.replace("import { c } from 'n'\n", '')
    const used = start.replace('  b()\n', '  b()\n  c()\n')
    assertMerged(merge('a.ts', start, ours, used), used)
    const unused = start.replace('  b()\n', '  b()\n  b()\n')
    assertMerged(merge('a.ts', start, ours, unused), unused.replace("import { c } from 'n'\n", ''))
  })
})

describe('imports that come from elsewhere', () => {
  test('an import that one side takes from another module is not kept beside it', () => {
    const start = "import { c } from 'n'\n\nexport function f() {\n  c()\n}\n"
    const ours = start.replace("'n'", "'other'")
    const theirs = start.replace('  c()\n', '  c()\n  c(2)\n')
    assertMerged(merge('a.ts', start, ours, theirs), theirs.replace("'n'", "'other'"))
  })

  test('a pattern that declares one name more breaks nobody who uses the others', () => {
    const start = "const { a, b } = require('m')\n\nfunction f() {\n  a()\n}\n"
    const ours = start.replace('{ a, b }', '{ a, b, c }')
    const theirs = start.replace('  a()\n', '  a()\n  b()\n')
    assertMerged(merge('a.js', start, ours, theirs), theirs.replace('{ a, b }', '{ a, b, c }'))
    const without = start.replace('{ a, b }', '{ a }')
    assertConflict(merge('a.js', start, without, theirs), 'removal', /`b`/u)
  })
})

describe('changes that touch no common symbol and do not go together', () => {
  const base = `export function load(a: string) {
  return a
}

export class Box {
  open() {
    return 1
  }
}

export enum Level {
  low,
  high,
}
`
  const use = (call: string) => `${base}\nexport function caller() {\n  return ${call}\n}\n`

  test('a rename against a new caller', () => {
    const ours = base.replace('function load', 'function fetch')
    assertConflict(merge('a.ts', base, ours, use("load('x')")), 'rename', /`load`/u)
  })

  test('a signature against a new caller, of a function, a method and an arrow', () => {
    const ours = base.replace('load(a: string)', 'load(a: string, b: number)')
    assertConflict(merge('a.ts', base, ours, use("load('x')")), 'signature', /`load`/u)
    const method = base.replace('open()', 'open(key: string)')
    assertConflict(merge('a.ts', base, method, use('new Box().open()')), 'signature', /`open`/u)
    const start = 'const f = (a) => a\n\nconst g = () => 1\n'
    const arrow = start.replace('(a) =>', '(a, b) =>')
    assertConflict(
      merge('a.js', start, arrow, `${start}\nconst h = () => f(1)\n`),
      'signature',
      /`f`/u,
    )
  })

  test('a removal against a new reference', () => {
    const ours = base.replace(/export function load[\s\S]*?\n\}\n\n/u, '')
    assertConflict(merge('a.ts', base, ours, use("load('x')")), 'removal', /`load`/u)
  })

  test('a body that changes breaks nobody', () => {
    const ours = base.replace('return a', 'return a.trim()')
    assertMerged(
      merge('a.ts', base, ours, use("load('x')")),
      use("load('x')").replace('return a', 'return a.trim()'),
    )
  })

  test('an enum that is numbered otherwise against a new use, and against another member', () => {
    const ours = base.replace('  high,', '  middle,\n  high,')
    assertConflict(merge('a.ts', base, ours, use('Level[1]')), 'enum', /`Level`/u)
    const more = base.replace('  high,\n', '  high,\n  top,\n')
    assertConflict(merge('a.ts', base, ours, more), 'enum', /`Level`/u)
    assertMerged(
      merge('a.ts', base, more, use('Level[1]')),
      use('Level[1]').replace('  high,\n', '  high,\n  top,\n'),
    )
  })

  test('a new use inside of a method that is there is seen', () => {
    const ours = base.replace('function load', 'function fetch')
    const theirs = base.replace('return 1', "return load('x')")
    assertConflict(merge('a.ts', base, ours, theirs), 'rename', /`load`/u)
  })

  test('a new name that one side gives to what is there, and the other to something new', () => {
    const ours = base.replace('function load', 'function fetch')
    const theirs = `${base}\nexport function fetch() {\n  return 9\n}\n`
    assertConflict(merge('a.ts', base, ours, theirs), 'name', /`fetch`/u)
  })

  test('two symbols of one name, at different places', () => {
    const start = 'const a = 1\n\nconst b = 2\n\nconst c = 3\n'
    const ours = start.replace('const b', 'const x = 1\n\nconst b')
    const theirs = `${start}\nfunction x() {}\n`
    assertConflict(merge('a.ts', start, ours, theirs), 'name', /`x`/u)
  })
})
