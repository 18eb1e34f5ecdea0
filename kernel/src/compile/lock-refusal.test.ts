import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasFreeCapacity, type LockHold, lockRefusal } from './lock-refusal.ts'

function hold(amount: string, change: Partial<LockHold> = {}): LockHold {
  return { dfid: 'flow-1', amount, capacity: '100', quarantined: false, ...change }
}

const need = { id: 'account', amount: '60', capacity: '100' }
const whole = { id: 'account', amount: '1' }

test('amounts fit up to and including the capacity', () => {
  assert.equal(hasFreeCapacity(need, [hold('40')]), true)
  assert.equal(hasFreeCapacity(need, [hold('40.01')]), false)
  assert.equal(hasFreeCapacity({ ...need, amount: '0' }, [hold('0'), hold('100')]), true)
  assert.equal(
    hasFreeCapacity({ ...need, amount: '0.3', capacity: '0.6' }, [hold('0.1'), hold('0.2')]),
    true,
  )
})

test('whoever holds all of it leaves nothing, and asks for all of it', () => {
  assert.equal(hasFreeCapacity(whole, []), true)
  assert.equal(hasFreeCapacity(whole, [hold('0')]), false)
  assert.equal(hasFreeCapacity(need, [hold('0', { capacity: null })]), false)
})

test('what cannot be counted is not granted', () => {
  for (const amount of ['-1', 'much']) {
    assert.equal(hasFreeCapacity({ ...need, amount }, []), false)
    assert.equal(hasFreeCapacity({ ...whole, amount }, []), false)
    assert.equal(hasFreeCapacity(need, [hold(amount)]), false)
  }
  assert.equal(hasFreeCapacity({ ...need, capacity: 'much' }, []), false)
})

test('too little is left', () => {
  assert.deepEqual(lockRefusal(need, [hold('40'), hold('40.5')], null), {
    code: 'INSUFFICIENT_LIQUIDITY',
    details: { resource: 'account', wanted: '60', capacity: '100', held: '80.5' },
  })
  assert.equal(lockRefusal(need, [hold('much')], null).details.held, null)
})

test('somebody holds all of it, and waiting did not help', () => {
  const holders = [hold('1', { dfid: 'flow-2' }), hold('1')]
  const { code, details } = lockRefusal(whole, holders, null)
  assert.equal(code, 'RESOURCE_CONTENTION')
  assert.deepEqual(details, { resource: 'account', holders: ['flow-1', 'flow-2'] })
  assert.deepEqual(lockRefusal(whole, [hold('1')], 250), {
    code: 'RESOURCE_CONTENTION_TIMEOUT',
    details: { resource: 'account', holders: ['flow-1'], waited_ms: 250 },
  })
})

test('an unknown outcome is named only where it is what stands in the way', () => {
  const lost = hold('50', { quarantined: true })
  assert.equal(lockRefusal(need, [lost, hold('40')], null).code, 'RESOURCE_QUARANTINED')
  assert.equal(lockRefusal(need, [lost, hold('41')], null).code, 'INSUFFICIENT_LIQUIDITY')
  assert.equal(lockRefusal(whole, [lost], 10).code, 'RESOURCE_QUARANTINED')
  assert.equal(lockRefusal(whole, [lost, hold('1')], null).code, 'RESOURCE_CONTENTION')
})
