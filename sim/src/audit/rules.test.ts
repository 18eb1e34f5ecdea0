import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyPayload, SignedIntent } from 'rubicon-kernel'
import type { Line } from './report.ts'
import { AuditedRules } from './rules.ts'

const UNTIL = '2026-06-01T12:00:00.000Z'

function audited(): {
  record(body: object, id?: string): readonly string[]
  agree(entry: string, rules: string): void
  dispatch(intent: object, at?: string): readonly string[]
} {
  const found: string[] = []
  const rules = new AuditedRules((_invariant, detail) => void found.push(detail))
  return {
    record(body, id = 'entry') {
      const before = found.length
      rules.auditRecordedRules({ id, seq: 1 } as Line, { body } as PolicyPayload)
      return found.slice(before)
    },
    agree: (entry, hash) => rules.recordAgreement(entry, hash),
    dispatch(intent, at = UNTIL) {
      const before = found.length
      const line = { trajectory: 'main', seq: 1, at } as Line
      const usual = { rules_hash: 'one', policy_kind: 'PAY', capability_hash: 'pay' }
      rules.auditDispatch(line, { ...usual, ...intent } as unknown as SignedIntent)
      return found.slice(before)
    },
  }
}

const records = (hash: string): object[] => [{ capability: { kind: 'PAY' }, capability_hash: hash }]
const FIRST = { rules_hash: 'one', capabilities: records('pay') }

test('what was recorded last counts, and nothing else', () => {
  const it = audited()
  assert.equal(it.dispatch({}).length, 2)
  it.record(FIRST)
  assert.deepEqual(it.dispatch({}), [])
  it.record({ rules_hash: 'two', capabilities: [] })
  assert.equal(it.dispatch({}).length, 1)
  assert.deepEqual(it.dispatch({ rules_hash: 'two' }), [])
})

test('what was replaced counts until its time, and not at it', () => {
  const it = audited()
  it.record(FIRST)
  it.record({ rules_hash: 'two', capabilities: [], previous_until: UNTIL })
  assert.deepEqual(it.dispatch({}, '2026-06-01T11:59:59.999Z'), [])
  assert.equal(it.dispatch({}).length, 1)
  it.record({ rules_hash: 'three', capabilities: [], previous_until: UNTIL })
  assert.equal(it.dispatch({}, '2026-06-01T11:00:00.000Z').length, 1, 'two steps back')
})

test('a capability is held to the hash that was recorded for its kind', () => {
  const it = audited()
  it.record(FIRST)
  it.record({ action: 'capability', ...records('changed')[0] })
  assert.equal(it.dispatch({}).length, 1)
  assert.deepEqual(it.dispatch({ capability_hash: 'changed' }), [])
  assert.equal(it.dispatch({ policy_kind: 'WIRE' }).length, 1)
  assert.deepEqual(it.dispatch({ compensation: {} }), [], 'it stands on the choice')
})

test('what nobody agreed to at its place is found, and so is a yes that was used before', () => {
  const it = audited()
  const second = { rules_hash: 'two', capabilities: [] }
  assert.deepEqual(it.record(FIRST, 'a'), [], 'the first')
  it.agree('a', 'two')
  assert.deepEqual(it.record(second, 'b'), [])
  it.agree('b', 'one')
  assert.deepEqual(it.record(FIRST, 'c'), [])
  assert.equal(it.record(second, 'd').length, 1, 'it was said for another place')
  assert.equal(it.record({ action: 'capability', ...records('changed')[0] }, 'e').length, 1)
  assert.deepEqual(it.record({ action: 'unwatch', name: 'mean' }, 'f'), [], 'no rules')
})
