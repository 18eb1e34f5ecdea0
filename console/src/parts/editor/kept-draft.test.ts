import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LONGEST_KEPT, readKeptDraft, toDraftKey, writeKeptDraft } from './kept-draft.ts'

function shelf(): { readonly kept: Map<string, string>; readonly get: () => Storage } {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: () => null,
    length: 0,
  }
  return { kept, get: () => storage }
}

const PLACE = { tenant: 'acme', person: 'olga', kind: 'contract', name: 'bot' } as const

test('a draft is kept for its person, tenant and document, and for nobody else', () => {
  const { get } = shelf()
  const draft = { text: 'a: 1', base: 'sha256:1' }
  assert.equal(writeKeptDraft(get, toDraftKey(PLACE), draft), true)
  assert.deepEqual(readKeptDraft(get, toDraftKey(PLACE)), draft)
  for (const other of [{ person: 'otto' }, { tenant: 'other' }, { name: 'bot2' }])
    assert.equal(readKeptDraft(get, toDraftKey({ ...PLACE, ...other })), null)
  // Two names cannot be written so that they are one key.
  assert.notEqual(
    toDraftKey({ ...PLACE, person: 'a","b' }),
    toDraftKey({ ...PLACE, person: 'a', tenant: 'b' }),
  )
})

test('what is too long is not kept, and not an older one in its place', () => {
  const { kept, get } = shelf()
  writeKeptDraft(get, 'k', { text: 'old', base: null })
  assert.equal(writeKeptDraft(get, 'k', { text: 'x'.repeat(LONGEST_KEPT + 1), base: null }), false)
  assert.equal(kept.size, 0)
})

test('a browser that keeps nothing, or something else, has no draft', () => {
  const refuse = (): Storage => {
    throw new Error('denied')
  }
  assert.equal(readKeptDraft(refuse, 'k'), null)
  assert.equal(writeKeptDraft(refuse, 'k', { text: '', base: null }), false)
  const { kept, get } = shelf()
  for (const other of ['{', 'null', '[]', '{"text":1,"base":null}', '{"text":"a","base":2}']) {
    kept.set('k', other)
    assert.equal(readKeptDraft(get, 'k'), null)
  }
})
