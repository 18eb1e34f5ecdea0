import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { refused, staged } from './expect.test-support.ts'

// The base case is decided at 10:00:00.000.
const BEFORE = '2026-03-02T09:59:59.999Z'
const NOW = '2026-03-02T10:00:00.000Z'
const AFTER = '2026-03-02T10:00:00.001Z'

test('a writ authorises from `not_before` on, and nothing before', () => {
  staged({ writ: { window: { not_before: NOW } } })
  refused({ writ: { window: { not_before: AFTER } } }, 'WRIT_NOT_YET_VALID')
})

test('a writ authorises nothing at its expiry, and everything one millisecond before', () => {
  staged({ writ: { window: { expires_at: AFTER } } })
  refused({ writ: { window: { expires_at: NOW } } }, 'WRIT_EXPIRED')
  refused({ writ: { window: { expires_at: BEFORE } } }, 'WRIT_EXPIRED')
})

test('every writ of the chain is inside its window', () => {
  refused({ writs: [{}, { window: { expires_at: NOW } }] }, 'WRIT_EXPIRED')
})

test('a window that cannot be read is closed', () => {
  refused({ writ: { window: { not_before: 'soon' } } }, 'WRIT_NOT_YET_VALID')
  refused({ writ: { window: { expires_at: 'never' } } }, 'WRIT_EXPIRED')
})

test('a time that cannot be read is later than everything', () => {
  refused({ facts: { now: 'about noon' } }, 'WRIT_EXPIRED')
})

test('a contract is in force from its first moment to before its last', () => {
  staged({ contract: { effective_from: NOW } })
  refused({ contract: { effective_from: AFTER } }, 'CONTRACT_NOT_EFFECTIVE')
  staged({ contract: { effective_until: AFTER } })
  refused({ contract: { effective_until: NOW } }, 'CONTRACT_NOT_EFFECTIVE')
})

test('a contract whose window cannot be read is not in force', () => {
  refused({ contract: { effective_from: 'soon' } }, 'CONTRACT_NOT_EFFECTIVE')
  refused({ contract: { effective_until: 'never' } }, 'CONTRACT_NOT_EFFECTIVE')
})

test('a proposal whose deadline is now authorises nothing', () => {
  staged({ proposal: { valid_until: AFTER } })
  staged({ proposal: { valid_until: null } })
  const { details } = refused({ proposal: { valid_until: NOW } }, 'TTL_EXPIRED')
  assert.deepEqual(details, { late_by_ms: 0 })
  refused({ proposal: { valid_until: BEFORE } }, 'TTL_EXPIRED')
})

test('a deadline lies at most a day ahead', () => {
  staged({ proposal: { valid_until: '2026-03-03T10:00:00.000Z' } })
  refused({ proposal: { valid_until: '2026-03-03T10:00:00.001Z' } }, 'TTL_TOO_FAR')
})

test('a deadline that cannot be read has passed', () => {
  const input = withCase({})
  const verdict = compile({ ...input, proposal: { ...input.proposal, valid_until: 'later' } })
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'TTL_EXPIRED')
})
