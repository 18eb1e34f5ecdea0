import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { KeyBody } from '../ledger/payload.ts'
import type { KeyRecord } from './key.ts'
import { deriveKeyId, foldKeys, isKeyValidAt, toPositionAfter, toPositionAt } from './key-set.ts'

const operator: KeyBody = {
  action: 'add',
  key_id: 'operator-1',
  purpose: 'operator',
  public_key: 'AAAA',
  subject: 'jane',
}
const kernel: KeyBody = { ...operator, key_id: 'kernel-1', purpose: 'kernel' }

function folded(...entries: [number, KeyBody][]): readonly KeyRecord[] {
  return foldKeys(entries.map(([seq, body]) => ({ seq, body }))).records()
}

test('a key id is the purpose and 16 digits of the hash of the key', () => {
  const sha256 = (data: Uint8Array): Uint8Array => hash('sha256', data, 'buffer')
  const digits = hash('sha256', new Uint8Array(32), 'hex').slice(0, 16)
  assert.equal(deriveKeyId('kernel', new Uint8Array(32), sha256), `kernel-${digits}`)
})

test('records stand in the order in which keys were added, whatever happens to them later', () => {
  const records = folded(
    [1, operator],
    [2, kernel],
    [3, { ...operator, action: 'retire' }],
    [4, { ...kernel, action: 'compromise', since_seq: 3 }],
  )
  assert.deepEqual(records, [
    {
      key_id: 'operator-1',
      purpose: 'operator',
      public_key: 'AAAA',
      subject: 'jane',
      added_seq: 1,
      retired_seq: 3,
    },
    {
      key_id: 'kernel-1',
      purpose: 'kernel',
      public_key: 'AAAA',
      subject: 'jane',
      added_seq: 2,
      compromised_since_seq: 3,
    },
  ])
})

test('the first operator stays the first', () => {
  const set = foldKeys([
    { seq: 1, body: kernel },
    { seq: 2, body: operator },
    { seq: 3, body: { ...operator, key_id: 'operator-2' } },
  ])
  assert.equal(set.firstOperator()?.key_id, 'operator-1')
  assert.equal(set.get('operator-2')?.added_seq, 3)
  assert.equal(set.get('nobody'), undefined)
  assert.equal(foldKeys([]).firstOperator(), undefined)
})

test('an entry that does not fit says why and changes nothing', () => {
  const set = foldKeys([{ seq: 1, body: operator }])
  const before = set.records()
  const misfits: KeyBody[] = [
    operator,
    { ...kernel, action: 'retire' },
    { ...operator, action: 'retire', subject: 'john' },
    { ...operator, action: 'retire', public_key: 'BBBB' },
    { ...operator, action: 'compromise', purpose: 'kernel', since_seq: 1 },
    { ...operator, action: 'compromise', since_seq: 3 },
  ]
  for (const body of misfits) assert.equal(set.apply(body, 2).ok, false)
  assert.deepEqual(set.records(), before)
  assert.equal(set.apply({ ...operator, action: 'retire' }, 2).ok, true)
  assert.equal(set.apply({ ...operator, action: 'retire' }, 3).ok, false)
})

test('a compromise only ever reaches further back', () => {
  const compromise = (since_seq: number): KeyBody => ({
    ...operator,
    action: 'compromise',
    since_seq,
  })
  const [record] = folded([1, operator], [5, compromise(4)], [6, compromise(2)], [7, compromise(7)])
  assert.equal(record?.compromised_since_seq, 2)
})

const record: KeyRecord = {
  key_id: 'kernel-1',
  purpose: 'kernel',
  public_key: 'AAAA',
  subject: 'jane',
  added_seq: 3,
}

test('a key counts for its purpose only', () => {
  assert.equal(isKeyValidAt(record, 'kernel', toPositionAfter(9)), true)
  assert.equal(isKeyValidAt(record, 'operator', toPositionAfter(9)), false)
})

test('a key counts after the entry that added it, both sides of the boundary', () => {
  assert.equal(isKeyValidAt(record, 'kernel', toPositionAt(3)), false)
  assert.equal(isKeyValidAt(record, 'kernel', toPositionAt(4)), true)
  assert.equal(isKeyValidAt(record, 'kernel', toPositionAfter(2)), false)
  assert.equal(isKeyValidAt(record, 'kernel', toPositionAfter(3)), true)
})

test('a key counts until it is retired, both sides of the boundary', () => {
  const retired = { ...record, retired_seq: 6 }
  assert.equal(isKeyValidAt(retired, 'kernel', toPositionAt(6)), true)
  assert.equal(isKeyValidAt(retired, 'kernel', toPositionAt(7)), false)
  assert.equal(isKeyValidAt(retired, 'kernel', toPositionAfter(5)), true)
  assert.equal(isKeyValidAt(retired, 'kernel', toPositionAfter(6)), false)
})

test('a compromised key does not count from the entry on from which it is compromised', () => {
  const compromised = { ...record, compromised_since_seq: 6 }
  assert.equal(isKeyValidAt(compromised, 'kernel', toPositionAt(5)), true)
  assert.equal(isKeyValidAt(compromised, 'kernel', toPositionAt(6)), false)
  assert.equal(isKeyValidAt(compromised, 'kernel', toPositionAfter(5)), true)
  assert.equal(isKeyValidAt(compromised, 'kernel', toPositionAfter(6)), false)
})
