import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REASON_CODES, REASONS } from '../reason.ts'
import { deriveDisposition } from './disposition.ts'

/** Written out: a code that falls out of the list must be missed here. */
const ALERTS =
  'PROPOSAL_SIGNATURE_INVALID REJECT_AUTH WRIT_SIGNATURE_INVALID WRIT_ID_MISMATCH WRIT_UNTRUSTED_ISSUER KEY_PURPOSE ' +
  'DELEGATION_WIDENS IDENTITY_MISMATCH MISSION_DISSONANCE POLICY_ERROR INTENT_SIGNATURE_INVALID SEMANTIC_MISMATCH'

test('what looks like an attack, a broken rule or a lost ledger alerts somebody, and nothing else does', () => {
  const found = REASON_CODES.filter((code) => deriveDisposition(code) === 'alert')
  const ledger = REASON_CODES.filter(
    (code) => REASONS[code].producer === 'ledger' && !REASONS[code].transient,
  )
  assert.deepEqual(new Set(found), new Set([...ALERTS.split(' '), ...ledger]))
})

test('an agent may try again where its own words are wrong, though others of the same stage are final', () => {
  const codes =
    'LOW_CONFIDENCE TTL_EXPIRED TTL_TOO_FAR STEP_PARAMS_MISMATCH APPROVAL_EXPIRED APPROVAL_VOID'
  for (const code of REASON_CODES.filter((one) => codes.split(' ').includes(one)))
    assert.equal(deriveDisposition(code), 'soft_stop', code)
  const final = REASON_CODES.filter((code) => {
    const { transient, producer } = REASONS[code]
    const isHard = ['policy', 'window', 'repeat', 'emission'].includes(producer)
    return isHard && !transient && !codes.split(' ').includes(code)
  })
  assert.ok(final.length > 5)
  for (const code of final) assert.notEqual(deriveDisposition(code), 'soft_stop', code)
})
