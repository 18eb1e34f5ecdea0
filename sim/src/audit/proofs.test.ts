import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Contract, JsonObject } from 'rubicon-kernel'
import { AskedClasses } from './asked-class.ts'
import { toCanonicalJson } from './bytes.ts'
import { AuditedProofs } from './proofs.ts'
import type { Line } from './report.ts'

const CONTRACT: Partial<Contract> = { compensation: ['REVERT'] }
const KEY = { key_id: 'agent-1', purpose: 'agent', public_key: 'a2V5', subject: 'a' }
const RULES = { topologies: [{ topology: 'DL_PCI', agents: ['a'] }] }
const BOUND = hash(
  'sha256',
  `f${hash('sha256', 'seen')}${hash('sha256', toCanonicalJson(CONTRACT))}${'0'.repeat(64)}`,
)

type Decision = { readonly intent?: JsonObject; readonly proposal?: JsonObject }

type Watch = {
  readonly found: string[]
  add(kind: string, payload: JsonObject): void
  decide(change?: Decision): void
}

/** A signature is the hash of key and message, so that whoever changes a byte has none. */
function sign(key: Uint8Array, message: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([key, message]), 'buffer')
}

function prove(payload: JsonObject, key_id: string): string {
  const document = {
    dfid: 'f',
    intent_payload: payload,
    context_ref: 'seen',
    evidence_hash: BOUND,
    key_id,
  }
  const text = toCanonicalJson(document)
  const type = 'application/vnd.rubicon.pci+json'
  const message = `DSSEv1 ${type.length} ${type} ${text.length} ${text}`
  return sign(Buffer.from('key'), Buffer.from(message)).toString('base64')
}

function watch(): Watch {
  const found: string[] = []
  const classes = new AskedClasses()
  const proofs = new AuditedProofs((_, detail) => void found.push(detail.replace(/^.*?: /, '')), {
    classes,
    findContract: () => CONTRACT as Contract,
    verify: (key, message, signature) => sign(key, message).equals(signature),
  })
  const it: Watch = {
    found,
    add(kind, payload) {
      const place = { id: '', leaf: 0, trajectory: 'main', seq: 1, at: '', dfid: 'f' }
      const line: Line = { ...place, authoritySeq: undefined, kind, payload }
      classes.add(line)
      proofs.add(line)
    },
    decide({ intent = {}, proposal = {} } = {}) {
      const payload = { step_id: 's', policy_kind: 'PAY', params: { to: 'x' } }
      const proven = {
        ...payload,
        dfid: 'f',
        agent_id: 'a',
        context_ref: 'seen',
        evidence_hash: BOUND,
        signature: { key_id: KEY.key_id, sig: prove(payload, KEY.key_id) },
      }
      const decided = {
        ...payload,
        intent_id: 'i',
        dfid: 'f',
        agent_id: 'a',
        snapshot_id: 'seen',
        contract_hash: 'contract',
        rules_hash: `sha256:${'0'.repeat(64)}`,
        capability_hash: 'pay',
        on_failure: 'REVERT_STATE',
      }
      it.add('dispatch', {
        intent: leaveOut({ ...decided, ...intent }),
        proposal: leaveOut({ ...proven, ...proposal }),
        facts: { flow: {} },
        trace: [],
      })
    },
  }
  const capability = { kind: 'PAY', compensations: ['REVERT'], world_only: false }
  const records = [
    { capability, capability_hash: 'pay' },
    { capability: { ...capability, compensations: [] }, capability_hash: 'wire' },
  ]
  it.add('policy', {
    body: { rules_hash: `sha256:${'0'.repeat(64)}`, rules: RULES, capabilities: records },
  })
  it.add('key', { body: { ...KEY, action: 'add' } })
  return it
}

/** Members that are null are not there. */
function leaveOut(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))
}

test('nothing is decided without a proof where the rules ask for one, but what a person wrote', () => {
  const it = watch()
  it.decide()
  assert.deepEqual(it.found, [])
  const plain = { evidence_hash: null, signature: null }
  it.decide({ proposal: plain, intent: { on_failure: null } })
  assert.deepEqual(it.found.splice(0), ['the rules ask for a proof, and it has none'])
  it.decide({ proposal: plain, intent: { on_failure: null, agent_id: 'b' } })
  const written = { ...plain, supersedes: 'p' }
  it.decide({ proposal: written, intent: { on_failure: null, approval: { approver: 'ann' } } })
  assert.deepEqual(it.found, [])
  it.decide({ proposal: written, intent: { on_failure: null, approval: { approver: 'agent:b' } } })
  assert.deepEqual(it.found, ['the rules ask for a proof, and it has none'])
})

test('a proof is of a key of the agent, over what is done, and good for one intent', () => {
  const wrong: readonly (readonly [Decision, readonly string[]])[] = [
    [
      { proposal: { params: { to: 'y' } } },
      ['its proof is not signed', 'what is done is not what was proven'],
    ],
    [{ intent: { params: { to: 'y' } } }, ['what is done is not what was proven']],
    [
      { intent: { snapshot_id: 'other' } },
      ['its proof is about something else', 'its proof binds something else'],
    ],
    [{ intent: { rules_hash: 'sha256:1' } }, ['its proof binds something else']],
    [
      { proposal: { evidence_hash: '1' } },
      ['its proof is not signed', 'its proof binds something else'],
    ],
    [
      { proposal: { signature: { key_id: 'agent-2', sig: '' } } },
      ['the key of its proof is none of the agent', 'its proof is not signed'],
    ],
  ]
  for (const [change, said] of wrong) {
    const it = watch()
    it.decide(change)
    assert.deepEqual(it.found, said)
  }
  const it = watch()
  it.decide()
  it.decide({ intent: { intent_id: 'j' } })
  assert.deepEqual(it.found.splice(0), ['its proof was used before'])
  it.add('key', { body: { ...KEY, action: 'retire' } })
  it.decide({ intent: { intent_id: 'j' } })
  assert.deepEqual(it.found, ['the key of its proof is none of the agent'])
})

test('a proof whose intent was given back before anything was sent may be used again', () => {
  const it = watch()
  it.decide()
  it.add('settle', { intent_id: 'i', status: 'ABANDONED' })
  it.decide({ intent: { intent_id: 'j' } })
  assert.deepEqual(it.found, [])
  it.add('settle', { intent_id: 'j', status: 'FAILED' })
  it.decide({ intent: { intent_id: 'k' } })
  assert.deepEqual(it.found, ['its proof was used before'])
})

test('what follows a failure is fixed by capability and contract, where there is a proof', () => {
  const it = watch()
  it.decide({ intent: { on_failure: 'ALERT_HUMAN' } })
  assert.deepEqual(it.found.splice(0), [
    'it fixes ALERT_HUMAN for its failure, and not REVERT_STATE',
  ])
  it.decide({ intent: { capability_hash: 'wire', on_failure: 'ALERT_HUMAN' } })
  assert.deepEqual(it.found, [])
  it.decide({ proposal: { evidence_hash: null }, intent: { agent_id: 'b' } })
  assert.deepEqual(it.found, ['it fixes REVERT_STATE for its failure, and not undefined'])
})

test('what was fixed happens, and nobody chooses', () => {
  const play = (...moves: readonly JsonObject[]): readonly string[] => {
    const it = watch()
    it.decide()
    it.add('settle', { intent_id: 'i', status: 'FAILED' })
    for (const move of moves) it.add('evidence', move)
    return it.found
  }
  const dirty = { status: 'PARTIAL_SUCCESS_DIRTY', details: {} }
  const begun = { status: 'COMPENSATING', details: { intent_id: 'i' } }
  const astray = ['f does not go the way that was fixed']
  assert.deepEqual(play(dirty, begun), [])
  assert.deepEqual(play({ source: 'agent' }, dirty), [], 'nothing of it stood')
  assert.deepEqual(play(dirty, { ...begun, details: { intent_id: 'another' } }), astray)
  assert.deepEqual(play(dirty, { ...begun, status: 'MANUAL_REVIEW' }), astray)
  assert.deepEqual(play(dirty, { source: 'agent' }), astray)
})
