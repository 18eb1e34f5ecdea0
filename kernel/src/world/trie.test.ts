import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeHex, encodeHex } from '../canonical/bytes.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import {
  computeTrieRoot,
  decodeTrieNode,
  encodeTrieNode,
  type LeafChange,
  listTriePrefixes,
  type TrieNode,
  updateTrie,
} from './trie.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const ZERO = '00'.repeat(32)
const digest = (text: string): Uint8Array => sha256(new TextEncoder().encode(text))
const leafFor = (name: string, version = 1): LeafChange => ({
  key: digest(name),
  hash: digest(`${name} at ${version}`),
})
/** A leaf at a chosen place: the nibbles, then zeros. */
const leafAt = (nibbles: string): LeafChange => ({
  key: decodeHex(nibbles.padEnd(64, '0')) ?? assert.fail('not hex'),
  hash: digest(nibbles),
})

type Pages = Map<string, TrieNode>

function update(pages: Pages, changes: readonly LeafChange[]): string {
  const { root, writes } = updateTrie((prefix) => pages.get(prefix), changes, sha256)
  for (const [prefix, page] of writes) pages.set(prefix, page)
  return encodeHex(root)
}

test('an empty world is zeros and has no page', () => {
  const pages: Pages = new Map()
  assert.equal(update(pages, []), ZERO)
  assert.equal(encodeHex(computeTrieRoot([], sha256)), ZERO)
  assert.equal(pages.size, 0)
})

test('a single leaf is the root itself and lies in the root page', () => {
  const pages: Pages = new Map()
  const leaf = leafFor('a')
  assert.equal(update(pages, [leaf]), encodeHex(leaf.hash))
  assert.equal(encodeHex(computeTrieRoot([leaf], sha256)), encodeHex(leaf.hash))
  assert.deepEqual([...pages.keys()], [''])
  assert.equal(update(pages, []), encodeHex(leaf.hash), 'asking changes nothing')
})

test('two leaves hash as the definition says, byte by byte', () => {
  const [low, high] = [leafAt('0'), leafAt('f')]
  const zeros = new Uint8Array(32 * 14)
  const expected = createHash('sha256').update(Uint8Array.of(1)).update(low.hash).update(zeros)
  const root = expected.update(high.hash).digest('hex')
  assert.equal(update(new Map(), [low, high]), root)
  assert.equal(encodeHex(computeTrieRoot([high, low], sha256)), root)
})

test('leaves that share nibbles hash once more for each: nothing is skipped', () => {
  const leaves = [leafAt('00'), leafAt('01')]
  const inner = createHash('sha256').update(Uint8Array.of(1))
  for (const leaf of leaves) inner.update(leaf.hash)
  inner.update(new Uint8Array(32 * 14))
  const outer = createHash('sha256').update(Uint8Array.of(1)).update(inner.digest())
  const root = outer.update(new Uint8Array(32 * 15)).digest('hex')
  assert.equal(update(new Map(), leaves), root)
})

test('keys that differ in their last nibble alone are told apart', () => {
  const shared = 'ab'.repeat(31)
  const leaves = [leafAt(`${shared}c0`), leafAt(`${shared}cf`), leafAt(`${shared}c7`)]
  const pages: Pages = new Map()
  for (const leaf of leaves) update(pages, [leaf])
  assert.equal(pages.size, 64)
  assert.equal(update(pages, []), encodeHex(computeTrieRoot(leaves, sha256)))
})

const anyLeaf = fc
  .record({ name: fc.nat(40), version: fc.nat(3), near: fc.boolean() })
  .map(({ name, version, near }): LeafChange => {
    const { key, hash } = leafFor(`r${name}`, version)
    // Some keys share a long prefix, as those would that someone searched for.
    return near ? { key: Uint8Array.from(key).fill(0xab, 0, 10), hash } : { key, hash }
  })

/** The last change of each key. */
const settled = (changes: readonly LeafChange[]): LeafChange[] => [
  ...new Map(changes.map((change) => [encodeHex(change.key), change])).values(),
]

test('any sequence of updates, in any portions, has the root of the definition', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyLeaf, { maxLength: 8 }), { maxLength: 8 }), (portions) => {
      const pages: Pages = new Map()
      let root = ZERO
      for (const portion of portions) root = update(pages, portion)
      assert.equal(root, encodeHex(computeTrieRoot(settled(portions.flat()), sha256)))
    }),
    { numRuns: 300 },
  )
})

test('any order of the same leaves gives the same root and the same pages', () => {
  const permuted = fc
    .array(anyLeaf, { maxLength: 30 })
    .map(settled)
    .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
  fc.assert(
    fc.property(permuted, ([one, other]) => {
      const [first, second]: [Pages, Pages] = [new Map(), new Map()]
      assert.equal(update(first, one), other.map((leaf) => update(second, [leaf])).at(-1) ?? ZERO)
      const text = (pages: Pages): string[] =>
        [...pages].map(([prefix, page]) => `${prefix} ${encodeHex(encodeTrieNode(page))}`).sort()
      assert.deepEqual(text(first), text(second))
      assert.equal(
        encodeHex(computeTrieRoot(one, sha256)),
        encodeHex(computeTrieRoot(other, sha256)),
      )
    }),
    { numRuns: 200 },
  )
})

test('a changed leaf changes the root, and changing it back restores the root', () => {
  const pages: Pages = new Map()
  const before = update(
    pages,
    Array.from({ length: 100 }, (_, i) => leafFor(`r${i}`)),
  )
  assert.notEqual(update(pages, [leafFor('r5', 2)]), before)
  assert.equal(update(pages, [leafFor('r5', 1)]), before)
})

test('one change writes only the pages on its path, and reads only those announced', () => {
  const pages: Pages = new Map()
  update(
    pages,
    Array.from({ length: 5_000 }, (_, i) => leafFor(`r${i}`)),
  )
  for (let i = 0; i < 50; i += 1) {
    const change = leafFor(`r${i * 101}`, 2)
    const announced = new Set(listTriePrefixes(change.key))
    const read = (prefix: string): TrieNode | undefined => {
      assert(announced.has(prefix), `page ${prefix}`)
      return pages.get(prefix)
    }
    const { writes } = updateTrie(read, [change], sha256)
    assert(writes.size <= 8)
    for (const prefix of writes.keys()) assert(encodeHex(change.key).startsWith(prefix))
  }
})

test('an update leaves the pages that it read as they were', () => {
  const pages: Pages = new Map()
  update(pages, [leafAt('00'), leafAt('01')])
  const before = new Map(
    [...pages].map(([prefix, page]) => [prefix, encodeHex(encodeTrieNode(page))]),
  )
  updateTrie((prefix) => pages.get(prefix), [leafAt('02'), leafAt('5')], sha256)
  for (const [prefix, page] of pages)
    assert.equal(encodeHex(encodeTrieNode(page)), before.get(prefix))
})

test('a missing page stops the update: the root would forget what is below it', () => {
  const pages: Pages = new Map()
  update(pages, [leafAt('00'), leafAt('01')])
  pages.delete('0')
  assert.throws(() => update(pages, [leafAt('02')]), /has its page/)
})

test('pages that go deeper than a key stop the update: the leaf would be lost', () => {
  const children = Array.from({ length: 16 }, () => ({ kind: 'node', hash: digest('') }) as const)
  assert.throws(() => updateTrie(() => ({ children }), [leafFor('a')], sha256), /before they end/)
})

test('whoever gets the root of an empty world may write to it', () => {
  updateTrie(() => undefined, [], sha256).root.fill(1)
  computeTrieRoot([], sha256).fill(1)
  assert.equal(update(new Map(), []), ZERO)
})

test('leaves of wrong size and keys that stand twice are bugs', () => {
  const good = leafFor('a')
  const short = new Uint8Array(31)
  assert.throws(() => update(new Map(), [{ ...good, key: short }]), /key and a hash/)
  assert.throws(() => update(new Map(), [{ ...good, hash: short }]), /key and a hash/)
  assert.throws(() => computeTrieRoot([good, good], sha256), /part before they end/)
})

test('prefixes begin at the root, and go as deep as keys do', () => {
  const { key } = leafAt('0123456789abcdef')
  assert.deepEqual(listTriePrefixes(key, 4), ['', '0', '01', '012'])
  assert.equal(listTriePrefixes(key).length, 16)
  assert.equal(listTriePrefixes(key).at(-1), '0123456789abcde')
  assert.equal(listTriePrefixes(key, 1_000).length, 64)
  assert.throws(() => listTriePrefixes(new Uint8Array(31)), /32 bytes/)
})

test('a page survives its bytes, also when they lie inside a larger buffer', () => {
  const pages: Pages = new Map()
  update(
    pages,
    Array.from({ length: 300 }, (_, i) => leafFor(`r${i}`)),
  )
  for (const page of pages.values()) {
    const bytes = encodeTrieNode(page)
    const inside = Uint8Array.of(9, ...bytes, 9).subarray(1, -1)
    const decoded = decodeTrieNode(inside) ?? assert.fail('it decodes')
    assert.equal(encodeHex(encodeTrieNode(decoded)), encodeHex(bytes))
    assert.deepEqual(
      decoded.children.map((child) => child?.kind),
      page.children.map((child) => child?.kind),
    )
  }
})

test('page bytes are bitmaps of leaves and nodes, then the children in order', () => {
  const pages: Pages = new Map()
  const leaves = [leafAt('00'), leafAt('01'), leafAt('f')]
  update(pages, leaves)
  const root = pages.get('') ?? assert.fail('there is a root page')
  const below = pages.get('0') ?? assert.fail('there is a page below')
  const inner = root.children[0] ?? assert.fail('there is a node')
  const last = leaves[2] ?? assert.fail('there are three')
  const expected = `80000001${encodeHex(inner.hash)}${encodeHex(last.key)}${encodeHex(last.hash)}`
  assert.equal(encodeHex(encodeTrieNode(root)), expected)
  assert.equal(encodeHex(encodeTrieNode(below)).slice(0, 8), '00030000')
})

test('bytes that are no page are refused', () => {
  const pages: Pages = new Map()
  update(pages, [leafAt('00'), leafAt('01'), leafAt('f')])
  const bytes = encodeTrieNode(pages.get('') ?? assert.fail('there is a root page'))
  assert.notEqual(decodeTrieNode(bytes), undefined)
  assert.equal(decodeTrieNode(bytes.slice(0, 3)), undefined)
  assert.equal(decodeTrieNode(bytes.slice(0, -1)), undefined)
  assert.equal(decodeTrieNode(Uint8Array.of(...bytes, 0)), undefined)
  assert.equal(decodeTrieNode(new Uint8Array(4)), undefined, 'an empty page is never written')
  const both = Uint8Array.from(bytes)
  both[3] = 0
  both[2] = 0x80
  assert.equal(decodeTrieNode(both), undefined, 'a child is not leaf and node at once')
  assert.throws(() => encodeTrieNode({ children: [] }), /sixteen/)
})
