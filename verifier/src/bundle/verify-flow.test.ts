import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bundle, hashEvidence } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { ReadEntry } from '../reading/read-entry.ts'
import { findAncestry, findEvidenceProblems, findStrangerProblems } from './verify-flow.ts'

const { sha256 } = nodeCrypto

const [OWN, ABOVE, CHOOSER, OTHER] = ['own', 'above', 'chooser', 'other'] as const

function entry(dfid: string | undefined, kind: string, payload: object): ReadEntry {
  const envelope = { kind, trajectory: 'main', seq: 0, ...(dfid === undefined ? {} : { dfid }) }
  return { envelope, leaf: 0, payload: { kind, payload } } as unknown as ReadEntry
}

const listFamily = (...entries: ReadEntry[]): readonly string[] => [...findAncestry(OWN, entries)]

test('a flow is led to those above it by its opening, or by what the flow above says of it', () => {
  const opening = entry(OWN, 'writ', { flow: { dfid: OWN, parent_dfid: ABOVE } })
  assert.deepEqual(listFamily(opening), [OWN, ABOVE])
  // Of a flow whose opening was erased only the flow above says it.
  const told = entry(ABOVE, 'delegation', { child_dfid: OWN, parent_dfid: ABOVE })
  assert.deepEqual(listFamily(told), [OWN, ABOVE])
  const ofOther = entry(ABOVE, 'delegation', { child_dfid: OTHER, parent_dfid: ABOVE })
  assert.deepEqual(listFamily(ofOther), [OWN])
  assert.deepEqual(listFamily(entry(OWN, 'writ', { flow: { dfid: OWN } })), [OWN])
  assert.deepEqual(listFamily(entry(OWN, 'writ', {})), [OWN])
})

test('a flow is led to the one that chose to undo it, by the dispatch alone', () => {
  const intent = { writ_id: 'w', compensation: { dfid: CHOOSER } }
  assert.deepEqual(listFamily(entry(OWN, 'dispatch', { intent })), [OWN, CHOOSER])
  assert.deepEqual(listFamily(entry(OWN, 'accepted', { intent })), [OWN])
  assert.deepEqual(listFamily(entry(OWN, 'dispatch', { intent: { writ_id: 'w' } })), [OWN])
  assert.deepEqual(listFamily(entry(OWN, 'dispatch', { intent_id: 'i' })), [OWN])
  assert.deepEqual(listFamily(entry(undefined, 'dispatch', { intent })), [OWN])
})

test('a writ that was issued by hand belongs to a flow whose step names it, sent or accepted', () => {
  const byHand = entry(undefined, 'writ', { writ: { id: 'w', body: { parent: 'v' } } })
  const above = entry(undefined, 'writ', { writ: { id: 'v', body: {} } })
  const countStrangers = (...entries: ReadEntry[]): number =>
    findStrangerProblems(OWN, entries).length
  for (const kind of ['dispatch', 'accepted']) {
    const named = entry(OWN, kind, { intent: { writ_id: 'w' } })
    assert.equal(countStrangers(above, byHand, named), 0, kind)
    const ofOther = entry(OTHER, kind, { intent: { writ_id: 'w' } })
    assert.equal(countStrangers(above, byHand, ofOther), 3, kind)
  }
  const erased = { envelope: { kind: 'dispatch', trajectory: 'main', dfid: OWN }, payload: null }
  assert.equal(countStrangers(erased as unknown as ReadEntry, above), 1, 'an erased one names none')
  const said = entry(OWN, 'commit', { intent: { writ_id: 'w' } })
  assert.equal(countStrangers(above, byHand, said), 2, 'what is no step names none')
  const carried = entry(OWN, 'dispatch', { intent_id: 'i' })
  assert.equal(countStrangers(above, byHand, carried), 2)
  const named = entry(OWN, 'dispatch', { intent: { writ_id: 'w' } })
  const unused = entry(undefined, 'writ', { writ: { id: 'x', body: { parent: 'y' } } })
  const aboveUnused = entry(undefined, 'writ', { writ: { id: 'y', body: {} } })
  assert.equal(countStrangers(aboveUnused, unused, above, byHand, named), 2)
  const opening = entry(undefined, 'writ', { flow: {}, writ: { id: 'w', body: {} } })
  assert.equal(countStrangers(opening, named), 1, 'how a flow was opened stands in that flow')
  const elsewhere = entry(OTHER, 'writ', { writ: { id: 'w', body: {} } })
  assert.equal(countStrangers(elsewhere, named), 1, 'one of another flow is not by hand')
})

test('evidence is of the context that the agent says it decided on, else of what it was shown', () => {
  const contract = { agent_id: 'agent-1' }
  const hashes = { contract_hash: 'c', rules_hash: 'sha256:r' }
  const deployed = entry(undefined, 'contract', { body: { contract_hash: 'c', contract } })
  const fits = (proposal: object, context_ref: string): boolean => {
    const intent = { writ_id: 'w', snapshot_id: 'shown', ...hashes }
    const sent = entry(OWN, 'dispatch', { intent, proposal })
    const input = { dfid: OWN, contextRef: context_ref, contract, rulesHash: hashes.rules_hash }
    const evidence_hash = hashEvidence(input, sha256)
    const bundle = { dfid: OWN, evidence: { context_ref, ...hashes, evidence_hash } }
    return findEvidenceProblems(bundle as unknown as Bundle, [deployed, sent], sha256).length === 0
  }
  assert.ok(fits({ context_ref: 'stated' }, 'stated'))
  assert.ok(!fits({ context_ref: 'stated' }, 'shown'))
  assert.ok(fits({}, 'shown'))
  assert.ok(fits({ context_ref: 5 }, 'shown'))
})
