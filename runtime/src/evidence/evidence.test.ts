import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Contract, JsonObject, Policy, WorldFact } from 'rubicon-kernel'
import { parseContract } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { sha256 } from '../adapters/system/sha256.ts'
import type { Store } from '../ports/store.ts'
import { buildRuleBook } from '../rule-book.ts'
import { branchTrajectory } from './branch.ts'
import {
  CONTRACT,
  type Example,
  exampleCapability,
  exampleRuntime,
} from './example.test-support.ts'
import { exportBundle } from './export-bundle.ts'
import { exportLedger } from './export-ledger.ts'
import { recompileTrajectory } from './recompile.ts'
import { replayTrajectory } from './replay.ts'

async function exported(example: Example): Promise<string> {
  await example.runtime.engine.checkpoint()
  const lines: string[] = []
  const done = await exportLedger(example.runtime.store, (line) => void lines.push(line))
  assert.ok(done.ok)
  return lines.join('')
}

test('an exported ledger verifies, and one changed byte is found at its leaf', async () => {
  const example = await exampleRuntime()
  for (const amount of ['20.00', '900.00', '35.50']) await example.refund(amount)
  const text = await exported(example)
  const report = verifyAny(text, nodeCrypto)
  assert.deepEqual(report.findings, [])
  assert.equal(report.ok, true)
  assert.ok(report.entries > 10)

  const lines = text.split('\n')
  const at = lines.findIndex((line) => line.includes('"900.00"'))
  lines[at] = (lines[at] ?? '').replace('"900.00"', '"100.00"')
  const tampered = verifyAny(lines.join('\n'), nodeCrypto)
  assert.equal(tampered.ok, false)
  assert.equal(tampered.findings[0]?.leaf, at - 1)
  assert.equal(tampered.findings[0]?.code, 'PAYLOAD_HASH')
  await example.close()
})

test('a bundle of one flow verifies with nothing but the file', async () => {
  const example = await exampleRuntime()
  await example.refund('1.00')
  const { dfid } = await example.refund('20.00')
  await example.refund('2.00')
  await example.runtime.engine.checkpoint()
  const bundle = await exportBundle(example.runtime.store, sha256, dfid)
  assert.ok(bundle.ok)
  const report = verifyAny(bundle.value, nodeCrypto)
  assert.deepEqual(report.findings, [])
  assert.match(bundle.value, /"evidence_hash":"[0-9a-f]{64}"/)
  await example.close()
})

test('with executors of their own, a ledger and a bundle verify, and decisions are run again', async () => {
  const example = await exampleRuntime({ executors: 'separate' })
  const { dfid, execution } = await example.refund('20.00')
  assert.equal(execution?.status, 'SUCCESS')
  await example.refund('900.00')
  const text = await exported(example)
  assert.deepEqual(verifyAny(text, nodeCrypto).findings, [])
  assert.equal(text.match(/"kind":"accepted"/g)?.length, 1)

  const { store, engine } = example.runtime
  const bundle = await exportBundle(store, sha256, dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(verifyAny(bundle.value, nodeCrypto).findings, [])
  assert.match(bundle.value, /"evidence_hash":"[0-9a-f]{64}"/)
  const again = await recompileTrajectory(store, 'main', engine.context.book.rules)
  assert.deepEqual([again.decisions, again.differing, again.skipped], [2, [], []])
  const lower = await recompileTrajectory(store, 'main', engine.context.book.rules, [
    contractWithLimit('15.00'),
  ])
  assert.deepEqual(
    lower.differing.map(({ recorded, now }) => [recorded.outcome, now.code]),
    [['ACCEPTED', 'LIMIT_EXCEEDED']],
  )
  await example.close()
})

test('what was accepted and never sent has no evidence', async () => {
  const example = await exampleRuntime({ executors: 'elsewhere' })
  const flow = await example.runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  const params = { order: 'o', amount: '5.00' }
  const answer = await flow.propose({ policy_kind: 'REFUND', params }, { waitMs: 1 })
  assert.deepEqual([answer.outcome, answer.execution?.status], ['ACCEPTED', 'PENDING'])
  const { engine, store } = example.runtime
  assert.ok((await engine.cancel(flow.dfid, 'never mind')).ok)
  await engine.checkpoint()
  const bundle = await exportBundle(store, sha256, flow.dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(verifyAny(bundle.value, nodeCrypto).findings, [])
  assert.ok(
    bundle.value.includes('"status":"ABANDONED"') && !bundle.value.includes('evidence_hash'),
  )
  assert.equal(example.calls(), 0)
  await example.close()
})

test('a bundle of a child flow carries the flow it was delegated from', async () => {
  const example = await exampleRuntime()
  const parent = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'strategy',
    steps: 'many',
  })
  const child = await example.runtime.open({
    agent: 'refunds_bot',
    trigger: 'step',
    parent: parent.dfid,
  })
  const answer = await child.propose({
    policy_kind: 'REFUND',
    params: { order: 'o', amount: '5.00' },
  })
  assert.equal(answer.execution?.status, 'SUCCESS')
  await example.runtime.engine.checkpoint()
  const bundle = await exportBundle(example.runtime.store, sha256, child.dfid)
  assert.ok(bundle.ok)
  assert.deepEqual(verifyAny(bundle.value, nodeCrypto).findings, [])
  assert.ok(bundle.value.includes(parent.dfid))
  await example.close()
})

test('replay gives the World that the ledger recorded, and calls nothing', async () => {
  const example = await exampleRuntime()
  for (const amount of ['20.00', '35.50', '12.00']) await example.refund(amount)
  const calls = example.calls()
  const report = await replayTrajectory(example.runtime.store, 'main', sha256)
  assert.deepEqual(report.findings, [])
  const head = (await example.runtime.store.listHeads()).find(
    ({ trajectory }) => trajectory === 'main',
  )
  assert.equal(report.world_hash, head?.world_root)
  assert.equal(example.calls(), calls)
  const demanding = await replayTrajectory(example.runtime.store, 'main', sha256, {
    requireCompiler: 'another/1',
    worldHash: '00',
  })
  assert.deepEqual(
    demanding.findings.map(({ code }) => code),
    ['COMPILER_DRIFT', 'COMPILER_DRIFT', 'COMPILER_DRIFT', 'WORLD_MISMATCH'],
  )
  await example.close()
})

/** The store, in which one question is answered otherwise. */
function answering<K extends keyof Store>(store: Store, name: K, answer: Store[K]): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === name) return answer
      const found = Reflect.get(target, key)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

test('finding 30d: a World in the store that the entries do not add up to is replayed as sound', async () => {
  const example = await exampleRuntime()
  for (const amount of ['20.00', '35.50']) await example.refund(amount)
  const { store } = example.runtime
  const sound = await replayTrajectory(store, 'main', sha256, { full: true })
  assert.deepEqual([sound.findings, sound.resources], [[], 2])
  const [first, ...others] = await store.listWorld('main', null, 10)
  assert.ok(first !== undefined)
  const holding = (rows: readonly WorldFact[]): Store =>
    answering(store, 'listWorld', async () => rows)
  const codes = async (held: Store, full: boolean): Promise<readonly string[]> => {
    const { findings } = await replayTrajectory(held, 'main', sha256, { full })
    return findings.map(({ code, detail }) => `${code} ${detail.split('`')[0]}`)
  }
  const more = { ...first, value: 'more' }
  const other = `WORLD_MISMATCH the store has another ${first.kind} `
  assert.deepEqual(await codes(holding([more, ...others]), true), [other])
  assert.deepEqual(await codes(holding([{ ...first, id: 'x' }, ...others]), true), [
    other,
    `WORLD_MISMATCH the store has no ${first.kind} `,
  ])
  assert.deepEqual(await codes(holding([more, ...others]), false), [])
  const heads = (await store.listHeads()).map((head) => ({ ...head, world_root: '0'.repeat(64) }))
  const [told = ''] = await codes(
    answering(store, 'listHeads', async () => heads),
    false,
  )
  assert.match(told, /^WORLD_MISMATCH the entries add up to [0-9a-f]{64}, the store has 0{64}$/)
  await example.close()
})

test('a branch starts with the World of the entry it forks from, and the ledger still verifies', async () => {
  const example = await exampleRuntime()
  await example.refund('20.00')
  const [, main] = await example.runtime.store.listHeads()
  await example.refund('35.50')
  const seq = main?.seq ?? 0
  const { engine } = example.runtime
  const branched = await branchTrajectory(engine, {
    source: { trajectory: 'main', seq },
    name: 'what-if',
    note: 'try',
  })
  assert.ok(branched.ok)
  const head = (await example.runtime.store.listHeads()).find(
    ({ trajectory }) => trajectory === 'what-if',
  )
  assert.equal(head?.world_root, main?.world_root)
  const again = await branchTrajectory(engine, {
    source: { trajectory: 'main', seq },
    name: 'what-if',
    note: 'x',
  })
  assert.equal(again.ok, false)
  for (const name of ['authority', 'erasure']) {
    const source = { trajectory: 'main', seq }
    const taken = await branchTrajectory(engine, { source, name, note: 'x' })
    assert.equal(taken.ok ? null : taken.error.code, 'TRAJECTORY_EXISTS')
  }
  const replayed = await replayTrajectory(example.runtime.store, 'what-if', sha256)
  assert.deepEqual(replayed.findings, [])
  assert.equal(replayed.world_hash, main?.world_root)
  assert.deepEqual(verifyAny(await exported(example), nodeCrypto).findings, [])
  await example.close()
})

const noLarge: Policy = {
  name: 'no-large',
  version: '1',
  source: { kind: 'unpinned' },
  evaluate: ({ measures }) => ({
    decision: Number(measures.amount) > 30 ? { kind: 'deny', reason: 'too large' } : null,
  }),
}

test('recompile under the same law lists nothing; a changed policy and a changed limit list exactly what they touch', async () => {
  const example = await exampleRuntime()
  const amounts = ['10.00', '20.00', '31.00', '45.00', '900.00']
  for (const amount of amounts) await example.refund(amount)
  const { store } = example.runtime
  const same = await recompileTrajectory(store, 'main', example.runtime.engine.context.book.rules)
  assert.equal(same.decisions, amounts.length)
  assert.deepEqual(same.differing, [])

  const book = buildRuleBook([exampleCapability(() => {})], [noLarge], sha256)
  assert.ok(book.ok)
  const stricter = await recompileTrajectory(store, 'main', book.value.rules)
  assert.deepEqual(
    stricter.differing.map(({ recorded, now }) => [recorded.outcome, now.code]),
    [
      ['ACCEPTED', 'POLICY_DENIED'],
      ['ACCEPTED', 'POLICY_DENIED'],
    ],
  )

  const lower = await recompileTrajectory(
    store,
    'main',
    example.runtime.engine.context.book.rules,
    [contractWithLimit('15.00')],
  )
  assert.deepEqual(
    lower.differing.map(({ now }) => now.code),
    ['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'],
  )
  await example.close()
})

function contractWithLimit(max: string): Contract {
  const permissions = {
    policy_kinds: ['REFUND'],
    limits: [{ id: 'amount', kind: 'range', measure: 'amount', max }],
  }
  const parsed = parseContract({ ...CONTRACT, permissions } as JsonObject)
  assert.ok(parsed.ok)
  return parsed.value
}
