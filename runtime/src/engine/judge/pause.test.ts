import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Answer } from 'rubicon-kernel'
import type { Failpoint } from '../../ports/failpoint.ts'
import { codeOf, type Desk, desk } from '../approve/escalation.test-support.ts'
import { AGENT } from '../flow/flow-stage.test-support.ts'

const PAUSING = { safety_rules: { pause_on_escalation: true } }
const SMALL = '20.00'
const ASKS = '600.00'

type Siblings = Desk & {
  propose(agent: string, amount: string): Promise<Answer>
  /** Once, when the runtime comes by there. */
  at(point: Failpoint, act: () => Promise<unknown>): void
}

/** An agent that pauses, and two instances of it. */
async function siblings(t: TestContext): Promise<Siblings> {
  let next: { readonly point: Failpoint; readonly act: () => Promise<unknown> } | null = null
  const failpoints = {
    async reach(point: Failpoint) {
      if (next?.point !== point) return
      const { act } = next
      next = null
      await act()
    },
  }
  const stage = await desk({ contract: PAUSING, failpoints })
  t.after(() => stage.close())
  for (const instance of ['bot-1', 'bot-2'])
    assert.ok((await stage.engine().instances.spawn({ class: AGENT, instance })).ok)
  return {
    ...stage,
    at(point, act) {
      next = { point, act }
    },
    async propose(agent, amount) {
      const flow = await stage.runtime().open({ agent, trigger: 'ticket' })
      const params = { order: flow.dfid, amount }
      return flow.propose({ policy_kind: 'REFUND', params })
    },
  }
}

for (const asking of [AGENT, 'bot-1'])
  test(`an agent that pauses does nothing through its instances while ${asking} waits`, async (t) => {
    const stage = await siblings(t)
    assert.equal((await stage.propose(asking, ASKS)).outcome, 'ESCALATED')
    for (const agent of [AGENT, 'bot-1', 'bot-2']) {
      assert.equal((await stage.propose(agent, SMALL)).reason_code, 'ESCALATION_PENDING', agent)
      assert.equal((await stage.propose(agent, ASKS)).reason_code, 'ESCALATION_PENDING', agent)
    }
    assert.deepEqual(stage.sent, [])
    assert.equal(codeOf(await stage.decide()), 'ok')
    assert.equal((await stage.propose('bot-2', SMALL)).outcome, 'ACCEPTED')
  })

for (const agent of [AGENT, 'bot-2'])
  test(`an agent that pauses sends nothing of ${agent} that was judged before an instance waits`, async (t) => {
    const stage = await siblings(t)
    stage.at('dispatch.before_commit', () => stage.propose('bot-1', ASKS))
    assert.equal((await stage.propose(agent, SMALL)).reason_code, 'ESCALATION_PENDING')
    assert.deepEqual(stage.sent, [])
    assert.equal(codeOf(await stage.decide()), 'ok')
    await stage.restart()
    assert.equal((await stage.propose(agent, SMALL)).outcome, 'ACCEPTED', 'none waits any more')
  })
