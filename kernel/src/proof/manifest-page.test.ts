/** A page of authority hangs together from its first entry to where the registry signed, or is none. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Sha256 } from '../canonical/sha256.ts'
import { toCanonicalText } from '../canonical/write-json.ts'
import { AUTHORITY, type Entry, type EntryDraft, sealEntry } from '../ledger/entry.ts'
import type { ExportedEntry } from './exported-entry.ts'
import { type ManifestPage, parseManifestPage, readManifestEntries } from './manifest-page.ts'

const sha256: Sha256 = (data) => hash('sha256', data, 'buffer')
const FROM = 4
const AT = '2026-02-01T09:00:00.000Z'

/** Entries of authority, one behind the other. */
function sealEntries(count: number, change: Partial<EntryDraft> = {}): readonly Entry[] {
  const entries: Entry[] = []
  for (let nth = 0; nth < count; nth += 1) {
    const id: Address = entries.at(-1)?.id ?? `sha256:${'0'.repeat(64)}`
    const head = { seq: FROM + nth - 1, id, at: AT }
    const place = { tenant: 'acme', trajectory: AUTHORITY, kind: 'anchor' } as const
    const draft: EntryDraft = { ...place, payload: toCanonicalText({ nth }), ...change }
    entries.push(sealEntry(draft, head, AT, sha256))
  }
  return entries
}

const exportEntry = ({ envelope, id, payload }: Entry): ExportedEntry => ({
  ...{ envelope, id, payload: payload === null ? null : JSON.parse(payload) },
})

function pageOf(
  entries: readonly ExportedEntry[],
  change: Partial<ManifestPage['body']> = {},
): ManifestPage {
  const last = entries.at(-1)?.id ?? null
  const body = { tenant: 'acme', nonce: 'n', from: FROM, head: 9, last, ...change }
  return { body, entries, signature: { key_id: 'registry', sig: 'AAAA' } }
}

function tell(page: ManifestPage): string {
  const read = readManifestEntries(page, sha256)
  return read.ok ? `${read.value.length} entries` : read.error
}

const sealed = sealEntries(3)
const [first, second, third] = sealed.map(exportEntry)
assert.ok(first !== undefined && second !== undefined && third !== undefined)
const three = [first, second, third]

test('the entries of a page are read in their order, also where there is none', () => {
  assert.deepEqual(readManifestEntries(pageOf(three), sha256), { ok: true, value: sealed })
  assert.equal(tell(pageOf([first])), '1 entries')
  assert.equal(tell(pageOf([])), '0 entries')
})

test('a page that does not end at the entry that was signed is none: neither a shorter one nor a longer one', () => {
  const cut = 'it does not end where the registry signed'
  assert.equal(tell(pageOf([first, second], { last: third.id })), cut)
  assert.equal(tell(pageOf(three, { last: second.id })), cut)
  assert.equal(tell(pageOf([], { last: first.id })), cut)
  assert.equal(tell(pageOf([first], { last: null })), cut)
})

test('an entry of another place is none of the page', () => {
  assert.equal(tell(pageOf([second, third])), 'entry 5 does not belong there')
  assert.equal(tell(pageOf([first, third])), 'entry 6 does not belong there')
  assert.equal(tell(pageOf([first, first])), 'entry 4 does not belong there')
  assert.equal(tell(pageOf(three, { from: FROM - 1 })), 'entry 4 does not belong there')
  assert.equal(tell(pageOf(three, { tenant: 'other' })), 'entry 4 does not belong there')
  const elsewhere = sealEntries(1, { trajectory: 'main' }).map(exportEntry)
  assert.equal(tell(pageOf(elsewhere)), 'entry 4 does not belong there')
})

test('an entry follows the one before it, and the first of a page any other', () => {
  const [, fork] = sealEntries(2, { payload: '{}' }).map(exportEntry)
  assert.ok(fork !== undefined)
  assert.equal(tell(pageOf([first, fork])), 'entry 5 does not follow the one before it')
})

test('an entry fits its hashes: what it says, what its envelope says, and what it is called', () => {
  const unfit = 'entry 4 does not fit its hashes'
  assert.equal(tell(pageOf([{ ...first, payload: { nth: 7 } }])), unfit)
  assert.equal(tell(pageOf([{ ...first, payload: null }])), unfit)
  assert.equal(tell(pageOf([{ ...first, id: second.id }])), unfit)
  const later = { ...first.envelope, at: '2026-02-01T09:00:00.001Z' }
  assert.equal(tell(pageOf([{ ...first, envelope: later }])), unfit)
})

test('a page has exactly its members, each in its form', () => {
  const page: JsonObject = JSON.parse(JSON.stringify(pageOf(three)))
  const body = page.body as JsonObject
  assert.deepEqual(parseManifestPage(page), { ok: true, value: page })
  assert.ok(
    parseManifestPage({ ...page, entries: [], body: { ...body, head: null, last: null } }).ok,
  )
  const bad: readonly (readonly [JsonValue, string])[] = [
    [{ ...page, more: 1 }, 'page has an unknown member `more`'],
    [{ ...page, body: { ...body, from: -1 } }, 'page `body` `from` is not a count'],
    [{ ...page, body: { ...body, head: 'x' } }, 'page `body` `head` is not a count'],
    [{ ...page, body: { ...body, last: 'x' } }, 'page `body` `last` is not an address'],
    [{ ...page, body: { ...body, nonce: 1 } }, 'page `body` `nonce` is not a text'],
    [{ ...page, body: { ...body, tenant: 'a b' } }, 'page `body` `tenant` is not an identifier'],
    [{ ...page, signature: {} }, 'page `signature` has no `key_id`'],
    [null, 'page is not an object'],
  ]
  for (const [value, error] of bad) assert.deepEqual(parseManifestPage(value), { ok: false, error })
})
