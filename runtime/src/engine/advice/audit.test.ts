import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isObject, type JsonObject, LIMITS } from 'rubicon-kernel'
import type {
  AuditedStep,
  AuditFinding,
  AuditVerdict,
  SemanticAuditor,
} from '../../ports/semantic-auditor.ts'
import type { Store } from '../../ports/store.ts'
import { AGENT, type FlowStage, flowStage, plain, refund } from '../flow/flow-stage.test-support.ts'
import { Auditors } from './audit.ts'

type Review = (steps: readonly AuditedStep[], call: number) => Promise<unknown>

function auditor(review: Review, name = 'ombudsman'): SemanticAuditor & { calls(): number } {
  let calls = 0
  return {
    name,
    calls: () => calls,
    review: (steps) => {
      calls += 1
      return review(steps, calls) as Promise<readonly AuditFinding[]>
    },
  }
}

/** A refund of 40 or more looks too generous to it. */
const generous = async (steps: readonly AuditedStep[]): Promise<readonly AuditFinding[]> =>
  steps.map(({ dfid, step_id, params }) => ({
    dfid,
    step_id,
    verdict: Number(params.amount) >= 40 ? 'drifted' : 'aligned',
    why: `it paid ${String(params.amount)}`,
  }))

async function paid(stage: FlowStage, amount: string): Promise<string> {
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'my wedding is ruined!' })
  const params = { order: flow.dfid, amount }
  const answer = await flow.propose({ ...refund(), params, justification: 'the customer cried' })
  assert.equal(answer.execution?.status, 'SUCCESS')
  return flow.dfid
}

async function audited(stage: FlowStage): Promise<void> {
  const { auditors } = stage.engine().context.advisers
  auditors.round()
  await auditors.awaitSettled()
}

async function findings(stage: FlowStage, dfid: string): Promise<readonly AuditVerdict[]> {
  const { store } = stage.runtime()
  const found = await store.listRecords('finding', dfid, { limit: 100 })
  const entries = await stage.entries(dfid)
  const said = entries.filter(([, { source }]) => source === 'auditor')
  assert.deepEqual(
    said.map(([, payload]) => payload.finding),
    found.map(({ body }) => body.verdict),
    'the ledger and the records say the same',
  )
  return found.map(({ body }) => body.verdict)
}

test('what was carried out is reviewed, with what was asked, said and known', async () => {
  const seen: AuditedStep[] = []
  const stage = await flowStage({
    auditors: [
      auditor(async (steps) => {
        seen.push(...steps)
        return generous(steps)
      }),
    ],
  })
  await stage.deploy()
  const dfid = await paid(stage, '40.00')
  const flow = await stage.runtime().open({ agent: AGENT, trigger: 'too much' })
  assert.equal((await flow.propose(refund('501.00'))).outcome, 'REJECTED')
  await audited(stage)
  const [step, ...more] = seen
  assert.deepEqual(more, [], 'what was refused is not reviewed')
  const { outcome, ...asked } = step ?? assert.fail('nothing was reviewed')
  assert.deepEqual(asked, {
    dfid,
    step_id: 'step-1',
    agent_id: AGENT,
    mission: 'Refund what customers are owed.',
    trigger: 'my wedding is ruined!',
    policy_kind: 'REFUND',
    params: { order: dfid, amount: '40.00' },
    justification: 'the customer cried',
    state: {},
  })
  assert.deepEqual(outcome.observations, [{ refunded: '40.00' }])
  assert.deepEqual(await findings(stage, dfid), ['drifted'])
  const [, opinion] = (await stage.entries(dfid)).find(([kind]) => kind === 'evidence') ?? []
  const [, commit] = (await stage.entries(dfid)).find(([kind]) => kind === 'commit') ?? []
  assert.deepEqual(plain(opinion ?? {}), {
    source: 'auditor',
    finding: 'drifted',
    by: 'ombudsman',
    step_id: 'step-1',
    proposal_hash: commit?.proposal_hash,
    details: { why: 'it paid 40.00' },
  })
  assert.deepEqual((await stage.flow(dfid)).tags, [], 'a finding decides nothing')
  await stage.close()
})

test('every auditor has one finding of each step, also after a restart', async () => {
  const first = auditor(generous)
  const second = auditor(generous, 'controller')
  const stage = await flowStage({ auditors: [first, second] })
  await stage.deploy()
  const flows = [await paid(stage, '10.00'), await paid(stage, '50.00')]
  await audited(stage)
  await audited(stage)
  await stage.restart()
  await audited(stage)
  flows.push(await paid(stage, '10.00'))
  await audited(stage)
  assert.deepEqual([first.calls(), second.calls()], [2, 2])
  const found = []
  for (const dfid of flows) found.push(await findings(stage, dfid))
  assert.deepEqual(found, [
    ['aligned', 'aligned'],
    ['drifted', 'drifted'],
    ['aligned', 'aligned'],
  ])
  await stage.close()
})

test('more than a batch is reviewed batch after batch', async () => {
  const sizes: number[] = []
  const stage = await flowStage({
    auditors: [
      auditor(async (steps) => {
        sizes.push(steps.length)
        return generous(steps)
      }),
    ],
  })
  await stage.deploy()
  for (let i = 0; i <= LIMITS.auditSteps; i++) await paid(stage, '10.00')
  await audited(stage)
  assert.deepEqual(sizes, [LIMITS.auditSteps, 1])
  await stage.close()
})

const WRONG: Readonly<Record<string, (right: readonly AuditFinding[]) => unknown>> = {
  'says nothing': () => undefined,
  'leaves a step out': (right) => right.slice(1),
  'says it twice': ([first]) => [first, first],
  'speaks of another flow': (right) => right.map((one) => ({ ...one, dfid: 'another' })),
  'has a verdict of its own': (right) => right.map((one) => ({ ...one, verdict: 'fine' })),
  'does not say why': (right) => right.map(({ why: _, ...one }) => one),
  throws: () => {
    throw new Error('no model')
  },
}

for (const [what, spoil] of Object.entries(WRONG)) {
  test(`an auditor that ${what} is asked again later, and nothing of it is kept`, async () => {
    const ombudsman = auditor(async (steps, call) => {
      const right = await generous(steps)
      return call === 1 ? spoil(right) : right
    })
    const stage = await flowStage({ auditors: [ombudsman] })
    await stage.deploy()
    const dfid = await paid(stage, '40.00')
    const other = await paid(stage, '10.00')
    await audited(stage)
    assert.deepEqual(await findings(stage, dfid), [])
    await stage.clock.advance(LIMITS.backoffBaseMs - 1)
    await audited(stage)
    assert.equal(ombudsman.calls(), 1, 'not before its time')
    await stage.clock.advance(1)
    await audited(stage)
    assert.deepEqual(
      [await findings(stage, dfid), await findings(stage, other)],
      [['drifted'], ['aligned']],
    )
    await stage.close()
  })
}

test('an auditor that hangs is cut off, delays no decision and no other auditor', async () => {
  const hangs = auditor(() => new Promise(() => {}), 'slow')
  const stage = await flowStage({ auditors: [hangs, auditor(generous)] })
  await stage.deploy()
  const dfid = await paid(stage, '40.00')
  const { auditors } = stage.engine().context.advisers
  auditors.round()
  await stage.clock.advance(0)
  await stage.clock.advance(LIMITS.auditMs - 1)
  auditors.round()
  await paid(stage, '10.00')
  assert.equal(hangs.calls(), 1, 'it is still at it')
  await stage.clock.advance(1)
  await auditors.awaitSettled()
  assert.deepEqual(await findings(stage, dfid), ['drifted'])
  await stage.clock.advance(LIMITS.backoffBaseMs)
  auditors.round()
  await stage.clock.advance(0)
  assert.equal(hangs.calls(), 2)
  await stage.close()
})

test('of engines that share a store, one is heard', async () => {
  const ombudsman = auditor(generous)
  const stage = await flowStage({ auditors: [ombudsman] })
  await stage.deploy()
  const dfid = await paid(stage, '40.00')
  const { context } = stage.engine()
  const both = [0, 1].map(() => new Auditors(context, context.authorities))
  for (const auditors of both) auditors.round()
  for (const auditors of both) await auditors.awaitSettled()
  assert.deepEqual(await findings(stage, dfid), ['drifted'])
  await stage.close()
})

test('an auditor works on a copy, and its words are cut short and made visible', async () => {
  const stage = await flowStage({
    auditors: [
      auditor(async (steps) => {
        const right = await generous(steps)
        for (const { params } of steps) (params as Record<string, unknown>).amount = '0'
        return right.map((one) => ({ ...one, why: `\u200b${'x'.repeat(LIMITS.guardWords)}` }))
      }),
    ],
  })
  await stage.deploy()
  const dfid = await paid(stage, '40.00')
  await audited(stage)
  const [, opinion] = (await stage.entries(dfid)).find(([kind]) => kind === 'evidence') ?? []
  const details: JsonObject = isObject(opinion?.details) ? opinion.details : {}
  assert.equal(details.why, 'x'.repeat(LIMITS.guardWords - 1))
  await stage.close()
})

/** As a store of many writers: entries have no place in the tree until somebody asks for it. */
function placeLate(store: Store): Store {
  let placed = 0
  const late: Partial<Store> = {
    async integrate() {
      placed = await store.countLeaves()
    },
    listLeaves: (from, limit) =>
      store.listLeaves(from, Math.max(0, Math.min(limit, placed - from))),
  }
  return new Proxy(store, {
    get(_, name) {
      const member = Reflect.get(Object.hasOwn(late, name) ? late : store, name)
      return typeof member === 'function' ? member.bind(store) : member
    },
  })
}

test('an auditor never rests while what was carried out has no place in the tree yet', async () => {
  const stage = await flowStage({ auditors: [auditor(generous)] })
  await stage.deploy()
  const { context } = stage.engine()
  const store = placeLate(context.store)
  const auditors = new Auditors({ ...context, store }, context.authorities)
  const dfid = await paid(stage, '40.00')
  auditors.round()
  await auditors.awaitSettled()
  assert.deepEqual(await findings(stage, dfid), ['drifted'])
  await stage.close()
})
