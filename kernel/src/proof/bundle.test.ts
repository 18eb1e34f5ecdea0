import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { parseBundle } from './bundle.ts'
import { parseExportedEntry } from './exported-entry.ts'
import { parseLedgerHeader } from './ledger-header.ts'
import { isErasable, parsePayload } from './payload-shape.ts'

const HASH = `sha256:${'ab'.repeat(32)}`
const envelope: JsonObject = {
  at: '2026-02-01T09:00:00.000Z',
  kind: 'commit',
  parent: HASH,
  payload_hash: HASH,
  seq: 1,
  tenant: 'acme',
  trajectory: 'main',
  v: 2,
}
const entry: JsonObject = { envelope, id: HASH, payload: {} }
const key: JsonObject = {
  added_seq: 1,
  key_id: 'operator-1',
  public_key: 'AAAA',
  purpose: 'operator',
  subject: 'jane',
}
const header: JsonObject = {
  checkpoint: 'note',
  epoch: 0,
  format: 'rubicon-ledger/2',
  keys: [key],
  tenant: 'acme',
}
const bundle: JsonObject = {
  ...header,
  format: 'rubicon-bundle/2',
  dfid: 'flow-1',
  entries: [{ ...entry, leaf: 3, proof: ['AAAA'] }],
}

/** Without each member, and with one more, it is refused. */
function strict(whole: JsonObject, parse: (value: JsonObject) => { ok: boolean }): void {
  assert.equal(parse(whole).ok, true)
  assert.equal(parse({ ...whole, more: 1 }).ok, false)
  for (const name of Object.keys(whole)) {
    const { [name]: _, ...rest } = whole
    assert.equal(parse(rest).ok, false, name)
  }
}

test('entries, headers and bundles have exactly their members', () => {
  strict(entry, parseExportedEntry)
  strict(envelope, (value) => parseExportedEntry({ ...entry, envelope: value }))
  strict(header, parseLedgerHeader)
  strict(bundle, parseBundle)
  strict(key, (value) => parseLedgerHeader({ ...header, keys: [value] }))
})

test('members have their one form', () => {
  const spoiled: JsonObject = {
    at: '2026-02-01T09:00:00Z',
    kind: 'accident',
    parent: 'sha256:AB',
    payload_hash: null,
    seq: 1.5,
    tenant: 'a c',
    trajectory: '',
    v: 1,
    dfid: 7,
  }
  for (const [name, value] of Object.entries(spoiled)) {
    const read = parseExportedEntry({ ...entry, envelope: { ...envelope, [name]: value } })
    assert.equal(read.ok, false, name)
  }
})

test('what is sent cites the authority that it saw, and nothing else does', () => {
  const cites = { ...envelope, authority_seq: 3 }
  assert.equal(parseExportedEntry({ ...entry, envelope: cites }).ok, false)
  for (const kind of ['dispatch', 'resend']) {
    assert.equal(parseExportedEntry({ ...entry, envelope: { ...cites, kind } }).ok, true)
    assert.equal(parseExportedEntry({ ...entry, envelope: { ...envelope, kind } }).ok, false)
  }
})

test('an unknown kind is refused also where its payload is gone', () => {
  for (const kind of ['happening']) {
    const reserved = { ...entry, envelope: { ...envelope, kind }, payload: null }
    assert.equal(parseExportedEntry(reserved).ok, false, kind)
  }
})

test('a payload is read by its kind, and reserved kinds have none', () => {
  assert.equal(parsePayload('root', { protocol: 'rubicon/2', created_by: 'me' }).ok, true)
  assert.equal(parsePayload('root', { protocol: 'rubicon/1', created_by: 'me' }).ok, false)
  assert.equal(parsePayload('erasure', {}).ok, false)
  assert.equal(parsePayload('approval', {}).ok, false)
  assert.deepEqual((['root', 'branch', 'key', 'erasure'] as const).map(isErasable), [
    false,
    false,
    false,
    false,
  ])
  assert.equal(isErasable('commit'), true)
})
