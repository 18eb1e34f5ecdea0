import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, LIMITS } from 'rubicon-kernel'
import type { Flow } from '../../compose.ts'
import { desk } from '../approve/escalation.test-support.ts'
import { flowStage, refund } from './flow-stage.test-support.ts'

/** The answer so far, which a test can look at without waiting for it. */
function waitingFor(flow: Flow): { readonly answer: Promise<Answer>; heard(): boolean } {
  let isHeard = false
  const answer = flow.settled().finally(() => {
    isHeard = true
  })
  return { answer, heard: () => isHeard }
}

test('whoever waits hears the result of what a person allowed, and not before', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('800.00')
  const { answer, heard } = waitingFor(flow)
  await stage.clock.advance(LIMITS.settledLookMs)
  assert.equal(heard(), false)
  assert.ok((await stage.decide()).ok)
  assert.equal(heard(), false, 'it looks when the clock says so')
  await stage.clock.advance(LIMITS.settledLookMs)
  const { outcome, execution, dfid } = await answer
  assert.deepEqual([outcome, execution?.status, dfid], ['ACCEPTED', 'SUCCESS', flow.dfid])
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('what a person put in its place is what is heard of', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('800.00')
  const params = { order: 'o-1', amount: '600.00' }
  assert.ok((await stage.decide({ decision: 'MODIFY', modified: { params } })).ok)
  assert.equal((await flow.settled()).outcome, 'ACCEPTED')
  assert.deepEqual(stage.sent, ['600.00'])
  await stage.close()
})

test('an abort and an expiry are heard as refusals with their codes', async () => {
  const stage = await desk()
  const first = await stage.ask('800.00')
  assert.ok((await stage.decide({ decision: 'ABORT', justification: 'not this one' })).ok)
  const aborted = await first.flow.settled()
  assert.deepEqual([aborted.outcome, aborted.reason_code], ['REJECTED', 'FLOW_CANCELLED'])
  assert.equal(aborted.feedback?.details.justification, 'not this one')
  const second = await stage.ask('900.00')
  await stage.clock.advance(LIMITS.approvalWindowMs.usual)
  await stage.engine().runDue()
  const expired = await second.flow.settled()
  assert.deepEqual([expired.outcome, expired.reason_code], ['REJECTED', 'ESCALATION_EXPIRED'])
  assert.match(expired.trace_id, /^main\/\d+$/)
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('what was allowed and is refused at its release is heard as that refusal', async () => {
  let armed = true
  const reach = (point: string): void => {
    if (point !== 'release.before_commit' || !armed) return
    armed = false
    throw new Error('killed')
  }
  const stage = await desk({ failpoints: { reach } })
  const { flow } = await stage.ask('800.00')
  await assert.rejects(stage.decide(), /killed/)
  await stage.clock.advance(LIMITS.deadlineHorizonMs)
  await stage.engine().runDue()
  const { outcome, reason_code } = await flow.settled()
  assert.deepEqual([outcome, reason_code], ['REJECTED', 'WRIT_EXPIRED'])
  assert.deepEqual(stage.sent, [])
  await stage.close()
})

test('a flow that waits for nobody is answered with its last word', async () => {
  const stage = await flowStage()
  await stage.deploy()
  const done = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'ticket 1' })
  await done.propose(refund())
  assert.equal((await done.settled()).execution?.status, 'SUCCESS')
  const untouched = await stage.runtime().open({ agent: 'refunds_bot', trigger: 'ticket 2' })
  assert.equal((await untouched.settled()).reason_code, 'FLOW_NOT_OPEN')
  await untouched.cancel('not needed')
  assert.equal((await untouched.settled()).reason_code, 'FLOW_CANCELLED')
  const nowhere = await stage.engine().settled('019c0b5e-7c00-7000-8000-000000000001')
  assert.equal(nowhere.ok ? '' : nowhere.error.code, 'FLOW_UNKNOWN')
  await stage.close()
})

test('whoever stops waiting has stopped nothing', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('800.00')
  const patience = new AbortController()
  const waiting = flow.settled({ signal: patience.signal })
  patience.abort()
  await assert.rejects(waiting, { name: 'AbortError' })
  assert.equal((await stage.waiting()).request.dfid, flow.dfid)
  await stage.close()
})
