import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { collectAsked } from './asked-words.ts'
import { HeldTexts } from './held-texts.ts'
import { INDEX_TABLES } from './index-schema.ts'
import { countFlowRows } from './row-set.ts'
import { findInFile } from './words-in-file.ts'

function openWith(texts: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec(INDEX_TABLES)
  for (const [at, text] of texts.entries()) add(database, at, text)
  return database
}

function add(database: DatabaseSync, flow: number, text: string): void {
  database.prepare('INSERT INTO said VALUES (?, ?, ?)').run(flow + 1, flow, text.length)
  database.prepare('INSERT INTO words (rowid, said) VALUES (?, ?)').run(flow + 1, text)
}

function listInFile(database: DatabaseSync, words: readonly string[]): readonly number[] {
  return findInFile(database, words).list()
}

function listAsked(database: DatabaseSync, words: readonly string[]): readonly number[] {
  collectAsked(database, words)
  const rows = database.prepare('SELECT wanted FROM temp.asked ORDER BY wanted').all()
  return rows.map(({ wanted }) => Number(wanted))
}

test('a text is found by each part of it, and by nothing else', () => {
  const long = Array.from({ length: 40 }, (_, i) => String.fromCodePoint(0x1f600 + i)).join('')
  const texts = [
    'abcabd',
    'abdabc',
    'say "abc" or said:x*',
    'a?[a] of ^',
    `${long}é`,
    long.slice(2),
    'a'.repeat(99),
  ]
  const database = openWith(texts)
  const words = [
    '*',
    '[a]',
    '?',
    'bcab',
    'abcabdabcabd',
    'abcabd',
    'cab',
    'bda',
    '"abc"',
    '"',
    'said:x*',
    'or',
    'aaa',
    'a'.repeat(99),
    'a'.repeat(100),
    'é',
  ]
  for (const word of [...words, long, `${long}é`, `é${long}`, long.slice(4, 60)]) {
    const expected = texts.flatMap((text, at) => (text.includes(word) ? [at] : []))
    assert.deepEqual(listAsked(database, [word]), expected, word)
    assert.deepEqual(findInFile(database, [word]).list(), expected, word)
  }
  for (const find of [listAsked, listInFile]) {
    assert.deepEqual(find(database, ['abc', 'abd']), [0, 1])
    assert.deepEqual(find(database, ['no such word', 'abc']), [])
  }
  database.close()
})

test('of more texts than are held none are, also of those that come later', () => {
  const database = openWith(['abc', 'abd', 'x'.repeat(20)])
  for (const [most, expected] of [
    [28, [0, 1]],
    [27, []],
  ] as const) {
    const texts = new HeldTexts(database, most)
    while (texts.takeSome());
    assert.equal(texts.isWhole, expected.length > 0)
    assert.deepEqual(texts.find(['ab'], countFlowRows(database)).list(), expected)
    assert.equal(texts.takeSome(), false)
  }
  database.close()
})

test('texts that do not fit their index are not searched, also when asked again', () => {
  const database = openWith(['abc', 'abd'])
  database.exec('UPDATE said SET length = 4 WHERE id = 1')
  for (const _ of [1, 2]) assert.throws(() => listAsked(database, ['abd']), /another length/)
  database.close()
})

test('what comes later is found, and lies in another row and block without being found across', () => {
  const texts = Array.from({ length: 9_000 }, (_, at) => `${at} ${'z'.repeat(400)} é${at}`)
  const database = openWith(texts.slice(0, 8_999))
  const find = (word: string): readonly number[] => listAsked(database, [word])
  assert.deepEqual(find('é8998'), [8_998])
  assert.deepEqual(find('é8999'), [])
  add(database, 8_999, texts[8_999] ?? '')
  assert.deepEqual(find('é8999'), [8_999])
  assert.equal(texts.filter((text) => text.includes('71')).length, find('71').length)
  assert.deepEqual(find('é7071'), [7_071])
  database.close()
})

test('however long a word is, few of its trigrams are looked up, and each by itself', (t) => {
  const database = openWith(['a'.repeat(400)])
  const asked: string[] = []
  const prepare = database.prepare.bind(database)
  t.mock.method(database, 'prepare', (sql: string) => {
    const statement = prepare(sql)
    const get = statement.get.bind(statement)
    t.mock.method(statement, 'get', (...values: readonly string[]) => {
      if (sql.includes('MATCH')) asked.push(...values)
      return get(...values)
    })
    return statement
  })
  const varied = Array.from({ length: 500 }, (_, i) => i).join('')
  for (const word of ['a'.repeat(300), varied, `${'a'.repeat(300)}"`]) listInFile(database, [word])
  assert.equal(asked.length, 6)
  for (const match of asked) {
    const pieces = match.split(' ')
    assert.ok(pieces.length <= 16, match)
    for (const piece of pieces) assert.match(piece, /^"(?:[^"]|""){3}"$/)
  }
  database.close()
})
