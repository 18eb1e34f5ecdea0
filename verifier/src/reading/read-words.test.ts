/** What is said of a header, a line or a payload that cannot be read as it stands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Entry } from 'rubicon-kernel'
import { sampleLedger } from '../samples/sample-ledger.test-support.ts'
import { writeMemberTexts } from './member-texts.ts'
import { readExported, readLine, readSlowly, readStored } from './read-entry.ts'
import { type Line, readHeader } from './read-ledger.ts'

const { builder } = sampleLedger()
const lines = builder.lines()
const leafOf = (kind: string): number =>
  builder.entries.findIndex(({ envelope }) => envelope.kind === kind)

test('a header is there, is one, and is in its canonical form', () => {
  const header = builder.header()
  const said = (line: Line | undefined): readonly string[] => {
    const read = readHeader(line)
    return read.ok ? [] : [read.error.code, read.error.detail]
  }
  const absent = ['ENTRY_UNREADABLE', 'the header is not there, or is not UTF-8']
  const notCanonical = ['ENTRY_NOT_CANONICAL', 'the header is not in canonical form']
  assert.deepEqual(said({ text: header, ended: true }), [])
  assert.deepEqual(said(undefined), absent)
  assert.deepEqual(said({ text: undefined, ended: true }), absent)
  assert.deepEqual(said({ text: header, ended: false }), notCanonical)
  assert.deepEqual(said({ text: ` ${header}`, ended: true }), notCanonical)
  assert.match(said({ text: '{', ended: true })[1] ?? '', /^header: /)
  const [code, detail = ''] = said({ text: '{}', ended: true })
  assert.equal(code, 'ENTRY_UNREADABLE')
  assert.doesNotMatch(detail, /^header: /)
})

test('a line is UTF-8, JSON, an entry, and its own canonical form', () => {
  const leaf = leafOf('commit')
  const text = lines[leaf] ?? ''
  const said = (line: Line): readonly string[] => {
    const slow = readSlowly(line, leaf).problems.map(({ code, detail }) => `${code}: ${detail}`)
    const read = readLine(line, leaf).problems.map(({ code, detail }) => `${code}: ${detail}`)
    assert.deepEqual(read, slow)
    return read
  }
  const late = 'ENTRY_NOT_CANONICAL: the line is not its own canonical form'
  assert.deepEqual(said({ text, ended: true }), [])
  assert.deepEqual(said({ text, ended: false }), [late])
  assert.deepEqual(said({ text: `${text} `, ended: true }), [late])
  assert.deepEqual(said({ text: undefined, ended: true }), [
    'ENTRY_UNREADABLE: the line is not UTF-8',
  ])
  for (const other of ['{', '{}', '[]']) {
    const [first = ''] = said({ text: other, ended: true })
    assert.match(first, /^ENTRY_UNREADABLE: /, other)
  }
})

test('a payload is an object, or was erased where that may be', () => {
  const said = (kind: string, payload: Entry['payload']): readonly string[] => {
    const leaf = leafOf(kind)
    const entry = builder.entries[leaf] ?? assert.fail(kind)
    const { problems } = readStored({ ...entry, payload }, leaf)
    return problems.map(({ detail }) => detail)
  }
  assert.deepEqual(said('commit', null), [])
  assert.deepEqual(said('key', null), ['the payload of a `key` cannot be erased'])
  assert.deepEqual(said('commit', '[]'), ['the payload is not an object'])
  assert.deepEqual(said('commit', '"{}"'), ['the payload is not an object'])
  const own = builder.entries[leafOf('commit')]?.payload ?? ''
  assert.deepEqual(said('commit', own), [])
  assert.deepEqual(said('commit', `${own} `), ['the payload is not its own canonical form'])
  assert.equal(said('commit', own.slice(1)).length, 1)
  assert.equal(said('commit', own.replace('c2FsdA==', '\ud800')).length > 0, true)
})

test('of a payload that was read its members have their texts, cut or written', () => {
  const leaf = leafOf('dispatch')
  const text = lines[leaf] ?? ''
  const { payload } = JSON.parse(text)
  const cut = readLine({ text, ended: true }, leaf).entry?.texts ?? assert.fail()
  const { envelope, id } = builder.entries[leaf] ?? assert.fail()
  for (const texts of [cut, readExported({ envelope, id, payload }, leaf).entry.texts]) {
    const written = writeMemberTexts(payload)
    for (const name of ['facts', 'intent', 'absent'])
      assert.equal(texts?.getText(name), written.getText(name))
    assert.equal(texts?.getText('intent', 'params'), '{"quantity":"1.5"}')
    assert.equal(texts?.getText('intent', 'absent'), 'null')
    assert.equal(texts?.getText('attempt', 'absent'), 'null')
    assert.equal(texts?.getTextWithout('absent', []), '{}')
    const left = ['intent_id', 'kernel_signature']
    assert.equal(texts?.getTextWithout('intent', left), written.getTextWithout('intent', left))
  }
})
