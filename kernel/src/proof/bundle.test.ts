import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { ENTRY_KINDS } from '../ledger/entry.ts'
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

test('a file of another release of ours is told from one that is damaged', () => {
  const tell = (value: JsonValue): string => {
    const read = parseLedgerHeader(value)
    return read.ok ? '' : read.error
  }
  assert.match(
    tell({ ...header, format: 'rubicon-ledger/1' }),
    /^header says `rubicon-ledger\/1`, and this reads `rubicon-ledger\/2`/,
  )
  assert.match(tell({ format: 'rubicon-bundle/2' }), /use the release that wrote it$/)
  assert.equal(
    tell({ ...header, format: 'other/1' }),
    'header `format` is not one of rubicon-ledger/2',
  )
  assert.equal(tell({ ...header, format: 7 }), 'header `format` is not one of rubicon-ledger/2')
  assert.equal(tell([]), 'header is not an object')
})

test('what is wrong with an entry or a bundle is said of its place', () => {
  const read = parseBundle({ ...bundle, entries: [{ ...entry, leaf: -1, proof: [] }] })
  assert.deepEqual(read, { ok: false, error: 'bundle `entries` `0` `leaf` is not a count' })
  const one = parseExportedEntry({ ...entry, id: 'x' })
  assert.deepEqual(one, { ok: false, error: 'entry `id` is not an address' })
  for (const more of [{ retired_seq: 2 }, { compromised_since_seq: 2 }])
    assert.ok(parseLedgerHeader({ ...header, keys: [{ ...key, ...more }] }).ok)
  assert.ok(!parseLedgerHeader({ ...header, keys: [{ ...key, retired_seq: 'x' }] }).ok)
  const evidence = {
    context_ref: 'c',
    contract_hash: HASH,
    evidence_hash: 'ab'.repeat(32),
    rules_hash: HASH,
  }
  assert.ok(parseBundle({ ...bundle, evidence }).ok)
  strict(evidence, (value) => parseBundle({ ...bundle, evidence: value }))
})

test('only what has a salt can be erased, and of authority nothing', () => {
  const kept = ENTRY_KINDS.filter((kind) => !isErasable(kind))
  const expected = [
    'root',
    'branch',
    'erasure',
    'event',
    'key',
    'contract',
    'lifecycle',
    'revocation',
  ]
  assert.deepEqual([...kept].sort(), [...expected, 'policy', 'anchor', 'source', 'person'].sort())
})
