import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STRATEGIES, type StrategyTree } from 'rubicon-kernel'
import { parseWhole, sha256 } from '../claims/parsed.test-support.ts'
import type { Delta } from '../delta/delta.ts'
import { findFormat } from '../formats/formats.ts'
import { applySplices } from '../text/splice.ts'
import type { BatchEntry, ComposeResult } from './batch.ts'
import { composeDeltas } from './compose-deltas.ts'

const CLASS = `class Auth {
  one(): number {
    return 1
  }

  two(): number {
    return 2
  }
}
`

function compose(
  name: string,
  text: string,
  batch: readonly BatchEntry[],
  strategy: StrategyTree = STRATEGIES.SingleWriter,
): ComposeResult {
  const format = findFormat(name) ?? assert.fail()
  return composeDeltas(parseWhole(format, text), batch, strategy, format, {
    artifact: name,
    sha256,
  })
}

function toText(result: ComposeResult): string {
  assert.ok(result.ok, result.ok ? '' : result.error.detail)
  return result.value.after.text
}

function listOrders<T>(values: readonly T[]): readonly (readonly T[])[] {
  if (values.length < 2) return [values]
  return values.flatMap((value, i) =>
    listOrders(values.toSpliced(i, 1)).map((rest) => [value, ...rest]),
  )
}

function addMethod(name: string, after?: string | null): Delta {
  const at = after === undefined ? {} : { at: { after } }
  const fragment = `${name}(): string {\n  return '${name}'\n}`
  return { op: 'addMember', target: 'class:Auth', fragment, ...at }
}

test('members that several put at one place stand by key and then by name, in any order of the batch', () => {
  for (const after of [undefined, null, 'class:Auth/method:one', 'class:Auth/method:two']) {
    const batch: readonly BatchEntry[] = [
      { key: 'b', deltas: [addMethod('apple', after)] },
      { key: 'a', deltas: [addMethod('pear', after)] },
      { key: 'a', deltas: [addMethod('fig', after)] },
    ]
    const texts = listOrders(batch).map((one) => toText(compose('a.ts', CLASS, one)))
    assert.equal(new Set(texts).size, 1)
    const names = [...(texts[0] ?? '').matchAll(/(\w+)\(\)/gu)].map(([, name]) => name)
    const [at] = [names.indexOf('fig')]
    assert.deepEqual(names.slice(at, at + 3), ['fig', 'pear', 'apple'], texts[0])
    assert.deepEqual(
      names.filter((name) => name === 'one' || name === 'two'),
      ['one', 'two'],
    )
  }
})

test('keys that several put behind the last one of a list are separated', () => {
  for (const [name, text] of [
    ['a.json', '{\n  "z": 1\n}\n'],
    ['a.json', '{ "z": 1 }'],
    ['a.json', '{}'],
    ['a.jsonc', '{\n  // One.\n  "z": 1, // two\n}\n'],
  ] as const) {
    const batch = ['c', 'a', 'b'].map((key) => ({
      key,
      deltas: [{ op: 'addMember', target: '', fragment: `"${key}": 2` } as const],
    }))
    const texts = listOrders(batch).map((one) => toText(compose(name, text, one)))
    assert.equal(new Set(texts).size, 1)
    assert.match(texts[0] ?? '', /"a": 2,\s*"b": 2,\s*"c": 2/u)
  }
})

test('a path means the symbol that it named in the base, whatever stands before it now', () => {
  const text = '[\n  "a",\n  "b",\n  "c"\n]\n'
  const batch: readonly BatchEntry[] = [
    { key: 'a', deltas: [{ op: 'remove', target: 'item:0' }] },
    { key: 'b', deltas: [{ op: 'replaceBody', target: 'item:1', fragment: '"B"' }] },
  ]
  for (const one of listOrders(batch))
    assert.equal(toText(compose('a.json', text, one)), '[\n  "B",\n  "c"\n]\n')
  const removals = ['item:0', 'item:1'].map((target, i) => ({
    key: `${i}`,
    deltas: [{ op: 'remove', target } as const],
  }))
  for (const one of listOrders(removals))
    assert.equal(toText(compose('a.json', text, one)), '[\n  "c"\n]\n')
})

test('what several remove side by side is gone, and nothing else', () => {
  const batch: readonly BatchEntry[] = [
    { key: 'a', deltas: [{ op: 'remove', target: 'class:Auth/method:one' }] },
    { key: 'b', deltas: [{ op: 'remove', target: 'class:Auth/method:two' }] },
    { key: 'c', deltas: [addMethod('three')] },
  ]
  const texts = listOrders(batch).map((one) => toText(compose('a.ts', CLASS, one)))
  assert.equal(new Set(texts).size, 1)
  assert.match(
    texts[0] ?? '',
    /^class Auth \{\s+three\(\): string \{\n {4}return 'three'\n {2}\}\s+\}\n$/u,
  )
})

test('the whole and every entry have an inverse that was recorded', () => {
  const batch = ['a', 'b', 'c'].map((key) => ({ key, deltas: [addMethod(key)] }))
  const result = compose('a.ts', CLASS, batch)
  assert.ok(result.ok)
  const { after, inverse, splices, entries } = result.value
  assert.equal(applySplices(CLASS, splices), after.text)
  assert.equal(applySplices(after.text, inverse), CLASS)
  let text = after.text
  for (const entry of [...entries].reverse()) text = applySplices(text, entry.inverse) ?? ''
  assert.equal(text, CLASS)
})

test('a method and a field of one name, of two authors, are refused', () => {
  const field: Delta = { op: 'addMember', target: 'class:Auth', fragment: 'three: number' }
  const batch: readonly BatchEntry[] = [
    { key: 'a', deltas: [addMethod('three')] },
    { key: 'b', deltas: [field] },
  ]
  for (const one of listOrders(batch)) {
    const result = compose('a.ts', CLASS, one)
    assert.equal(result.ok ? '' : result.error.code, 'CLAIMS_CONFLICT')
  }
})

test('an order says who writes last, and is asked for by its strategy', () => {
  const body = (value: number): Delta => ({
    op: 'replaceBody',
    target: 'class:Auth/method:one',
    fragment: `{ return ${value} }`,
  })
  const batch: readonly BatchEntry[] = [
    { key: 'a', deltas: [body(7)], order: 2 },
    { key: 'b', deltas: [body(8)], order: 1 },
  ]
  for (const one of listOrders(batch)) {
    assert.match(toText(compose('a.ts', CLASS, one, STRATEGIES.Ordered)), /return 7/u)
    assert.equal(compose('a.ts', CLASS, one).ok, false)
  }
})

test('imports that several add are merged, and nobody is in the way', () => {
  const text = "import { b } from './x.ts'\n\nexport const c = b\n"
  const batch = ['d', 'a', 'e'].map((name, i) => ({
    key: String(i),
    deltas: [{ op: 'addImport', from: './x.ts', name } as const],
  }))
  const texts = listOrders(batch).map((one) => toText(compose('a.ts', text, one)))
  assert.equal(new Set(texts).size, 1)
  assert.match(texts[0] ?? '', /^import \{ a, b, d, e \} from '.\/x.ts'\n/u)
  const fresh = ['d', 'a', 'a'].map((name, i) => ({
    key: String(i),
    deltas: [{ op: 'addImport', from: './y.ts', name } as const],
  }))
  const merged = listOrders(fresh).map((one) => toText(compose('a.ts', text, one)))
  assert.equal(new Set(merged).size, 1)
  assert.match(merged[0] ?? '', /\nimport \{ a, d \} from '.\/y.ts'\n/u)
})

test('an author whose reads are of another base is told what has changed', () => {
  const read = { kind: 'symbol', path: ['class:Auth'], part: 'header', hash: 'sha256:00' } as const
  const result = compose('a.ts', CLASS, [{ key: 'a', deltas: [addMethod('x')], reads: [read] }])
  assert.equal(result.ok ? '' : result.error.code, 'DELTA_STALE')
})

test('a name that one imports and another declares, or that two import, is refused', () => {
  const text =
    "import { a } from './a.ts'\nimport { b } from './b.ts'\nimport { c } from './c.ts'\n"
  const bring = (from: string): Delta => ({ op: 'addImport', from, name: 'given' })
  const declare: Delta = { op: 'addMember', target: '', fragment: 'function given(): void {}' }
  for (const other of [declare, bring('./c.ts'), bring('./d.ts')]) {
    const batch = [bring('./a.ts'), other].map((delta, i) => ({ key: `${i}`, deltas: [delta] }))
    for (const one of listOrders(batch)) {
      const result = compose('a.ts', text, one)
      assert.equal(result.ok ? '' : result.error.code, 'CLAIMS_CONFLICT')
    }
  }
})

test('what each may do by itself and all together may not, is refused by the schema', () => {
  const format = findFormat('a.json') ?? assert.fail()
  const parsed = parseWhole(format, '{ "z": 1 }')
  const batch = ['a', 'b'].map((key) => ({
    key,
    deltas: [{ op: 'addMember', target: '', fragment: `"${key}": 1` } as const],
  }))
  const compose = (most: number): ComposeResult =>
    composeDeltas(parsed, batch, STRATEGIES.SingleWriter, format, {
      ...{ artifact: 'a.json', sha256 },
      judge: (value) =>
        Object.keys(value ?? {}).length > most ? [{ path: '', detail: 'has too many keys' }] : [],
    })
  assert.ok(compose(3).ok)
  const refused = compose(2)
  assert.equal(refused.ok ? '' : refused.error.code, 'SCHEMA_VIOLATION')
})

test('a container that some empty and another adds to holds what was added', () => {
  const text = 'a:\n  b: 1\n  c: 2\nd: 3\n'
  const batch: readonly BatchEntry[] = [
    { key: '1', deltas: [{ op: 'remove', target: 'key:a/key:b' }] },
    { key: '2', deltas: [{ op: 'remove', target: 'key:a/key:c' }] },
    { key: '3', deltas: [{ op: 'addMember', target: 'key:a', fragment: 'e: |\n  x\n   y' }] },
  ]
  for (const one of listOrders(batch))
    assert.equal(toText(compose('a.yml', text, one)), 'a:\n  e: |\n    x\n     y\nd: 3\n')
})

test('what a list writes under a path of its own is not written by another under that of the base', () => {
  const text = '[\n  "a",\n  { "b": 1 }\n]\n'
  const first: Delta = { op: 'remove', target: 'item:0' }
  const lists: readonly (readonly Delta[])[] = [
    [first, { op: 'replaceBody', target: 'item:0', fragment: '"x"' }],
    [first, { op: 'remove', target: 'item:0' }],
  ]
  const others: readonly Delta[] = [
    { op: 'replaceBody', target: 'item:1', fragment: '"y"' },
    { op: 'addMember', target: 'item:1', fragment: '"c": 2' },
    { op: 'replaceBody', target: 'item:1/key:b', fragment: '2' },
  ]
  for (const list of lists)
    for (const other of others)
      for (const batch of listOrders([
        { key: 'a', deltas: list },
        { key: 'b', deltas: [other] },
      ])) {
        const result = compose('a.json', text, batch)
        assert.equal(result.ok ? result.value.after.text : result.error.code, 'CLAIMS_CONFLICT')
      }
})
