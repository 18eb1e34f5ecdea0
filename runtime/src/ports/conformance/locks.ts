import { deepEqual, equal } from 'node:assert/strict'
import { AUTHORITY, formatInstant } from 'rubicon-kernel'
import { lockHolder, type RecordBodies } from '../record.ts'
import type { Guard, Store, Write } from '../store.ts'
import {
  begin,
  buildGuardedUnit,
  buildNote,
  commit,
  type RegisterCheck,
  START,
  toDfid,
} from './fixture.ts'

const toInstant = (ms: number): string => formatInstant(START + ms)

export function lockTests(check: RegisterCheck): void {
  check('a resource is held by many, up to and including its capacity', async ({ store }) => {
    await assertGranted(store, free('100'))
    await assertGranted(store, free('0'))
    await assertRefused(store, free('100.01'))
    await commit(store, [hold(1, { amount: '60' }), hold(2, { amount: '30' })])
    await assertGranted(store, free('10'))
    await assertRefused(store, free('10.000000000000000000000000000001'))
    await assertRefused(store, free('11'))
    await commit(store, [hold(3, { amount: '10' })])
    await assertGranted(store, free('0'))
    await assertRefused(store, free('0.01'))
    // Another resource is not concerned, also when its name begins the same way.
    await assertGranted(store, free('100', { resource: 'vault-1' }))
    await assertGranted(store, free('100', { resource: 'vault/1/a' }))
  })

  check('amounts are counted as decimals, not as floats', async ({ store }) => {
    await commit(store, [hold(1, { amount: '0.1' })])
    await assertGranted(store, free('0.2', { capacity: '0.3' }))
    await assertGranted(store, free('0.20', { capacity: '0.300' }))
    await assertRefused(store, free('0.2', { capacity: '0.29' }))
    await commit(store, [hold(2, { amount: '9007199254740993' })])
    await assertGranted(store, free('0', { capacity: '9007199254740993.1' }))
    await assertRefused(store, free('0', { capacity: '9007199254740993' }))
  })

  check('whoever holds all of a resource is alone', async ({ store }) => {
    const all = free('1', { capacity: null })
    await assertGranted(store, all)
    await commit(store, [hold(1, { amount: '0' })])
    await assertRefused(store, all)
    await commit(store, [release(1)])
    await assertGranted(store, all)
    await commit(store, [hold(1, { amount: '1', capacity: null })])
    await assertRefused(store, all)
    await assertRefused(store, free('1'))
    await assertRefused(store, free('0'))
  })

  check('an own hold does not count, whatever it is', async ({ store }) => {
    const own = { holder: toHolder(1) }
    await commit(store, [hold(1, { amount: '100' })])
    await assertGranted(store, free('100', own))
    await assertGranted(store, free('1', { ...own, capacity: null }))
    await assertRefused(store, free('101', own))
    await assertRefused(store, free('1'))
    await commit(store, [hold(1, { amount: '1', capacity: null })])
    await assertGranted(store, free('100', own))
    // Another step of the same flow is another holder.
    await assertRefused(store, free('1', { holder: lockHolder(toDfid(1), 'other') }))
    await commit(store, [hold(2, { amount: '1' })])
    await assertRefused(store, free('1', { ...own, capacity: null }))
    await assertRefused(store, free('100', own))
    await assertGranted(store, free('99', own))
  })

  check('a hold counts until its instant, and not from it on', async ({ store, clock }) => {
    const [own, other] = [buildHeldGuard(1), free('1')]
    await commit(store, [hold(1, { amount: '100', expires_at: toInstant(1000) })])
    await assertGranted(store, own)
    clock.set(START + 999)
    await assertGranted(store, own)
    await assertRefused(store, other)
    clock.set(START + 1000)
    await assertRefused(store, own)
    await assertGranted(store, other)
    await assertGranted(store, free('1', { capacity: null }))
  })

  check('a clock that is set back brings no hold to life again', async ({ store, clock }) => {
    await begin(store)
    await commit(store, [hold(1, { amount: '100', expires_at: toInstant(1000) })])
    clock.set(START + 1000)
    await commit(store, [buildNote(AUTHORITY, 1)])
    clock.set(START)
    await assertRefused(store, buildHeldGuard(1))
    await assertGranted(store, free('1'))
  })

  check('a hold without an instant never expires', async ({ store, clock }) => {
    await commit(store, [hold(1, { amount: '100', expires_at: toInstant(1000) })])
    await commit(store, [hold(1, { amount: '100', expires_at: null, quarantined: true })])
    clock.set(Date.UTC(9999, 11, 31))
    await assertRefused(store, free('1'))
    await assertGranted(store, buildHeldGuard(1))
  })

  check('what cannot be counted is never granted', async ({ store }) => {
    const unreadable = ['-1', '-0.1', '', ' 1', '1e2', '1,0', 'NaN', 'all', '0x10', '.5']
    for (const amount of unreadable) {
      await assertRefused(store, free(amount))
      await assertRefused(store, free(amount, { capacity: null }))
    }
    for (const capacity of unreadable) await assertRefused(store, free('0', { capacity }))
    for (const [i, amount] of ['-50', 'all'].entries()) {
      await commit(store, [hold(i, { amount })])
      await assertRefused(store, free('0'))
      await commit(store, [release(i)])
    }
    await assertGranted(store, free('0'))
  })

  check('guard lock_held, both ways', async ({ store, clock }) => {
    await assertRefused(store, buildHeldGuard(1))
    await commit(store, [hold(1, { expires_at: toInstant(1) }), hold(2, {})])
    await assertGranted(store, buildHeldGuard(1))
    await assertGranted(store, buildHeldGuard(2))
    await assertRefused(store, buildHeldGuard(3))
    await assertRefused(store, { ...buildHeldGuard(1), resource: 'vault/2' })
    await assertRefused(store, { ...buildHeldGuard(1), holder: lockHolder(toDfid(1), 'other') })
    clock.set(START + 1)
    await assertRefused(store, buildHeldGuard(1))
    await assertGranted(store, buildHeldGuard(2))
    await commit(store, [release(2)])
    await assertRefused(store, buildHeldGuard(2))
  })

  check('30 concurrent takers of 10 against 100: exactly 10 succeed (S2)', async ({ store }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const guard = free('10', { holder: toHolder(i) })
        return store.commit(buildGuardedUnit(guard, [hold(i, { amount: '10' })]))
      }),
    )
    equal(outcomes.filter(({ ok }) => ok).length, 10)
    equal((await store.listRecords('lock', 'vault/1', { limit: 100 })).length, 10)
  })

  check('of concurrent takers of all of it one succeeds (S2)', async ({ store }) => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) => {
        // Some come for all of it, some for a share: either way nobody joins anybody.
        const capacity = i % 2 === 0 ? null : '10'
        const guard = free('10', { holder: toHolder(i), capacity })
        return store.commit(buildGuardedUnit(guard, [hold(i, { amount: '10', capacity })]))
      }),
    )
    equal(outcomes.filter(({ ok }) => ok).length, 1)
  })

  check('a hold that is given back can be taken, in the same unit too', async ({ store }) => {
    const buildWholeGuard = (n: number) => free('1', { holder: toHolder(n), capacity: null })
    await commit(store, [hold(1, { capacity: null })])
    const handOver = [release(1), hold(2, { capacity: null })]
    deepEqual(await store.commit(buildGuardedUnit(buildWholeGuard(2), handOver)), {
      ok: false,
      failed: buildWholeGuard(2),
    })
    equal((await store.commit(buildGuardedUnit(buildHeldGuard(1), handOver))).ok, true)
    await assertRefused(store, buildHeldGuard(1))
    await assertGranted(store, buildHeldGuard(2))
  })

  check('holds are there when the store is opened again (S1)', async (fixture) => {
    const { clock } = fixture
    await commit(fixture.store, [
      hold(1, { amount: '90', expires_at: toInstant(1000) }),
      hold(2, { amount: '5' }),
    ])
    const again = await fixture.reopen()
    await assertGranted(again, free('5'))
    await assertRefused(again, free('6'))
    await assertGranted(again, buildHeldGuard(1))
    clock.set(START + 1000)
    await assertGranted(again, free('95'))
    await assertRefused(again, free('96'))
    await assertRefused(again, buildHeldGuard(1))
  })
}

type Free = Extract<Guard, { kind: 'lock_free' }>
type Held = Extract<Guard, { kind: 'lock_held' }>

/** Of a capacity of 100, for somebody who holds nothing, unless it is said otherwise. */
function free(amount: string, change: Partial<Free> = {}): Free {
  const holder = toHolder(999)
  return { kind: 'lock_free', resource: 'vault/1', amount, capacity: '100', holder, ...change }
}

function buildHeldGuard(n: number): Held {
  return { kind: 'lock_held', resource: 'vault/1', holder: toHolder(n) }
}

function toHolder(n: number): string {
  return lockHolder(toDfid(n), 'a')
}

function hold(n: number, change: Partial<RecordBodies['lock']>): Write {
  const body = {
    dfid: toDfid(n),
    step_id: 'a',
    agent_id: 'trader',
    amount: '1',
    capacity: '100',
    taken_at: toInstant(0),
    expires_at: null,
    quarantined: false,
    ...change,
  }
  return { kind: 'put_record', record: 'lock', group: 'vault/1', key: toHolder(n), body }
}

function release(n: number): Write {
  return { kind: 'drop_record', record: 'lock', group: 'vault/1', key: toHolder(n) }
}

async function assertGranted(store: Store, guard: Guard): Promise<void> {
  equal((await store.commit(buildGuardedUnit(guard))).ok, true, JSON.stringify(guard))
}

async function assertRefused(store: Store, guard: Guard): Promise<void> {
  const outcome = await store.commit(buildGuardedUnit(guard))
  deepEqual(outcome, { ok: false, failed: guard }, JSON.stringify(guard))
}
