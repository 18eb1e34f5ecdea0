import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Address } from 'rubicon-kernel'
import { createIdLog } from './verify-chain.ts'

const idOf = (seq: number): Address => `sha256:${String(seq).padStart(64, '0')}`

test('a branch finds the id of any entry of its trajectory, up to a gap', () => {
  const log = createIdLog()
  const length = 2 * 4_096 + 3
  for (let seq = 0; seq < length; seq += 1) {
    assert.equal(log.getId(seq), undefined)
    log.append(seq, idOf(seq))
  }
  for (let seq = 0; seq < length; seq += 1) assert.equal(log.getId(seq), idOf(seq))
  log.append(length + 1, idOf(length + 1))
  log.append(length + 2, idOf(length + 2))
  for (const seq of [length, length + 1, length + 2]) assert.equal(log.getId(seq), undefined)
})

test('an id that is none takes one place, also the last of a piece', () => {
  const log = createIdLog()
  for (let seq = 0; seq < 40; seq += 1) log.append(seq, seq % 2 === 0 ? idOf(seq) : 'sha256:none')
  for (let seq = 0; seq < 40; seq += 1) assert.equal(log.getId(seq), idOf(seq % 2 === 0 ? seq : 0))
})
