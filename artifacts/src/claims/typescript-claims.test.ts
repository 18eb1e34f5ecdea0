import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClaimSet, checkComposition, STRATEGIES } from 'rubicon-kernel'
import type { Delta } from '../delta/delta.ts'
import { planDeltas } from '../delta/plan-deltas.ts'
import { findFormat } from '../formats/formats.ts'
import { claimDeltas } from './claim-delta.ts'
import { parseWhole, sha256 } from './parsed.test-support.ts'

const FORMAT = findFormat('a.ts') ?? assert.fail()
const TEXT = `import { hash } from './hash.ts'
import * as clock from './clock.ts'

enum Role { Reader, Writer }

function greet(name: string): string {
  return hello(name)
}

function hello(name: string): string {
  return name
}

class Service {
  #count = 0

  count(): number {
    return this.#count
  }
}

function spare(): void {}
`
const PARSED = parseWhole(FORMAT, TEXT)

function claim(key: string, ...deltas: readonly Delta[]): ClaimSet {
  const claimed = claimDeltas(PARSED, deltas, FORMAT, { key, artifact: 'a.ts', sha256 })
  assert.ok(claimed.ok, claimed.ok ? '' : claimed.error.detail)
  return claimed.value
}

function compose(one: readonly Delta[], other: readonly Delta[]): readonly string[] {
  const sets = [claim('a', ...one), claim('b', ...other)]
  const problems = checkComposition(STRATEGIES.CommutativeBatch, sets)
  return [...new Set(problems.map(({ kind }) => kind))]
}

function findProblem(...deltas: readonly Delta[]): string | null {
  const planned = planDeltas(PARSED, deltas, FORMAT)
  return planned.ok ? null : planned.error.code
}

const add = (fragment: string, target = ''): Delta => ({ op: 'addMember', target, fragment })
const caller = add('function wave(hello: number): string {\n  return greet(String(hello))\n}')

test('a fragment reads what its names stand for, and not what they only look like', () => {
  const { reads } = claim('a', caller)
  assert.deepEqual(
    reads.map((read) => (read.kind === 'symbol' ? read.path : [read.from, read.name])),
    [['function:greet']],
  )
  const outside = claim('a', add('const t = () => hash(clock.now())'))
  assert.deepEqual(outside.reads, [
    { kind: 'export', from: './hash.ts', name: 'hash' },
    { kind: 'export', from: './clock.ts', name: 'now' },
  ])
})

test('a new caller does not compose with another name, another signature or another number', () => {
  const rename: Delta = { op: 'rename', target: 'function:greet', name: 'welcome' }
  assert.deepEqual(compose([caller], [rename]), ['READS_WHAT_CHANGES'])
  const header: Delta = {
    op: 'setSignature',
    target: 'function:greet',
    fragment: 'function greet(name: string, loud: boolean): string',
  }
  assert.deepEqual(compose([caller], [header]), ['READS_WHAT_CHANGES'])
  const reader = add('const first = (): Role => Role.Writer')
  assert.deepEqual(compose([reader], [add('Guest', 'enum:Role')]), [
    'NOT_COMMUTATIVE',
    'READS_WHAT_CHANGES',
  ])
  const body: Delta = { op: 'replaceBody', target: 'function:greet', fragment: '{ return name }' }
  assert.deepEqual(compose([caller], [body]), [])
})

test('a class that is made and extended by others does not get new demands beside them', () => {
  const heir = add(
    'class Heir extends Service {\n  twice(): number {\n    return 2 * this.count()\n  }\n}',
  )
  const method = add('reset(): void {}', 'class:Service')
  assert.deepEqual(compose([heir], [method]), [])
  const maker = add('constructor(start: number) {}', 'class:Service')
  assert.deepEqual(compose([heir], [maker]), ['READS_WHAT_CHANGES'])
  const demand = add('abstract close(): void', 'class:Service')
  assert.deepEqual(compose([heir], [demand]), ['READS_WHAT_CHANGES'])
  const header: Delta = {
    op: 'setSignature',
    target: 'class:Service/method:count',
    fragment: 'count(from: number): number',
  }
  assert.deepEqual(compose([heir], [header]), ['READS_WHAT_CHANGES'])
})

test('a new name is written wherever the old one stood', () => {
  const { writes, inserts, redefines } = claim('a', {
    op: 'rename',
    target: 'function:hello',
    name: 'hi',
  })
  assert.deepEqual(writes, [
    { path: ['function:hello'], part: 'name' },
    { path: ['function:greet'], part: 'body' },
    { path: ['function:hello'], part: 'signature' },
  ])
  assert.deepEqual(inserts, [{ container: [], segment: 'function:hi', order: 'free' }])
  assert.deepEqual(redefines, [['function:hello']])
  const body: Delta = { op: 'replaceBody', target: 'function:greet', fragment: '{ return name }' }
  assert.ok(compose([{ op: 'rename', target: 'function:hello', name: 'hi' }], [body]).length > 0)
})

test('what is referred to is not removed, and what nobody refers to is', () => {
  assert.equal(findProblem({ op: 'remove', target: 'function:hello' }), 'DANGLING_REFERENCE')
  assert.equal(findProblem({ op: 'remove', target: 'function:spare' }), null)
  assert.equal(
    findProblem({ op: 'remove', target: 'class:Service/field:%23count' }),
    'DANGLING_REFERENCE',
  )
  assert.equal(findProblem({ op: 'remove', target: 'import:.%2Fhash.ts' }), null)
})

test('a parameter that the body needs stays, unless the body is another, too', () => {
  const header: Delta = {
    op: 'setSignature',
    target: 'function:hello',
    fragment: 'function hello(who: string): string',
  }
  const body: Delta = { op: 'replaceBody', target: 'function:hello', fragment: '{ return who }' }
  assert.equal(findProblem(header), 'DANGLING_REFERENCE')
  assert.equal(findProblem(header, body), null)
  assert.equal(findProblem(body, header), null)
})
