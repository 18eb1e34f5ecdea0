import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monitorOf, sampleOf } from './monitor.test-support.ts'
import { isSampledStatus } from './monitor.ts'
import { createReader, listSources, toWatchedText } from './sample.ts'
import { parseSource } from './source.ts'

test('values are kept as text: numbers in one spelling, long texts cut, the rest unreadable', () => {
  assert.equal(toWatchedText('12.50'), '12.50')
  assert.equal(toWatchedText(12.5), '12.5')
  assert.equal(toWatchedText(1e21), '1000000000000000000000')
  assert.equal(toWatchedText(Number.NaN), null)
  assert.deepEqual([toWatchedText(true), toWatchedText(false)], ['true', 'false'])
  for (const value of [null, undefined, {}, []]) assert.equal(toWatchedText(value), null)
  const long = 'x'.repeat(64)
  assert.equal(toWatchedText(long), long)
  assert.equal(toWatchedText(`${long}y`), `${long}…`, 'and equal to nothing that was not cut')
})

test('a monitor names the values that it reads, each once', () => {
  const when = { above: 'state:limit' }
  assert.deepEqual(listSources(monitorOf({ kind: 'streak', value: 'param:x', when, length: 1 })), [
    'param:x',
    'state:limit',
  ])
  assert.deepEqual(
    listSources(monitorOf({ kind: 'ratio', value: 'param:x', of: 'param:x', max: 1 })),
    ['param:x'],
  )
  const word = { kind: 'rate', value: 'param:x', when: { is: 'state:limit' }, max: 1 }
  assert.deepEqual(listSources(monitorOf(word)), ['param:x'], 'a text to compare with is no source')
  const number = { kind: 'rate', value: 'param:x', when: { below: 3 }, max: 1 }
  assert.deepEqual(listSources(monitorOf(number)), ['param:x'])
})

test('an execution is a sample once its outcome is final', () => {
  const statuses = ['SUCCESS', 'FAILED', 'ABANDONED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW']
  assert.deepEqual(statuses.filter(isSampledStatus), ['SUCCESS', 'FAILED', 'ABANDONED'])
})

test('a source is a kind and a name', () => {
  assert.deepEqual(parseSource('status'), { kind: 'status' })
  assert.deepEqual(parseSource('state:market.price'), { kind: 'state', name: 'market.price' })
  assert.deepEqual(parseSource('finding:a:b'), { kind: 'finding', name: 'a:b' })
  for (const text of ['', ':', 'state', 'state:', 'status:x', 'State:x'])
    assert.equal(parseSource(text), undefined, text)
})

test('a reader remembers what it has read, and not without end', () => {
  const read = createReader(monitorOf({ kind: 'mean', value: 'measure:x', max: 1 }))
  for (let i = 0; i < 5_000; i += 1)
    assert.equal(read(sampleOf(i, { 'measure:x': String(i) }))?.amount.digits, BigInt(i))
  assert.equal(read(sampleOf(1, { 'measure:x': '4999' }))?.amount.digits, 4_999n)
  assert.equal(read(sampleOf(1, { 'measure:x': 'NaN' })), null)
})
