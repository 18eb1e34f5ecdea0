import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatInstant, parseInstant } from '../canonical/time.ts'
import { type AttenuationRequest, attenuateWrit } from './attenuate.ts'
import { findWidening } from './attenuation.ts'
import { formatBudgetUnits, getGrantedUnits } from './budget.ts'
import type { EffectCeiling, Writ, WritBody, WritScope } from './writ.ts'
import { computeWritId } from './writ-id.ts'

const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest()

type Link = Pick<Writ, 'id' | 'body'>

function linkOf(body: WritBody): Link {
  return { id: computeWritId(body, sha256), body }
}

// A small universe, every action of which can be tried.
const KINDS = ['BUY', 'SELL', 'pay.in', 'pay.out']
const VALUES = ['x1', 'x2', 'y']
const TIMES = [0, 10, 20, 30, 40].map((s) => formatInstant(s * 1000))
const FLAGS = ['read', 'write', 'external', 'irreversible'] as const
const MEASURES = ['calls', 'usd', 'kwh']

type Action = { readonly kind: string; readonly i: string; readonly a: string }
const ACTIONS: readonly Action[] = KINDS.flatMap((kind) =>
  VALUES.flatMap((i) => VALUES.map((a) => ({ kind, i, a }))),
)

const matches = (pattern: string, value: string): boolean =>
  pattern.endsWith('*') ? value.startsWith(pattern.slice(0, -1)) : pattern === value

/** What a list of scopes admits, by trying. */
function admitted(scopes: readonly WritScope[]): ReadonlySet<Action> {
  const admits = (scope: WritScope, action: Action): boolean =>
    matches(scope.kind, action.kind) &&
    (scope.resources?.i?.some((pattern) => matches(pattern, action.i)) ?? true) &&
    (scope.resources?.a?.some((pattern) => matches(pattern, action.a)) ?? true)
  return new Set(ACTIONS.filter((action) => scopes.some((scope) => admits(scope, action))))
}

function millis(text: string): number {
  const ms = parseInstant(text)
  assert.ok(ms !== undefined)
  return ms
}

/** Inside in every dimension, without asking the law. */
function assertInside(child: WritBody, ancestor: WritBody): void {
  assert.equal(child.tenant, ancestor.tenant)
  assert.equal(child.audience, ancestor.audience)
  const outer = admitted(ancestor.scopes)
  for (const action of admitted(child.scopes)) assert.ok(outer.has(action), JSON.stringify(action))
  for (const flag of FLAGS) assert.ok(!child.effect_ceiling[flag] || ancestor.effect_ceiling[flag])
  for (const measure of MEASURES) {
    assert.ok(Number(child.budget[measure] ?? 0) <= Number(ancestor.budget[measure] ?? 0))
  }
  assert.ok(millis(child.window.not_before) >= millis(ancestor.window.not_before))
  assert.ok(millis(child.window.expires_at) <= millis(ancestor.window.expires_at))
  assert.ok(child.delegation.max_depth < ancestor.delegation.max_depth)
}

const patterns = fc.uniqueArray(fc.constantFrom('x1', 'x2', 'y', 'x*', '*'), { maxLength: 3 })
const scope: fc.Arbitrary<WritScope> = fc.record(
  {
    kind: fc.constantFrom(...KINDS, 'pay.*', '*'),
    resources: fc.record({ i: patterns, a: patterns }, { requiredKeys: [] }),
  },
  { requiredKeys: ['kind'] },
)
const scopes = fc.array(scope, { minLength: 1, maxLength: 4 })
const ceiling: fc.Arbitrary<EffectCeiling> = fc.record({
  read: fc.boolean(),
  write: fc.boolean(),
  external: fc.boolean(),
  irreversible: fc.boolean(),
})
const whole = fc.constantFrom('0', '1', '2', '10')
const fraction = fc.constantFrom('0', '0.000001', '1', '2.5', '10')
const budget = fc.record({ calls: whole, usd: fraction, kwh: fraction }, { requiredKeys: [] })
const time = fc.constantFrom(...TIMES)

const root: fc.Arbitrary<WritBody> = fc.record({
  tenant: fc.constant('t'),
  issuer_key: fc.constant('key-issuer'),
  subject: fc.constant('agent'),
  subject_key: fc.constant('key-0'),
  audience: fc.constant('rubicon'),
  nonce: fc.constant('019b76da-a800-7000-8000-000000000000'),
  scopes,
  effect_ceiling: ceiling,
  budget,
  window: fc.constant({ not_before: TIMES[0] ?? '', expires_at: TIMES[4] ?? '' }),
  delegation: fc.record({
    max_depth: fc.integer({ min: 1, max: 5 }),
    may_delegate: fc.constant(true),
  }),
})

const request: fc.Arbitrary<AttenuationRequest> = fc.record(
  {
    subject: fc.constant('child'),
    subject_key: fc.constantFrom('key-1', 'key-2'),
    nonce: fc.constant('019b76da-a800-7000-8000-000000000001'),
    scopes,
    effect_ceiling: ceiling,
    budget,
    window: fc.record({ not_before: time, expires_at: time }, { requiredKeys: [] }),
    delegation: fc.record({
      max_depth: fc.integer({ min: 0, max: 6 }),
      may_delegate: fc.boolean(),
    }),
  },
  { requiredKeys: ['subject', 'subject_key', 'nonce'] },
)

test('no chain widens: every descendant lies inside every ancestor', () => {
  let links = 0
  fc.assert(
    fc.property(root, fc.array(request, { maxLength: 5 }), (body, requests) => {
      const chain = [linkOf(body)]
      for (const asked of requests) {
        const parent = chain.at(-1)
        assert.ok(parent !== undefined)
        const child = attenuateWrit(parent, asked)
        if (!child.ok) continue
        assert.deepEqual(findWidening(child.value, parent), [])
        for (const ancestor of chain) assertInside(child.value, ancestor.body)
        chain.push(linkOf(child.value))
        links += 1
      }
    }),
    { numRuns: 1000 },
  )
  assert.ok(links > 500, `the chains had ${links} links`)
})

test('a child is the largest inside its parent and the request', () => {
  fc.assert(
    fc.property(root, request, (body, asked) => {
      const child = attenuateWrit(linkOf(body), asked)
      if (!child.ok) return
      const wanted = admitted(asked.scopes ?? body.scopes)
      const both = [...admitted(body.scopes)].filter((action) => wanted.has(action))
      assert.deepEqual(admitted(child.value.scopes), new Set(both))
      for (const flag of FLAGS) {
        const flagWanted = asked.effect_ceiling?.[flag] ?? true
        assert.equal(child.value.effect_ceiling[flag], body.effect_ceiling[flag] && flagWanted)
      }
      for (const measure of MEASURES) {
        const granted = Number(body.budget[measure] ?? 0)
        const least = Math.min(granted, Number((asked.budget ?? body.budget)[measure] ?? 0))
        assert.equal(Number(child.value.budget[measure] ?? 0), least)
      }
    }),
    { numRuns: 1000 },
  )
})

type Forgery = (child: WritBody, parent: Link) => readonly [WritBody, string] | undefined

/** Each goes beyond the parent in one dimension, or says that here it cannot. */
const forgeries: Readonly<Record<string, Forgery>> = {
  tenant: (child) => [{ ...child, tenant: 'other' }, 'tenant'],
  audience: (child) => [{ ...child, audience: 'other' }, 'audience'],
  parent: (child) => [{ ...child, parent: `sha256:${'0'.repeat(64)}` }, 'parent'],
  issuer: (child) => [{ ...child, issuer_key: 'key-x' }, 'issuer_key'],
  orphan: ({ parent: _, ...child }) => [child, 'parent'],
  kind: (child, { body }) => {
    const covered = body.scopes.some(({ kind }) => kind === '*')
    const wider = { ...child, scopes: [...child.scopes, { kind: 'WITHDRAW' }] }
    return covered ? undefined : [wider, `scopes.${child.scopes.length}`]
  },
  resource: (child, { body }) => {
    const free = body.scopes.some(({ kind, resources }) => kind === '*' && resources === undefined)
    const unbound = body.scopes.some(({ resources }) => resources?.i === undefined)
    const wider = { ...child, scopes: [{ kind: 'BUY', resources: { i: ['other'], a: [] } }] }
    const starred = body.scopes.some(({ resources }) => resources?.i?.includes('*'))
    return free || unbound || starred ? undefined : [wider, 'scopes.0']
  },
  droppedSet: (child, { body }) => {
    const unbound = body.scopes.some(({ resources = {} }) => Object.keys(resources).length === 0)
    return unbound ? undefined : [{ ...child, scopes: [{ kind: 'BUY' }] }, 'scopes.0']
  },
  ceiling: (child, { body }) => {
    const flag = FLAGS.find((one) => !body.effect_ceiling[one])
    if (flag === undefined) return undefined
    const effect_ceiling = { ...child.effect_ceiling, [flag]: true }
    return [{ ...child, effect_ceiling }, `effect_ceiling.${flag}`]
  },
  budget: (child, { body }) => {
    const usd = formatBudgetUnits('usd', (getGrantedUnits(body.budget, 'usd') ?? 0n) + 1n)
    return [{ ...child, budget: { ...child.budget, usd } }, 'budget.usd']
  },
  measure: (child) => [{ ...child, budget: { ...child.budget, fuel: '0.000001' } }, 'budget.fuel'],
  uncountable: (child) => [{ ...child, budget: { ...child.budget, calls: '-1' } }, 'budget.calls'],
  start: (child, { body }) => {
    const at = millis(body.window.not_before) - 1
    if (at < 0) return undefined
    const window = { ...child.window, not_before: formatInstant(at) }
    return [{ ...child, window }, 'window.not_before']
  },
  end: (child, { body }) => {
    const expires_at = formatInstant(millis(body.window.expires_at) + 1)
    return [{ ...child, window: { ...child.window, expires_at } }, 'window.expires_at']
  },
  unreadable: (child) => [
    { ...child, window: { ...child.window, expires_at: 'soon' } },
    'window.expires_at',
  ],
  depth: (child, { body }) => [
    { ...child, delegation: { ...child.delegation, max_depth: body.delegation.max_depth } },
    'delegation',
  ],
  negative: (child) => [
    { ...child, delegation: { ...child.delegation, max_depth: -1 } },
    'delegation',
  ],
}

for (const [name, forge] of Object.entries(forgeries)) {
  test(`a child that is wider by ${name} alone is reported, and for that alone`, () => {
    let tried = 0
    fc.assert(
      fc.property(root, request, (body, asked) => {
        const later = { not_before: TIMES[1] ?? '', expires_at: TIMES[4] ?? '' }
        const parent = linkOf({ ...body, window: later })
        const child = attenuateWrit(parent, { ...asked, window: {} })
        const forged = child.ok ? forge(child.value, parent) : undefined
        if (forged === undefined) return
        assert.deepEqual(findWidening(forged[0], parent), [forged[1]])
        tried += 1
      }),
      { numRuns: 300 },
    )
    assert.ok(tried > 0, 'the forgery was tried')
  })
}

test('a parent that may not delegate, or whose subject has no key, has no children', () => {
  const [body] = fc.sample(root, 1)
  assert.ok(body !== undefined)
  const parent = linkOf(body)
  const child = attenuateWrit(parent, { subject: 'c', nonce: 'n' })
  assert.ok(child.ok)
  assert.equal('subject_key' in child.value, false)
  const { subject_key: _, ...keyless } = body
  const still = { ...body, delegation: { max_depth: 3, may_delegate: false } }
  const flat = { ...body, delegation: { max_depth: 0, may_delegate: true } }
  assert.deepEqual(findWidening(child.value, { ...parent, body: keyless }), ['issuer_key'])
  assert.ok(findWidening(child.value, { ...parent, body: still }).includes('delegation'))
  assert.ok(findWidening(child.value, { ...parent, body: flat }).includes('delegation'))
  for (const other of [keyless, still, flat]) {
    assert.equal(attenuateWrit(linkOf(other), { subject: 'c', nonce: 'n' }).ok, false)
  }
})
