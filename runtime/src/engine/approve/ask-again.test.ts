import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from 'rubicon-kernel'
import { codeOf, type Desk, type DeskOptions, desk } from './escalation.test-support.ts'

const ANN = { name: 'ann@example.com', approver: true }

/** The state of the shop, of which a refund must not have moved. */
function shop(): { readonly options: DeskOptions; price: string } {
  const it = { price: '100' }
  const options: DeskOptions = {
    sources: [
      {
        source_id: 'shop',
        label: 'trusted',
        paths: ['shop.*'],
        read: async (paths) =>
          paths.map((path) => ({
            path,
            value: it.price,
            observed_at: '2026-06-01T12:00:00.000Z',
            version: it.price,
          })),
      },
    ],
    capability: {
      reads: () => ({ state: ['shop.price'] }),
      precondition: (_, view) =>
        view.state('shop.price')?.value === '100' ? null : 'it is closed',
    },
  }
  return Object.assign(it, { options })
}

async function asked(stage: Desk): Promise<string> {
  return (await stage.waiting()).request.id
}

test('an approval that would be refused is not given, and can be asked for again', async () => {
  const it = shop()
  const stage = await desk(it.options)
  const { flow } = await stage.ask('800.00')
  const id = await asked(stage)
  assert.equal(codeOf(await stage.engine().oversight.askAgain(id, ANN)), 'DECISION_INVALID')
  it.price = '0'
  assert.equal(codeOf(await stage.decide()), 'PRECONDITION_FAILED')
  assert.equal(await asked(stage), id, 'it waits as it did')
  const again = await stage.engine().oversight.askAgain(id, ANN)
  assert.ok(again.ok)
  assert.deepEqual(
    [again.value.superseded, again.value.answer.reason_code],
    [id, 'PRECONDITION_FAILED'],
  )
  assert.equal((await stage.flow(flow.dfid)).state, 'ACTIVE', 'its agent thinks again')
  const [closed] = await stage.engine().oversight.escalations({ state: 'closed' })
  assert.equal(closed?.ended, 'superseded')
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('under other rules a request is void, and is asked anew under those of now', async () => {
  const policies: Policy[] = []
  const stage = await desk({ policies, acceptRules: 'any-in-development' })
  await stage.ask('800.00')
  const id = await asked(stage)
  policies.push({
    name: 'new rule',
    version: '1',
    source: { kind: 'unpinned' },
    evaluate: () => ({ decision: { kind: 'permit' }, determining: ['all'], erroring: [] }),
  })
  await stage.restart()
  assert.equal(codeOf(await stage.decide()), 'APPROVAL_VOID')
  const again = await stage.engine().oversight.askAgain(id, ANN)
  assert.equal(again.ok && again.value.answer.outcome, 'ESCALATED')
  const fresh = await asked(stage)
  assert.notEqual(fresh, id)
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('asking again approves nothing, costs the agent nothing, and is for those who may decide', async () => {
  const it = shop()
  const stage = await desk(it.options)
  await stage.ask('800.00')
  const id = await asked(stage)
  it.price = '0'
  const { oversight } = stage.engine()
  const nobody = { name: 'cyd', approver: false }
  assert.equal(codeOf(await oversight.askAgain(id, nobody)), 'APPROVER_UNKNOWN')
  assert.equal(codeOf(await oversight.askAgain('nothing', ANN)), 'ESCALATION_UNKNOWN')
  const record = await stage
    .engine()
    .context.store.readRecord('escalation_budget', 'agents', 'refunds_bot')
  assert.equal(record?.body.spent.length, 1)
  assert.ok((await oversight.askAgain(id, ANN)).ok)
  const after = await stage
    .engine()
    .context.store.readRecord('escalation_budget', 'agents', 'refunds_bot')
  assert.equal(after?.body.spent.length, 1)
  assert.equal(codeOf(await oversight.askAgain(id, ANN)), 'ESCALATION_DECIDED')
  await stage.close()
})
