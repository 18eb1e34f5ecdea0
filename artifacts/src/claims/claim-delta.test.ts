import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimSet, checkComposition, STRATEGIES } from 'rubicon-kernel'
import type { Delta } from '../delta/delta.ts'
import { checkReads } from './check-reads.ts'
import { claimDelta, claimDeltas } from './claim-delta.ts'
import { parseWhole, sha256 } from './parsed.test-support.ts'
import { createWordFormat } from './word-references.test-support.ts'

const FORMAT = createWordFormat('a.ts')
const RULE = { type: FORMAT.type, sha256 }
const TEXT = `import { hash } from './hash.ts'

export interface Account {
  name: string
}

export enum Role {
  Reader,
  Writer,
}

export class AuthService {
  constructor(private readonly seed: string) {}

  check(name: string): boolean {
    return name !== ''
  }
}

export function greet(name: string): string {
  return hello(name)
}

function hello(name: string): string {
  return \`hello \${name}\`
}
`
const PARSED = parseWhole(FORMAT, TEXT)

function claim(key: string, ...deltas: readonly Delta[]): ClaimSet {
  const claimed = claimDeltas(PARSED, deltas, FORMAT, { key, artifact: 'a.ts', sha256 })
  assert.ok(claimed.ok, claimed.ok ? '' : claimed.error.detail)
  return claimed.value
}

function compose(...sets: readonly ClaimSet[]): readonly string[] {
  return checkComposition(STRATEGIES.CommutativeBatch, sets).map(({ kind }) => kind)
}

const login: Delta = {
  op: 'addMember',
  target: 'class:AuthService',
  fragment: 'login(name: string): boolean {\n  return this.check(name) && hash(name) !== null\n}',
}
const logout: Delta = {
  op: 'addMember',
  target: 'class:AuthService',
  fragment: 'logout(): AuthService {\n  return new AuthService("")\n}',
}

test('a member that is added claims its name, and reads the header of its container and what it calls', () => {
  const { writes, inserts, reads, redefines, memberships } = claim('a', login)
  assert.deepEqual(writes, [])
  assert.deepEqual(inserts, [
    { container: ['class:AuthService'], segment: 'method:login', order: 'free' },
  ])
  assert.deepEqual(
    reads.map((read) =>
      read.kind === 'symbol' ? [read.path.join('/'), read.part] : [read.from, read.name],
    ),
    [
      ['class:AuthService', 'header'],
      ['./hash.ts', 'hash'],
      ['class:AuthService/method:check', 'definition'],
    ],
  )
  assert.deepEqual(redefines, [])
  assert.deepEqual(memberships, [['class:AuthService']])
})

test('two methods for one class compose, though one of them names the class', () => {
  assert.deepEqual(compose(claim('a', login), claim('b', logout)), [])
})

test('a method under one name is not added by two', () => {
  const other = { ...login, fragment: 'login() {}' }
  assert.deepEqual(compose(claim('a', login), claim('b', other)), ['NAME_CLAIMED_TWICE'])
})

test('a new caller and the removal of what it calls do not compose', () => {
  const caller: Delta = {
    op: 'addMember',
    target: '',
    fragment: 'function wave(): string {\n  return greet("x")\n}',
  }
  const removal: Delta = { op: 'remove', target: 'function:greet' }
  assert.ok(compose(claim('a', caller), claim('b', removal)).includes('READS_WHAT_CHANGES'))
  const body: Delta = { op: 'replaceBody', target: 'function:greet', fragment: '{ return name }' }
  assert.deepEqual(compose(claim('a', caller), claim('b', body)), [])
})

test('a member put into an enum or an interface changes what others rely on', () => {
  const reader: Delta = {
    op: 'addMember',
    target: '',
    fragment: 'function pick(account: Account): Role {\n  return Role.Reader\n}',
  }
  const role: Delta = { op: 'addMember', target: 'enum:Role', fragment: 'Owner' }
  const field: Delta = { op: 'addMember', target: 'interface:Account', fragment: 'age: number' }
  const mail: Delta = { op: 'addMember', target: 'interface:Account', fragment: 'mail: string' }
  assert.deepEqual(compose(claim('a', reader), claim('b', role)), [
    'NOT_COMMUTATIVE',
    'READS_WHAT_CHANGES',
  ])
  assert.deepEqual(compose(claim('a', reader), claim('b', field)), ['READS_WHAT_CHANGES'])
  assert.deepEqual(compose(claim('a', mail), claim('b', field)), [])
})

test('a body is bound to the header that it was written for', () => {
  const body: Delta = { op: 'replaceBody', target: 'function:hello', fragment: '{ return name }' }
  const header: Delta = {
    op: 'setSignature',
    target: 'function:hello',
    fragment: 'function hello(name: string, loud?: boolean): string',
  }
  const { reads } = claim('a', body)
  assert.deepEqual(
    reads.map((read) => (read.kind === 'symbol' ? read.path : [])),
    [['function:hello']],
  )
  assert.deepEqual(claim('b', header).redefines, [['function:hello']])
  assert.deepEqual(claim('b', header).writes, [{ path: ['function:hello'], part: 'signature' }])
  assert.deepEqual(compose(claim('a', body), claim('b', header)), [
    'OVERLAPPING_WRITES',
    'READS_WHAT_CHANGES',
  ])
})

test('an import is no claim, and a read of what it brings', () => {
  const delta: Delta = { op: 'addImport', from: './hash.ts', name: 'salt' }
  const { writes, inserts, reads, redefines } = claim('a', delta)
  assert.deepEqual([writes, inserts, redefines], [[], [], []])
  assert.deepEqual(reads, [{ kind: 'export', from: './hash.ts', name: 'salt' }])
  const other: Delta = { op: 'addImport', from: './hash.ts', name: 'pepper' }
  assert.deepEqual(compose(claim('a', delta), claim('b', other)), [])
})

test('a member that is moved is gone from where it was, and claims its name where it goes', () => {
  const delta: Delta = {
    op: 'move',
    target: 'class:AuthService/method:check',
    to: 'class:AuthService',
    at: { after: null },
  }
  const { writes, inserts } = claim('a', delta)
  assert.deepEqual(writes, [{ path: ['class:AuthService', 'method:check'], part: 'subtree' }])
  assert.deepEqual(inserts, [
    { container: ['class:AuthService'], segment: 'method:check', order: 'free', after: null },
  ])
})

test('what a list makes itself is not read by it', () => {
  const { reads, inserts } = claim(
    'a',
    { op: 'addMember', target: '', fragment: 'function one(): number {\n  return 1\n}' },
    { op: 'addMember', target: '', fragment: 'function two(): number {\n  return one()\n}' },
  )
  assert.deepEqual(reads, [])
  assert.deepEqual(
    inserts.map(({ segment }) => segment),
    ['function:one', 'function:two'],
  )
})

test('a list claims by the paths of its first text, whatever it calls them on the way', () => {
  const method = 'class:AuthService/method:check'
  const list = claim(
    'a',
    { op: 'rename', target: 'function:hello', name: 'hail' },
    { op: 'replaceBody', target: 'function:hail', fragment: "{ return '' }" },
    { op: 'addMember', target: '', fragment: 'function wave(): void {}', at: { after: null } },
    { op: 'replaceBody', target: 'function:wave', fragment: '{ return }' },
  )
  const paths = list.writes.map(({ path, part }) => `${path.join('/')} ${part}`)
  assert.ok(paths.includes('function:hello body'), paths.join())
  assert.ok(!paths.some((path) => path.includes('hail') || path.includes('wave')), paths.join())
  const other: Delta = { op: 'replaceBody', target: 'function:hello', fragment: "{ return 'x' }" }
  assert.ok(compose(list, claim('b', other)).includes('OVERLAPPING_WRITES'))
  const moved = claim(
    'a',
    { op: 'addMember', target: 'class:AuthService', fragment: 'first() {}', at: { after: null } },
    { op: 'replaceBody', target: method, fragment: '{ return true }' },
  )
  assert.deepEqual(moved.writes, [{ path: method.split('/'), part: 'body' }])
})

test('a delta that cannot be planned claims nothing', () => {
  const claimant = { key: 'a', artifact: 'a.ts', sha256 }
  const claimed = claimDelta(PARSED, { op: 'remove', target: 'class:None' }, FORMAT, claimant)
  assert.equal(claimed.ok ? null : claimed.error.code, 'TARGET_MISSING')
})

test('what a claim relied on is stale when its definition changes, and not when its body does', () => {
  const { reads } = claim('a', login)
  const changed = (from: string, to: string) =>
    checkReads(parseWhole(FORMAT, TEXT.replace(from, to)), reads, RULE)
  assert.equal(changed("name !== ''", "name === 'x'"), null)
  assert.equal(changed('  check(', '  // A comment.\n  check('), null)
  assert.deepEqual(changed('check(name: string)', 'check(name: number)'), {
    code: 'DELTA_STALE',
    detail: 'what it refers to has changed since: `class:AuthService/method:check`',
    candidates: ['class:AuthService/method:check'],
  })
  assert.equal(changed('AuthService {', 'AuthService extends Base {')?.code, 'DELTA_STALE')
  assert.equal(changed('class AuthService', 'class Other')?.code, 'DELTA_STALE')
})

test('a key of a configuration is its value', () => {
  const format = createWordFormat('a.json')
  const parsed = parseWhole(format, '{\n  "a": { "b": 1 },\n  "c": 2\n}\n')
  const claimant = { key: 'a', artifact: 'a.json', sha256 }
  const delta: Delta = { op: 'replaceBody', target: 'key:a/key:b', fragment: '3' }
  const claimed = claimDelta(parsed, delta, format, claimant)
  assert.ok(claimed.ok)
  assert.deepEqual(claimed.value.writes, [{ path: ['key:a', 'key:b'], part: 'body' }])
  assert.deepEqual(claimed.value.redefines, [['key:a', 'key:b']])
  assert.deepEqual(claimed.value.memberships, [['key:a']])
})
