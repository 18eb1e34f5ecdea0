/** What a signature covers is what it says: every address inside of it is computed again, and named. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Address, computeAddress, type IntentBody, type JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import { verifyTwice } from '../samples/agreement.test-support.ts'
import { keyBody, LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { sampleKey } from '../samples/sample-keys.test-support.ts'
import {
  AGENT,
  bootstrap,
  capability,
  capabilityHash,
  contract,
  contractHash,
  DEPLOY,
  DFID,
  decide,
  dispatch,
  grant,
  reject,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'

const { sha256 } = nodeCrypto
const OTHER: Address = `sha256:${'7'.repeat(64)}`
const CHILD = '019c1200-0000-7000-8000-0000000000ca'

const LOSS: JsonObject = {
  action: 'accept_restore',
  epoch: 1,
  checkpoint: 'x',
  lost_from: 1,
  lost_to: 2,
  reason: 'disk',
}

/** What is said of the signatures of the last entry, where nothing is said of those before it. */
async function saidOfLast(builder: LedgerBuilder): Promise<string[]> {
  const { findings } = await verifyTwice(builder.text())
  const signed = findings.filter(({ code }) => code === 'ENTRY_SIGNATURE')
  const last = builder.entries.length - 1
  assert.deepEqual(
    signed.filter(({ leaf }) => leaf !== last),
    [],
  )
  return signed.map(({ detail }) => detail)
}

function begun(): LedgerBuilder {
  const builder = new LedgerBuilder()
  bootstrap(builder)
  return builder
}

function opened(): { readonly builder: LedgerBuilder; readonly writId: Address } {
  const builder = begun()
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  return { builder, writId: grant(builder, writBody(builder)) }
}

test('what an operator decides is signed by an operator, and by no other key', async () => {
  const deploy: JsonObject = { ...DEPLOY, contract: { ...contract }, contract_hash: contractHash }
  const documents: readonly (readonly [Parameters<LedgerBuilder['decree']>[0], JsonObject])[] = [
    ['contract', deploy],
    ['policy', rulesBody()],
    [
      'policy',
      { action: 'capability', capability: { ...capability }, capability_hash: capabilityHash },
    ],
    ['policy', { action: 'unwatch', name: 'mean', reason: 'done' }],
    ['revocation', { target: 'writ', id: OTHER, reason: 'done' }],
    ['person', { action: 'register', person_id: 'p_ann', identities: [] }],
    ['source', { action: 'retire', source_id: 'feed' }],
    ['anchor', LOSS],
    [
      'lifecycle',
      {
        agent_id: AGENT,
        from: 'ACTIVE',
        to: 'SUSPENDED',
        actor: 'operator',
        by: 'x',
        justification: '',
      },
    ],
  ]
  for (const [kind, body] of documents) {
    const builder = begun()
    builder.decree(kind, body)
    assert.deepEqual(await saidOfLast(builder), [], `${kind} by an operator`)
    const forged = begun()
    forged.decree(kind, body, forged.kernel)
    const wanted = [`key \`${forged.kernel.id}\` is not valid here as a operator key`]
    assert.deepEqual(await saidOfLast(forged), wanted, `${kind} by the kernel`)
  }
})

test('what the runtime says of an agent is signed by the kernel', async () => {
  const body = { agent_id: AGENT, from: 'ACTIVE', to: 'SUSPENDED', by: 'x', justification: '' }
  const builder = begun()
  builder.decree('lifecycle', { ...body, actor: 'runtime' })
  assert.deepEqual(await saidOfLast(builder), [
    `key \`${builder.operator.id}\` is not valid here as a kernel key`,
  ])
})

test('documents are what their hashes say', async () => {
  const wrong: readonly (readonly [Parameters<LedgerBuilder['decree']>[0], JsonObject, string])[] =
    [
      [
        'contract',
        { ...DEPLOY, contract: { ...contract, version: '2.0.0' }, contract_hash: OTHER },
        'contract_hash does not match',
      ],
      ['policy', rulesBody({ rules_hash: OTHER }), 'rules_hash does not match'],
      [
        'policy',
        rulesBody({ texts: { [OTHER]: 'permit' } }),
        `the text of \`${OTHER}\` does not match its hash`,
      ],
      [
        'policy',
        { action: 'capability', capability: { ...capability }, capability_hash: OTHER },
        'capability_hash of `BUY` does not match',
      ],
    ]
  for (const [kind, body, said] of wrong) {
    const builder = begun()
    builder.decree(kind, body)
    assert.deepEqual(await saidOfLast(builder), [said])
  }
})

test('a key is added by an operator, under the id that it has, by whoever holds it', async () => {
  const added = sampleKey('approver', 'added')
  const other = sampleKey('approver', 'other')
  const add = async (
    body: JsonObject,
    possession: string,
    signer: 'operator' | 'kernel' = 'operator',
  ): Promise<string[]> => {
    const builder = begun()
    const signature = { ...builder[signer].sign('key', body) }
    builder.append('authority', 'key', { body, possession, signature })
    return saidOfLast(builder)
  }
  const body: JsonObject = { ...keyBody('add', added) }
  const { sig } = added.sign('key', body)
  assert.deepEqual(await add(body, sig), [])
  assert.deepEqual(await add(body, other.sign('key', body).sig), [
    'possession of the key is not proven',
  ])
  const named = { ...body, key_id: other.id }
  assert.deepEqual(await add(named, added.sign('key', named).sig), [
    'key_id does not match the public key',
  ])
  const kernel = sampleKey('kernel', 'sample')
  assert.deepEqual(await add(body, sig, 'kernel'), [
    `key \`${kernel.id}\` is not valid here as a operator key`,
  ])
})

test('only the first operator key vouches for itself', async () => {
  const first = async (purpose: 'operator' | 'kernel', signer = purpose): Promise<string[]> => {
    const builder = new LedgerBuilder()
    builder.append('authority', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    builder.addKey(builder[purpose], builder[signer])
    return saidOfLast(builder)
  }
  const kernel = sampleKey('kernel', 'sample')
  assert.deepEqual(await first('operator'), [])
  assert.deepEqual(await first('kernel'), [`key \`${kernel.id}\` is not registered`])
  assert.deepEqual(await first('operator', 'kernel'), [`key \`${kernel.id}\` is not registered`])
  const second = begun()
  const other = sampleKey('operator', 'second')
  second.addKey(other, other)
  assert.deepEqual(await saidOfLast(second), [`key \`${other.id}\` is not registered`])
  const forged = new LedgerBuilder()
  forged.append('authority', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const { operator } = forged
  const body: JsonObject = { ...keyBody('add', operator) }
  const { sig: possession } = operator.sign('key', body)
  const signature = { key_id: operator.id, sig: operator.sign('writ', body).sig }
  forged.append('authority', 'key', { body, possession, signature })
  assert.deepEqual(await saidOfLast(forged), ['the first operator key does not sign itself'])
})

test('what ends a key needs no proof of possession, and names one that was added', async () => {
  const builder = begun()
  builder.endKey(builder.issuer)
  assert.deepEqual(await saidOfLast(builder), [])
  const unknown = begun()
  unknown.endKey(sampleKey('issuer', 'unknown'))
  const [said = ''] = await saidOfLast(unknown)
  assert.match(said, /was never added$/)
})

test('a writ is what its id says, and signed by the key that it names', async () => {
  const { builder } = opened()
  const body = writBody(builder, { nonce: CHILD })
  const write = async (id: Address, signer: 'issuer' | 'kernel'): Promise<string[]> => {
    const it = opened()
    const signature = { ...it.builder[signer].sign('writ', body) }
    const payload = { salt: 'c2FsdA==', writ: { id, body: { ...body } as JsonObject, signature } }
    it.builder.append('main', 'writ', payload, { dfid: DFID })
    return saidOfLast(it.builder)
  }
  const id = computeAddress('writ', body, sha256)
  assert.deepEqual(await write(id, 'issuer'), [])
  assert.deepEqual(await write(OTHER, 'issuer'), ['writ id does not match'])
  assert.deepEqual(await write(id, 'kernel'), [
    'signed by another key than issuer_key',
    `key \`${builder.kernel.id}\` is not valid here as a issuer key`,
  ])
})

test('a writ below another may be signed by any key that its holder has; the first one by an issuer', async () => {
  for (const isBelow of [true, false]) {
    const builder = begun()
    builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
    const { kernel } = builder
    const parent = grant(builder, writBody(builder, { subject_key: kernel.id }))
    const delegation = { max_depth: 0, may_delegate: false }
    const below = isBelow ? { parent } : {}
    const body = writBody(builder, { nonce: CHILD, issuer_key: kernel.id, delegation, ...below })
    const id = computeAddress('writ', body, sha256)
    const writ = {
      id,
      body: { ...body } as JsonObject,
      signature: { ...kernel.sign('writ', body) },
    }
    builder.append('main', 'writ', { salt: 'c2FsdA==', writ }, { dfid: DFID })
    const wanted = isBelow ? [] : [`key \`${kernel.id}\` is not valid here as a issuer key`]
    assert.deepEqual(await saidOfLast(builder), wanted, String(isBelow))
  }
})

test('an intent names what it was made of, and where it stands', async () => {
  const elsewhere = 'the intent names another flow, attempt, trajectory or tenant'
  const cases: readonly (readonly [Partial<IntentBody>, string])[] = [
    [{ proposal_hash: OTHER }, 'proposal_hash does not match'],
    [{ policy_trace_hash: OTHER }, 'policy_trace_hash does not match'],
    [{ idempotency_key: OTHER }, 'idempotency_key does not match'],
    [{ params_fingerprint: OTHER }, 'params_fingerprint does not match'],
    [{ facts_hash: OTHER }, 'facts_hash of the intent does not match'],
    [{ tenant: 'other' }, elsewhere],
    [{ trajectory: 'aside' }, elsewhere],
    [{ attempt: 2 }, elsewhere],
  ]
  const lawful = opened()
  dispatch(lawful.builder, lawful.writId)
  assert.deepEqual(await saidOfLast(lawful.builder), [])
  for (const [change, said] of cases) {
    const { builder, writId } = opened()
    dispatch(builder, writId, change)
    assert.deepEqual(await saidOfLast(builder), [said], JSON.stringify(change))
  }
  const { builder, writId } = opened()
  const { record } = decide(builder, writId, { dfid: CHILD })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1 }, place)
  assert.deepEqual(await saidOfLast(builder), [elsewhere])
})

test('an intent has the id of what it says, and the signature of a kernel key over all of it', async () => {
  const sealed = async (change: JsonObject, signer: 'kernel' | 'issuer'): Promise<string[]> => {
    const { builder, writId } = opened()
    const { record, intent } = decide(builder, writId)
    const { kernel_signature: _, ...unsigned } = { ...intent, ...change }
    const kernel_signature = { ...builder[signer].sign('intent', unsigned) }
    const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
    const payload = { ...record, intent: { ...unsigned, kernel_signature }, send: 1 }
    builder.append('main', 'dispatch', payload, place)
    return saidOfLast(builder)
  }
  assert.deepEqual(await sealed({}, 'kernel'), [])
  assert.deepEqual(await sealed({ intent_id: OTHER }, 'kernel'), ['intent_id does not match'])
  const { id } = sampleKey('issuer', 'sample')
  assert.deepEqual(await sealed({}, 'issuer'), [`key \`${id}\` is not valid here as a kernel key`])
})

test('what is accepted is judged by the keys that stand before it, what is sent by what it cites', async () => {
  const accepted = opened()
  const late = sampleKey('kernel', 'late')
  accepted.builder.addKey(late)
  const { record, intent } = decide(accepted.builder, accepted.writId)
  const { kernel_signature: _, ...unsigned } = intent
  const signed = { ...unsigned, kernel_signature: { ...late.sign('intent', unsigned) } }
  accepted.builder.append('main', 'accepted', { ...record, intent: signed }, { dfid: DFID })
  assert.deepEqual(await saidOfLast(accepted.builder), [])
  const early = { dfid: DFID, authority_seq: accepted.builder.authoritySeq() - 1 }
  accepted.builder.entries.pop()
  accepted.builder.append('main', 'dispatch', { ...record, intent: signed, send: 1 }, early)
  assert.deepEqual(await saidOfLast(accepted.builder), [
    `key \`${late.id}\` is not valid here as a kernel key`,
  ])
})

test('a refusal has the facts that it names, or none, and nothing else filled in', async () => {
  const refuse = async (change: JsonObject): Promise<string[]> => {
    const { builder, writId } = opened()
    const { record } = decide(builder, writId)
    const { intent: _, jit: __, ...decision } = record
    const refused = { stage: 'policy', gate: 4, reason_code: 'POLICY_DENIED', details: {} }
    const payload = { ...decision, ...refused, ...change }
    builder.append('main', 'rejection', payload, { dfid: DFID })
    return saidOfLast(builder)
  }
  assert.deepEqual(await refuse({}), [])
  assert.deepEqual(await refuse({ facts_hash: OTHER }), ['facts_hash does not match'])
  assert.deepEqual(await refuse({ filled: ['agent_id'] }), [])
  assert.deepEqual(await refuse({ filled: [] }), ['`filled` is not a list of members in order'])
  const { builder } = opened()
  reject(builder)
  assert.deepEqual(await saidOfLast(builder), [], 'the parser has no facts')
})
