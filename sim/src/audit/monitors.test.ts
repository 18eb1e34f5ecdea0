import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getStormMonitor } from '../monitor.ts'
import { AuditedMonitors } from './monitors.ts'
import type { Line } from './report.ts'

type Watch = {
  readonly found: string[]
  status: string
  pay(amount: string, agent?: string, kind?: string): Watch
  trip(flows: readonly string[], samples?: number): Watch
  move(from: string, to: string): Watch
  erase(dfid: string): Watch
  finish(): readonly string[]
}

/** A monitor that stops who pays more than 24 on average, of the last five. */
function watch(): Watch {
  const found: string[] = []
  const monitors = new AuditedMonitors(
    (invariant) => void found.push(invariant),
    () => it.status,
    (agent) => (agent.startsWith('clerk-') ? 'clerk' : undefined),
  )
  monitors.setMonitor(getStormMonitor({ meanAmount: '24' }))
  let paid = 0
  const line = (dfid: string): Line => ({ trajectory: 'main', seq: 1, dfid }) as Line
  const it: Watch = {
    found,
    status: 'ACTIVE',
    pay(amount, agent_id = 'clerk', policy_kind = 'PAY') {
      paid += 1
      const intent_id = `sha256:${paid}`
      const trace = [{ stage: 'preconditions', measures: { amount } }]
      monitors.auditDecision({ intent: { intent_id, agent_id, policy_kind }, trace } as never)
      monitors.auditCommit(line(`flow-${paid}`), { intent_id } as never)
      return it
    },
    trip(flows, samples = 3) {
      monitors.auditTrip(line(''), { details: { agent_id: 'clerk', flows, samples } } as never)
      return it
    },
    move(from, to) {
      monitors.auditLifecycle({ body: { agent_id: 'clerk', from, to } } as never)
      return it
    },
    erase(dfid) {
      monitors.markErased(dfid)
      return it
    },
    finish() {
      monitors.finish()
      return found
    },
  }
  return it
}

test('an agent over the mean that nobody stopped is found (I5), at the bound it is not', () => {
  assert.deepEqual(watch().pay('30').pay('30').pay('30').finish(), ['I5'])
  assert.deepEqual(watch().pay('24').pay('20').pay('28').finish(), [])
  assert.deepEqual(watch().pay('24').pay('20').pay('28.1').finish(), ['I5'])
  assert.deepEqual(watch().pay('30').pay('30').finish(), [], 'too few to say')
  assert.deepEqual(watch().pay('30').pay('30').pay('30').erase('flow-2').finish(), [])
  const mild = watch().pay('30').pay('30').pay('1').pay('30')
  assert.deepEqual(mild.erase('flow-3').finish(), [], 'what was erased had kept it below')
  assert.deepEqual(watch().pay('30').pay('30').pay('30').pay('30').erase('flow-2').finish(), ['I5'])
  assert.deepEqual(watch().pay('40', 'keeper').pay('40', 'keeper').pay('40', 'keeper').finish(), [])
  assert.deepEqual(watch().pay('40').pay('1').pay('1').pay('1').pay('1').pay('99').finish(), [])
})

test('a class over the mean by what its instances did is found (I5), also before it acted', () => {
  const paid = watch().pay('30', 'clerk-1').pay('30', 'clerk-2').pay('30', 'clerk-3')
  paid.status = 'INITIALIZING'
  assert.deepEqual(paid.finish(), ['I5'])
  paid.found.length = 0
  paid.status = 'SUSPENDED'
  assert.deepEqual(paid.trip(['flow-3', 'flow-1']).finish(), [])
})

test('what was stopped, or was let go since, is not found again', () => {
  const stopped = watch().pay('30').pay('30').pay('30')
  stopped.status = 'SUSPENDED'
  assert.deepEqual(stopped.finish(), [])
  assert.deepEqual(watch().pay('30').pay('30').pay('30').move('SUSPENDED', 'ACTIVE').finish(), [])
  assert.deepEqual(watch().pay('30').pay('30').pay('30').move('INITIALIZING', 'ACTIVE').finish(), [
    'I5',
  ])
})

test('a trip that stops nobody, names strangers, or comes too soon is found (I5)', () => {
  const trip = (flows: readonly string[], samples: number, status: string): readonly string[] => {
    const it = watch().pay('30').pay('30').pay('30')
    it.status = status
    return it.trip(flows, samples).found
  }
  assert.deepEqual(trip(['flow-3', 'flow-1'], 3, 'SUSPENDED'), [])
  assert.deepEqual(trip(['flow-3'], 3, 'ACTIVE'), ['I5'])
  assert.deepEqual(trip(['flow-4'], 3, 'SUSPENDED'), ['I5'])
  const erased = watch().pay('30').pay('30').pay('30').erase('flow-2')
  erased.status = 'SUSPENDED'
  assert.deepEqual(erased.trip(['flow-2'], 3).found, [], 'it was counted before it was erased')
  assert.deepEqual(trip([], 3, 'SUSPENDED'), ['I5'])
  assert.deepEqual(trip(['flow-3'], 2, 'SUSPENDED'), ['I5'])
})
