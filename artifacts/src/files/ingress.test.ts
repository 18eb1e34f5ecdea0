import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ARTIFACT_LIMITS } from '../limits.ts'
import { type FilesRoot, openFilesRoot } from './files-root.ts'
import { listFiles } from './list-files.ts'
import { readArtifact } from './read-artifact.ts'
import { makeFolder } from './temporary-folder.test-support.ts'

function openRoot(folder: string): FilesRoot {
  const root = openFilesRoot(folder)
  assert.ok(root.ok)
  return root.value
}

function refusalOf(root: FilesRoot, id: string): string {
  const read = readArtifact(root, id)
  assert.ok(!read.ok, id)
  return read.error.code
}

test('a folder is its files, by names with `/`, without what tools keep', () => {
  const folder = makeFolder({
    'b.md': '#',
    'src/a.ts': '',
    'src/deep/c.json': '{}',
    '.git/config': '',
    '.rubicon/rubicon.db': '',
    'src/.rubicon-0123456789abcdef-0.new': '',
    'node_modules/x/index.js': '',
  })
  const { ids, problems } = listFiles(openRoot(folder))
  assert.deepEqual(ids, ['b.md', 'src/a.ts', 'src/deep/c.json'])
  assert.deepEqual(problems, [])
  assert.deepEqual(listFiles(openRoot(folder), 'src').ids, ['src/a.ts', 'src/deep/c.json'])
})

test('what is no regular file is named and not followed, and of names that are one elsewhere none is taken', () => {
  const folder = makeFolder({
    'a.ts': '',
    'Readme.md': '',
    'README.md': '',
    'Sub/x.ts': '',
    'sub/y.ts': '',
    'e\u0301.ts': '',
    '\u00e9.ts': '',
    'odd\n.ts': '',
  })
  symlinkSync('a.ts', join(folder, 'link.ts'))
  symlinkSync(makeFolder({ 'secret.ts': '' }), join(folder, 'out'))
  symlinkSync('.', join(folder, 'round'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const { ids, problems } = listFiles(openRoot(folder))
  assert.deepEqual(ids, ['a.ts'])
  assert.deepEqual(problems.map(({ code, file }) => `${code} ${JSON.stringify(file)}`).sort(), [
    'FILE_IRREGULAR "pipe"',
    'FILE_LINK "link.ts"',
    'FILE_LINK "out"',
    'FILE_LINK "round"',
    'FILE_NAME_COLLISION "README.md"',
    'FILE_NAME_COLLISION "Readme.md"',
    'FILE_NAME_COLLISION "Sub"',
    'FILE_NAME_COLLISION "sub"',
    'FILE_NAME_COLLISION "\u00e9.ts"',
    'FILE_NAME_INVALID "e\u0301.ts"',
    'FILE_NAME_INVALID "odd\\n.ts"',
  ])
})

test('no symbolic link is read through, be it the file or a folder above it', () => {
  const folder = makeFolder({ 'src/a.ts': 'const a = 1\n' })
  const there = makeFolder({ 'secret.ts': 'const s = 1\n', 'deep/x.ts': '' })
  symlinkSync(join(there, 'secret.ts'), join(folder, 'src/s.ts'))
  symlinkSync(there, join(folder, 'src/there'))
  const root = openRoot(folder)
  assert.ok(readArtifact(root, 'src/a.ts').ok)
  for (const id of ['src/s.ts', 'src/there/secret.ts', 'src/there/deep/x.ts'])
    assert.equal(refusalOf(root, id), 'FILE_LINK')
  const through = join(makeFolder(), 'root')
  symlinkSync(folder, through)
  assert.ok(readArtifact(openRoot(through), 'src/a.ts').ok, 'the root itself may be a link')
})

test('a pipe, a folder and a device are no artifacts, and nobody waits for them', () => {
  const folder = makeFolder()
  execFileSync('mkfifo', [join(folder, 'pipe.ts')])
  mkdirSync(join(folder, 'dir.ts'))
  const root = openRoot(folder)
  assert.equal(refusalOf(root, 'pipe.ts'), 'FILE_IRREGULAR')
  assert.equal(refusalOf(root, 'dir.ts'), 'FILE_IRREGULAR')
  assert.equal(refusalOf(root, 'none.ts'), 'FILE_MISSING')
  assert.equal(refusalOf(root, '../none.ts'), 'FILE_NAME_INVALID')
})

test('the size is looked at before anything is read: too large is refused, large is bytes without a tree', () => {
  const folder = makeFolder({ 'huge.ts': '', 'large.ts': '', 'most.ts': '' })
  truncateSync(join(folder, 'huge.ts'), ARTIFACT_LIMITS.fileBytes + 1)
  truncateSync(join(folder, 'large.ts'), ARTIFACT_LIMITS.bytes + 1)
  truncateSync(join(folder, 'most.ts'), ARTIFACT_LIMITS.bytes)
  const root = openRoot(folder)
  assert.equal(refusalOf(root, 'huge.ts'), 'ARTIFACT_TOO_LARGE')
  const [large, most] = [readArtifact(root, 'large.ts'), readArtifact(root, 'most.ts')]
  assert.ok(large.ok && most.ok)
  assert.deepEqual([large.value.type, large.value.text], ['binary', null])
  assert.equal(most.value.text?.length, ARTIFACT_LIMITS.bytes)
})

test('text is strict UTF-8 with its byte order mark; whatever else is binary, whatever its name', () => {
  const folder = makeFolder({
    'mark.ts': '\uFEFFconst a = 1\r\n',
    'latin.ts': Uint8Array.of(0x63, 0xe9, 0x0a),
    'overlong.ts': Uint8Array.of(0xc0, 0xaf),
    'surrogate.ts': Uint8Array.of(0xed, 0xa0, 0x80),
    'plain.txt': 'hello',
  })
  const root = openRoot(folder)
  const mark = readArtifact(root, 'mark.ts')
  assert.ok(mark.ok)
  assert.deepEqual([mark.value.type, mark.value.text], ['code', '\uFEFFconst a = 1\r\n'])
  for (const id of ['latin.ts', 'overlong.ts', 'surrogate.ts']) {
    const read = readArtifact(root, id)
    assert.ok(read.ok)
    assert.deepEqual([read.value.type, read.value.text], ['binary', null])
  }
  const plain = readArtifact(root, 'plain.txt')
  assert.ok(plain.ok)
  assert.deepEqual([plain.value.type, plain.value.media], ['binary', 'text/plain'])
  writeFileSync(join(folder, 'plain.txt'), 'hello')
  const again = readArtifact(root, 'plain.txt')
  assert.ok(again.ok)
  assert.equal(again.value.hash, plain.value.hash)
})
