import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Intent } from '../compact-records/flow-rows.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { AGENT, DFID, writBody } from '../samples/sample-ledger.test-support.ts'
import type { AuthorityState } from './authority-state.ts'
import { findStandingProblems } from './standing.ts'

test('a writ is in force from its beginning on, and at its end no longer', () => {
  const body = writBody(new LedgerBuilder())
  const writ = `sha256:${'a'.repeat(64)}`
  const state = {
    flows: new Map(),
    writs: { get: () => body },
    statuses: new Map([[AGENT, 'ACTIVE']]),
    contracts: { classOf: () => undefined, problem: () => undefined },
    revokedWrits: new Set(),
    whole: false,
  } as unknown as AuthorityState
  const intent = { agent: AGENT, contract: 'c', writ, bearer: DFID } as unknown as Intent
  const at = (moment: string): string[] => findStandingProblems(state, intent, moment)
  assert.deepEqual(at('2026-02-01T00:00:00.000Z'), [])
  assert.deepEqual(at('2026-02-01T23:59:59.999Z'), [])
  for (const moment of ['2026-01-31T23:59:59.999Z', '2026-02-02T00:00:00.000Z'])
    assert.deepEqual(at(moment), [`writ \`${writ}\` is not in force at ${moment}`])
})
