/** A contract that nobody could have deployed is that of no instance: each of its limits is read, by either verifier. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Contract, type JsonObject, REASONS } from 'rubicon-kernel'
import { found, own, SPAWNED, spawned } from './spawned-instance.test-support.ts'

const COMMON = { id: 'alone', on_breach: 'reject', reason_code: 'LIMIT_EXCEEDED' }
const SUBJECT = { ...COMMON, measure: 'usd' }
const RANGE = { ...SUBJECT, kind: 'range', min: '0', max: '1' }
const SET = { ...SUBJECT, kind: 'set' }
const RATIO = { ...SUBJECT, kind: 'ratio', of: 'cash' }
const STATE = { ...COMMON, kind: 'state_match', field: 'market.open' }

/** An instance with limits that its class does not have; SELL and HALT are forbidden to it. */
function findWith(limits: readonly unknown[], more: Partial<Contract> = {}): Promise<string[]> {
  const permissions = { ...own.permissions, forbidden_kinds: ['SELL', 'HALT'], limits }
  return found(spawned({ contract: { ...own, ...more, permissions } as unknown as Contract }))
}

test('AUTHORITY_ORDER: the limits of an instance are none that a contract may have', async () => {
  const { max: _, ...least } = RANGE
  const { min: __, ...most } = RANGE
  const wrong: readonly (readonly unknown[])[] = [
    ...[['NOPE'], ['BUY', 'NOPE'], ['BUY', 'BUY'], []].map((applies_to) => [
      { ...RANGE, applies_to },
    ]),
    [RANGE, RANGE],
    Array.from({ length: 257 }, (_, nth) => ({ ...RANGE, id: `n${nth}` })),
    ['alone'],
    [COMMON],
    [{ ...RANGE, more: 1 }],
    [{ ...RANGE, kind: 'sum' }],
    [{ ...RANGE, on_breach: 'ask' }],
    [{ ...RANGE, reason_code: 'NO_SUCH_CODE' }],
    [{ ...RANGE, reason_code: 'SCHEMA_INVALID' }],
    [{ ...RANGE, field: '/amount' }],
    [{ ...COMMON, kind: 'range', min: '0' }],
    [{ ...COMMON, kind: 'range', min: '0', field: 'amount' }],
    [most],
    [{ ...RANGE, min: '2' }],
    [{ ...RANGE, max: '1.0' }],
    [{ ...RANGE, min: '-0' }],
    [SET],
    [{ ...SET, denied: [] }],
    [{ ...SET, allowed: ['a', 'a'] }],
    [RATIO],
    [STATE],
  ]
  for (const limits of wrong)
    assert.deepEqual(
      await findWith(limits),
      [`${SPAWNED} AUTHORITY_ORDER`],
      JSON.stringify(limits).slice(0, 200),
    )
  const right: readonly JsonObject[] = [
    ...[['BUY', 'SELL'], ['HALT']].map((applies_to) => ({ ...RANGE, applies_to })),
    { ...COMMON, kind: 'range', field: '/order/amount', min: '-5' },
    least,
    { ...SET, allowed: [] },
    { ...SET, denied: ['a*'] },
    { ...RATIO, max: '0.5' },
    { ...STATE, expected: null },
  ]
  for (const limit of right) assert.deepEqual(await findWith([limit]), [], JSON.stringify(limit))
})

test('AUTHORITY_ORDER: a limit of an instance has a code, and only those of limits are some', async () => {
  const isLimitCode = ([, { producer }]: (typeof codes)[number]): boolean =>
    producer === 'preconditions' || producer === 'policy'
  const codes = Object.entries(REASONS)
  const limitCodes = codes.filter(isLimitCode).map(([code]) => code)
  assert.deepEqual(
    await findWith(limitCodes.map((reason_code) => ({ ...RANGE, id: reason_code, reason_code }))),
    [],
  )
  const [other = ''] = codes.filter((one) => !isLimitCode(one)).map(([code]) => code)
  assert.deepEqual(await findWith([{ ...RANGE, reason_code: other }]), [
    `${SPAWNED} AUTHORITY_ORDER`,
  ])
})
