/** A decision atom on its way through the runtime, and both auditors. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Answer, SignedAtom } from 'rubicon-kernel'
import { createRuntime, RubiconError, type Runtime, type RuntimeOptions } from '../../compose.ts'
import { foundByBoth } from '../../evidence/both-verifiers.test-support.ts'
import {
  CONTRACT,
  type Example,
  exampleCapability,
  exampleRuntime,
} from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { recompileTrajectory } from '../../evidence/recompile.ts'
import type { Flow } from '../../flow.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { handClock } from '../flow/hand-clock.test-support.ts'

const BOUNDED = {
  ...CONTRACT,
  version: '1.1.0',
  safety_rules: {
    budget_per_flow: { calls: '3' },
    budget_per_agent: { window_s: '604800', calls: '100' },
    requires_human_approval: [],
  },
}

const open = ({ runtime }: Example, steps: 'one' | 'many' = 'many'): Promise<Flow> =>
  runtime.open({ agent: 'refunds_bot', trigger: 'a stream', steps })

function refund(flow: Flow, order: string, atom?: Pick<SignedAtom, 'atom_id'>): Promise<Answer> {
  const named = atom === undefined ? {} : { atom_id: atom.atom_id }
  const params = { order, amount: '20.00' }
  return flow.propose({ policy_kind: 'REFUND', step_id: order, params, ...named })
}

const told = ({ reason_code, outcome }: Answer): string => reason_code ?? outcome

async function exportText({ runtime }: Example): Promise<string> {
  const lines: string[] = []
  await runtime.engine.checkpoint()
  await exportLedger(runtime.store, (line) => void lines.push(line))
  return lines.join('')
}

async function readCalls({ runtime }: Example, flow: Flow): Promise<readonly number[]> {
  const window = await listWindow({ runtime } as Example)
  return [await runtime.store.readCounter(`${flow.dfid}:calls`), window]
}

async function listWindow({ runtime }: Example): Promise<number> {
  const index = Math.floor(runtime.engine.context.clock.now() / 604_800_000)
  return runtime.store.readCounter(`window refunds_bot 604800 ${index} calls`)
}

async function bounded(options: RuntimeOptions = {}): Promise<Example> {
  const example = await exampleRuntime({ background: false, ...options })
  await example.runtime.deploy(BOUNDED)
  return example
}

test('a decision under an atom is covered by it, uses it up, and both auditors and the law take it', async () => {
  const example = await bounded()
  const flow = await open(example)
  const atom = await flow.atom()
  assert.deepEqual(atom.policy_kinds, ['REFUND'])
  assert.deepEqual({ ...atom.reserved_cost }, { calls: '1' })
  assert.equal(Date.parse(atom.expires_at) - Date.parse(atom.issued_at), 60_000)
  assert.deepEqual(await readCalls(example, flow), [1, 1])
  const answer = await refund(flow, 'o-1', atom)
  assert.equal(told(answer), 'ACCEPTED')
  assert.equal(told(await refund(flow, 'o-1', atom)), 'REPEATED')
  assert.equal(told(await refund(flow, 'o-2', atom)), 'ATOM_USED')
  assert.equal(example.calls(), 1)
  // What was reserved for the atom is what the intent costs, and not reserved twice.
  assert.deepEqual(await readCalls(example, flow), [1, 1])
  const entries = await example.runtime.store.listFlowEntries(flow.dfid)
  const dispatch = entries.find(({ envelope }) => envelope.kind === 'dispatch')
  const { intent, trace } = JSON.parse(dispatch?.payload ?? '{}')
  assert.equal(intent.atom_id, atom.atom_id)
  const covered = trace.filter((line: { covered?: true }) => line.covered === true)
  assert.deepEqual(
    covered.map(({ stage }: { stage: string }) => stage),
    ['signature', 'scope', 'capability'],
  )
  assert.deepEqual(await foundByBoth(await exportText(example)), [])
  const { store, engine } = example.runtime
  const again = await recompileTrajectory(store, 'main', engine.context.book.rules)
  assert.deepEqual([again.differing, again.skipped], [[], []])
  await example.close()
})

test('what an atom holds counts for others, and goes back once it has expired unused', async () => {
  const clock = handClock()
  const example = await bounded({ clock })
  const flow = await open(example)
  const atoms = [await flow.atom(), await flow.atom(), await flow.atom()] as const
  assert.deepEqual(await readCalls(example, flow), [3, 3])
  await assert.rejects(
    flow.atom(),
    (error) => error instanceof RubiconError && error.code === 'BUDGET_EXCEEDED',
  )
  assert.equal(told(await refund(flow, 'o-0')), 'BUDGET_EXCEEDED')
  assert.equal(told(await refund(flow, 'o-1', atoms[0])), 'ACCEPTED')
  await clock.advance(59_000)
  await example.runtime.engine.reconcile()
  assert.deepEqual(await readCalls(example, flow), [3, 3])
  await clock.advance(1_001)
  assert.equal(told(await refund(flow, 'o-2', atoms[1])), 'ATOM_EXPIRED')
  await example.runtime.engine.reconcile()
  await example.runtime.engine.reconcile()
  assert.deepEqual(await readCalls(example, flow), [1, 1])
  assert.equal(told(await refund(flow, 'o-3', atoms[2])), 'ATOM_EXPIRED')
  assert.equal(told(await refund(flow, 'o-4', atoms[0])), 'ATOM_USED')
  await clock.advance(3_600_000)
  await example.runtime.engine.reconcile()
  await example.runtime.engine.reconcile()
  assert.deepEqual(await example.runtime.store.listRecords('atom', flow.dfid, { limit: 10 }), [])
  assert.deepEqual(await example.runtime.store.listRecords('atom_due', 'due', { limit: 10 }), [])
  assert.deepEqual(await readCalls(example, flow), [1, 1])
  assert.deepEqual(await foundByBoth(await exportText(example)), [])
  await example.close()
})

test('after a revocation an atom helps nobody, and after any other change of authority it covers nothing', async () => {
  const example = await bounded()
  const flow = await open(example)
  const atom = await flow.atom()
  await example.runtime.deploy({ ...CONTRACT, agent_id: 'somebody_else' })
  assert.equal(told(await refund(flow, 'o-1', atom)), 'ACCEPTED')
  const entries = await example.runtime.store.listFlowEntries(flow.dfid)
  const dispatch = entries.find(({ envelope }) => envelope.kind === 'dispatch')
  const { intent, trace } = JSON.parse(dispatch?.payload ?? '{}')
  assert.equal(intent.atom_id, atom.atom_id)
  assert.ok(trace.every((line: { covered?: true }) => line.covered === undefined))

  const next = await flow.atom()
  const stop = { agent_id: 'refunds_bot', to: 'SUSPENDED', actor: 'operator' } as const
  const moved = await example.runtime.engine.moveAgent({ ...stop, justification: 'looked at' })
  assert.ok(moved.ok)
  assert.equal(told(await refund(flow, 'o-2', next)), 'AGENT_SUSPENDED')
  await assert.rejects(
    flow.atom(),
    (error) => error instanceof RubiconError && error.code === 'AGENT_SUSPENDED',
  )
  assert.equal(example.calls(), 1)
  assert.deepEqual(await foundByBoth(await exportText(example)), [])
  await example.close()
})

test('an atom counts in no other flow, for no other kind, and not if nobody issued it', async () => {
  const example = await bounded()
  const flow = await open(example)
  const other = await open(example)
  const atom = await other.atom()
  assert.equal(told(await refund(flow, 'o-1', atom)), 'ATOM_INVALID')
  assert.equal(
    told(await refund(flow, 'o-2', { atom_id: `sha256:${'0'.repeat(64)}` })),
    'ATOM_INVALID',
  )
  await assert.rejects(
    flow.atom({ policy_kinds: ['WITHDRAW'] }),
    (error) => error instanceof RubiconError && error.code === 'RBAC_DENIED',
  )
  assert.equal(example.calls(), 0)
  await example.close()
})

test('of two that use one atom at the same time only one is dispatched', async () => {
  const example = await bounded()
  const flow = await open(example)
  const atom = await flow.atom()
  const answers = await Promise.all(['a', 'b', 'c'].map((order) => refund(flow, order, atom)))
  assert.deepEqual(answers.map(told).sort(), ['ACCEPTED', 'ATOM_USED', 'ATOM_USED'])
  assert.equal(example.calls(), 1)
  assert.deepEqual(await foundByBoth(await exportText(example)), [])
  await example.close()
})

test('where the rules ask for atoms nothing else passes', async () => {
  const topologies = [{ topology: 'SDS', policy_kinds: ['REFUND'] }] as const
  const example = await bounded({ topologies })
  const flow = await open(example)
  const plain = await refund(flow, 'o-1')
  assert.deepEqual([plain.reason_code, plain.stage], ['TOPOLOGY_MISMATCH', 'proof'])
  assert.equal(told(await refund(flow, 'o-1', await flow.atom())), 'ACCEPTED')
  assert.deepEqual(await foundByBoth(await exportText(example)), [])
  await example.close()
})

test('an atom outlives its process: what it holds is no divergence, and another process checks its signature', async () => {
  const folder = temporaryFolder()
  const openAt = (): Promise<Runtime> =>
    createRuntime({
      store: `sqlite:${join(folder, 'store.db')}`,
      stateDirectory: join(folder, 'state'),
      capabilities: [exampleCapability(() => {})],
      background: false,
      report: () => {},
    })
  const before = await openAt()
  await before.deploy(BOUNDED)
  const flow = await before.open({ agent: 'refunds_bot', trigger: 'a stream', steps: 'many' })
  const atom = await flow.atom()
  await before.close()
  const after = await openAt()
  await after.start()
  const resumed = await after.resume(flow.dfid)
  assert.equal(told(await refund(resumed, 'o-1', atom)), 'ACCEPTED')
  assert.equal(await after.store.readCounter(`${flow.dfid}:calls`), 1)
  await after.close()
  const last = await openAt()
  await last.start()
  assert.equal(told(await refund(await last.resume(flow.dfid), 'o-2', atom)), 'ATOM_USED')
  await last.close()
})
