/** Agents write the texts that people search: none of them makes a search slow, and none of them is missed. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { collectAsked } from './asked-words.ts'
import { INDEX_TABLES } from './index-schema.ts'
import { insertWords } from './insert-words.ts'
import { findWords, readTexts } from './text-block.ts'
import { WordScan } from './word-scan.ts'
import { findInFile } from './words-in-file.ts'

function openWith(texts: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(INDEX_TABLES)
  for (const [at, text] of texts.entries())
    insertWords((sql) => database.prepare(sql), at, [text], text.length)
  return database
}

test('words that begin like a text of one letter are not looked for one after the other', (t) => {
  const texts = Array.from({ length: 20 }, () => 'a'.repeat(4_000))
  const words = Array.from({ length: 16 }, (_, nth) => `aaaa${String.fromCharCode(98 + nth)}`)
  const database = openWith([...texts, `${'a'.repeat(3_000)} ${words.join(' ')}`])
  let passed = 0
  t.mock.method(performance, 'now', () => (passed += 1_000))
  const lengths: number[] = []
  const { indexOf } = String.prototype
  t.mock.method(
    String.prototype,
    'indexOf',
    function (this: string, ...asked: Parameters<typeof indexOf>) {
      lengths.push(this.length)
      return indexOf.apply(this, asked)
    },
  )
  const count = collectAsked(database, words)
  t.mock.restoreAll()
  assert.equal(count, 1)
  assert.ok(lengths.every((length) => length < 4_000))
  database.close()
})

/** As `Math.random` would, the same each time. */
function createPicker(): (of: string) => string {
  let state = 1
  return (of) => {
    state = (state * 48_271) % 2_147_483_647
    return of.charAt(state % of.length)
  }
}

test('in one pass the same is found as one word after the other, wherever words overlap', () => {
  const pick = createPicker()
  const build = (letters: string, length: number): string =>
    Array.from({ length }, () => pick(letters)).join('')
  const texts = Array.from({ length: 300 }, (_, at) => build(at % 2 === 0 ? 'ab' : 'abé', 12))
  const database = openWith(texts)
  const late = (): (() => number) => {
    let passed = 0
    return () => (passed += 1_000)
  }
  for (let round = 0; round < 60; round += 1) {
    const words = [
      ...new Set(Array.from({ length: 1 + (round % 16) }, () => build('abé', 1 + (round % 4)))),
    ]
    const expected = texts.flatMap((text, at) =>
      words.every((one) => text.includes(one)) ? [at] : [],
    )
    const find = (readMs: () => number): readonly number[] =>
      findWords(readTexts(database), words, texts.length, readMs).list()
    assert.deepEqual(
      find(() => 0),
      expected,
      words.join(' '),
    )
    assert.deepEqual(find(late()), expected, words.join(' '))
    assert.deepEqual(findInFile(database, words).list(), expected, words.join(' '))
  }
  database.close()
})

test('a word ends in another, and is in none across two rows', () => {
  const text = 'she\nhers\nhis'
  const block = { text, ends: [3, 8, 12], flows: [7, 8, 9] }
  const found = new Map<number, number>()
  new WordScan(['he', 'she', 'his', 'hers', 'eh']).scan(block, (flow, marks) =>
    found.set(flow, marks),
  )
  assert.deepEqual(
    [...found],
    [
      [7, 0b00011],
      [8, 0b01001],
      [9, 0b00100],
    ],
  )
  assert.throws(() => new WordScan(Array.from({ length: 17 }, (_, nth) => `${nth}`)), RangeError)
})

test('a word of a thousand letters is found, and one that ends otherwise is not', () => {
  const long = Array.from({ length: 1_000 }, (_, nth) => String.fromCharCode(0x4e00 + nth)).join('')
  const database = openWith([`so ${long}`, 'a'.repeat(1_200)])
  const find = (word: string): number => collectAsked(database, [word])
  assert.deepEqual([find(long), find(`${long}a`), find('a'.repeat(1_000))], [1, 0, 1])
  database.close()
})
