/** The five properties that make a record of proofs good for an audit; docs/compliance.md names each test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { createProver, type Prover, proveProposal } from '../engine/judge/prover.test-support.ts'
import { foundByBoth } from './both-verifiers.test-support.ts'
import { type Example, exampleRuntime } from './example.test-support.ts'
import { exportBundle } from './export-bundle.ts'
import { exportLedger } from './export-ledger.ts'
import { recompileTrajectory } from './recompile.ts'

type Proven = { readonly example: Example; readonly by: Prover; readonly dfids: readonly string[] }

/** Two decisions that were accepted, and one that was refused for what it was bound to. */
async function decideThrice(): Promise<Proven> {
  const example = await exampleRuntime({ topologies: [{ topology: 'DL_PCI' }] })
  const { runtime } = example
  const by = await createProver(runtime, 'refunds_bot')
  const dfids: string[] = []
  for (const [amount, change] of [
    ['10.00', {}],
    ['20.00', {}],
    ['30.00', { evidence_hash: '0'.repeat(64) }],
  ] as const) {
    const flow = await runtime.open({ agent: 'refunds_bot', trigger: `a refund of ${amount}` })
    const wanted = { policy_kind: 'REFUND', params: { order: `o-${amount}`, amount } }
    await flow.propose(proveProposal(runtime, flow, by, wanted, change))
    dfids.push(flow.dfid)
  }
  await runtime.engine.checkpoint()
  return { example, by, dfids }
}

async function exportLines({ runtime }: Example): Promise<string[]> {
  const lines: string[] = []
  await exportLedger(runtime.store, (line) => void lines.push(line))
  return lines
}

test('independent verifiability: a bundle and the ledger are verified by two programs when the system is gone', async () => {
  const { example, dfids } = await decideThrice()
  const { store } = example.runtime
  const bundle = await exportBundle(store, nodeCrypto.sha256, dfids[0] ?? '')
  const ledger = (await exportLines(example)).join('')
  await example.close()
  assert.ok(bundle.ok)
  assert.deepEqual(await foundByBoth(bundle.value), [])
  assert.deepEqual(await foundByBoth(ledger), [])
})

test('immutable history: a decision that is changed, taken out or moved is found by two programs', async () => {
  const { example } = await decideThrice()
  const lines = await exportLines(example)
  await example.close()
  const at = lines.findIndex((line) => line.includes('"kind":"rejection"'))
  const [line = '', next = ''] = [lines[at], lines[at + 1]]
  const changed = lines.with(at, line.replace('REJECT_HASH', 'REJECT_AUTH'))
  const without = lines.toSpliced(at, 1)
  const moved = lines.with(at, next === '' ? (lines[at - 1] ?? '') : next)
  for (const other of [changed, without, moved])
    assert.notDeepEqual(await foundByBoth(other.join('')), [])
})

test('deterministic reproducibility: whoever judges the record again comes to what it says, and says which proof failed', async () => {
  const { example, dfids } = await decideThrice()
  const { store, engine } = example.runtime
  const judge = () => recompileTrajectory(store, 'main', engine.context.book.rules, [])
  const [first, second] = [await judge(), await judge()]
  assert.deepEqual([first.decisions, first.differing], [3, []])
  assert.deepEqual(second, first)
  const entries = await store.listFlowEntries(dfids[2] ?? '', ['rejection'])
  const { reason_code, trace } = JSON.parse(entries[0]?.payload ?? '{}')
  assert.equal(reason_code, 'REJECT_HASH')
  const [line] = trace.filter((one: { refusals?: unknown }) => one.refusals !== undefined)
  assert.deepEqual([line.stage, typeof line.refusals[0].details.wanted], ['proof', 'string'])
  const text = (await exportLines(example)).join('')
  assert.deepEqual(verifyAny(text, nodeCrypto), verifyAny(text, nodeCrypto))
  await example.close()
})

test('non-repudiation: what the agent signed cannot be said otherwise by whoever runs the system', async () => {
  const { example } = await decideThrice()
  const lines = await exportLines(example)
  await example.close()
  const at = lines.findIndex((line) => line.includes('"kind":"dispatch"'))
  const entry = JSON.parse(lines[at] ?? '{}')
  const { sig } = entry.payload.proposal.signature
  const other = `${sig.startsWith('A') ? 'B' : 'A'}${sig.slice(1)}`
  const forged = lines.with(at, (lines[at] ?? '').replaceAll(sig, other))
  assert.notDeepEqual(await foundByBoth(forged.join('')), [])
})
