import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, JsonObject } from 'rubicon-kernel'
import { BOB, type Desk, type DeskOptions, desk } from '../approve/escalation.test-support.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'

const act = (it: Desk, amount: string, more: object = {}) =>
  it.runtime().act({
    agent: AGENT,
    trigger: 'ticket 1',
    policy_kind: 'REFUND',
    params: { order: 'o_1', amount },
    ...more,
  })

async function readAnswer(it: Desk, dfid: string): Promise<Answer> {
  const found = await it.engine().calls.readAnswer(dfid)
  return found.ok ? found.value : assert.fail(found.error.summary)
}

/** What tells answers apart. */
function toShort({ outcome, reason_code, execution, attempt }: Answer): JsonObject {
  return {
    outcome,
    attempt,
    ...(reason_code === undefined ? {} : { reason_code }),
    ...(execution === undefined ? {} : { result: execution.result, status: execution.status }),
  }
}

const proposal = (amount: string, step_id: string) => ({
  policy_kind: 'REFUND',
  step_id,
  params: { order: 'o_2', amount },
})

test('what became of an act is the same whatever is proposed in its flow afterwards', async () => {
  const it = await desk()
  for (const steps of ['one', 'many'])
    for (const amount of ['20.00', '9999.00']) {
      const { answer, flow } = await act(it, amount, { steps })
      const first = toShort(answer)
      assert.deepEqual(toShort(await readAnswer(it, flow.dfid)), first)
      for (const next of [proposal('9999.00', 'step-2'), proposal('30.00', 'step-1')]) {
        await flow.propose(next)
        assert.deepEqual(toShort(await readAnswer(it, flow.dfid)), first, `${steps} ${amount}`)
      }
    }
  await it.close()
})

const TWO: DeskOptions = {
  contract: {
    safety_rules: { approvers: { needs: 2, of: ['ann@example.com', 'bob@example.com'] } },
  },
}

test('an act is asked about until everybody who has to has approved it, and then what ran', async () => {
  const it = await desk(TWO)
  const { answer, flow } = await act(it, '800.00', { steps: 'many' })
  assert.equal(answer.outcome, 'ESCALATED')
  assert.deepEqual(await readAnswer(it, flow.dfid), answer)
  assert.ok((await it.decide()).ok)
  assert.deepEqual(await readAnswer(it, flow.dfid), answer, 'one of two is not enough')
  assert.ok((await it.decide({}, BOB)).ok)
  const done = await readAnswer(it, flow.dfid)
  assert.deepEqual([done.outcome, done.execution?.status], ['ACCEPTED', 'SUCCESS'])
  await flow.propose(proposal('800.00', 'step-2'))
  assert.deepEqual(await readAnswer(it, flow.dfid), done, 'another request is about another step')
  assert.deepEqual(it.sent, ['800.00'])
  await it.close()
})

test('of a long flow no more is read than what was decided about its act', async () => {
  const it = await desk()
  const { flow } = await act(it, '20.00', { steps: 'many' })
  const { store } = it.runtime()
  const asked: unknown[] = []
  const list = store.listFlowEntries.bind(store)
  store.listFlowEntries = (dfid, kinds) => {
    asked.push(kinds)
    return list(dfid, kinds)
  }
  assert.equal((await readAnswer(it, flow.dfid)).outcome, 'ACCEPTED')
  store.listFlowEntries = list
  assert.deepEqual(asked, [['writ']])
  await it.close()
})

test('an act that a person refused stays refused, whatever its agent does next', async () => {
  const it = await desk()
  const { flow } = await act(it, '800.00', { steps: 'many' })
  assert.ok((await it.decide({ decision: 'ABORT', lifts: [] })).ok)
  const refused = await readAnswer(it, flow.dfid)
  assert.equal(refused.outcome, 'REJECTED')
  await flow.propose(proposal('20.00', 'step-1'))
  assert.equal((await readAnswer(it, flow.dfid)).reason_code, refused.reason_code)
  await it.close()
})
