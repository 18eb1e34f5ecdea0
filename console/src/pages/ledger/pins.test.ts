import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeBase64, formatCheckpointBody, formatNote } from 'rubicon-kernel'
import { createPin, findPin, type Pin, parsePins, readPin, serialisePins, toTrust } from './pins.ts'

const AT = '2026-11-03T12:00:00.000Z'
const KEY = encodeBase64(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 9 : 0)))

function noteOver(size: number): string {
  const origin = 'rubicon/acme/operator-0011223344556677/0'
  const body = formatCheckpointBody({ origin, size, root: new Uint8Array(32), extensions: [] })
  const keyId = new Uint8Array(4)
  return formatNote(body, [{ name: origin, keyId, signature: new Uint8Array(64) }])
}

function pin(change: Partial<Pin> = {}): Pin {
  return { tenant: 'acme', key: KEY, checkpoint: noteOver(10), pinned_at: AT, ...change }
}

test('what is kept is read again; what cannot be read is as if it were not there', () => {
  const pins = [pin(), pin({ tenant: null, checkpoint: null })]
  assert.deepEqual(parsePins(serialisePins(pins)), pins)
  for (const text of [null, '', '{', '{}', '[1, null, {"key": 5, "pinned_at": ""}]'])
    assert.deepEqual(parsePins(text), [])
})

test('a checkpoint and a key are pinned, and nothing else', () => {
  const note = noteOver(7)
  assert.deepEqual(readPin(note, AT), pin({ key: null, checkpoint: note }))
  assert.deepEqual(readPin(` ${KEY}\n`, AT), pin({ tenant: null, checkpoint: null }))
  for (const text of [
    '',
    'hello',
    encodeBase64(new Uint8Array(32)),
    encodeBase64(new Uint8Array(31)),
  ])
    assert.equal(readPin(text, AT), null)
})

test('the latest pin of a tenant counts', () => {
  const [old, late, other] = [pin(), pin({ pinned_at: 'later' }), pin({ tenant: 'other' })]
  assert.equal(findPin([old, late, other], 'acme'), late)
  assert.equal(findPin([other], 'acme'), null)
  const any = pin({ tenant: null })
  assert.equal(findPin([any], 'acme'), any)
})

test('a server must go on from the checkpoint that was pinned, however short it says it is', () => {
  for (const size of [3, 10, 20])
    assert.equal(toTrust(pin(), { what: 'server', size })?.kind, 'checkpoint')
  assert.equal(toTrust(pin({ checkpoint: null }), { what: 'server', size: 3 })?.kind, 'key')
})

test('a file that ends before it, and a bundle, are held against the key', () => {
  assert.equal(toTrust(pin(), { what: 'ledger', size: 9 })?.kind, 'key')
  assert.equal(toTrust(pin(), { what: 'ledger', size: 10 })?.kind, 'checkpoint')
  assert.equal(toTrust(pin(), { what: 'bundle', size: 99 })?.kind, 'key')
  assert.equal(toTrust(pin({ key: null }), { what: 'bundle', size: 99 })?.kind, 'checkpoint')
  assert.equal(
    toTrust(pin({ key: null, checkpoint: null }), { what: 'bundle', size: 1 }),
    undefined,
  )
})

test('a bundle pins whose log it is, a ledger also how far it had come', () => {
  const operator = {
    key_id: 'operator-1',
    public_key: KEY,
    purpose: 'operator',
    subject: 'jane',
    added_seq: 1,
  } as const
  const head = { tenant: 'acme', operator, note: noteOver(10) }
  assert.deepEqual(createPin(head, 'server', AT), pin())
  assert.deepEqual(createPin(head, 'bundle', AT), pin({ checkpoint: null }))
})
