import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashText } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { systemRandom } from '../../../runtime/src/adapters/system/random.ts'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import type { KnownPerson } from './people.ts'
import { readPeople, writePeople } from './people-file.ts'
import { openServerPeople, replaceToken } from './server-people.ts'

const { sha256 } = nodeCrypto
const ann: KnownPerson = { name: 'ann', roles: ['operator'], token_hash: 'a' }

function hashesIn(file: string): ReadonlyMap<string, string> {
  const read = readPeople(file)
  assert.ok(read.ok)
  return new Map(read.value.map(({ name, token_hash }) => [name, token_hash]))
}

/** Random bytes are asked for after the file was read, and before it is written. */
function meanwhile(work: () => void): typeof systemRandom {
  return {
    ...systemRandom,
    bytes(length) {
      work()
      return systemRandom.bytes(length)
    },
  }
}

test('of two tokens that are made at once one is nobody\u2019s', () => {
  const file = join(temporaryFolder(), 'people.json')
  writePeople(file, [ann])
  const shown = new Map<string, string>()
  const make = (name: string, random = systemRandom): string => {
    const whose = { name, roles: ['auditor'] } as const
    const made = replaceToken(whose, file, { random, sha256, waitMs: 0 })
    if (made.ok) shown.set(name, made.value.token)
    return made.ok ? 'made' : made.error.code
  }
  let second = ''
  const random = meanwhile(() => {
    second = make('carl')
  })
  assert.equal(make('bob', random), 'made')
  assert.equal(second, 'STORE_CONTENTION')
  assert.equal(make('carl'), 'made')
  const kept = hashesIn(file)
  assert.deepEqual([...kept.keys()].sort(), ['ann', 'bob', 'carl'])
  for (const [name, token] of shown) assert.equal(kept.get(name), hashText(token, sha256))
})

test('a first start takes out the token that another process has made meanwhile', () => {
  const file = join(temporaryFolder(), 'people.json')
  const sources = { random: systemRandom, sha256, served: ['default'] }
  let other = ''
  const random = meanwhile(() => {
    const first = openServerPeople({ name: 'ann' }, file, sources)
    other = first.ok ? (first.value.made ?? '') : ''
  })
  const keeper = openServerPeople({ name: 'ann' }, file, { ...sources, random })
  assert.ok(keeper.ok)
  assert.equal(keeper.value.made, null)
  assert.equal(hashesIn(file).get('ann'), hashText(other, sha256))
})
