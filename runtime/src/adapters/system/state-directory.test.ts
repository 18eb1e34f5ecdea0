import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { resolveStateDirectory, toTenantFileName } from './state-directory.ts'

const at = (store: string): string => resolveStateDirectory(store, { XDG_STATE_HOME: '/s' })

test('stores have state directories of their own, however they are written', () => {
  const here = at('sqlite:./.rubicon/rubicon.db')
  assert.equal(at(`sqlite:${resolve('.rubicon/rubicon.db')}`), here)
  assert.notEqual(at('sqlite:./.rubicon/other.db'), here)
  assert.notEqual(at('sqlite:../.rubicon/rubicon.db'), here)
})

test('the name says which project or database it is, and no password', () => {
  assert.match(
    at('sqlite:/srv/refunds/.rubicon/rubicon.db'),
    /^\/s\/rubicon\/refunds-[0-9a-f]{10}$/,
  )
  const first = at('postgres://ann:secret@db:5432/ledger?sslmode=require')
  assert.equal(at('postgres://bob@db:5432/ledger'), first)
  assert.notEqual(at('postgres://bob@db:5432/other'), first)
  assert.ok(!first.includes('secret'))
})

test('whoever names a directory gets it', () => {
  assert.equal(resolveStateDirectory('memory', { RUBICON_STATE: '/keys' }), '/keys')
  assert.match(resolveStateDirectory('memory', {}), /\.local\/state\/rubicon\/memory-/)
})

test('no tenant has the folder of another, whatever it is called', () => {
  const names = ['acme', '.', '..', '...', '.a', 'a:b', 'a@b', 'a%2Eb']
  const folders = names.map((name) => join('/s/tenants', toTenantFileName(name)))
  for (const folder of folders) assert.match(folder, /^\/s\/tenants\/[^/]+$/)
  assert.equal(new Set(folders).size, names.length)
})
