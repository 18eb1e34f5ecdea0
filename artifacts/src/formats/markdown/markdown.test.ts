import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ParsedText } from '../../tree/parsed.ts'
import type { SymbolNode } from '../../tree/symbol-node.ts'
import { MARKDOWN_FORMAT } from './markdown.ts'
import { readRequirements } from './read-requirements.ts'
import { listDangling } from './references.ts'

const SPEC = `---
title: Sums
---

Every sum is exact.

# Sums

See [REQ-2], and [REQ-9]; \`[REQ-8]\` is code, \\[REQ-7] is escaped.

### REQ-1 [must] Add

Adds as [REQ-2](#req-2) says.

\`\`\`examples
| symbol | input | expected |
|--------|-------|----------|
| add    | [1,2] | 3        |
| or     | "a\\|b" | {"x": null} |
\`\`\`

### REQ-2 [should] Subtract

Title
-----

> # quoted

    # indented

<div>
# html
</div>

\`\`\`sh
# fenced
\`\`\`
`

function parse(text: string): ParsedText {
  const parsed = MARKDOWN_FORMAT.parse(text)
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.error.detail)
  return parsed.value
}

function listPaths(symbols: readonly SymbolNode[]): readonly string[] {
  return symbols.flatMap(({ path, children }) => [path, ...listPaths(children)])
}

function describeProblem(text: string): string {
  const parsed = MARKDOWN_FORMAT.parse(text)
  assert.ok(!parsed.ok, 'it was read')
  const { detail, at } = parsed.error
  return `${detail} @ ${at === null ? '' : text.slice(at.start, at.end)}`
}

test('sections are nested by their levels, and only headings of the document itself open one', () => {
  assert.deepEqual(listPaths(parse(SPEC).symbols), [
    'text:intro',
    'section:Sums',
    'section:Sums/text:intro',
    'section:Sums/requirement:REQ-1',
    'section:Sums/requirement:REQ-1/examples:table',
    'section:Sums/requirement:REQ-2',
    'section:Sums/section:Title',
    'section:Sums/section:Title/text:intro',
  ])
})

test('titles that are there twice, empty, or hold marks have paths of their own', () => {
  const text = '# A\n#\n# A\n## `b()` [c](d)\n#\n# /#%é\n'
  assert.deepEqual(listPaths(parse(text).symbols), [
    'section:A#1',
    'section:untitled#1',
    'section:A#2',
    'section:A#2/section:b%28%29%20c',
    'section:untitled#2',
    'section:%2F%23%25%C3%A9',
  ])
})

test('front matter is one tile, and what is read has its place behind a byte order mark too', () => {
  for (const mark of ['', '\uFEFF'])
    for (const lineBreak of ['\n', '\r\n']) {
      const text = mark + SPEC.replaceAll('\n', lineBreak)
      const { tiles, symbols } = parse(text)
      const [first] = tiles.filter(({ kind }) => kind !== 'space')
      const front = ['---', 'title: Sums', '---'].join(lineBreak)
      assert.equal(text.slice(first?.start, first?.end), front)
      const sums = symbols.find(({ name }) => name === 'Sums')
      assert.equal(text.slice(sums?.nameSpan?.start, sums?.nameSpan?.end), 'Sums')
      const requirement = sums?.children.find(({ name }) => name === 'REQ-1')
      assert.equal(text.slice(requirement?.nameSpan?.start, requirement?.nameSpan?.end), 'REQ-1')
    }
})

test('requirements are read with their priority and their examples', () => {
  const read = readRequirements(SPEC)
  assert.ok(read.ok)
  const [one, two] = read.value
  assert.deepEqual([one?.id, one?.priority, one?.title], ['REQ-1', 'must', 'Add'])
  assert.deepEqual(
    one?.examples.map(({ symbol, input, expected }) => ({
      symbol,
      input,
      expected: JSON.stringify(expected),
    })),
    [
      { symbol: 'add', input: [1, 2], expected: '3' },
      { symbol: 'or', input: 'a|b', expected: '{"x":null}' },
    ],
  )
  assert.deepEqual([two?.id, two?.priority, two?.examples], ['REQ-2', 'should', []])
})

test('a table of examples that cannot be read is a problem, with its place', () => {
  const build = (table: string): string => `### REQ-1 [must] a\n\`\`\`examples\n${table}\n\`\`\`\n`
  const head = '| symbol | input | expected |\n|---|---|---|\n'
  for (const [table, problem] of [
    [`${head}| f | 1 |`, 'an example has 3 cells @ | f | 1 |'],
    [`${head}| f | 1 | 2 | 3 |`, 'an example has 3 cells @ | f | 1 | 2 | 3 |'],
    [`${head}|   | 1 | 2 |`, 'it does not say which symbol @ '],
    [`${head}| f | oops | 2 |`, '`oops` is no JSON @ oops'],
    [`${head}| f | 1 | 1e999 |`, '`1e999` is no JSON @ 1e999'],
    [
      '| symbol | input |\n|---|---|',
      'the columns of examples are `| symbol | input | expected |` @ | symbol | input |',
    ],
    [
      '| symbol | input | expected |\n| f | 1 | 2 |',
      'behind the columns comes `|---|---|---|` @ | f | 1 | 2 |',
    ],
  ] as const)
    assert.equal(describeProblem(build(table)), problem)
  assert.match(describeProblem(build(head.trimEnd())), /a table of examples has one/u)
})

test('a requirement that is there twice, or only looks like one, is a problem', () => {
  assert.equal(
    describeProblem('### REQ-1 [must] a\n\n### REQ-1 [should] b\n'),
    '`REQ-1` is there twice @ REQ-1',
  )
  for (const heading of ['### REQ-1 [may] a', '## REQ-1 [must] a', '### REQ-1[must]'])
    assert.match(describeProblem(`${heading}\n`), /a requirement begins/u)
  assert.deepEqual(listPaths(parse('### REQ-1 a\n').symbols), ['section:REQ-1%20a'])
})

test('references name the requirement that they stand for; one that nobody has is named', () => {
  const parsed = parse(SPEC)
  const all = { start: 0, end: SPEC.length }
  assert.deepEqual(
    MARKDOWN_FORMAT.findReferences?.(parsed, all)?.map(({ name, to }) => ({ name, to })),
    [{ name: 'REQ-9', to: { kind: 'free' } }],
  )
  assert.deepEqual(
    listDangling(parsed).map(({ name }) => name),
    ['REQ-9'],
  )
  const one = parsed.symbols[1]?.children[1]
  assert.equal(one?.name, 'REQ-1')
  const found = MARKDOWN_FORMAT.findReferences?.(parsed, one.own) ?? []
  assert.deepEqual(
    found.map(({ to }) => to),
    [{ kind: 'symbol', path: 'section:Sums/requirement:REQ-2' }],
  )
  const places = MARKDOWN_FORMAT.findOccurrences?.(parsed, 'section:Sums/requirement:REQ-2') ?? []
  assert.deepEqual(
    places.map(({ start, end }) => SPEC.slice(start - 4, end + 1)),
    ['ee [REQ-2]', 'as [REQ-2]', '### REQ-2 '],
  )
  assert.equal(MARKDOWN_FORMAT.findOccurrences?.(parsed, 'section:Sums'), null)
})

test('a document that opens more than anybody writes is refused before it is read', () => {
  assert.match(describeProblem(`a\n${'>'.repeat(200)} b\n`), /nested deeper/u)
  assert.match(describeProblem(`${'- '.repeat(200)}b\n`), /nested deeper/u)
  parse(`${'> '.repeat(50)}b\n`)
  parse(`a\n${'-'.repeat(500)}\n${'*'.repeat(500)}\n${'+'.repeat(500)}\n`)
  assert.match(describeProblem('a\n'.repeat(20_001)), /more than 20000 lines/u)
})

test('whatever a document is made of, its blocks tile it and no two symbols have one path', () => {
  const line = fc.constantFrom(
    ...['# a', '## b', '### REQ-1 [must] a', '[REQ-1]', 'text', '===', '---', '> q', '- i'],
    ...['```', '```examples', '| a | b |', '|---|---|', '', '  ', '\ttab', '<div>', '<!-- c -->'],
    ...['[x]: y', '[^1]: z', '    code', '***', '1. x', '~~~', '\u00a0', '\\', '</div>', '-->'],
  )
  const lineBreak = fc.constantFrom('\n', '\r\n', '\r')
  fc.assert(
    fc.property(fc.array(fc.tuple(line, lineBreak), { maxLength: 30 }), (lines) => {
      const text = lines.flat().join('')
      const parsed = MARKDOWN_FORMAT.parse(text)
      if (!parsed.ok) return assert.match(parsed.error.detail, /twice|examples|columns|behind/u)
      assert.equal(
        parsed.value.tiles.map(({ start, end }) => text.slice(start, end)).join(''),
        text,
      )
      const paths = listPaths(parsed.value.symbols)
      assert.equal(new Set(paths).size, paths.length)
    }),
    { numRuns: 300 },
  )
})

test('lists that are opened line by line have a depth, too, and are not open over all lines', () => {
  const nest = (levels: number): string[] =>
    Array.from({ length: levels }, (_, level) => `${' '.repeat(level * 2)}- a`)
  parse(nest(40).join('\n'))
  assert.match(describeProblem(nest(300).join('\n')), /nested deeper/u)
  const long = [...nest(50), ...Array.from({ length: 900 }, () => `${' '.repeat(100)}b`)]
  assert.match(describeProblem(long.join('\n')), /too many lines/u)
  const wide = Array.from({ length: 500 }, (_, n) => `${'  '.repeat(n % 4)}- a`)
  parse(wide.join('\n'))
})
