import assert from 'node:assert/strict'
import fs, { rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import { createPeopleReader } from './fresh-people.ts'
import type { KnownPerson } from './people.ts'
import { writePeople } from './people-file.ts'

const jane: KnownPerson = { name: 'jane', roles: ['auditor'], token_hash: 'a' }

test('who was added, replaced or removed counts from then on', () => {
  const file = join(temporaryFolder(), 'people.json')
  const people = createPeopleReader(file)
  assert.deepEqual(people(), [])
  for (const now of [[jane], [{ ...jane, token_hash: 'b' }], []]) {
    writePeople(file, now)
    assert.deepEqual(people(), now)
  }
})

test('while the file is gone or cannot be read, nobody counts', () => {
  const file = join(temporaryFolder(), 'people.json')
  const people = createPeopleReader(file)
  writePeople(file, [jane])
  assert.deepEqual(people(), [jane])
  rmSync(file)
  assert.deepEqual(people(), [])
  writePeople(file, [jane])
  assert.deepEqual(people(), [jane])
  writeFileSync(file, '{"people":7}')
  assert.deepEqual(people(), [])
})

test('a file that cannot be read leaves the tokens of before in force, or is never read again', (t) => {
  const file = join(temporaryFolder(), 'people.json')
  const people = createPeopleReader(file)
  writePeople(file, [jane])
  assert.deepEqual(people(), [jane])
  const replaced = { ...jane, token_hash: 'b' }
  writePeople(file, [replaced])
  // Somebody else's file, or no descriptor left at this moment.
  t.mock.method(fs, 'readFileSync', () => {
    throw Object.assign(new Error('permission denied'), { code: 'EACCES' })
  })
  syncBuiltinESMExports()
  try {
    assert.deepEqual([people(), people()], [[], []])
  } finally {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  }
  assert.deepEqual(people(), [replaced])
})
