/** Processes with rules of their own on one store: who may decide, and from when to when. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyPayload, RulesBody } from 'rubicon-kernel'
import { sha256 } from '../../adapters/system/sha256.ts'
import { createCedarPolicy } from '../../policies/cedar.ts'
import { buildRuleBook } from '../../rule-book.ts'
import { acceptanceOf, filed, refundBy, rulesStage } from './rules-stage.test-support.ts'

const LENIENT = [filed('ops', false)]
const STRICT = [filed('ops', true)]

test('RULES_NOT_IN_FORCE stores nothing and costs no retry', async () => {
  const stage = rulesStage()
  await stage.start({ policies: STRICT })
  const other = stage.engineOf({ policies: LENIENT })
  assert.ok((await other.start()).ok)
  const answer = await refundBy(other)
  assert.equal(answer.reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(answer.trace_id, '')
  assert.equal(stage.entries('rejection').length, 0)
  assert.deepEqual(answer.feedback?.details.differs, ['policy ops'])
  const flow = stage.tables.flows.get(answer.dfid)
  assert.deepEqual([flow?.rejections, flow?.transient_rejections], [0, 0])
})

test('rules recorded between the judgement and its dispatch stop it', async () => {
  const stage = rulesStage()
  let armed = false
  const first = await stage.start({
    policies: LENIENT,
    async reach(point) {
      if (!armed || point !== 'dispatch.before_commit') return
      armed = false
      await stage.start({ policies: STRICT, agreed: {} })
    },
  })
  armed = true
  assert.equal((await refundBy(first)).reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(stage.sent(), 0)
})

test('what was accepted under rules that were replaced is given back, not sent', async () => {
  const stage = rulesStage()
  const deciding = await stage.start({ policies: LENIENT, executors: 'elsewhere' })
  const accepted = await refundBy(deciding)
  assert.equal(accepted.outcome, 'ACCEPTED')
  const strict = await stage.start({ policies: STRICT, agreed: {}, executors: 'separate' })
  await strict.reconcile()
  await strict.context.inFlight.awaitDrained()
  assert.equal(stage.sent(), 0)
  const [settle] = stage.entries('settle')
  assert.equal(JSON.parse(settle?.payload ?? '{}').reason_code, 'RULES_NOT_IN_FORCE')
})

test('an executor whose rules are not in force leaves what was accepted to one whose are', async () => {
  const stage = rulesStage()
  const deciding = await stage.start({ policies: LENIENT, executors: 'elsewhere' })
  await refundBy(deciding)
  const foreign = stage.engineOf({ policies: [], executors: 'separate' })
  assert.ok((await foreign.start()).ok)
  await foreign.reconcile()
  await foreign.context.inFlight.awaitDrained()
  assert.equal(stage.sent(), 0)
  assert.equal(stage.entries('settle').length, 0)
  const executor = await stage.start({ policies: LENIENT, executors: 'separate' })
  await executor.reconcile()
  await executor.context.inFlight.awaitDrained()
  assert.equal(stage.sent(), 1)
})

test('until `previous_until` the former rules count too, and from then on not', async () => {
  const stage = rulesStage()
  const first = await stage.start({ policies: LENIENT })
  const agreed = { previousForMs: 60_000 }
  const second = await stage.start({ policies: STRICT, agreed })
  assert.equal((await refundBy(first)).outcome, 'ACCEPTED')
  assert.equal((await refundBy(second)).reason_code, 'POLICY_DENIED')
  await stage.clock.advance(59_999)
  assert.equal((await refundBy(first)).outcome, 'ACCEPTED')
  await stage.clock.advance(1)
  assert.equal((await refundBy(first)).reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(stage.sent(), 2)
})

test('a dispatch that comes after `previous_until` is not made, though it was judged before', async () => {
  const stage = rulesStage()
  let late = false
  const first = await stage.start({
    policies: LENIENT,
    async reach(point) {
      if (late && point === 'dispatch.before_commit') await stage.clock.advance(1)
    },
  })
  await stage.start({ policies: STRICT, agreed: { previousForMs: 60_000 } })
  await stage.clock.advance(59_999)
  late = true
  assert.equal((await refundBy(first)).reason_code, 'RULES_NOT_IN_FORCE')
  assert.equal(stage.sent(), 0)
})

test('a change is recorded by the hash that was printed for it, and by no other', async () => {
  const stage = rulesStage()
  await stage.start({ policies: LENIENT })
  const strict = stage.engineOf({ policies: STRICT })
  assert.ok((await strict.start()).ok)
  const printed = await acceptanceOf(strict)
  const other = await strict.oversight.acceptRules({ hash: `sha256:${'0'.repeat(64)}` })
  assert.ok(other.ok && other.value.kind === 'not_in_force')
  const agreed = await strict.oversight.acceptRules({ hash: printed })
  assert.ok(agreed.ok && agreed.value.kind === 'in_force' && agreed.value.acceptance === null)
  assert.equal((await refundBy(strict)).reason_code, 'POLICY_DENIED')
})

test('a yes that stands in a start script does not bring old rules back', async () => {
  const stage = rulesStage()
  await stage.start({ policies: [] })
  const lenient = stage.engineOf({ policies: LENIENT })
  assert.ok((await lenient.start()).ok)
  const hash = await acceptanceOf(lenient)
  assert.ok((await lenient.oversight.acceptRules({ hash })).ok)
  await stage.start({ policies: STRICT, agreed: {} })
  const again = stage.engineOf({ policies: LENIENT, accept: { hash } })
  const started = await again.start()
  assert.ok(started.ok && started.value.rules.kind === 'not_in_force')
})

test('a yes from before a roll back does not count again', async () => {
  const stage = rulesStage()
  const strict = await stage.start({ policies: STRICT })
  const lenient = stage.engineOf({ policies: LENIENT })
  assert.ok((await lenient.start()).ok)
  const hash = await acceptanceOf(lenient)
  const agreed = await lenient.oversight.acceptRules({ hash })
  assert.ok(agreed.ok && agreed.value.kind === 'in_force')
  await stage.start({ policies: STRICT, agreed: {} })
  assert.equal((await refundBy(strict)).reason_code, 'POLICY_DENIED', 'rolled back')
  const recorded = stage.entries('policy').length
  const again = await stage.engineOf({ policies: LENIENT, accept: { hash } }).start()
  assert.ok(again.ok && again.value.rules.kind === 'not_in_force')
  assert.equal(stage.entries('policy').length, recorded)
})

test('rules of the same version with another order of policies are not recorded without a yes', async () => {
  const stage = rulesStage()
  const [one, other] = [filed('one', false), filed('other', false)]
  await stage.start({ policies: [one, other] })
  const started = await stage.engineOf({ policies: [other, one] }).start()
  assert.ok(started.ok && started.value.rules.kind === 'not_in_force')
})

test('another software that says it has the same version does not put its rules back', async () => {
  const stage = rulesStage()
  await stage.start()
  const other = stage.engineOf({ reasonTable: `sha256:${'0'.repeat(64)}` })
  const started = await other.start()
  assert.ok(started.ok && started.value.rules.kind === 'not_in_force')
  assert.equal(stage.entries('policy').length, 1)
})

test('a policy for what is no kind is refused', () => {
  for (const applies_to of [['A, B'], [], 'REFUND', ['REFUND', 'REFUND'], [1]]) {
    const policy = { ...filed('ops', true), applies_to: applies_to as readonly string[] }
    const book = buildRuleBook([], [policy], sha256)
    assert.equal(book.ok ? '' : book.error.code, 'POLICY_INVALID', JSON.stringify(applies_to))
  }
})

test('nobody agrees to whatever comes where others share the store', async () => {
  const stage = rulesStage()
  await stage.start({ policies: STRICT })
  const accept = { hash: 'any-in-development' }
  const started = await stage.engineOf({ policies: LENIENT, accept }).start()
  assert.equal(started.ok ? '' : started.error.code, 'RULES_ANY_SHARED')
  assert.equal(stage.entries('policy').length, 1)
})

test('rules that counted until a time are not said to be in force after it', async () => {
  const stage = rulesStage()
  const first = await stage.start({ policies: LENIENT })
  await stage.start({ policies: STRICT, agreed: { previousForMs: 60_000 } })
  const kinds: (string | null)[] = []
  for (const ms of [59_999, 1]) {
    await stage.clock.advance(ms)
    const state = await first.oversight.rules()
    assert.ok(state.ok)
    kinds.push(state.value.kind, state.value.until)
  }
  assert.deepEqual(kinds, ['in_force', '2026-06-01T12:01:00.000Z', 'not_in_force', null])
})

test('holding fewer capabilities is fine; holding a changed or an unrecorded one is not', async () => {
  const stage = rulesStage()
  const refund = stage.refundCapability()
  const credit = stage.refundCapability({ kind: 'CREDIT' })
  const first = await stage.start({ capabilities: [refund, credit] })
  const fewer = stage.engineOf({ capabilities: [refund] })
  assert.ok((await fewer.start()).ok)
  assert.equal((await refundBy(fewer)).outcome, 'ACCEPTED')

  const changed = stage.refundCapability({ kind: 'CREDIT', version: '2' })
  const other = stage.engineOf({ capabilities: [refund, changed] })
  assert.ok((await other.start()).ok)
  const answer = await refundBy(other)
  assert.equal(answer.reason_code, 'RULES_NOT_IN_FORCE', 'though it is not the one that is asked')
  const { held, in_force, differs, capabilities } = answer.feedback?.details ?? {}
  assert.equal(held, in_force, 'the rules are the same: a capability is not among them')
  assert.deepEqual(differs, ['capability CREDIT'])
  const hashOf = ({ context }: typeof first) => context.book.capability('CREDIT')?.law.hash
  const hashes = { held: hashOf(other), in_force: hashOf(first) }
  assert.deepEqual(capabilities, [{ kind: 'CREDIT', ...hashes }])
})

test('an added capability is an entry of its own beside the rules, and takes nothing from others', async () => {
  const stage = rulesStage()
  const refund = stage.refundCapability()
  const first = await stage.start({ capabilities: [refund] })
  const credit = stage.refundCapability({ kind: 'CREDIT' })
  await stage.start({ capabilities: [refund, credit], agreed: {} })
  const [, added] = stage.entries('policy')
  const { body } = JSON.parse(added?.payload ?? '{}') as PolicyPayload
  assert.ok('action' in body && body.action === 'capability')
  assert.equal(body.capability.kind, 'CREDIT')
  assert.equal((await refundBy(first)).outcome, 'ACCEPTED')
})

test('a policy without a pinned source is refused where others share the store', async () => {
  const stage = rulesStage()
  const inline = { ...filed('ops', false), source: { kind: 'unpinned' } as const }
  const started = await stage.engineOf({ policies: [inline] }).start()
  assert.equal(started.ok ? '' : started.error.code, 'POLICY_UNPINNED')
})

test('the text of a Cedar policy stands in the ledger', async () => {
  const stage = rulesStage()
  const text = 'forbid(principal, action, resource) when { context.measures.amount like "9*" };'
  const policy = createCedarPolicy({ name: 'ops', version: '1', text }, sha256)
  assert.ok(policy.ok)
  await stage.start({ policies: [policy.value] })
  const [entry] = stage.entries('policy')
  const { texts } = (JSON.parse(entry?.payload ?? '{}') as { body: RulesBody }).body
  assert.deepEqual(Object.values(texts), [text])
})

test('a timer opens no flow where nothing could be decided in it', async () => {
  const stage = rulesStage()
  await stage.start({ policies: STRICT })
  const other = stage.engineOf({ policies: LENIENT })
  assert.ok((await other.start()).ok)
  const at = new Date(stage.clock.now()).toISOString()
  const timer = await other.timers.schedule({
    name: 'daily',
    agent: 'refunds_bot',
    trigger: 'timer',
    at,
  })
  assert.ok(timer.ok, timer.ok ? '' : timer.error.summary)
  await stage.clock.advance(1000)
  assert.equal((await other.runDue()).opened, 0)
})
