import { equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordBodies, StoredRecord } from '../../ports/record.ts'
import type { Guard } from '../../ports/store.ts'
import { isFree, isHeld } from './lock-guard.ts'

type Lock = StoredRecord<'lock'>

const NOW = '2026-01-31T09:30:00.000Z'
const EARLIER = '2026-01-31T09:29:59.999Z'
const LATER = '2026-01-31T09:30:00.001Z'
const UNREADABLE = ['', 'tomorrow', '2026-02-30T00:00:00.000Z', '2026-01-31T10:30:00.000+01:00']

function lock(key: string, change: Partial<RecordBodies['lock']> = {}): Lock {
  const body = {
    dfid: 'flow',
    step_id: 'step',
    agent_id: 'trader',
    amount: '1',
    capacity: '10',
    taken_at: EARLIER,
    expires_at: null,
    quarantined: false,
    ...change,
  }
  return { group: 'vault', key, version: 1, body }
}

function free(
  amount: string,
  locks: readonly Lock[],
  { capacity = '10', at = NOW }: { readonly capacity?: string | null; readonly at?: string } = {},
): boolean {
  const guard = { kind: 'lock_free', resource: 'vault', amount, capacity, holder: 'me' } as const
  return isFree(guard, locks, at)
}

const MINE: Extract<Guard, { kind: 'lock_held' }> = {
  kind: 'lock_held',
  resource: 'vault',
  holder: 'me',
}

describe('a resource with a capacity', () => {
  it('is free up to and including what is left of it', () => {
    equal(free('10', []), true)
    equal(free('10.1', []), false)
    const others = [lock('a', { amount: '4' }), lock('b', { amount: '3.5' })]
    equal(free('2.5', others), true)
    equal(free('2.51', others), false)
    equal(free('0', [lock('a', { amount: '10' })]), true)
    equal(free('0', [lock('a', { amount: '10.1' })]), false)
  })

  it('is counted without rounding', () => {
    const others = [lock('a', { amount: '0.1' })]
    equal(free('0.2', others, { capacity: '0.3' }), true)
    equal(free('0.2000000000000000000001', others, { capacity: '0.3' }), false)
  })

  it('is counted by the capacity that is asked with, not by what others saw', () => {
    const others = [lock('a', { amount: '5', capacity: '1000' })]
    equal(free('5', others), true)
    equal(free('6', others), false)
    equal(free('6', others, { capacity: '11' }), true)
  })

  it('is not granted by what cannot be counted, on either side', () => {
    for (const bad of ['-1', '', '1e1', 'all']) {
      equal(free(bad, []), false, `amount \`${bad}\``)
      equal(free('0', [], { capacity: bad }), false, `capacity \`${bad}\``)
      equal(free('0', [lock('a', { amount: bad })]), false, `held \`${bad}\``)
      equal(free('0', [lock('me', { amount: bad })]), true, `held \`${bad}\` by oneself`)
    }
  })
})

describe('a resource that is held whole', () => {
  it('is free when nobody else holds any of it', () => {
    equal(free('1', [], { capacity: null }), true)
    equal(free('1', [lock('a', { amount: '0' })], { capacity: null }), false)
    equal(free('1', [lock('me', { capacity: null })], { capacity: null }), true)
  })

  it('leaves nothing for those who ask for a share', () => {
    const whole = lock('a', { amount: '0', capacity: null })
    equal(free('0', [whole]), false)
    equal(free('0', [{ ...whole, key: 'me' }]), true)
    equal(free('0', [lock('a', { amount: '0' })]), true)
  })

  it('is not granted by an amount that cannot be counted', () => {
    for (const bad of ['-1', 'all']) equal(free(bad, [], { capacity: null }), false, bad)
  })
})

describe('a hold', () => {
  const full = (expires_at: string | null): readonly Lock[] => [
    lock('a', { amount: '10', expires_at }),
  ]

  it('keeps others out until its instant, and not from it on', () => {
    equal(free('1', full(LATER)), false)
    equal(free('1', full(NOW)), true)
    equal(free('1', full(EARLIER)), true)
    equal(free('1', full('2026-01-31T09:30:00Z')), true)
    equal(free('1', full('2026-01-31T09:30:01Z')), false)
  })

  it('without an instant keeps others out for ever', () => {
    equal(free('1', full(null), { at: '9999-12-31T23:59:59.999Z' }), false)
    equal(free('1', full(LATER), { at: '9999-12-31T23:59:59.999Z' }), true)
  })

  it('whose instant cannot be read keeps others out, and serves its holder no more', () => {
    for (const bad of UNREADABLE) {
      equal(free('1', full(bad)), false, bad)
      equal(isHeld(MINE, [lock('me', { expires_at: bad })], NOW), false, bad)
      equal(free('1', full(EARLIER), { at: bad }), false, `now \`${bad}\``)
      equal(isHeld(MINE, [lock('me', { expires_at: LATER })], bad), false, `now \`${bad}\``)
    }
  })

  it('is held by its holder, and by nobody else', () => {
    equal(isHeld(MINE, [], NOW), false)
    equal(isHeld(MINE, [lock('a')], NOW), false)
    equal(isHeld(MINE, [lock('ME')], NOW), false)
    equal(isHeld(MINE, [lock('a'), lock('me')], NOW), true)
  })

  it('is held until its instant, and for ever without one', () => {
    equal(isHeld(MINE, [lock('me', { expires_at: LATER })], NOW), true)
    equal(isHeld(MINE, [lock('me', { expires_at: NOW })], NOW), false)
    equal(isHeld(MINE, [lock('me', { expires_at: EARLIER })], NOW), false)
    equal(isHeld(MINE, [lock('me')], '9999-12-31T23:59:59.999Z'), true)
    equal(isHeld(MINE, [lock('me', { quarantined: true })], NOW), true)
  })
})
