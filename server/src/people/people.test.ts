import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { isOurHost } from '../http/connections/host-check.ts'
import { createPeople, isIn, type KnownPerson, mintToken } from './people.ts'
import { readPeople, writePeople } from './people-file.ts'

const { sha256 } = nodeCrypto
const jane = { name: 'jane@example.com', roles: ['operator', 'auditor'], token_hash: 'a' } as const

test('a token is found by its hash, and only that one', () => {
  const token = mintToken({ bytes: (length) => new Uint8Array(length).fill(251) })
  assert.match(token, /^rbo_[A-Za-z0-9_-]{43}$/)
  const people = createPeople(
    () => [jane, { ...jane, token_hash: hashText(token, sha256) }],
    sha256,
  )
  assert.deepEqual(people.find(token), {
    kind: 'person',
    name: 'jane@example.com',
    roles: ['operator', 'auditor'],
  })
  assert.equal(people.find(`${token}x`), null)
  assert.equal(people.find('\ud800'), null)
})

test('the file holds hashes, is for its owner alone, and comes back as it was', () => {
  const file = join(temporaryFolder(), 'state', 'people.json')
  assert.deepEqual(readPeople(file), { ok: true, value: [] })
  writePeople(file, [jane])
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readPeople(file), { ok: true, value: [jane] })
  const placed = { ...jane, tenants: ['acme', 'globex'] }
  writePeople(file, [placed])
  assert.deepEqual(readPeople(file), { ok: true, value: [placed] })
})

test('a person is where it is written, and where nothing is written in the first tenant', () => {
  const served = ['acme', 'globex']
  const places = (person: KnownPerson): readonly string[] =>
    served.filter((tenant) => isIn(person, tenant, served))
  assert.deepEqual(places(jane), ['acme'])
  assert.deepEqual(places({ ...jane, tenants: ['globex'] }), ['globex'])
  assert.deepEqual(places({ ...jane, tenants: [] }), [])
  assert.deepEqual(places({ ...jane, tenants: ['initech'] }), [])
})

test('a file that cannot be read lets nobody in', () => {
  const file = join(temporaryFolder(), 'people.json')
  const odd = [
    '',
    '[]',
    '{"people":{}}',
    '{"people":[7]}',
    '{"people":[{"name":"a b","roles":[],"token_hash":"x"}]}',
    '{"people":[{"name":"a","roles":["king"],"token_hash":"x"}]}',
    '{"people":[{"name":"a","roles":["auditor"]}]}',
    '{"people":[{"name":"oidc:a","roles":["auditor"],"token_hash":"x"}]}',
    '{"people":[{"name":"a","roles":["auditor"],"token_hash":"x","tenants":"b"}]}',
    '{"people":[{"name":"a","roles":["auditor"],"token_hash":"x","tenants":[7]}]}',
  ]
  for (const text of odd) {
    writeFileSync(file, text)
    const read = readPeople(file)
    assert.ok(!read.ok, text)
    assert.equal(read.error.code, 'PEOPLE_UNREADABLE')
  }
})

test('a host is ours by address or by its own name, not by one that somebody made up', () => {
  const ours = ['localhost', 'LOCALHOST:7420', '127.0.0.1', '10.0.0.5:80', '[::1]', '[::1]:7420']
  for (const host of ours) assert.ok(isOurHost(host, { host: '127.0.0.1' }), host)
  const others = [
    undefined,
    '',
    'example.com',
    'localhost.example.com',
    'a b',
    '::1:x',
    '[::1',
    'x@y',
  ]
  for (const host of others) assert.ok(!isOurHost(host, { host: '127.0.0.1' }), host)
  assert.ok(isOurHost('rubicon.internal:80', { host: 'rubicon.internal' }))
  const publicUrl = new URL('https://rubicon.example.com')
  assert.ok(isOurHost('rubicon.example.com', { host: '127.0.0.1', publicUrl }))
  assert.ok(!isOurHost('example.com', { host: '127.0.0.1', publicUrl }))
})
