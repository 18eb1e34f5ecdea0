import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getApprovalWindowMs, type JsonValue, LIMITS } from 'rubicon-kernel'
import { findAnswerWindow } from './approval-window.ts'
import type { AuthorityState } from './authority-state.ts'

type Known = Pick<AuthorityState, 'flows' | 'contracts'>

/** Of a flow whose contract says so; undefined: the contract is not there. */
function windowOf(contract: JsonValue | undefined, dfid = 'flow'): unknown {
  const flows = {
    get: (one: string) => (one === 'flow' ? { agent: 'a', contract: 'h' } : undefined),
  }
  const contracts = { get: () => (contract === undefined ? undefined : { contract }) }
  return findAnswerWindow({ flows, contracts } as never as Known, dfid)
}

const { least, most } = LIMITS.approvalWindowMs
const both = (ms: number): unknown => ({ least: ms, most: ms })

test('a request waits for as long as the contract of its flow says', () => {
  for (const ms of [least, most])
    assert.deepEqual(windowOf({ safety_rules: { approval_window_s: ms / 1000 } }), both(ms))
})

test('what no contract can say counts as not said', () => {
  const usual = both(getApprovalWindowMs({}))
  for (const said of [(least - 1000) / 1000, most / 1000 + 1, 90.5, '90', null, Number.MAX_VALUE])
    assert.deepEqual(windowOf({ safety_rules: { approval_window_s: said } }), usual, String(said))
  for (const contract of [{}, { safety_rules: {} }, { safety_rules: 7 }, { safety_rules: null }])
    assert.deepEqual(windowOf(contract), usual)
})

test('where flow or contract is not there, it may have been any window that a contract can have', () => {
  assert.deepEqual(windowOf(undefined), LIMITS.approvalWindowMs)
  assert.deepEqual(windowOf({ safety_rules: {} }, 'another'), LIMITS.approvalWindowMs)
})
