import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonValue } from 'rubicon-kernel'
import { applySplices } from '../text/splice.ts'
import {
  askRefused,
  askWell,
  KeptTexts,
  listOrders,
  planDeltasOf,
  type Texts,
} from './desk.test-support.ts'
import { createDirectDesk } from './direct-desk.ts'

const desk = createDirectDesk()

const TEXTS = {
  'src/auth.ts': `import { hash } from './hash.ts'

export class AuthService {
  login(name: string): boolean {
    return check(name)
  }
}

export function check(name: string): boolean {
  return hash(name) !== ''
}
`,
  'src/hash.ts': `export function hash(text: string): string {
  return text
}
`,
  'src/page.ts': `import { check } from './auth.ts'

export function show(name: string): string {
  return check(name) ? 'in' : 'out'
}
`,
}

type Deltas = Readonly<Record<string, readonly JsonValue[]>>

function addMethod(name: string): JsonValue {
  return { op: 'addMember', target: 'class:AuthService', fragment: `${name}(): void {}` }
}

/** The texts behind plans that are applied in one order. */
async function applyAll(
  texts: Texts,
  plans: readonly (readonly [string, Deltas])[],
): Promise<Texts> {
  const kept = new KeptTexts(texts)
  const planned = await Promise.all(
    plans.map(([key, deltas]) => planDeltasOf(desk, key, texts, deltas)),
  )
  for (const plan of planned) {
    for (const { before, after, steps } of await kept.apply(desk, plan)) {
      let text = before
      for (const { splices } of steps) text = applySplices(text, splices) ?? assert.fail()
      assert.equal(text, after)
      for (const { inverse } of steps.toReversed())
        text = applySplices(text, inverse) ?? assert.fail()
      assert.equal(text, before, 'the inverse gives back what was there')
    }
  }
  return kept.now
}

test('plans of one base come to the same bytes whichever of them is applied first', async () => {
  const plans: readonly (readonly [string, Deltas])[] = [
    ['c', { 'src/auth.ts': [addMethod('alpha')] }],
    ['a', { 'src/auth.ts': [addMethod('omega'), addMethod('beta')] }],
    ['b', { 'src/auth.ts': [{ op: 'addImport', from: './hash.ts', name: 'hash', as: 'toHash' }] }],
  ]
  const results = await Promise.all(listOrders(plans).map((order) => applyAll(TEXTS, order)))
  for (const result of results) assert.deepEqual(result, results[0])
  assert.match(results[0]?.['src/auth.ts'] ?? '', /omega\(\)[\s\S]*beta\(\)[\s\S]*alpha\(\)/u)
})

test('a rename in another artifact and what others put there come to the same bytes in any order', async () => {
  const plans: readonly (readonly [string, Deltas])[] = [
    ['a', { 'src/auth.ts': [{ op: 'rename', target: 'function:check', name: 'zeal' }] }],
    ['b', { 'src/page.ts': [{ op: 'addImport', from: './hash.ts', name: 'hash' }] }],
    [
      'c',
      {
        'src/page.ts': [
          { op: 'addImport', from: './auth.ts', name: 'AuthService' },
          { op: 'addMember', target: '', fragment: 'export type Service = AuthService' },
        ],
      },
    ],
  ]
  const results = await Promise.all(listOrders(plans).map((order) => applyAll(TEXTS, order)))
  for (const result of results) assert.deepEqual(result, results[0])
  assert.match(results[0]?.['src/page.ts'] ?? '', /return zeal\(name\)/u)
})

test('a new caller and a rename of what it calls are refused, whichever comes first', async () => {
  const rename = { 'src/hash.ts': [{ op: 'rename', target: 'function:hash', name: 'digest' }] }
  const caller = {
    'src/page.ts': [
      { op: 'addImport', from: './hash.ts', name: 'hash' },
      {
        op: 'replaceBody',
        target: 'function:show',
        fragment: '{ return hash(name) + check(name) }',
      },
    ],
  }
  for (const [first, next] of [
    [rename, caller],
    [caller, rename],
  ] as const) {
    const kept = new KeptTexts(TEXTS)
    const one = await planDeltasOf(desk, 'a', TEXTS, first)
    const other = await planDeltasOf(desk, 'b', TEXTS, next)
    await kept.apply(desk, one)
    const problem = await askRefused(desk, kept.toRequest(other))
    assert.ok(['DELTA_STALE', 'DANGLING_REFERENCE'].includes(problem.code), problem.code)
    assert.match(problem.detail, /hash/u)
  }
})

test('what a change relies on elsewhere is not another behind its back', async () => {
  const kept = new KeptTexts(TEXTS)
  const caller = await planDeltasOf(desk, 'a', TEXTS, {
    'src/page.ts': [
      { op: 'addImport', from: './hash.ts', name: 'hash' },
      { op: 'addMember', target: '', fragment: "export const id = hash('x')" },
    ],
  })
  const signature = await planDeltasOf(desk, 'b', TEXTS, {
    'src/hash.ts': [
      {
        op: 'setSignature',
        target: 'function:hash',
        fragment: 'export function hash(text: string, salt = 1): string',
      },
    ],
  })
  const { problems } = await askWell(desk, {
    ask: 'conflicts',
    strategy: null,
    claims: [...caller.changes, ...signature.changes].map(({ claims }) => claims),
  })
  assert.deepEqual(
    problems.map(({ kind, artifact }) => [kind, artifact]),
    [['READS_WHAT_CHANGES', 'src/hash.ts']],
  )
  await kept.apply(desk, signature)
  const stale = await askRefused(desk, kept.toRequest(caller))
  assert.deepEqual([stale.code, stale.candidates], ['DELTA_STALE', ['src/hash.ts function:hash']])
  // The other way round it is seen where the texts are told that were there when it was planned.
  const turned = new KeptTexts(TEXTS)
  await turned.apply(desk, caller)
  const request = turned.toRequest(signature)
  const project = request.project.map((text) =>
    text.artifact === 'src/page.ts' ? { ...text, was: TEXTS['src/page.ts'] } : text,
  )
  const problem = await askRefused(desk, { ...request, project })
  assert.equal(problem.code, 'CLAIMS_CONFLICT')
  assert.deepEqual([problem.artifact, problem.at?.line], ['src/page.ts', 8])
})

test('a path means the symbol that it named in its base, whatever stands before it now', async () => {
  const texts = { 'a.json': '[\n  "a",\n  "b",\n  "c"\n]\n' }
  const kept = new KeptTexts(texts)
  const late = await planDeltasOf(desk, 'z', texts, {
    'a.json': [{ op: 'setValue', target: 'item:2', value: 'C' }],
  })
  const first = await planDeltasOf(desk, 'a', texts, {
    'a.json': [{ op: 'remove', target: 'item:0' }],
  })
  await kept.apply(desk, first)
  const next = await planDeltasOf(desk, 'b', kept.now, {
    'a.json': [{ op: 'remove', target: 'item:0' }],
  })
  await kept.apply(desk, next)
  assert.equal(kept.now['a.json'], '[\n  "c"\n]\n')
  await kept.apply(desk, late)
  assert.equal(kept.now['a.json'], '[\n  "C"\n]\n')
})

test('what somebody wrote meanwhile is not written over, and what was not recorded is noticed', async () => {
  const body = (text: string): Deltas => ({
    'src/auth.ts': [
      { op: 'replaceBody', target: 'function:check', fragment: `{ return ${text} }` },
    ],
  })
  const kept = new KeptTexts(TEXTS)
  const one = await planDeltasOf(desk, 'a', TEXTS, body('true'))
  const other = await planDeltasOf(desk, 'b', TEXTS, body('false'))
  const free = await planDeltasOf(desk, 'c', TEXTS, { 'src/auth.ts': [addMethod('logout')] })
  await kept.apply(desk, one)
  const problem = await askRefused(desk, kept.toRequest(other))
  assert.equal(problem.code, 'CLAIMS_CONFLICT')
  assert.ok((problem.fixes ?? []).length > 0, 'it says what would repair it')
  const request = kept.toRequest(free)
  const parts = request.parts.map((part) => ({
    ...part,
    now: { ...part.now, text: `${part.now.text}// somebody was here\n` },
  }))
  assert.equal((await askRefused(desk, { ...request, parts })).code, 'DELTA_STALE')
  await kept.apply(desk, free)
})
