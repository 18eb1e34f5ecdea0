/** A proof-carrying intent on its way through the runtime and both auditors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answer,
  type Contract,
  computeEvidenceHash,
  type Policy,
  type ProofCarryingIntent,
  parseContract,
  type Rules,
  toProofCarryingIntent,
} from 'rubicon-kernel'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import { CONTRACT, exampleCapability, exampleRuntime } from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { Flow } from '../../flow.ts'
import { buildRuleBook } from '../../rule-book.ts'
import type { Runtime } from '../../runtime.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { answering, LEAD, leadContract } from '../approve/family.test-support.ts'
import {
  createProver as createProverOf,
  type Prover,
  proveProposal,
} from './prover.test-support.ts'

type Example = { readonly runtime: Runtime }

const createProver = ({ runtime }: Example, subject = 'refunds_bot'): Promise<Prover> =>
  createProverOf(runtime, subject)

/** What an agent that proves its intents sends. */
function prove(
  { runtime }: Example,
  flow: Flow,
  by: Prover,
  change: Partial<ProofCarryingIntent> = {},
): ProofCarryingIntent {
  const wanted = { policy_kind: 'REFUND', params: { order: flow.dfid, amount: '20.00' } }
  return proveProposal(runtime, flow, by, wanted, change)
}

async function exportLines({ runtime }: Example): Promise<string[]> {
  const lines: string[] = []
  await runtime.engine.checkpoint()
  await exportLedger(runtime.store, (line) => void lines.push(line))
  return lines
}

const open = (example: Example): Promise<Flow> =>
  example.runtime.open({ agent: 'refunds_bot', trigger: 'proven' })
const told = ({ reason_code, outcome }: Answer): string => reason_code ?? outcome

test('a proof that holds runs once, stands in the record as it was sent, and both auditors take it', async () => {
  const example = await exampleRuntime()
  const by = await createProver(example)
  const flow = await open(example)
  const intent = prove(example, flow, by)
  assert.equal(told(await flow.propose(intent)), 'ACCEPTED')
  assert.equal(told(await flow.propose(intent)), 'REPEATED')
  assert.equal(example.calls(), 1)
  const lines = await exportLines(example)
  const recorded = lines
    .map((line) => JSON.parse(line))
    .find(({ payload }) => payload?.proposal?.evidence_hash !== undefined)
  assert.deepEqual(toProofCarryingIntent(recorded.payload.proposal), intent)
  const file = lines.join('')
  assert.deepEqual(await foundByBoth(file), [])
  await example.close()
})

test('a proof that fails ends its flow, and says by its code which of the four checks it was', async () => {
  const example = await exampleRuntime()
  const by = await createProver(example)
  const stranger = await createProver(example, 'somebody_else')
  const other = await open(example)
  const alter = (intent: ProofCarryingIntent): ProofCarryingIntent => {
    const params = { order: 'o', amount: '21.00' }
    return { ...intent, intent_payload: { ...intent.intent_payload, params } }
  }
  const cases: readonly (readonly [string, (flow: Flow) => ProofCarryingIntent])[] = [
    ['REJECT_AUTH', (flow) => alter(prove(example, flow, by))],
    ['REJECT_AUTH', (flow) => prove(example, flow, stranger)],
    ['REJECT_AUTH', (flow) => prove(example, flow, by, { key_id: 'agent-0000000000000000' })],
    ['REJECT_CONTEXT', () => prove(example, other, by)],
    [
      'REJECT_CONTEXT',
      (flow) => prove(example, flow, by, { context_ref: `sha256:${'6'.repeat(64)}` }),
    ],
    ['REJECT_HASH', (flow) => prove(example, flow, by, { evidence_hash: '0'.repeat(64) })],
  ]
  for (const [code, make] of cases) {
    const flow = await open(example)
    const answer = await flow.propose(make(flow))
    assert.deepEqual([answer.reason_code, answer.stage], [code, 'proof'], answer.feedback?.summary)
    const row = await example.runtime.store.readFlow(flow.dfid)
    assert.equal(row?.state, 'ABORTED', code)
    assert.equal(told(await flow.propose(prove(example, flow, by))), 'FLOW_NOT_OPEN')
  }
  assert.equal(example.calls(), 0)
  const file = (await exportLines(example)).join('')
  assert.deepEqual(await foundByBoth(file), [])
  await example.close()
})

test('what has another form is no proof, and costs no more than any other refusal of the parser', async () => {
  const example = await exampleRuntime()
  const by = await createProver(example)
  const flow = await open(example)
  const whole = prove(example, flow, by)
  const { roa_signature: _, ...unsigned } = whole
  const others: readonly object[] = [unsigned, { ...whole, more: 1 }]
  for (const one of others)
    assert.equal(
      (await flow.propose(one as ProofCarryingIntent)).reason_code,
      'SCHEMA_INVALID',
      JSON.stringify(one),
    )
  const next = await open(example)
  const inside = { intent_payload: { ...whole.intent_payload, agent_id: 'refunds_bot' } }
  assert.equal((await next.propose(prove(example, next, by, inside))).reason_code, 'SCHEMA_INVALID')
  assert.equal(
    (await next.propose({ policy_kind: 'REFUND', evidence_hash: '0'.repeat(64) })).reason_code,
    'SCHEMA_INVALID',
  )
  assert.equal((await next.propose(prove(example, next, by))).outcome, 'ACCEPTED')
  await example.close()
})

const BY_PROOF = { topologies: [{ topology: 'DL_PCI', policy_kinds: ['REFUND'] }] } as const

test('where the rules ask for proofs nothing else passes, and the context says what a proof binds', async () => {
  const example = await exampleRuntime(BY_PROOF)
  const by = await createProver(example)
  const flow = await open(example)
  const { context } = example.runtime.engine
  const { h_c, h_r } = flow.context.evidence ?? {}
  const said = prove(example, flow, by)
  const parts = { dfid: flow.dfid, context_ref: flow.context.snapshot_id }
  assert.equal(
    said.evidence_hash,
    computeEvidenceHash({ ...parts, h_c: h_c ?? '', h_r: h_r ?? '' }, context.sha256),
  )
  const plain = await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '1' } })
  assert.deepEqual([plain.reason_code, plain.stage], ['TOPOLOGY_MISMATCH', 'proof'])
  assert.equal(told(await flow.propose(said)), 'ACCEPTED')
  const act = { agent: 'refunds_bot', trigger: 'at once', policy_kind: 'REFUND' }
  const acted = await example.runtime.act({ ...act, params: { order: 'p', amount: '1' } })
  assert.equal(acted.answer.reason_code, 'TOPOLOGY_MISMATCH')
  assert.equal(example.calls(), 1)
  assert.deepEqual(await foundByBoth((await exportLines(example)).join('')), [])
  await example.close()
})

test('a proven step that is asked for again is answered, and its flow goes on, also where more was shown since', async () => {
  const example = await exampleRuntime(BY_PROOF)
  const by = await createProver(example)
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'long', steps: 'many' })
  const { snapshot_id } = flow.context
  const first = prove(example, flow, by)
  assert.equal(told(await flow.propose(first)), 'ACCEPTED')
  assert.notEqual((await flow.refresh()).snapshot_id, snapshot_id)
  assert.equal(told(await flow.propose(first)), 'REPEATED')
  const { intent_payload } = first
  const next = { intent_payload: { ...intent_payload, step_id: 'step-2' } }
  assert.equal(told(await flow.propose(prove(example, flow, by, next))), 'ACCEPTED')
  assert.equal(example.calls(), 2)
  assert.deepEqual(await foundByBoth((await exportLines(example)).join('')), [])
  await example.close()
})

test('an agent above lets pass what was proven, and cannot put anything without a proof in its place', async () => {
  const params = { order: 'o', amount: '700.00' }
  for (const [change, status, sent] of [
    [{}, 'SUCCESS', ['800.00']],
    [{ decision: 'MODIFY', modified: { params } }, 'FAILED', []],
  ] as const) {
    const stage = await desk({ ...BY_PROOF, contract: { parent_agent: LEAD } })
    await stage.runtime().deploy(leadContract(LEAD, '1000.00'))
    const example = { runtime: stage.runtime() }
    const by = await createProver(example)
    const lead = answering(stage, LEAD, change)
    const flow = await open(example)
    const { intent_payload } = prove(example, flow, by)
    const asked = { intent_payload: { ...intent_payload, params: { ...params, amount: '800.00' } } }
    assert.equal((await flow.propose(prove(example, flow, by, asked))).outcome, 'ESCALATED')
    const { execution } = (await lead.decided()) as Answer
    assert.deepEqual([execution?.status, stage.sent], [status, sent])
    assert.deepEqual(await foundByBoth((await exportLines(example)).join('')), [])
    await stage.close()
  }
})

test('what a person writes over a proof runs on the word of that person, and both auditors take it', async () => {
  const stage = await desk(BY_PROOF)
  const example = { runtime: stage.runtime() }
  const by = await createProver(example)
  const flow = await open(example)
  const params = { order: 'o', amount: '800.00' }
  const { intent_payload } = prove(example, flow, by)
  const asked = prove(example, flow, by, { intent_payload: { ...intent_payload, params } })
  assert.equal((await flow.propose(asked)).outcome, 'ESCALATED')
  const modified = { params: { ...params, amount: '700.00' } }
  assert.ok((await stage.decide({ decision: 'MODIFY', modified })).ok)
  assert.deepEqual(stage.sent, ['700.00'])
  assert.deepEqual(await foundByBoth((await exportLines(example)).join('')), [])
  await stage.close()
})

test('an instance is asked for proofs as its class is, and proves with a key of its own', async () => {
  const rows = [{ topology: 'DL_PCI', agents: ['refunds_bot'] }] as const
  const example = await exampleRuntime({ topologies: rows })
  const instance = 'refunds_bot.1'
  const { engine } = example.runtime
  assert.ok((await engine.instances.spawn({ class: 'refunds_bot', instance, narrowing: {} })).ok)
  const byClass = await createProver(example)
  const byInstance = await createProver(example, instance)
  const openInstance = (): Promise<Flow> =>
    example.runtime.open({ agent: instance, trigger: 'proven' })
  const flow = await openInstance()
  const plain = await flow.propose({ policy_kind: 'REFUND', params: { order: 'o', amount: '1' } })
  assert.equal(plain.reason_code, 'TOPOLOGY_MISMATCH')
  assert.equal(told(await flow.propose(prove(example, flow, byInstance))), 'ACCEPTED')
  const other = await openInstance()
  assert.equal(told(await other.propose(prove(example, other, byClass))), 'REJECT_AUTH')
  assert.equal(example.calls(), 1)
  assert.deepEqual(await foundByBoth((await exportLines(example)).join('')), [])
  await example.close()
})

test('a rule change is tried on proven decisions as on any others, and not refused for what they were bound to', async () => {
  const example = await exampleRuntime(BY_PROOF)
  const by = await createProver(example)
  const propose = async (amount: string, change: Partial<ProofCarryingIntent> = {}) => {
    const flow = await open(example)
    const { intent_payload } = prove(example, flow, by)
    const payload = { ...intent_payload, params: { order: flow.dfid, amount } }
    await flow.propose(prove(example, flow, by, { intent_payload: payload, ...change }))
  }
  await propose('20.00')
  await propose('45.00')
  await propose('10.00', { evidence_hash: '0'.repeat(64) })
  const { store, engine } = example.runtime
  const { book, sha256 } = engine.context
  const differ = async (rules: Rules, changed: readonly Contract[] = []) => {
    const { decisions, differing } = await recompileTrajectory(store, 'main', rules, changed)
    assert.equal(decisions, 3)
    return differing.map(({ now }) => now.code)
  }
  assert.deepEqual(await differ(book.rules), [])
  const policy: Policy = {
    name: 'no-large',
    version: '1',
    source: { kind: 'unpinned' },
    evaluate: ({ measures }) => ({
      decision: Number(measures.amount) > 30 ? { kind: 'deny', reason: 'too large' } : null,
    }),
  }
  const stricter = buildRuleBook(
    [exampleCapability(() => {})],
    [policy],
    sha256,
    BY_PROOF.topologies,
  )
  assert.ok(stricter.ok)
  assert.deepEqual(await differ(stricter.value.rules), ['POLICY_DENIED'])
  const limits = [{ id: 'amount', kind: 'range', measure: 'amount', max: '15.00' }]
  const lower = parseContract({ ...CONTRACT, permissions: { policy_kinds: ['REFUND'], limits } })
  assert.ok(lower.ok)
  assert.deepEqual(await differ(book.rules, [lower.value]), ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'])
  await example.close()
})

test('a way that this runtime does not serve is refused when it starts', async () => {
  for (const topology of ['ANY', 'sds'])
    await assert.rejects(
      exampleRuntime({ topologies: [{ topology: topology as 'SDS' }] }),
      /topologies cannot be read/,
    )
})
