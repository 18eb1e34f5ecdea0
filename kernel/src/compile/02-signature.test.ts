import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { AGENT, type CasePatch, withCase } from './case.test-support.ts'
import { compile } from './compile.ts'
import { refused, staged } from './expect.test-support.ts'

const byKey = (change: JsonObject): CasePatch => ({
  facts: {
    auth: {
      kind: 'signature',
      agent_id: null,
      signature: { key_id: 'key-agent', purpose: 'agent', subject: AGENT, valid: true, ...change },
    },
  },
})
const demanding: CasePatch = { contract: { safety_rules: { requires_signature: true } } }
const ofWrit = (place: string, signature: JsonObject): JsonObject => ({
  writs: { [place]: { signature } },
})
const pair = [{}, {}]

test('a contract can demand a signature, and then a session is not enough', () => {
  refused(demanding, 'SIGNATURE_REQUIRED')
  staged({ ...demanding, ...byKey({}) })
})

test('an agent without a contract is refused for that, not for its session', () => {
  refused({ contract: null }, 'AGENT_UNKNOWN')
})

test('a signature on the proposal must hold', () => {
  refused(byKey({ valid: false }), 'PROPOSAL_SIGNATURE_INVALID')
})

test('the key of a proposal is an agent key of that agent', () => {
  staged(byKey({}))
  refused(byKey({ purpose: 'operator' }), 'KEY_PURPOSE')
  refused(byKey({ purpose: null }), 'KEY_PURPOSE')
  refused(byKey({ subject: 'somebody_else' }), 'KEY_PURPOSE')
})

test('a session is worth what the key is worth that it was bound to', () => {
  const inSession = (change: JsonObject): CasePatch => ({
    facts: { auth: { key: { key_id: 'key-agent', purpose: 'agent', subject: AGENT, ...change } } },
  })
  staged(inSession({}))
  refused(inSession({ purpose: null, subject: null }), 'KEY_PURPOSE')
  refused(inSession({ purpose: 'operator' }), 'KEY_PURPOSE')
  refused(inSession({ subject: 'somebody_else' }), 'KEY_PURPOSE')
})

test('without a writ, or with fewer facts than writs, there is no authority', () => {
  const none = withCase({})
  const verdict = compile({ ...none, writs: [] })
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'WRIT_MISSING')
  refused({ facts: { writs: [] } }, 'WRIT_MISSING')
})

test('a proposal that names a writ gets that writ or none', () => {
  const writ_id = withCase({}).writs[0]?.id ?? ''
  staged({ proposal: { writ_id } })
  refused({ proposal: { writ_id: 'sha256:another' } }, 'WRIT_MISSING')
})

test('the id of a writ is recomputed from its body', () => {
  refused({ facts: { writs: { 0: { id: 'sha256:another' } } } }, 'WRIT_ID_MISMATCH')
  const input = withCase({})
  const writs = input.writs.map((writ) => ({
    ...writ,
    body: { ...writ.body, budget: { ...writ.body.budget, calls: '1000000' } },
  }))
  const verdict = compile({ ...input, writs })
  assert.equal(verdict.kind === 'rejected' && verdict.code, 'WRIT_ID_MISMATCH')
})

test('the signature on a writ holds and is by the key that the writ names', () => {
  refused({ facts: ofWrit('0', { valid: false }) }, 'WRIT_SIGNATURE_INVALID')
  refused({ facts: ofWrit('0', { key_id: 'key-other' }) }, 'WRIT_SIGNATURE_INVALID')
  refused({ writs: pair, facts: ofWrit('1', { valid: false }) }, 'WRIT_SIGNATURE_INVALID')
})

test('the chain ends at a registered issuer', () => {
  refused({ facts: ofWrit('0', { purpose: null }) }, 'WRIT_UNTRUSTED_ISSUER')
  refused({ writ: { parent: 'sha256:elsewhere' } }, 'WRIT_UNTRUSTED_ISSUER')
  refused({ facts: ofWrit('0', { purpose: 'agent' }) }, 'KEY_PURPOSE')
  refused({ writs: pair, facts: ofWrit('1', { purpose: 'checkpoint' }) }, 'KEY_PURPOSE')
})

test('a child is signed by its parent’s subject, or by the issuer that keeps its key', () => {
  staged({ writs: pair })
  staged({ writs: pair, facts: ofWrit('0', { purpose: 'issuer', subject: 'operations' }) })
  refused({ writs: pair, facts: ofWrit('0', { subject: 'somebody_else' }) }, 'KEY_PURPOSE')
  refused({ writs: pair, facts: ofWrit('0', { purpose: 'witness' }) }, 'KEY_PURPOSE')
})

test('a child signed by a compromised key, which has no purpose, carries nothing', () => {
  refused({ writs: pair, facts: ofWrit('0', { purpose: null }) }, 'WRIT_UNTRUSTED_ISSUER')
})

test('a child names its parent and is signed with its parent’s subject key', () => {
  refused({ writs: [{ parent: 'sha256:elsewhere' }, {}] }, 'WRIT_UNTRUSTED_ISSUER')
  refused({ writs: [{ issuer_key: 'key-other' }, {}] }, 'WRIT_UNTRUSTED_ISSUER')
  refused({ writs: [{}, { subject_key: null }] }, 'WRIT_UNTRUSTED_ISSUER')
})
