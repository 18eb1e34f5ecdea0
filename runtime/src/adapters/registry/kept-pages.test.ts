/** What is kept of a registry, page by page, in whatever order the pages came. */
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  AUTHORITY,
  type Entry,
  type EntryDraft,
  encodePreAuth,
  encodeUtf8,
  type ManifestPage,
  sealEntry,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { sha256 } from '../system/sha256.ts'
import { KeptPages } from './kept-pages.ts'

const AT = '2026-02-01T09:00:00.000Z'
const TENANT = 'acme'
const { publicKey, privateKey } = generateKeyPairSync('ed25519')

function sealEntries(count: number): readonly Entry[] {
  const entries: Entry[] = []
  for (let seq = 0; seq < count; seq += 1) {
    const before = entries.at(-1)
    const draft: EntryDraft = {
      ...{ tenant: TENANT, trajectory: AUTHORITY, kind: 'anchor' },
      payload: toCanonicalText({ seq }),
    }
    const head = before === undefined ? undefined : { seq: seq - 1, id: before.id, at: AT }
    entries.push(sealEntry(draft, head, AT, sha256))
  }
  return entries
}

function signPage(all: readonly Entry[], from: number, to: number): ManifestPage {
  const entries = all.slice(from, to).map(({ envelope, id, payload }) => {
    return { envelope, id, payload: JSON.parse(payload ?? 'null') }
  })
  const last = entries.at(-1)?.id ?? null
  const body = { tenant: TENANT, nonce: `from-${from}`, from, head: all.length - 1, last }
  const covered = encodePreAuth(toPayloadType('manifest'), encodeUtf8(toCanonicalText(body)))
  const sig = sign(null, covered, privateKey).toString('base64')
  return { body, entries, signature: { key_id: 'registry', sig } }
}

test('a look at the end of a long registry does not keep the pages before it from being kept', () => {
  const folder = join(temporaryFolder(), 'registry')
  const kept = new KeptPages({ folder, key: publicKey, tenant: TENANT, now: () => 1_000 })
  const all = sealEntries(9)
  const keep = (from: number, to: number): void => {
    const page = signPage(all, from, to)
    kept.keep(encodeUtf8(toCanonicalText(page)), page)
  }
  keep(0, 3)
  // Somebody else asks where it ends, while the rest is still read page by page.
  keep(8, 9)
  assert.equal(kept.load(), null, 'a part of it is nothing')
  keep(3, 6)
  keep(6, 9)
  assert.equal(kept.load()?.entries.length, 9)
})
