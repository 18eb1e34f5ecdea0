import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type Bundle,
  type BundleEntry,
  computeAddress,
  toCanonicalText,
  type WritBody,
} from 'rubicon-kernel'
import { nodeCrypto } from './crypto/node-crypto.ts'
import { codes, places, verifyTwice } from './samples/agreement.test-support.ts'
import { LedgerBuilder } from './samples/ledger-builder.test-support.ts'
import { learn } from './samples/sample-executors.test-support.ts'
import {
  bootstrap,
  DFID,
  dispatch,
  grant,
  sampleEvidence,
  sampleLedger,
  writBody,
} from './samples/sample-ledger.test-support.ts'

const { builder } = sampleLedger()
const good = builder.bundle(DFID, sampleEvidence())

function changed(leaf: number, change: (entry: BundleEntry) => BundleEntry): string {
  const entries = good.entries.map((entry) => (entry.leaf === leaf ? change(entry) : entry))
  return toCanonicalText({ ...good, entries })
}

test('a good bundle has no findings, with or without a last LF', async () => {
  const text = toCanonicalText(good)
  for (const spelled of [text, `${text}\n`, new TextEncoder().encode(text)]) {
    const report = await verifyTwice(spelled)
    assert.deepEqual(report.findings, [])
    assert.deepEqual([report.entries, report.tree], [14, null])
  }
})

test('a bundle without a dispatch has no evidence', async () => {
  const quiet = new LedgerBuilder()
  bootstrap(quiet)
  quiet.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  grant(quiet, writBody(quiet))
  assert.deepEqual((await verifyTwice(toCanonicalText(quiet.bundle(DFID, undefined)))).findings, [])
  const report = await verifyTwice(toCanonicalText(quiet.bundle(DFID, sampleEvidence())))
  assert.deepEqual(places(report), ['null ENTRY_SIGNATURE'])
})

test('a bundle in another spelling, or of other members, is found', async () => {
  const text = toCanonicalText(good)
  assert.deepEqual(codes(await verifyTwice(` ${text}`)), ['ENTRY_NOT_CANONICAL'])
  assert.deepEqual(codes(await verifyTwice(`${text}\n\n`)), ['ENTRY_NOT_CANONICAL'])
  assert.deepEqual(codes(await verifyTwice(toCanonicalText({ ...good, more: 1 }))), [
    'ENTRY_UNREADABLE',
  ])
})

test('INCLUSION_PROOF: a proof of another leaf, of another place, or none', async () => {
  const other = good.entries[2]?.proof ?? []
  assert.deepEqual(
    places(await verifyTwice(changed(12, (entry) => ({ ...entry, proof: other })))),
    ['12 INCLUSION_PROOF'],
  )
  assert.deepEqual(places(await verifyTwice(changed(12, (entry) => ({ ...entry, proof: [] })))), [
    '12 INCLUSION_PROOF',
  ])
  assert.deepEqual(places(await verifyTwice(changed(14, (entry) => ({ ...entry, leaf: 15 })))), [
    '15 INCLUSION_PROOF',
  ])
})

test('an entry that was changed and sealed again is not the one in the log', async () => {
  const { builder: forged } = sampleLedger()
  forged.entries = forged.entries.map((entry, i) =>
    i === 13
      ? { ...entry, payload: (entry.payload ?? '').replace('"attempt":2', '"attempt":3') }
      : entry,
  )
  forged.rehash(13)
  const [entry] = forged.bundle(DFID, sampleEvidence()).entries.filter(({ leaf }) => leaf === 13)
  assert.ok(entry)
  const { proof } = good.entries.find(({ leaf }) => leaf === 13) ?? entry
  const text = changed(13, () => ({ ...entry, proof }))
  assert.deepEqual(places(await verifyTwice(text)), ['13 INCLUSION_PROOF'])
})

test('payload, id and order are checked as in a ledger', async () => {
  const payload = changed(13, (entry) => ({ ...entry, payload: { ...entry.payload, attempt: 9 } }))
  assert.deepEqual(places(await verifyTwice(payload)), ['13 PAYLOAD_HASH'])
  const entries = good.entries.toReversed()
  const report = await verifyTwice(toCanonicalText({ ...good, entries }))
  assert.ok(codes(report).includes('ENTRY_SEQUENCE'))
})

test('a revocation that stands before a dispatch is found when it is shown', async () => {
  const without = good.entries.filter(({ leaf }) => leaf !== 14)
  const last = good.entries.filter(({ leaf }) => leaf === 14)
  const before = without.findIndex(({ envelope }) => envelope.kind === 'dispatch')
  const entries = without.toSpliced(before, 0, ...last)
  const report = await verifyTwice(toCanonicalText({ ...good, entries }))
  assert.ok(places(report).includes('11 AUTHORITY_ORDER'))
})

test('entries of other flows do not belong into it', async () => {
  const other = { ...good, dfid: `${DFID.slice(0, -1)}1` }
  const found = places(await verifyTwice(toCanonicalText(other)))
  assert.ok(found.includes('12 ENTRY_SEQUENCE'))
})

test('evidence must be that of the flow', async () => {
  const evidence = sampleEvidence()
  const spoiled: (Bundle['evidence'] | undefined)[] = [
    undefined,
    { ...evidence, context_ref: 'snapshot-2' },
    { ...evidence, rules_hash: evidence.contract_hash },
    { ...evidence, contract_hash: evidence.rules_hash },
    { ...evidence, evidence_hash: '00'.repeat(32) },
  ]
  for (const one of spoiled) {
    const { evidence: _, ...rest } = good
    const bundle = one === undefined ? rest : { ...rest, evidence: one }
    assert.deepEqual(places(await verifyTwice(toCanonicalText(bundle))), ['null ENTRY_SIGNATURE'])
  }
})

test('KEYS_MISMATCH and the checkpoint are checked as in a ledger', async () => {
  const keys = toCanonicalText({ ...good, keys: good.keys.slice(1) })
  assert.deepEqual(places(await verifyTwice(keys)), ['null KEYS_MISMATCH'])
  const epoch = toCanonicalText({ ...good, epoch: 3 })
  assert.deepEqual(places(await verifyTwice(epoch)), ['null CHECKPOINT_UNREADABLE'])
})

test('a bundle is trusted by key, or by the very checkpoint that it carries', async () => {
  const text = toCanonicalText(good)
  assert.equal((await verifyTwice(text, builder.operator.text)).strength, 'trusted')
  assert.equal((await verifyTwice(text, builder.note())).strength, 'trusted')
  assert.deepEqual(places(await verifyTwice(text, builder.note(7))), ['null TRUST_MISMATCH'])
})

function leaving(isKept: (entry: BundleEntry) => boolean): string {
  return toCanonicalText({ ...good, entries: good.entries.filter(isKept) })
}

test('a bundle that shows nothing of its flow proves nothing of it', async () => {
  const { evidence: _, ...rest } = good
  const entries = good.entries.filter(({ envelope }) => envelope.trajectory === 'authority')
  for (const dfid of [DFID, 'no-such-flow']) {
    const report = await verifyTwice(toCanonicalText({ ...rest, entries, dfid }))
    assert.deepEqual(places(report), ['null ENTRY_SEQUENCE'])
  }
  const unopened = await verifyTwice(leaving(({ envelope }) => envelope.kind !== 'writ'))
  assert.ok(places(unopened).includes('null ENTRY_SEQUENCE'))
})

test('a writ that was issued by hand opens no flow', async () => {
  const open = new LedgerBuilder()
  bootstrap(open)
  open.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const body = writBody(open)
  const id = computeAddress('writ', body, nodeCrypto.sha256)
  const writ = { id, body, signature: { ...open.issuer.sign('writ', body) } }
  open.append('main', 'writ', { salt: 'c2FsdA==', writ }, { dfid: DFID })
  const report = await verifyTwice(toCanonicalText(open.bundle(DFID, undefined)))
  assert.deepEqual(places(report), ['null ENTRY_SEQUENCE'])
})

test('a writ that was issued by hand does not belong into a bundle where no step names it', async () => {
  const open = new LedgerBuilder()
  bootstrap(open)
  open.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const issue = (number: number, parent: Partial<WritBody>): Address => {
    const body = writBody(open, { nonce: `${DFID.slice(0, -1)}${number}`, ...parent })
    const id = computeAddress('writ', body, nodeCrypto.sha256)
    const writ = { id, body, signature: { ...open.issuer.sign('writ', body) } }
    open.append('main', 'writ', { salt: 'c2FsdA==', writ })
    return id
  }
  const above = issue(1, { subject_key: open.issuer.id })
  const delegation = { max_depth: 0, may_delegate: false }
  const named = issue(2, { parent: above, budget: { calls: '2' }, delegation })
  grant(open, writBody(open))
  dispatch(open, named)
  const exported = (): string => toCanonicalText(open.bundle(DFID, sampleEvidence()))
  assert.deepEqual((await verifyTwice(exported())).findings, [])
  const leaf = open.entries.length
  issue(3, {})
  assert.deepEqual(places(await verifyTwice(exported())), [`${leaf} ENTRY_SEQUENCE`])
})

test('no authority is left out of a bundle that stands before what the flow did', async () => {
  const last = Math.max(
    ...good.entries
      .filter(({ envelope }) => envelope.trajectory === 'main')
      .map(({ leaf }) => leaf),
  )
  const before = good.entries.filter(
    ({ envelope, leaf }) => envelope.trajectory === 'authority' && leaf < last,
  )
  assert.ok(before.length > 5)
  for (const { leaf } of before) {
    const found = codes(await verifyTwice(leaving((entry) => entry.leaf !== leaf)))
    assert.ok(found.includes('ENTRY_SEQUENCE'), `leaf ${leaf}: ${found.join()}`)
  }
})

test('a bundle says of how many effects it shows no outcome', async () => {
  assert.equal((await verifyTwice(toCanonicalText(good))).unsettled, 0)
  const hidden = await verifyTwice(leaving(({ envelope }) => envelope.kind !== 'commit'))
  assert.deepEqual([hidden.findings, hidden.unsettled], [[], 1])
  assert.equal((await verifyTwice(builder.text())).unsettled, null)
  const open = new LedgerBuilder()
  bootstrap(open)
  open.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const { intent } = dispatch(open, grant(open, writBody(open)))
  for (const [status, unsettled] of [
    ['UNKNOWN', 1],
    ['MANUAL_REVIEW', 1],
    ['FAILED', 0],
  ] as const) {
    const settled = {
      salt: '',
      intent_id: intent.intent_id ?? '',
      status,
      reason_code: '',
      details: {},
    }
    if (status === 'FAILED') learn(open, intent, 'person', 'absent')
    open.append('main', 'settle', settled, { dfid: DFID })
    const report = await verifyTwice(toCanonicalText(open.bundle(DFID, sampleEvidence())))
    assert.deepEqual([report.findings, report.unsettled], [[], unsettled])
  }
})
