/** Findings about rules: those in force are the recorded ones, whatever a process was started with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filed, refundBy, rulesStage } from './rules-stage.test-support.ts'

test('finding 9a: stricter rules recorded by one process bind another that holds the old ones', async () => {
  const stage = rulesStage()
  const first = await stage.start({ policies: [filed('ops', false)] })
  assert.equal((await refundBy(first)).outcome, 'ACCEPTED')
  const second = await stage.start({
    policies: [filed('ops', true)],
    agreed: {},
  })
  assert.equal((await refundBy(second)).reason_code, 'POLICY_DENIED')

  const before = stage.sent()
  const answer = await refundBy(first)
  assert.equal(answer.reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(stage.sent(), before, 'nothing was sent under rules that are not in force')
})

test('finding 9b: a process started with fewer rules than are in force says so and acts on nothing', async () => {
  const stage = rulesStage()
  await stage.start({ policies: [filed('ops', true)] })
  const recorded = stage.entries('policy').length
  const fewer = stage.engineOf({ policies: [] })
  const started = await fewer.start()
  assert.ok(started.ok)
  assert.equal(started.value.rules.kind, 'not_in_force')
  assert.equal((await refundBy(fewer)).reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(stage.sent(), 0)
  assert.equal(stage.entries('policy').length, recorded, 'and it has recorded nothing')
})
