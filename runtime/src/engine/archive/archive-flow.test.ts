import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import {
  createRuntime,
  createScriptedProvider,
  type Flow,
  type Runtime,
  type RuntimeOptions,
} from '../../compose.ts'
import { formatArchiveLines, parseArchiveLine } from '../../evidence/archive/archive-line.ts'
import {
  CONTRACT,
  type Example,
  exampleCapability,
  exampleRuntime,
} from '../../evidence/example.test-support.ts'
import { exportLedger } from '../../evidence/export-ledger.ts'
import { replayTrajectory } from '../../evidence/replay.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { endOperatorKeyBefore } from '../authority/ended-operator.test-support.ts'
import { type SagaStage, sagaStage, sell, TRADER } from '../compensate/saga-stage.test-support.ts'
import { AGENT, flowStage } from '../flow/flow-stage.test-support.ts'
import { findEntries } from '../ledger/find/find-entries.ts'
import { updateLeafIndex } from '../ledger/find/index-leaves.ts'
import { Scrub } from '../ledger/scrub.ts'
import { ArchiveJudge } from './archivable.ts'
import { iterateEndedFlows, prepareArchiving } from './archivable-flows.ts'
import { type ArchivedFlow, archiveFlow } from './archive-flow.ts'
import { restoreFlow } from './restore-flow.ts'

const LATER = Date.UTC(2999, 0)
const FILE = { archive: `sha256:${hash('sha256', 'a file')}`, file: 'old.ndjson' }

type Kept = Readonly<Record<string, string>>

/** What went, by dfid; and why the others stayed. */
async function archiveAll(
  { engine: { context } }: Runtime,
  before = LATER,
): Promise<{ readonly went: readonly ArchivedFlow[]; readonly kept: Kept }> {
  await context.store.integrate()
  const judge = await ArchiveJudge.create(context, before)
  const went: ArchivedFlow[] = []
  const kept: Record<string, string> = {}
  for await (const flow of iterateEndedFlows(context)) {
    const judged = await judge.judge(flow)
    if ('kept' in judged) {
      kept[flow.dfid] = judged.kept
      continue
    }
    const payloads = new Map(
      judged.entries.map(({ leaf, payload, text }) => [leaf, { payload, text }]),
    )
    const archived = { dfid: flow.dfid, payloads }
    const done = await archiveFlow(context, judge, FILE, archived)
    assert.ok(done.ok && 'payloads' in done.value, JSON.stringify(done))
    went.push(archived)
  }
  return { went, kept }
}

async function ledgerOf({ runtime }: Example): Promise<string> {
  await runtime.engine.checkpoint()
  const lines: string[] = []
  const done = await exportLedger(runtime.store, (line) => void lines.push(line))
  return done.ok ? lines.join('') : done.error.code
}

test('the runtime goes on, folds the World, reads its ledger again and says what is archived', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const { store, engine } = runtime
  const { dfid } = await example.refund('20.00')
  const before = await ledgerOf(example)
  const { went } = await archiveAll(runtime)
  assert.deepEqual(
    went.map((one) => one.dfid),
    [dfid],
  )
  assert.equal(await ledgerOf(example), 'FLOW_ARCHIVED')
  const kinds = (await store.listFlowEntries(dfid)).filter(({ payload }) => payload !== null)
  assert.deepEqual(
    kinds.map(({ envelope }) => envelope.kind),
    ['commit'],
  )
  const scrub = new Scrub(engine.context)
  assert.equal((await scrub.round()).passes, 1)
  assert.deepEqual((await replayTrajectory(store, 'main', sha256)).findings, [])

  const settled = await engine.settled(dfid)
  assert.equal(settled.ok ? '' : settled.error.code, 'FLOW_ARCHIVED')
  const order = { order: 'o-9', amount: '1.00' }
  const late = await engine.propose(dfid, { policy_kind: 'REFUND', params: order })
  assert.deepEqual([late.outcome, late.reason_code], ['REJECTED', 'FLOW_ENDED'])
  assert.equal((await store.listFlowEntries(dfid)).length, 3, 'nothing of it is recorded')
  assert.equal((await engine.oversight.planErasure(dfid)).ok, false)
  assert.equal((await example.refund('30.00')).outcome, 'ACCEPTED')

  const [flow] = went
  assert.ok(flow !== undefined)
  const back = await restoreFlow(engine.context, FILE.archive, flow)
  assert.ok(back.ok && 'payloads' in back.value, JSON.stringify(back))
  assert.ok((await ledgerOf(example)).includes(before.split('\n').at(-2) ?? '?'))
  assert.deepEqual((await store.readFlow(dfid))?.tags, [])
  assert.ok((await engine.settled(dfid)).ok)
  await example.close()
})

test('what the file does not say word for word stays, and another file gives nothing back', async () => {
  const example = await exampleRuntime()
  const { context } = example.runtime.engine
  const { dfid } = await example.refund('20.00')
  await context.store.integrate()
  const judge = await ArchiveJudge.create(context, LATER)
  const flow = await context.store.readFlow(dfid)
  assert.ok(flow !== null)
  const judged = await judge.judge(flow)
  assert.ok('entries' in judged)
  const whole = judged.entries.map(({ leaf, payload }) => [leaf, { payload, text: null }] as const)
  const other = { payload: '{}', text: null }
  const others = [
    whole.slice(1),
    [...whole, [999, other] as const],
    whole.map(([leaf]) => [leaf, other] as const),
  ]
  for (const payloads of others) {
    const done = await archiveFlow(context, judge, FILE, { dfid, payloads: new Map(payloads) })
    assert.deepEqual(done.ok && 'kept' in done.value && done.value.kept, 'differs')
  }
  assert.ok((await archiveFlow(context, judge, FILE, { dfid, payloads: new Map(whole) })).ok)
  const foreign = await restoreFlow(context, 'sha256:other', { dfid, payloads: new Map(whole) })
  assert.ok(foreign.ok && 'kept' in foreign.value)
  for (const payloads of others.slice(0, 1)) {
    const done = await restoreFlow(context, FILE.archive, { dfid, payloads: new Map(payloads) })
    assert.ok(done.ok && 'kept' in done.value)
  }
  const wrong = new Map(whole.map(([leaf]) => [leaf, other]))
  await assert.rejects(restoreFlow(context, FILE.archive, { dfid, payloads: wrong }))
  await example.close()
})

test('what a model was asked and said goes with the flow, and comes back with it', async () => {
  const usage = { input_tokens: 50, output_tokens: 20 }
  const price = { input: '1.00', output: '2.00' }
  const acme = createScriptedProvider({ script: [{ text: 'yes', usage }], price })
  const stage = await flowStage({ models: { acme } })
  await stage.deploy({ safety_rules: { budget_per_flow: { tokens: '10000', usd: '1.00' } } })
  const { store, engine } = stage.runtime()
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const messages = [{ role: 'user', text: 'is it refundable?' } as const]
  assert.ok((await engine.generate(dfid, { model: 'm-1', messages, max_tokens: 100 })).ok)
  await engine.close(dfid)
  const texts = await store.listRecords('generation_text', dfid, { limit: 10 })
  assert.equal(texts.length, 1)
  const { went } = await archiveAll(stage.runtime())
  const [flow] = went
  assert.ok(flow !== undefined)
  assert.deepEqual(await store.listRecords('generation_text', dfid, { limit: 10 }), [])
  const held = [...flow.payloads.values()].flatMap(({ text }) => (text === null ? [] : [text]))
  assert.deepEqual(
    held,
    texts.map(({ body }) => body),
  )
  // Without them it is not what was archived.
  assert.ok((await restoreFlow(engine.context, FILE.archive, flow)).ok)
  const back = await store.listRecords('generation_text', dfid, { limit: 10 })
  assert.deepEqual(
    back.map(({ key, body }) => [key, body]),
    texts.map(({ key, body }) => [key, body]),
  )
  const judge = await ArchiveJudge.create(engine.context, LATER)
  const bare = new Map([...flow.payloads].map(([leaf, one]) => [leaf, { ...one, text: null }]))
  const kept = await archiveFlow(engine.context, judge, FILE, { dfid, payloads: bare })
  assert.ok(kept.ok && 'kept' in kept.value && kept.value.kept === 'differs')
  await stage.close()
})

test('a refusal is found by its code again once it was put back', async () => {
  const example = await exampleRuntime({ background: false })
  const { runtime } = example
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'too much' })
  const params = { order: 'o-1', amount: '9000.00' }
  await flow.propose({ policy_kind: 'REFUND', params })
  await runtime.engine.close(flow.dfid)
  while ((await runtime.store.countLeaves()) < 256) await example.refund('1.00')
  const find = async (): Promise<readonly (string | undefined)[]> => {
    const asked = { facts: { code: ['LIMIT_EXCEEDED'] } }
    const page = await findEntries(runtime.store, asked, { limit: 10 })
    return page.found.map(({ entry }) => entry.envelope.dfid)
  }
  const found = await find()
  assert.equal(found.length, 1)
  const { went } = await archiveAll(runtime)
  // The directory is made while nobody can read the code.
  await prepareArchiving(runtime.engine.context)
  assert.deepEqual(await find(), [])
  for (const one of went)
    assert.ok((await restoreFlow(runtime.engine.context, FILE.archive, one)).ok)
  await updateLeafIndex(
    runtime.store,
    went.flatMap(({ payloads }) => [...payloads.keys()]),
  )
  assert.deepEqual(await find(), found)
  await example.close()
})

test('no line of an archive is longer than what is read again, whatever a model said', async () => {
  const usage = { input_tokens: 50, output_tokens: 20 }
  const price = { input: '1.00', output: '2.00' }
  const acme = createScriptedProvider({ script: [{ text: 'yes', usage }], price })
  const stage = await flowStage({ models: { acme } })
  await stage.deploy({ safety_rules: { budget_per_flow: { tokens: '10000', usd: '1.00' } } })
  const { store, engine } = stage.runtime()
  const { dfid } = await stage.runtime().open({ agent: AGENT, trigger: 'ticket' })
  const messages = [{ role: 'user', text: 'is it refundable?' } as const]
  assert.ok((await engine.generate(dfid, { model: 'm-1', messages, max_tokens: 100 })).ok)
  await engine.close(dfid)
  const [text] = await store.listRecords('generation_text', dfid, { limit: 10 })
  assert.ok(text !== undefined)
  // As much as a reply may hold, and each of it takes two bytes in JSON.
  const body = { ...text.body, response: '"'.repeat(LIMITS.modelReplyBytes) }
  const place = { record: 'generation_text', group: dfid, key: text.key } as const
  await store.commit({ guards: [], writes: [{ kind: 'put_record', ...place, body }] })
  await store.integrate()
  const judge = await ArchiveJudge.create(engine.context, LATER)
  const flow = await store.readFlow(dfid)
  assert.ok(flow !== null)
  const judged = await judge.judge(flow)
  assert.ok('entries' in judged)
  for (const line of formatArchiveLines(judged).split('\n').slice(0, -1)) {
    const read = parseArchiveLine(line)
    assert.ok(read.ok, read.ok ? '' : read.error)
  }
  await stage.close()
})

test('only what ended before the time goes, and nothing twice', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const { dfid } = await example.refund('20.00')
  const open = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket' })
  assert.deepEqual((await archiveAll(runtime, 0)).kept, { [dfid]: 'young' })
  assert.equal((await archiveAll(runtime)).went.length, 1)
  assert.deepEqual((await archiveAll(runtime)).kept, { [dfid]: 'archived' })
  assert.equal((await runtime.store.readFlow(open.dfid))?.state, 'ACTIVE')
  await example.close()
})

function child(it: SagaStage, parent: Flow): Promise<Flow> {
  return it.runtime().open({ agent: TRADER, trigger: 'one leg', parent: parent.dfid })
}

test('a flow stays while one beside it can still fail, and have it taken back', async () => {
  const it = await sagaStage()
  const desk = await it.desk()
  const [first, second] = [await child(it, desk), await child(it, desk)]
  assert.equal((await sell(first)).execution?.status, 'SUCCESS')
  await it.engine().close(desk.dfid)
  const waiting = await archiveAll(it.runtime())
  assert.deepEqual(waiting.went, [])
  assert.deepEqual(new Set(Object.values(waiting.kept)), new Set(['open']))
  await sell(second, 'B')
  const { went } = await archiveAll(it.runtime())
  const all = new Set([desk.dfid, first.dfid, second.dfid])
  assert.deepEqual(new Set(went.map(({ dfid }) => dfid)), all)
  // The stage verifies its ledger when it closes, and that has to be whole.
  for (const flow of went)
    assert.ok((await restoreFlow(it.engine().context, FILE.archive, flow)).ok)
  await it.close()
})

test('what counts in a running window stays', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  await runtime.deploy({
    ...CONTRACT,
    version: '1.1.0',
    safety_rules: {
      budget_per_agent: { window_s: '604800', calls: '1000' },
      requires_human_approval: [],
    },
  })
  const { dfid } = await example.refund('20.00')
  assert.deepEqual((await archiveAll(runtime)).kept, { [dfid]: 'counted' })
  await example.close()
})

test('what an auditor has not seen stays', async () => {
  const example = await exampleRuntime()
  const { runtime } = example
  const { dfid } = await example.refund('20.00')
  const put = (leaf: number) =>
    runtime.store.commit({
      guards: [],
      writes: [
        {
          kind: 'put_record',
          record: 'audit_cursor',
          group: 'auditors',
          key: 'tone',
          body: { leaf },
        },
      ],
    })
  await put(0)
  assert.deepEqual((await archiveAll(runtime)).kept, { [dfid]: 'unseen' })
  await put(1_000)
  assert.equal((await archiveAll(runtime)).went.length, 1)
  await example.close()
})

test('what an auditor has not seen stays, also where it has never answered', async () => {
  const review = (): Promise<never> => Promise.reject(new Error('it is down'))
  const example = await exampleRuntime({
    auditors: [{ name: 'tone', review }],
    background: false,
  })
  const { runtime } = example
  const { dfid } = await example.refund('20.00')
  const { auditors } = runtime.engine.context.advisers
  auditors.round()
  await auditors.awaitSettled()
  assert.deepEqual((await archiveAll(runtime)).kept, { [dfid]: 'unseen' })
  await example.close()
})

test('a payload that somebody took out is not archived by a note that somebody made', async () => {
  const folder = temporaryFolder()
  const path = join(folder, 'rubicon.db')
  const at = { store: `sqlite:${path}`, stateDirectory: join(folder, 'state'), background: false }
  const example = await exampleRuntime(at)
  const { dfid } = await example.refund('20.00')
  await archiveAll(example.runtime)
  const { dfid: other } = await example.refund('30.00')
  await example.close()
  assert.equal(await start(at), 'started')
  const database = new DatabaseSync(path)
  database.exec(`UPDATE entries SET payload = NULL, packed = NULL
    WHERE dfid = '${other}' AND kind = 'writ'`)
  const said = database.prepare("SELECT body FROM records WHERE record = 'archive'").get()
  const leaves = Array.from({ length: 100 }, (_, leaf) => leaf).join()
  const body = String(said?.body)
    .replaceAll(dfid, other)
    .replace(/"leaves":\[[^\]]*\]/, `"leaves":[${leaves}]`)
  database
    .prepare(`INSERT INTO records (tenant, record, grp, key, version, body, code)
      SELECT tenant, record, grp, ?, 1, ?, code FROM records WHERE record = 'archive'`)
    .run(other, body)
  database.close()
  assert.equal(await start(at), 'HEAD_MISMATCH')
})

/** How a start ends, with a look at everything. */
async function start(options: RuntimeOptions): Promise<string> {
  const runtime = await createRuntime({
    ...options,
    capabilities: [exampleCapability(() => {})],
    report: () => {},
  })
  try {
    await runtime.start()
    await new Scrub(runtime.engine.context).round()
    return 'started'
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error)
  } finally {
    await runtime.close().catch(() => {})
  }
}

test('nothing is archived under a key that another operator has ended meanwhile', async () => {
  const example = await exampleRuntime()
  await example.refund('20.00')
  const before = await ledgerOf(example)
  await endOperatorKeyBefore(example.runtime, 'archive_flow')
  await assert.rejects(archiveAll(example.runtime), { code: 'KEY_UNREGISTERED' })
  const after = await ledgerOf(example)
  assert.ok(before.includes('ticket 1') && after.includes('ticket 1'), 'it is all there')
  await example.close()
})
