import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { toCanonicalText } from 'rubicon-kernel'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { openHeadFile } from './head-file.ts'

function headOf(size: number): string {
  const signature = { key_id: 'k', sig: 's' }
  const body = { origin: 'o', key_id: 'k', public_key: 'p', made_at: 'm' }
  return toCanonicalText({
    body: { origin: 'o', size, root: 'r', authority: 0 },
    certificate: { body, signature },
    signature,
  })
}

test('the last two heads are kept, also over a restart, for their owner alone', () => {
  const path = join(temporaryFolder(), 'heads', 'default')
  const told: string[] = []
  assert.deepEqual(openHeadFile(path, (line) => void told.push(line)).read(), [])
  const first = openHeadFile(path, (line) => void told.push(line))
  for (const size of [1, 2, 3]) first.write(headOf(size))
  assert.deepEqual(new Set(first.read()), new Set([headOf(2), headOf(3)]))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const second = openHeadFile(path, () => {})
  second.write(headOf(4))
  assert.deepEqual(new Set(second.read()), new Set([headOf(3), headOf(4)]), 'the older one went')
  assert.deepEqual(told, [])
})

test('a write that was cut short leaves the head before it', () => {
  const path = join(temporaryFolder(), 'head')
  const place = openHeadFile(path, () => {})
  place.write(headOf(1))
  place.write(headOf(2))
  truncateSync(path, 4096 + 100)
  assert.deepEqual(place.read(), [headOf(1)])
  writeFileSync(path, readFileSync(path).fill(0))
  assert.deepEqual(place.read(), [])
})

test('a place that cannot be written is told of once, and stops nobody', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'file'), '')
  chmodSync(join(folder, 'file'), 0o600)
  const told: string[] = []
  const place = openHeadFile(join(folder, 'file', 'head'), (line) => void told.push(line))
  place.write(headOf(1))
  place.write(headOf(2))
  assert.equal(told.length, 1)
})
