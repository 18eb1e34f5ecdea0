import assert from 'node:assert/strict'
import { test } from 'node:test'
import { computeAddress, toCanonicalText, type WritBody } from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { codes, places, verifyTwice } from './samples/agreement.test-support.ts'
import { keyBody, LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { sampleKey } from './samples/sample-keys.test-support.ts'
import {
  bootstrap,
  commit,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  dispatch,
  grant,
  move,
  revoke,
  rulesHash,
  type Sample,
  sampleDelta,
  sampleLedger,
  worldAfter,
  writBody,
} from './samples/sample-ledger.test-support.ts'

const MAIN_ROOT = 9
const WRIT = 10
const COMMIT = 12
const { sha256 } = nodeCrypto

/** The sample up to where its agent may dispatch; the test does the rest. */
function opened(word?: string): { builder: LedgerBuilder; writId: `sha256:${string}` } {
  const builder = new LedgerBuilder(word)
  bootstrap(builder)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

/** The sample with one line put through a change, as somebody with an editor would. */
function edited(sample: Sample, leaf: number, change: (line: string) => string): string {
  const lines = sample.builder.text().split('\n')
  lines[leaf + 1] = change(lines[leaf + 1] ?? '')
  return lines.join('\n')
}

test('a good ledger has no findings and says what it saw', async () => {
  const report = await verifyTwice(sampleLedger().builder.text())
  assert.equal(report.ok, true)
  assert.equal(report.strength, 'self-consistent')
  assert.equal(report.entries, 15)
  assert.deepEqual(report.findings, [])
  assert.deepEqual(
    report.fingerprints.map(({ purpose }) => purpose),
    ['operator', 'issuer', 'kernel', 'checkpoint'],
  )
  assert.deepEqual(report.compiler_versions, ['1.0.0'])
  assert.deepEqual(report.rules_seen, [rulesHash])
  assert.equal(report.signatures.checked, 16)
})

test('bytes and text are read alike', async () => {
  const text = sampleLedger().builder.text()
  assert.equal((await verifyTwice(new TextEncoder().encode(text))).ok, true)
})

test('ENTRY_UNREADABLE: a line that is not JSON, at its leaf, without a trajectory', async () => {
  const report = await verifyTwice(edited(sampleLedger(), COMMIT, (line) => line.slice(1)))
  const [first] = report.findings
  assert.deepEqual(first && { ...first, detail: '' }, {
    leaf: COMMIT,
    trajectory: null,
    seq: null,
    code: 'ENTRY_UNREADABLE',
    detail: '',
  })
})

test('ENTRY_UNREADABLE: an unknown member, a missing one, a reserved kind', async () => {
  const { builder } = opened()
  builder.append('main', 'settle', { salt: '' }, { dfid: DFID })
  builder.append('main', 'approval', { salt: '' }, { dfid: DFID })
  const leaf = builder.entries.length - 2
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), [`${leaf} ENTRY_UNREADABLE`, `${leaf + 1} ENTRY_UNREADABLE`])
  const extra = edited(sampleLedger(), 3, (line) =>
    line.replace('{"envelope"', '{"a":1,"envelope"'),
  )
  assert.equal(codes(await verifyTwice(extra))[0], 'ENTRY_UNREADABLE')
})

test('ENTRY_UNREADABLE: a payload that may not be erased', async () => {
  const { builder } = sampleLedger()
  builder.entries = builder.entries.map((entry, i) =>
    i === 1 ? { ...entry, payload: null } : entry,
  )
  const report = await verifyTwice(builder.text(sampleLedger().builder.header()))
  assert.equal(places(report)[0], '1 ENTRY_UNREADABLE')
})

test('missing payloads are counted and their successors judged by what is left', async () => {
  const { builder } = sampleLedger()
  builder.entries = builder.entries.map((entry, i) =>
    i >= WRIT && i <= COMMIT ? { ...entry, payload: null } : entry,
  )
  const report = await verifyTwice(builder.text())
  assert.deepEqual([...new Set(codes(report))], ['ERASURE_UNSIGNED'])
  assert.equal(report.erased, 3)
})

test('ENTRY_NOT_CANONICAL: another spelling of the same entry', async () => {
  const spaced = edited(sampleLedger(), COMMIT, (line) =>
    line.replace('{"envelope"', '{ "envelope"'),
  )
  assert.deepEqual(places(await verifyTwice(spaced)), [`${COMMIT} ENTRY_NOT_CANONICAL`])
  const unended = sampleLedger().builder.text().slice(0, -1)
  assert.deepEqual(places(await verifyTwice(unended)), ['14 ENTRY_NOT_CANONICAL'])
})

test('ENTRY_ID: an envelope that was changed after it was sealed', async () => {
  const text = edited(sampleLedger(), 13, (line) => line.replace('"at":"2026', '"at":"2027'))
  assert.deepEqual(places(await verifyTwice(text)), ['13 ENTRY_ID'])
})

test('PAYLOAD_HASH: a payload that was changed', async () => {
  const text = edited(sampleLedger(), 13, (line) => line.replace('"attempt":2', '"attempt":3'))
  assert.deepEqual(places(await verifyTwice(text)), ['13 PAYLOAD_HASH'])
})

test('ENTRY_SEQUENCE: a wrong first kind, a second root, a kind outside its trajectory', async () => {
  const { builder } = opened()
  const leaf = builder.entries.length
  builder.append('other', 'evidence', { salt: '' })
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  builder.append('authority', 'rejection', { salt: '' })
  const report = await verifyTwice(builder.text())
  const found = report.findings.filter(({ code }) => code === 'ENTRY_SEQUENCE')
  assert.deepEqual(
    found.map((finding) => finding.leaf),
    [leaf, leaf + 1, leaf + 2],
  )
})

test('ENTRY_SEQUENCE: another tenant', async () => {
  const { builder } = opened()
  const stranger = new LedgerBuilder('x', 'globex')
  builder.entries.push(stranger.append('o', 'root', { protocol: 'rubicon/2', created_by: 'x' }))
  assert.deepEqual(places(await verifyTwice(builder.text())), ['11 ENTRY_SEQUENCE'])
})

test('ENTRY_SEQUENCE: time that runs backwards', async () => {
  const { builder } = sampleLedger()
  builder.entries = builder.entries.map((entry, i) =>
    i === MAIN_ROOT
      ? { ...entry, envelope: { ...entry.envelope, at: '2026-02-01T23:00:00.000Z' } }
      : entry,
  )
  builder.rehash(MAIN_ROOT)
  assert.deepEqual(places(await verifyTwice(builder.text())), [`${WRIT} ENTRY_SEQUENCE`])
})

test('ENTRY_PARENT: an entry that names another one as its parent', async () => {
  const { builder } = sampleLedger()
  const stranger = builder.entries[3]?.id ?? null
  builder.entries = builder.entries.map((entry, i) =>
    i === 13 ? { ...entry, envelope: { ...entry.envelope, parent: stranger } } : entry,
  )
  builder.rehash(13)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['13 ENTRY_PARENT'])
})

test('a branch goes on from the World of the entry it forks from', async () => {
  const { builder } = sampleLedger()
  const source = builder.entries[COMMIT]
  assert.ok(source)
  const { id, envelope } = source
  const { trajectory, seq } = envelope
  const from = { protocol: 'rubicon/2', source: { trajectory, seq, id }, note: '' }
  const after = worldAfter([sampleDelta])
  builder.append('what-if', 'branch', { ...from, world_after: after }, {}, id)
  assert.deepEqual((await verifyTwice(builder.text())).findings, [])
  builder.append('wrong', 'branch', { ...from, world_after: worldAfter([]) }, {}, id)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['16 WORLD_MISMATCH'])
  const nowhere = { ...from, source: { trajectory, seq: 99, id }, world_after: after }
  builder.append('nowhere', 'branch', nowhere, {}, id)
  assert.ok(places(await verifyTwice(builder.text())).includes('17 ENTRY_PARENT'))
})

test('ENTRY_SIGNATURE: signed by a key of another purpose', async () => {
  const { builder } = opened()
  builder.decree('revocation', { target: 'writ', id: 'x', reason: '' }, builder.kernel)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['11 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: a signature over other bytes', async () => {
  const { builder } = opened()
  const body = { target: 'writ', id: 'x', reason: '' }
  const signature = { ...builder.operator.sign('revocation', { ...body, reason: 'other' }) }
  builder.append('authority', 'revocation', { body, signature })
  assert.deepEqual(places(await verifyTwice(builder.text())), ['11 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: keys that are retired, unknown, added twice or not proven', async () => {
  const { builder } = opened()
  const second = sampleKey('operator', 'second')
  const thief = sampleKey('operator', 'thief')
  builder.addKey(second)
  builder.endKey(second)
  const body = { target: 'writ', id: 'x', reason: '' }
  builder.decree('revocation', body, second)
  builder.decree('revocation', body, thief)
  builder.addKey(builder.issuer)
  const stolen = keyBody('add', thief)
  const signature = { ...builder.operator.sign('key', stolen) }
  const possession = second.sign('key', stolen).sig
  builder.append('authority', 'key', { body: stolen, possession, signature })
  const first = 13
  assert.deepEqual(
    places(await verifyTwice(builder.text())),
    [0, 1, 2, 3].map((i) => `${first + i} ENTRY_SIGNATURE`),
  )
})

test('ENTRY_SIGNATURE: only the first operator key, when it is added, vouches for itself', async () => {
  const second = new LedgerBuilder()
  bootstrap(second)
  const other = sampleKey('operator', 'second')
  second.addKey(other, other)
  assert.deepEqual(places(await verifyTwice(second.text())), ['9 ENTRY_SIGNATURE'])
  const kernelFirst = new LedgerBuilder()
  kernelFirst.append('authority', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  kernelFirst.addKey(kernelFirst.kernel, kernelFirst.kernel)
  for (const key of [kernelFirst.operator, kernelFirst.checkpoint]) kernelFirst.addKey(key)
  assert.deepEqual(places(await verifyTwice(kernelFirst.text())), ['1 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: a compromise reaches back to what was signed since', async () => {
  const { builder, writId } = opened()
  const second = sampleKey('operator', 'second')
  builder.addKey(second)
  const { id } = second
  const revocation = { target: 'writ', id: 'x', reason: '' }
  builder.decree('revocation', revocation, second)
  const since = builder.authoritySeq() + 1
  dispatch(builder, writId)
  builder.decree('revocation', revocation, second)
  builder.endKey(second, since)
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), ['14 ENTRY_SIGNATURE'])
  assert.match(report.findings[0]?.detail ?? '', new RegExp(id))
})

test('ENTRY_SIGNATURE: addresses inside payloads that do not fit', async () => {
  const { builder, writId } = opened()
  const hash = contractHash.replace(/.$/, 'x').replace('x', contractHash.endsWith('0') ? '1' : '0')
  const other = { ...contract, version: '2.0.0' }
  const body = { ...DEPLOY, contract: other, contract_hash: hash }
  builder.decree('contract', body)
  dispatch(builder, writId, { facts_hash: contractHash })
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), ['11 ENTRY_SIGNATURE', '12 ENTRY_SIGNATURE'])
})

test('ENTRY_SIGNATURE: an intent made for another flow, and a commit of other hashes', async () => {
  const { builder, writId } = opened()
  const { intent } = dispatch(builder, writId)
  commit(builder, intent, sampleDelta, { writ_id: contractHash })
  dispatch(builder, writId, { trajectory: 'other', step_id: 'step-2' })
  const report = await verifyTwice(builder.text())
  const inBranch = ['13 AUTHORITY_ORDER', '13 ENTRY_SIGNATURE']
  assert.deepEqual(places(report), ['12 ENTRY_SIGNATURE', ...inBranch])
})

test('ENTRY_SIGNATURE: a child writ must lie inside its parent', async () => {
  const agent = sampleKey('agent', 'sample')
  const builder = new LedgerBuilder()
  bootstrap(builder)
  builder.addKey(agent)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const parent = grant(builder, writBody(builder, { subject_key: agent.id }))
  const delegate = (change: Partial<WritBody>): void => {
    const delegation = { max_depth: 0, may_delegate: false }
    const budget = { calls: '1' }
    const body = writBody(builder, { issuer_key: agent.id, parent, delegation, budget, ...change })
    const writ = {
      id: computeAddress('writ', body, sha256),
      body,
      signature: agent.sign('writ', body),
    }
    builder.append('main', 'writ', {
      salt: '',
      writ: { ...writ, signature: { ...writ.signature } },
    })
  }
  delegate({})
  assert.deepEqual((await verifyTwice(builder.text())).findings, [])
  const leaf = builder.entries.length
  delegate({ budget: { calls: '11' } })
  delegate({ scopes: [{ kind: 'B*' }] })
  delegate({
    window: { not_before: '2026-02-01T00:00:00.000Z', expires_at: '2027-01-01T00:00:00.000Z' },
  })
  delegate({ delegation: { max_depth: 1, may_delegate: true } })
  delegate({ audience: 'elsewhere' })
  delegate({ parent: contractHash })
  const report = await verifyTwice(builder.text())
  const signed = [0, 1, 2, 3, 4, 5].map((i) => `${leaf + i} ENTRY_SIGNATURE`)
  // What the first takes, nobody after it has left.
  const taken = [0, 1, 2, 3, 4].map((i) => `${leaf + i} AUTHORITY_ORDER`)
  assert.deepEqual(places(report), [...signed, ...taken].sort())
})

test('AUTHORITY_ORDER: a dispatch cites the authority entry that it stands after', async () => {
  const { builder, writId } = opened()
  dispatch(builder, writId, {}, builder.authoritySeq() - 1)
  dispatch(builder, writId, { step_id: 'step-2' }, builder.authoritySeq() + 1)
  assert.deepEqual(places(await verifyTwice(builder.text())), [
    '11 AUTHORITY_ORDER',
    '12 AUTHORITY_ORDER',
  ])
})

test('AUTHORITY_ORDER: nothing is dispatched after a revocation', async () => {
  const { builder, writId } = opened()
  revoke(builder, 'writ', writId)
  dispatch(builder, writId)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['12 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a contract that is revoked by agent, by version or by its successor', async () => {
  for (const id of ['agent-1', 'agent-1@1.0.0', 'agent-1@v1.0.0']) {
    const { builder, writId } = opened()
    revoke(builder, 'contract', id)
    dispatch(builder, writId)
    assert.deepEqual(places(await verifyTwice(builder.text())), ['12 AUTHORITY_ORDER'])
  }
  const { builder, writId } = opened()
  const next = { ...contract, version: '2.0.0' }
  const contract_hash = computeAddress('contract', next, sha256)
  builder.decree('contract', {
    ...DEPLOY,
    contract: next,
    contract_hash,
    revoke_previous: true,
  })
  dispatch(builder, writId)
  dispatch(builder, writId, { contract_hash, step_id: 'step-2' })
  const both = ['12 AUTHORITY_ORDER', '13 AUTHORITY_ORDER']
  assert.deepEqual(places(await verifyTwice(builder.text())), both)
})

test('AUTHORITY_ORDER: an agent that is suspended, and who may lift that', async () => {
  const { builder, writId } = opened()
  move(builder, 'ACTIVE', 'SUSPENDED', 'operator')
  dispatch(builder, writId)
  move(builder, 'SUSPENDED', 'ACTIVE', 'registry')
  move(builder, 'SUSPENDED', 'RETIRED', 'operator')
  assert.deepEqual(places(await verifyTwice(builder.text())), [
    '12 AUTHORITY_ORDER',
    '13 AUTHORITY_ORDER',
    '14 AUTHORITY_ORDER',
  ])
})

test('AUTHORITY_ORDER: outside the window of the writ, both sides of each boundary', async () => {
  const dispatchAt = '2026-02-01T09:00:12.000Z'
  const windows: [string, string, boolean][] = [
    [dispatchAt, '2026-02-02T00:00:00.000Z', true],
    ['2026-02-01T09:00:12.001Z', '2026-02-02T00:00:00.000Z', false],
    ['2026-02-01T00:00:00.000Z', dispatchAt, false],
    ['2026-02-01T00:00:00.000Z', '2026-02-01T09:00:12.001Z', true],
  ]
  for (const [not_before, expires_at, isGood] of windows) {
    const builder = new LedgerBuilder()
    bootstrap(builder)
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const writId = grant(builder, writBody(builder, { window: { not_before, expires_at } }))
    const { entry } = dispatch(builder, writId, { dispatch_before: '2026-02-01T09:00:12.001Z' })
    assert.equal(entry.envelope.at, dispatchAt)
    assert.deepEqual(
      places(await verifyTwice(builder.text())),
      isGood ? [] : ['11 AUTHORITY_ORDER'],
    )
  }
})

test('AUTHORITY_ORDER: another subject, unknown rules, an unknown writ', async () => {
  const { builder, writId } = opened()
  dispatch(builder, writId, { rules_hash: contractHash })
  dispatch(builder, contractHash, { step_id: 'step-2' })
  const other = grant(builder, writBody(builder, { subject: 'agent-2' }))
  dispatch(builder, other, { step_id: 'step-3' })
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), [
    '11 AUTHORITY_ORDER',
    '12 AUTHORITY_ORDER',
    '14 AUTHORITY_ORDER',
  ])
})

test('AUTHORITY_ORDER: an outcome without a dispatch, and a second commit', async () => {
  const { builder, writId } = opened()
  const { intent } = dispatch(builder, writId)
  commit(builder, { ...intent, intent_id: contractHash }, [])
  commit(builder, intent)
  commit(builder, intent, [], { world_after: worldAfter([sampleDelta]) })
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), ['12 AUTHORITY_ORDER', '14 AUTHORITY_ORDER'])
})

test('AUTHORITY_ORDER: a version of a contract does not change', async () => {
  const { builder } = opened()
  const changed = { ...contract, mission: 'sell' }
  const contract_hash = computeAddress('contract', changed, sha256)
  const body = { ...DEPLOY, contract: changed, contract_hash }
  builder.decree('contract', body)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['11 AUTHORITY_ORDER'])
})

test('WORLD_MISMATCH: another result, and deltas that do not apply', async () => {
  const { builder, writId } = opened()
  const { intent } = dispatch(builder, writId)
  commit(builder, intent, sampleDelta, { world_after: worldAfter([]) })
  const second = dispatch(builder, writId, { step_id: 'step-2' })
  commit(builder, second.intent, sampleDelta)
  const third = dispatch(builder, writId, { step_id: 'step-3' })
  commit(builder, third.intent, [], { delta: [{ op: 'burn' }] })
  const report = await verifyTwice(builder.text())
  assert.deepEqual(places(report), ['12 WORLD_MISMATCH', '14 WORLD_MISMATCH', '16 WORLD_MISMATCH'])
})

test('KEYS_MISMATCH: a header that brings its own keys', async () => {
  const { builder } = sampleLedger()
  const header = JSON.parse(builder.header())
  const text = builder.text(toCanonicalText({ ...header, keys: header.keys.slice(1) }))
  assert.deepEqual(places(await verifyTwice(text)), ['null KEYS_MISMATCH'])
})

test('CHECKPOINT_UNREADABLE: no note, another origin, an epoch that no anchor opened', async () => {
  const { builder } = sampleLedger()
  assert.deepEqual(places(await verifyTwice(builder.text(builder.header('no note')))), [
    'null CHECKPOINT_UNREADABLE',
  ])
  const other = sampleLedger('other').builder.note()
  assert.deepEqual(places(await verifyTwice(builder.text(builder.header(other)))), [
    'null CHECKPOINT_UNREADABLE',
  ])
  builder.epoch = 1
  assert.deepEqual(places(await verifyTwice(builder.text())), ['null CHECKPOINT_UNREADABLE'])
  const anchor = { action: 'accept_restore', epoch: 1, checkpoint: 'x', lost_from: 1, lost_to: 2 }
  builder.decree('anchor', { ...anchor, reason: 'disk' })
  assert.deepEqual((await verifyTwice(builder.text())).findings, [])
})

test('CHECKPOINT_SIGNATURE: signed by another key, or by a retired one', async () => {
  const { builder } = sampleLedger()
  const forged = builder.note(builder.entries.length, sampleKey('checkpoint', 'thief'))
  assert.deepEqual(places(await verifyTwice(builder.text(builder.header(forged)))), [
    'null CHECKPOINT_SIGNATURE',
  ])
  builder.endKey(builder.checkpoint)
  assert.deepEqual(places(await verifyTwice(builder.text())), ['null CHECKPOINT_SIGNATURE'])
})

test('CHECKPOINT_SIZE and CHECKPOINT_ROOT: it covers these entries, no more and no fewer', async () => {
  const { builder } = sampleLedger()
  const header = builder.header(builder.note(14))
  assert.deepEqual(places(await verifyTwice(builder.text(header))), ['null CHECKPOINT_SIZE'])
  const { builder: other } = sampleLedger()
  const [last] = other.entries.slice(-1)
  assert.ok(last)
  other.entries.pop()
  revoke(other, 'writ', 'another')
  assert.deepEqual(places(await verifyTwice(other.text(builder.header()))), [
    'null CHECKPOINT_ROOT',
  ])
})

test('AUTHORITY_ORDER: a restore goes on under an epoch that the log had before it', async () => {
  const anchored = async (epoch: number, named: number): Promise<string[]> => {
    const { builder } = sampleLedger()
    const checkpoint = builder.note().replaceAll(/\/0([\n ])/g, `/${named}$1`)
    const loss = { action: 'accept_restore', checkpoint, lost_from: 1, lost_to: 2, reason: 'disk' }
    builder.decree('anchor', { ...loss, epoch })
    builder.epoch = epoch
    return places(await verifyTwice(builder.text()))
  }
  assert.deepEqual(await anchored(1, 0), [])
  assert.deepEqual(await anchored(3, 2), [])
  assert.deepEqual(await anchored(2, 2), ['15 AUTHORITY_ORDER'])
  assert.deepEqual(await anchored(1, 2), ['15 AUTHORITY_ORDER'])
})

test('a header that cannot be read is found, and the entries are checked all the same', async () => {
  const { builder } = sampleLedger()
  const report = await verifyTwice(builder.text('{'))
  assert.deepEqual(places(report), ['null ENTRY_UNREADABLE'])
  assert.equal(report.entries, 15)
  assert.deepEqual(places(await verifyTwice('')), ['null ENTRY_UNREADABLE'])
})
