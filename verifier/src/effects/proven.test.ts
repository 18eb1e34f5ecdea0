/** Ledgers whose intents carry proofs, or should: what both verifiers say of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Address,
  type ApprovalFact,
  type Contract,
  computeAddress,
  computeEvidenceHash,
  type Facts,
  hashEvidenceContract,
  type JsonObject,
  type JsonValue,
  NO_PAST,
  type OnFailure,
  type TopologyRow,
  toEvidenceRules,
  toSignedText,
} from 'rubicon-kernel'
import { nodeCrypto } from '../crypto/node-crypto.ts'
import type { Report } from '../report/report.ts'
import { places, verifyTwice } from '../samples/agreement.test-support.ts'
import { LedgerBuilder } from '../samples/ledger-builder.test-support.ts'
import { oracleReport, oracleSkip } from '../samples/oracle.test-support.ts'
import { BOT } from '../samples/sample-approvals.test-support.ts'
import { type SampleKey, sampleKey } from '../samples/sample-keys.test-support.ts'
import {
  AGENT,
  bootstrap,
  contract,
  DFID,
  decide,
  grant,
  rulesBody,
  writBody,
} from '../samples/sample-ledger.test-support.ts'
import { verifyAny } from '../verify-any.ts'

const { sha256 } = nodeCrypto
const SNAPSHOT = 'snapshot-1'
const SUPERSEDED: Address = `sha256:${'7'.repeat(64)}`
const PROOFS: readonly TopologyRow[] = [{ topology: 'DL_PCI', agents: [AGENT] }]
const STRANGER: SampleKey = { ...sampleKey('agent', 'stranger'), subject: 'somebody_else' }
const BY_BOT: Facts['auth'] = signedBy(BOT)

function signedBy({ id: key_id, subject }: SampleKey): Facts['auth'] {
  const signature = { key_id, purpose: 'agent', subject, valid: true } as const
  return { kind: 'signature', signature }
}

type Bound = { readonly dfid?: string; readonly of?: Contract; readonly rules?: string }

function bind(rules_hash: string, { dfid = DFID, of = contract, rules = rules_hash }: Bound = {}) {
  const h_c = hashEvidenceContract(of as unknown as JsonValue, sha256)
  const parts = { dfid, context_ref: SNAPSHOT, h_c, h_r: toEvidenceRules(rules) }
  return computeEvidenceHash(parts, sha256)
}

type Case = {
  readonly rows?: readonly TopologyRow[]
  /** What stands beside what is proposed, once it is known under which rules. */
  readonly carries?: (rules_hash: Address) => JsonObject
  /** As what it is signed; as a proof, where nobody says. */
  readonly type?: string
  readonly signer?: SampleKey | null
  readonly auth?: Facts['auth']
  readonly approval?: ApprovalFact
  /** What is to follow a failure; null: nothing is said of that. */
  readonly onFailure?: OnFailure | null
}

/** A ledger whose last entry is the dispatch, and of which everything but the proof is in order. */
function build({
  rows = PROOFS,
  carries = (hash) => ({ evidence_hash: bind(hash) }),
  type = 'pci',
  signer = BOT,
  auth = BY_BOT,
  approval,
  onFailure,
}: Case): LedgerBuilder {
  const builder = new LedgerBuilder()
  const rules = { ...(rulesBody().rules as JsonObject), topologies: rows as unknown as JsonValue }
  const rules_hash = computeAddress('rules', rules, sha256)
  bootstrap(builder, rulesBody({ rules, rules_hash }))
  for (const key of [BOT, STRANGER]) builder.addKey(key)
  builder.append('main', 'root', { protocol: 'rubicon/2', created_by: 'sample' })
  const writId = grant(builder, writBody(builder))
  const step = { dfid: DFID, agent_id: AGENT, step_id: 'step-1', policy_kind: 'BUY' }
  const said: JsonObject = {
    ...step,
    params: { quantity: '1.5' },
    context_ref: SNAPSHOT,
    ...carries(rules_hash),
  }
  const proposal = signer === null ? said : { ...said, signature: sign(signer, said, type) }
  const approved = approval === undefined ? {} : { approval }
  const usual = said.evidence_hash === undefined ? null : 'ALERT_HUMAN'
  const on_failure = onFailure === undefined ? usual : onFailure
  const fixed = on_failure === null ? {} : { on_failure }
  const decided = { rules_hash, ...approved, ...fixed }
  const { record } = decide(builder, writId, decided, { proposal, auth })
  const place = { dfid: DFID, authority_seq: builder.authoritySeq() }
  builder.append('main', 'dispatch', { ...record, send: 1 }, place)
  return builder
}

/** What both find in the dispatch. */
async function judge(change: Case = {}): Promise<readonly string[]> {
  const builder = build(change)
  const found = places(await verifyTwice(builder.text()))
  const last = `${builder.entries.length - 1} `
  assert.ok(
    found.every((one) => one.startsWith(last)),
    'everything before it is in order',
  )
  return found.map((one) => one.slice(last.length))
}

function sign(key: SampleKey, said: JsonObject, type: string): JsonObject {
  const { text } = toSignedText({ ...said, signature: { key_id: key.id, sig: '' } })
  return { ...key.sign(type, JSON.parse(text)) }
}

const UNPROVEN = ['AUTHORITY_ORDER']

test('a proof that binds its flow, contract and rules, and is signed by its agent, is found in order', async () => {
  assert.deepEqual(await judge(), [])
  assert.deepEqual(await judge({ rows: [] }), [], 'also where nobody asks for one')
})

test('an intent without a proof is found where its class asks for one, and nowhere else', async () => {
  const session: Facts['auth'] = { kind: 'session', agent_id: AGENT, key: null }
  const plain = { carries: () => ({}), signer: null, auth: session }
  assert.deepEqual(await judge(plain), UNPROVEN)
  const signed = { carries: () => ({}), type: 'proposal' }
  assert.deepEqual(await judge(signed), UNPROVEN, 'a signature is no proof')
  const rows = (row: Omit<TopologyRow, 'topology'>) => [{ topology: 'DL_PCI', ...row } as const]
  assert.deepEqual(await judge({ ...plain, rows: rows({ policy_kinds: ['BUY'] }) }), UNPROVEN)
  assert.deepEqual(await judge({ ...plain, rows: rows({}) }), UNPROVEN)
  assert.deepEqual(await judge({ ...plain, rows: rows({ policy_kinds: ['SELL'] }) }), [])
  assert.deepEqual(await judge({ ...plain, rows: rows({ agents: ['other'] }) }), [])
  assert.deepEqual(await judge({ ...plain, rows: rows({ agents: [] }) }), [])
})

test('a proof that nobody signed is none, whoever is said to have sent it', async () => {
  const session: Facts['auth'] = { kind: 'session', agent_id: AGENT, key: null }
  assert.deepEqual(await judge({ signer: null, auth: session }), UNPROVEN)
  assert.deepEqual(await judge({ signer: null, auth: session, rows: [] }), UNPROVEN)
})

test('a proof of another flow, contract or other rules is found, and so is one that is no hash', async () => {
  const others: readonly Bound[] = [
    { dfid: DFID.replace(/.$/, '1') },
    { of: { ...contract, version: '1.0.1' } },
    { rules: `sha256:${'0'.repeat(64)}` },
  ]
  for (const other of others)
    assert.deepEqual(
      await judge({ carries: (hash) => ({ evidence_hash: bind(hash, other) }) }),
      UNPROVEN,
    )
  for (const evidence_hash of [null, 1, '', [], {}, 'F'.repeat(64)])
    assert.deepEqual(await judge({ carries: () => ({ evidence_hash }) }), UNPROVEN)
})

test('a signature over the ordinary form is not taken for one over a proof, nor that of another agent', async () => {
  assert.notDeepEqual(await judge({ type: 'proposal' }), [])
  assert.deepEqual(await judge({ signer: STRANGER, auth: signedBy(STRANGER) }), UNPROVEN)
})

test('what an agent above wrote carries no word of a person', async () => {
  const written = (approver: string): string => {
    const approval: ApprovalFact = {
      request_id: 'r:1',
      decision: 'MODIFY',
      approver,
      decisions: 1,
      binds: SUPERSEDED,
      rules_hash: SUPERSEDED,
      lifts: [],
      impact: 'LOW_IMPACT',
      past: NO_PAST,
      valid_until: '2026-02-01T09:50:00.000Z',
      decided_at: '2026-02-01T09:00:01.000Z',
    }
    const auth: Facts['auth'] = { kind: 'approval', request_id: 'r:1', approver }
    const carries = (): JsonObject => ({ supersedes: SUPERSEDED })
    return build({ carries, signer: null, auth, approval }).text()
  }
  // That nobody approved it is found in both; here only the proof matters.
  const isAsked = ({ findings }: Report): boolean =>
    findings.some(({ detail }) => detail === 'its class asks for a proof')
  for (const [approver, asked] of [
    ['ann@example.com', false],
    ['agent:lead', true],
  ] as const) {
    const text = written(approver)
    assert.equal(isAsked(verifyAny(text, nodeCrypto)), asked, approver)
    if (oracleSkip === false) assert.equal(isAsked(await oracleReport(text)), asked, approver)
  }
})

test('what follows a failure is found where capability and contract do not say it, and where there is no proof', async () => {
  assert.deepEqual(await judge({ onFailure: 'ALERT_HUMAN' }), [])
  assert.deepEqual(await judge({ onFailure: 'REVERT_STATE' }), UNPROVEN)
  assert.deepEqual(await judge({ onFailure: null }), UNPROVEN)
  const signed = { rows: [], carries: () => ({}), type: 'proposal' }
  assert.deepEqual(await judge(signed), [])
  assert.deepEqual(await judge({ ...signed, onFailure: 'ALERT_HUMAN' }), UNPROVEN)
})
