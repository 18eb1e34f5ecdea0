import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuditedFiles } from './artifact-files.ts'
import { auditOrder } from './artifact-order.ts'
import { computeSha256 } from './bytes.ts'
import { listDifferent } from './symbols.ts'

const toHash = (text: string): string => `sha256:${computeSha256(text).toString('hex')}`

/** A disk and what the ledger says of it; `kept`: texts that the runtime has put into blobs. */
function createAudited(files: Readonly<Record<string, string>>, kept: readonly string[]) {
  const found: string[] = []
  const disk = new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))
  const blobs = new Map(kept.map((text) => [toHash(text), Buffer.from(text)]))
  const audited = new AuditedFiles((_, detail) => void found.push(detail), {
    readAll: () => disk,
    blobs,
  })
  const known = (text: string) => new Map([['a.ts', { content_hash: toHash(text) }]])
  return { audited, found, known, disk }
}

test('a file that is not what the ledger says is found, and one that somebody saved is not', () => {
  const { audited, found, known, disk } = createAudited({ 'a.ts': 'one' }, ['one', 'two'])
  audited.auditDisk(known('one'), 'now')
  assert.deepEqual(found, [])
  audited.auditDisk(known('two'), 'now')
  assert.equal(found.length, 1)
  disk.set('a.ts', Buffer.from('by hand'))
  audited.recordEdit('a.ts', Buffer.from('by hand'))
  audited.auditDisk(known('two'), 'now')
  assert.equal(found.length, 1)
  disk.set('a.ts', Buffer.from('two'))
  audited.auditDisk(known('two'), 'now')
  assert.equal(found.length, 2, 'what somebody saved was written over')
})

test('half a text is found at once, and what is left beside the files in the end', () => {
  const { audited, found, known, disk } = createAudited({ 'a.ts': 'one' }, ['one'])
  disk.set('.rubicon-12-0.new', Buffer.from('on'))
  audited.auditWhole(known('one'))
  assert.deepEqual(found, [])
  audited.finish(known('one'))
  assert.match(found.join(), /left behind/)
  disk.set('a.ts', Buffer.from('on'))
  audited.auditWhole(known('one'))
  assert.match(found.join(), /half written/)
  disk.delete('a.ts')
  audited.auditWhole(known('one'))
  assert.match(found.join(), /not there while it is written/)
})

test('files whose write a person settled are all written or none, and nothing else is in them', () => {
  const toText = (value: number): string => `function a() {\n  return ${value}\n}\n`
  const [one, two, other] = [toText(1), toText(2), `${toText(1)}function b() {\n}\n`]
  const { audited, found, disk } = createAudited({ 'a.ts': one, 'b.ts': one }, [one, two, other])
  const known = new Map(['a.ts', 'b.ts'].map((name) => [name, { content_hash: toHash(one) }]))
  const names = ['a.ts', 'b.ts']
  audited.recordDoubtful({ names, symbols: names.map((name) => `${name} function:a`) })
  const findProblems = (a: string, b: string): string => {
    disk.set('a.ts', Buffer.from(a)).set('b.ts', Buffer.from(b))
    audited.auditDisk(known, 'now')
    return found.splice(0).join()
  }
  assert.equal(findProblems(one, one), '')
  assert.equal(findProblems(two, two), '')
  assert.match(findProblems(two, one), /written in part/)
  assert.match(findProblems(two, other), /b\.ts has another function:b, which was not planned/)
  assert.match(findProblems('func', two), /nobody keeps/)
  audited.recordAdopted('a.ts', toHash(one))
  assert.equal(findProblems(one, two), '', 'the other one may be either')
  assert.match(findProblems(two, two), /a\.ts is .*, not/)
})

test('symbols are told apart by their texts, and an empty class is the class that it was', () => {
  const full = 'class A {\n  one() {\n    return 1\n  }\n}\n'
  assert.deepEqual(listDifferent(full, full.replace('1', '2')), ['class:A/method:one'])
  assert.deepEqual(listDifferent(full, 'class A {\n}\n'), ['class:A/method:one'])
  assert.deepEqual(listDifferent('class A {\n}\n', 'class A {}\n'), [])
  assert.deepEqual(listDifferent(full, `// by hand\n${full}`), [''])
})

test('members that were planned on one text stand by key, and those of several texts anyhow', () => {
  const toMember = (name: string): string => `  ${name}() {\n  }\n`
  const find = (first: object, last: object, names: readonly string[]): readonly string[] => {
    const found: string[] = []
    const after = `class A {\n${names.map(toMember).join('\n')}}\n`
    const records = new Map([
      ['c1', JSON.stringify(first)],
      ['c2', JSON.stringify(last)],
      ['c0', JSON.stringify({ after: 't0', base: null, deltas: null, previous: null })],
    ])
    const text = { after, change: 'c2', find: (hash: string) => records.get(hash) ?? null }
    auditOrder((detail) => void found.push(detail), text)
    return found
  }
  const add = (fragment: string) => [{ op: 'addMember', target: 'class:A', fragment }]
  const first = { after: 't1', base: 't0', key: 'b', previous: 'c0', deltas: add('x() {}') }
  const last = { after: 't2', base: 't0', key: 'a', previous: 'c1', deltas: add('y() {}') }
  assert.deepEqual(find(first, last, ['y', 'x']), [])
  assert.equal(find(first, last, ['x', 'y']).length, 1)
  assert.deepEqual(find(first, { ...last, base: 't1' }, ['x', 'y']), [])
})
