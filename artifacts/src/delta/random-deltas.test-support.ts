/** Texts of several formats in several styles, and deltas for them, made of numbers that a seeded generator draws. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Format } from '../formats/format.ts'
import { findFormat } from '../formats/formats.ts'
import { sliceSpan } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { SymbolNode } from '../tree/symbol-node.ts'
import { type Delta, ROOT } from './delta.ts'

/** Draws numbers below a bound. */
export type Draw = (below: number) => number

export type RandomText = { readonly format: Format; readonly text: string }

export const RANDOM_TEXT: fc.Arbitrary<RandomText> = fc
  .record({
    language: fc.constantFrom('a.ts', 'a.json', 'a.jsonc', 'a.yml'),
    parts: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
    style: fc.record({
      lineBreak: fc.constantFrom('\n', '\r\n'),
      indent: fc.constantFrom('  ', '    ', '\t'),
      end: fc.constantFrom('', ';'),
      mark: fc.constantFrom('', '\uFEFF'),
      isOpen: fc.boolean(),
    }),
  })
  .map(({ language, parts, style }) => {
    const isSpaced = language !== 'a.yml' || style.indent !== '\t'
    const { lineBreak, end, mark, isOpen } = style
    const indent = isSpaced ? style.indent : '  '
    const lines = writeText(language, parts).join('\n')
    const text = lines
      .replaceAll(/^ +/gmu, (blanks) => indent.repeat(blanks.length / 2))
      .replaceAll(';', end)
      .replaceAll('\n', lineBreak)
    const bom = language === 'a.yml' ? '' : mark
    return {
      format: findFormat(language) ?? assert.fail(),
      text: `${bom}${text}${isOpen ? '' : lineBreak}`,
    }
  })

function writeText(language: string, parts: readonly number[]): readonly string[] {
  if (language === 'a.ts')
    return ["import { z } from './z.ts';", ...parts.flatMap((part, i) => writeCode(part, i))]
  if (language === 'a.yml') return parts.flatMap((part, i) => writeYaml(part, i))
  const members = parts.map((part, i) => `  "k${i}": ${JSON_VALUES[part % JSON_VALUES.length]}`)
  const [comment, comma] = language === 'a.jsonc' ? ['  // About it.\n', ','] : ['', '']
  return ['{', `${comment}${members.join(',\n')}${comma}`, '}']
}

const JSON_VALUES: readonly string[] = [
  '1',
  '"text, with: {marks}"',
  '[1, 2, { "a": null }]',
  '{}',
  '[]',
  '{ "a": 1, "b": [true] }',
  '{\n    "a": {\n      "b": 2\n    },\n    "c": 3\n  }',
]

function writeCode(part: number, i: number): readonly string[] {
  switch (part % 7) {
    case 0:
      return [`/** F${i}. */`, `export function f${i}(a: number): number {`, '  return a;', '}', '']
    case 1:
      return [
        `class C${i} {`,
        '  x = 1;',
        '',
        '  // About m.',
        '  m(): number {',
        '    return 2;',
        '  } // end',
        '}',
      ]
    case 2:
      return [`enum E${i} { a, b = 4, c }`]
    case 3:
      return [`interface I${i} {`, '  a: string;', '  b(c: number): void;', '}', '']
    case 4:
      return [`const v${i} = { a: 1, b() { return \`x`, 'y`; } };']
    case 5:
      return [`namespace N${i} {`, `  export const w${i}: number = 1;`, '}']
    default:
      return [`const g${i} = (a: number): number => a + 1;`]
  }
}

function writeYaml(part: number, i: number): readonly string[] {
  switch (part % 5) {
    case 0:
      return [`k${i}: 1 # One.`]
    case 1:
      return [`k${i}:`, '  a: text', '  b:', '    - 1', '    - c: 2']
    case 2:
      return ['# About it.', `k${i}: |`, '  line', '   more']
    case 3:
      return [`k${i}: { a: 1, b: [2, 3] }`, '']
    default:
      return [`k${i}:`, '  - one', '  - two']
  }
}

/** One that may fit the text, or not. */
export function drawDelta(parsed: ParsedText, format: Format, draw: Draw): Delta {
  const symbols = listSymbols(parsed.symbols)
  const symbol = symbols[draw(symbols.length)]
  const containers = [ROOT, ...symbols.filter(({ container }) => container !== null).map(toPath)]
  const container = containers[draw(containers.length)] ?? ROOT
  const target = symbol?.path ?? ROOT
  const siblings = symbols.filter(({ path }) => toHolder(path) === container).map(toPath)
  const places = [
    {},
    { at: { after: null } },
    { at: { after: siblings[draw(siblings.length)] ?? null } },
  ]
  const place = places[draw(places.length)] ?? {}
  const name = `n${draw(40)}`
  const isCode = format.type === 'code'
  switch (draw(isCode ? 8 : 4)) {
    case 0:
    case 1:
      return {
        op: 'addMember',
        target: container,
        fragment: writeMember(format, name, draw),
        ...place,
      }
    case 2:
      return draw(2) === 0
        ? { op: 'remove', target }
        : { op: 'move', target, to: container, ...place }
    case 3:
      return { op: 'replaceBody', target, fragment: writeBody(format, symbol, draw) }
    case 4:
      return { op: 'setSignature', target, fragment: writeHeader(parsed, symbol, draw) }
    case 5:
      return {
        op: 'addImport',
        from: `./${name}.ts`,
        name: `i${draw(9)}`,
        ...(draw(2) === 0 ? {} : { type_only: true }),
      }
    case 6:
      return { op: 'rename', target, name }
    default:
      return { op: 'move', target, to: container, ...place }
  }
}

function writeMember({ media, type }: Format, name: string, draw: Draw): string {
  if (media === 'application/yaml')
    return (
      [`${name}: 1`, `${name}:\n  a: 1\n  b:\n    - 2`, `- ${name}`, `${name}: |\n  x\n   y`][
        draw(4)
      ] ?? ''
    )
  if (type === 'config')
    return (
      [`"${name}": 1`, `"${name}": {\n  "a": [\n    1\n  ]\n}`, '7', '{ "a": 1 }'][draw(4)] ?? ''
    )
  const fragments = [
    `${name}(): number {\n  return \`a\n b\`\n}`,
    `function ${name}(a: number): number {\n\n  // x\n  return a\n}`,
    `${name}: number`,
    `${name} = 4`,
    name,
    `/** About it. */\nclass ${name} {}`,
    `${name}: 1`,
    `} function ${name}() {`,
  ]
  return fragments[draw(fragments.length)] ?? ''
}

function writeBody({ media, type }: Format, symbol: SymbolNode | undefined, draw: Draw): string {
  if (media === 'application/yaml') return ['3', '"x"', '{ a: 1 }'][draw(3)] ?? ''
  if (type === 'config') return ['3', '"x"', '{ "a": 1 }', '[1, 2]'][draw(4)] ?? ''
  const isBlock = symbol?.kind === 'function' || symbol?.kind === 'method'
  return isBlock
    ? (['{ return 3 }', '{\n  return 4\n}', '}{'][draw(3)] ?? '')
    : (['5', '(6)'][draw(2)] ?? '')
}

/** What it has, with something more in it. */
function writeHeader({ text }: ParsedText, symbol: SymbolNode | undefined, draw: Draw): string {
  if (symbol === undefined) return 'x'
  const { own, body, container } = symbol
  const end = body?.start ?? (container === null ? own.end : container.inside.start - 1)
  const header = sliceSpan(text, { start: own.start, end })
  const changes = [
    header.replace('number', 'string'),
    header.replace('(', '(first: 1, '),
    header.replace(/^export /u, ''),
    `${header}\n  /* more */`,
    `${header} {`,
  ]
  return changes[draw(changes.length)] ?? header
}

function toPath({ path }: SymbolNode): string {
  return path
}

function toHolder(path: string): string {
  return path.split('/').slice(0, -1).join('/')
}

function listSymbols(symbols: readonly SymbolNode[]): readonly SymbolNode[] {
  return symbols.flatMap((symbol) => [symbol, ...listSymbols(symbol.children)])
}
