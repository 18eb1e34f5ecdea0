import assert from 'node:assert/strict'
import fs, {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ok } from 'rubicon-kernel'
import { temporaryFolder } from '../../../runtime/src/temporary-folder.test-support.ts'
import type { KnownPerson } from './people.ts'
import { changePeople, readPeople, writePeople } from './people-file.ts'

const ann: KnownPerson = { name: 'ann', roles: ['operator'], token_hash: 'a' }
const bob: KnownPerson = { name: 'bob', roles: ['auditor'], token_hash: 'b' }

function namesIn(file: string): readonly string[] {
  const read = readPeople(file)
  return read.ok ? read.value.map(({ name }) => name) : [read.error.code]
}

/** A call that gives what the system would: a disk with room for half of it takes half, and says so. */
function mocked(t: TestContext, name: 'writeSync' | 'fsyncSync', call: (fd: number) => number) {
  t.mock.method(fs, name, call)
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
}

test('a disk that takes half of a writing leaves half a file that names nobody', (t) => {
  const file = join(temporaryFolder(), 'people.json')
  writePeople(file, [ann])
  const half = fs.writevSync
  mocked(t, 'writeSync', (fd) => half(fd, [Buffer.from('{"people":[')]))
  writePeople(file, [ann, bob])
  assert.deepEqual(namesIn(file), ['ann', 'bob'])
})

test('a writing that failed is left beside the file', (t) => {
  const folder = temporaryFolder()
  const file = join(folder, 'people.json')
  writePeople(file, [ann])
  mocked(t, 'fsyncSync', () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  assert.throws(() => writePeople(file, [ann, bob]), /no space/)
  assert.deepEqual(readdirSync(folder), ['people.json'])
  assert.deepEqual(namesIn(file), ['ann'])
})

test('whoever is added through a link is known there alone', () => {
  const folder = temporaryFolder()
  const [kept, link] = [join(folder, 'kept'), join(folder, 'state')]
  for (const path of [kept, link]) mkdirSync(path)
  writePeople(join(kept, 'people.json'), [ann])
  symlinkSync(join(kept, 'people.json'), join(link, 'people.json'))
  const added = changePeople(join(link, 'people.json'), () => ok({ people: [ann, bob], value: 1 }))
  assert.ok(added.ok)
  assert.ok(lstatSync(join(link, 'people.json')).isSymbolicLink())
  assert.deepEqual(namesIn(join(kept, 'people.json')), ['ann', 'bob'])
  assert.ok(existsSync(join(kept, 'people.json.lock')), 'one lock for one file')
})

const isRoot = process.getuid?.() === 0

test('a token that root makes locks out the server that reads the file', {
  skip: isRoot ? false : 'nobody else gives files away',
}, () => {
  const folder = temporaryFolder()
  const file = join(folder, 'people.json')
  writePeople(file, [ann])
  for (const path of [folder, file]) chownSync(path, 65_534, 65_534)
  const added = changePeople(file, () => ok({ people: [ann, bob], value: 1 }))
  assert.ok(added.ok)
  for (const path of [file, `${file}.lock`]) assert.equal(statSync(path).uid, 65_534, path)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match(readFileSync(file, 'utf8'), /bob/)
})
