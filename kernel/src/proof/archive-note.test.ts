import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import { encodeBase64, encodeUtf8 } from '../canonical/bytes.ts'
import { encodePreAuth, toPayloadType } from '../canonical/dsse.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import type { KeyRecord } from '../keys/key.ts'
import { ENTRY_KINDS } from '../ledger/entry.ts'
import {
  type ArchiveNote,
  findArchiveNoteProblem,
  isArchivable,
  parseArchiveNote,
} from './archive-note.ts'

const body: ArchiveNote['body'] = {
  archive: `sha256:${'0'.repeat(64)}`,
  archived_at: '2026-01-31T09:30:00.000Z',
  dfid: 'f-1',
  file: 'old.ndjson',
  leaves: [3, 4],
  tenant: 'acme',
}
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const record: KeyRecord = {
  key_id: 'operator-1',
  purpose: 'operator',
  public_key: String(publicKey.export({ format: 'jwk' }).x),
  subject: 'jane',
  added_seq: 1,
}

function signed(
  said: ArchiveNote['body'],
  type = 'archive',
  key: KeyObject = privateKey,
): ArchiveNote {
  const message = encodePreAuth(toPayloadType(type), encodeUtf8(toCanonicalText(said)))
  const sig = encodeBase64(new Uint8Array(sign(null, message, key)))
  return { body: said, signature: { key_id: 'operator-1', sig } }
}

function problem(note: ArchiveNote, change: Partial<KeyRecord> = {}): string | undefined {
  const raw = Buffer.from(record.public_key, 'base64url')
  const known = { ...record, public_key: encodeBase64(new Uint8Array(raw)), ...change }
  return findArchiveNoteProblem(note, {
    tenant: 'acme',
    findKey: (id) => (id === known.key_id ? known : undefined),
    verify: (_, message, signature) => verify(null, message, publicKey, signature),
  })
}

test('a note counts that an operator of the ledger signed, also one who has retired since', () => {
  assert.equal(problem(signed(body)), undefined)
  assert.equal(problem(signed(body), { retired_seq: 9 }), undefined)
})

test('no note counts that was changed, is of another tenant, or was signed by anybody else', () => {
  const note = signed(body)
  assert.match(problem({ ...note, body: { ...body, leaves: [3, 4, 5] } }) ?? '', /does not hold/)
  assert.match(problem(signed({ ...body, tenant: 'other' })) ?? '', /of tenant/)
  assert.match(problem(signed(body, 'erasure')) ?? '', /does not hold/)
  const stranger = generateKeyPairSync('ed25519').privateKey
  assert.match(problem(signed(body, 'archive', stranger)) ?? '', /does not hold/)
  assert.match(problem(note, { purpose: 'kernel' }) ?? '', /no operator key/)
  assert.match(problem(note, { key_id: 'operator-2' }) ?? '', /no operator key/)
  assert.match(problem(note, { compromised_since_seq: 5 }) ?? '', /compromised/)
})

test('what has another form is no note', () => {
  const note = JSON.parse(JSON.stringify(signed(body))) as JsonObject
  assert.deepEqual(parseArchiveNote(note), note)
  const others: readonly JsonValue[] = [
    null,
    {},
    { ...note, more: 1 },
    { ...note, body: { ...body, leaves: [-1] } },
    { ...note, body: { ...body, archived_at: 'now' } },
    { ...note, signature: { key_id: 'operator-1', sig: '?' } },
  ]
  for (const one of others) assert.equal(parseArchiveNote(one), undefined, JSON.stringify(one))
})

test('authority, the beginnings of trajectories, erasures and commits stay', () => {
  const kept = ENTRY_KINDS.filter((kind) => !isArchivable(kind))
  for (const kind of ['root', 'branch', 'erasure', 'commit', 'key', 'contract', 'anchor'] as const)
    assert.ok(kept.includes(kind), kind)
  for (const kind of ['writ', 'dispatch', 'rejection', 'evidence', 'approval', 'settle'] as const)
    assert.ok(isArchivable(kind), kind)
})
