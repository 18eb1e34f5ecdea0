import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../canonical/json-value.ts'
import { ENTRY_KINDS } from '../ledger/entry.ts'
import { PAYLOAD_KINDS, parsePayload } from './payload-shape.ts'

const ADDRESS = `sha256:${'a'.repeat(64)}`
const HASH = 'b'.repeat(64)

const finding = { salt: 's', source: 'sanitiser', finding: 'injection' }
const details = { where: 'note', label: 'agent', patterns: ['role_change'], hash: HASH }
const refreshed = { salt: 's', source: 'context', finding: 'refreshed', snapshot: {} }

test('every kind of entry can be read', () => {
  assert.deepEqual([...PAYLOAD_KINDS].sort(), [...ENTRY_KINDS].sort())
})

const isEvidence = (payload: JsonObject): boolean => parsePayload('evidence', payload).ok

test('evidence has seven forms, each with members of its own', () => {
  assert.ok(
    isEvidence({
      salt: 's',
      intent_id: ADDRESS,
      source: 'probe',
      finding: 'applied',
      details: {},
    }),
  )
  assert.ok(isEvidence({ salt: 's', writ_id: ADDRESS, source: 'agent', used: { tokens: '1' } }))
  assert.ok(isEvidence({ ...finding, details }))
  assert.ok(isEvidence({ ...finding, details: { ...details, path: 'market.price' } }))
  assert.ok(isEvidence({ ...refreshed, snapshot_id: ADDRESS }))
})

test('an opinion is of a guard or an auditor, and each has words of its own', () => {
  const opinion = { salt: 's', by: 'story', step_id: 'a', proposal_hash: ADDRESS }
  const why = { details: { why: 'it fits' } }
  const guard = { ...opinion, ...why, source: 'soft_guard', strict: false }
  const auditor = { ...opinion, ...why, source: 'auditor' }
  for (const finding of ['aligned', 'mismatch']) assert.ok(isEvidence({ ...guard, finding }))
  for (const finding of ['aligned', 'drifted']) assert.ok(isEvidence({ ...auditor, finding }))
  const { strict: _, ...undecided } = guard
  for (const bad of [
    { ...guard, finding: 'drifted' },
    { ...auditor, finding: 'mismatch' },
    { ...undecided, finding: 'aligned' },
    { ...auditor, finding: 'aligned', strict: true },
    { ...guard, finding: 'aligned', intent_id: ADDRESS },
    { ...guard, finding: 'aligned', by: 'no name' },
    { ...guard, finding: 'aligned', proposal_hash: HASH },
    { ...guard, finding: 'aligned', details: {} },
    { ...guard, finding: 'aligned', details: { why: 'it fits', more: 1 } },
  ])
    assert.ok(!isEvidence(bad), JSON.stringify(bad))
})

test('a capability may be recorded alone, also with the time until which the one before counts', () => {
  const signature = { key_id: 'k1', sig: 'AAAA' }
  const body = { action: 'capability', capability: { kind: 'BUY' }, capability_hash: ADDRESS }
  const isPolicy = (change: JsonObject): boolean => {
    return parsePayload('policy', { body: { ...body, ...change }, signature }).ok
  }
  assert.ok(isPolicy({}))
  assert.ok(isPolicy({ previous_until: '2026-06-01T12:00:00.000Z' }))
  for (const bad of [{ action: 'other' }, { capability_hash: HASH }, { previous_until: 'soon' }])
    assert.ok(!isPolicy(bad), JSON.stringify(bad))
})

test('a monitor is set and taken away as a policy', () => {
  const signature = { key_id: 'k1', sig: 'AAAA' }
  const monitor = { name: 'm', agents: ['bot'], statistic: {} }
  const watch = { action: 'watch', monitor, monitor_hash: ADDRESS }
  const unwatch = { action: 'unwatch', name: 'm', reason: 'done' }
  const isPolicy = (body: JsonObject): boolean => parsePayload('policy', { body, signature }).ok
  for (const body of [watch, unwatch]) assert.ok(isPolicy(body), body.action)
  for (const body of [
    { ...watch, monitor_hash: HASH },
    { ...unwatch, reason: 7 },
  ])
    assert.ok(!isPolicy(body), JSON.stringify(body))
})

test('what became of a flow of several steps may name why, and what it settles', () => {
  const saga = { salt: 's', source: 'saga', status: 'PARTIAL_SUCCESS_DIRTY', details: {} }
  for (const more of [{}, { reason_code: 'PARTIAL_SUCCESS_DIRTY' }, { settles: [ADDRESS] }])
    assert.ok(isEvidence({ ...saga, ...more }), JSON.stringify(more))
  for (const more of [{ reason_code: 'RBAC_DENIED' }, { settles: [HASH] }, { status: 'DONE' }])
    assert.ok(!isEvidence({ ...saga, ...more }), JSON.stringify(more))
})

test('a commit says how its outcome became known, and perhaps what it takes back', () => {
  const hashes = { proposal_hash: ADDRESS, writ_id: ADDRESS, policy_trace_hash: ADDRESS }
  const commit = {
    salt: 's',
    intent_id: ADDRESS,
    ...hashes,
    delta: [],
    inverse: [],
    world_after: HASH,
    observations: [],
    compiler_version: 'rubicon-kernel/0.2.0',
    rules_hash: ADDRESS,
    facts_hash: ADDRESS,
    cost: {},
    receipt: null,
    settled_by: 'answer',
  }
  const isCommit = (change: JsonObject): boolean => {
    return parsePayload('commit', { ...commit, ...change }).ok
  }
  for (const settled_by of ['answer', 'probe', 'resend', 'person'])
    assert.ok(isCommit({ settled_by }), settled_by)
  assert.ok(isCommit({ compensates: ADDRESS }))
  for (const bad of [{ settled_by: 'nobody' }, { compensates: HASH }, { delta: {} }])
    assert.ok(!isCommit(bad), JSON.stringify(bad))
})

test('a trip says by which statistic and which bound', () => {
  const details = {
    agent_id: 'bot',
    monitor: 'm',
    monitor_hash: ADDRESS,
    statistic: 'mean',
    value: '1',
    bound: 'max',
    threshold: '1',
    window: {},
    samples: 1,
    unreadable: 0,
    executions_behind: 0,
    flows: ['flow'],
  }
  const trip = { salt: 's', source: 'monitor', finding: 'tripped', reason_code: 'MONITOR_TRIPPED' }
  const isTrip = (change: JsonObject): boolean => {
    return isEvidence({ ...trip, details: { ...details, ...change } })
  }
  for (const statistic of ['mean', 'rate', 'ratio', 'streak', 'cusum', 'shift'])
    assert.ok(isTrip({ statistic }), statistic)
  for (const bound of ['max', 'min', 'length', 'unreadable']) assert.ok(isTrip({ bound }), bound)
  assert.ok(isTrip({ value: null }))
  for (const bad of [{ statistic: 'median' }, { bound: 'mid' }, { samples: -1 }, { flows: [1] }])
    assert.ok(!isTrip(bad), JSON.stringify(bad))
})

test('of an effect a probe, a person or a restart found something, each what it can', () => {
  const about = { salt: 's', intent_id: ADDRESS, details: {} }
  const isFound = (source: string, finding: string): boolean =>
    isEvidence({ ...about, source, finding })
  for (const source of ['probe', 'person'])
    for (const finding of ['applied', 'absent', 'inconclusive'])
      assert.ok(isFound(source, finding), `${source} ${finding}`)
  assert.ok(isFound('recovery', 'interrupted'))
  for (const [source, finding] of [
    ['nobody', 'absent'],
    ['recovery', 'absent'],
    ['person', 'interrupted'],
    ['probe', 'gone'],
  ] as const)
    assert.ok(!isFound(source, finding), `${source} ${finding}`)
})

test('a closure says nothing but that it is one', () => {
  const closed = { salt: 's', source: 'agent', finding: 'closed' }
  assert.ok(isEvidence(closed))
  for (const bad of [{ source: 'probe' }, { finding: 'ended' }, { details: {} }])
    assert.ok(!isEvidence({ ...closed, ...bad }), JSON.stringify(bad))
})

test('an explanation has a name to refer to, a narrative, and lists of texts', () => {
  const explained = {
    salt: 's',
    source: 'agent',
    finding: 'explained',
    explain_ref: 'exp_1',
    narrative: 'late',
    identified_signals: ['late'],
    risks: [],
  }
  assert.ok(isEvidence(explained))
  for (const bad of [
    { ...explained, source: 'probe' },
    { ...explained, explain_ref: 'a b' },
    { ...explained, narrative: 7 },
    { ...explained, risks: [7] },
    { ...explained, intent_id: ADDRESS },
  ])
    assert.ok(!isEvidence(bad), JSON.stringify(bad))
})

test('what was found out about an effect names it, whoever says so', () => {
  assert.ok(!isEvidence({ ...finding, source: 'probe', details }))
  assert.ok(!isEvidence({ ...finding, finding: 'applied', details }))
  assert.ok(!isEvidence({ ...finding, details: { ...details, intent_id: ADDRESS } }))
  assert.ok(!isEvidence({ ...finding, details: { ...details, hash: 'short' } }))
  assert.ok(!isEvidence({ ...refreshed, source: 'probe', snapshot_id: ADDRESS }))
  assert.ok(!isEvidence(refreshed))
})

test('what a generation came to is answered, failed or lost, each with members of its own', () => {
  const generation = {
    ...{
      salt: 's',
      writ_id: ADDRESS,
      source: 'model',
      generation_id: 'g1',
      provider: 'p',
      model: 'm',
    },
    ...{ request_hash: ADDRESS, used: {} },
  }
  const answered = {
    ...{ ...generation, finding: 'answered', answered_by: 'm', response_hash: ADDRESS },
    ...{ usage: null, stop: 'end' },
  }
  const failed = { ...generation, finding: 'failed', reason_code: 'MODEL_FAILED', charged: false }
  for (const good of [answered, failed, { ...generation, finding: 'lost' }])
    assert.ok(isEvidence(good), JSON.stringify(good))
  for (const bad of [
    { ...generation, finding: 'found' },
    { ...generation, finding: 'lost', charged: false },
    { ...failed, charged: 'no' },
    { ...answered, stop: 'enough' },
  ])
    assert.ok(!isEvidence(bad), JSON.stringify(bad))
})

test('the texts of rules are texts, each of them', () => {
  const rules = {
    rules_hash: ADDRESS,
    rules: { compiler_version: '1', policies: [] },
    capabilities: [],
  }
  const isPolicy = (texts: JsonObject): boolean => {
    const signature = { key_id: 'k1', sig: 'AAAA' }
    return parsePayload('policy', { body: { ...rules, texts }, signature }).ok
  }
  assert.ok(isPolicy({ a: 'x' }))
  assert.ok(!isPolicy({ a: 'x', b: 7 }))
})
