import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { toEntryView } from '../../../../server/src/http/views/entry-view.ts'
import { capabilities, contract } from '../../browser/refunds.test-support.ts'
import { type AttemptAccount, buildAttemptAccount, listAttempts } from './attempt-account.ts'
import { compareAttempts } from './attempt-diff.ts'
import { buildStory } from './story.ts'
import type { FlowEntry } from './story-parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-account-'))
let runtime: Runtime
let entries: readonly FlowEntry[]

/** Refused for too much, then paid. */
before(async () => {
  runtime = await createRuntime({ store: 'memory', stateDirectory: folder, capabilities })
  await runtime.deploy(contract())
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'ticket 1' })
  for (const amount of ['20000.00', '20.00'])
    await flow.propose({
      policy_kind: 'REFUND',
      params: { order: 'o_1', amount },
      justification: 'the parcel was late',
    })
  const { store } = runtime.engine.context
  entries = (await store.listFlowEntries(flow.dfid)).map(toEntryView)
})
after(async () => {
  await runtime.close()
  rmSync(folder, { recursive: true })
})

function accounts(given: readonly FlowEntry[]): readonly AttemptAccount[] {
  const story = buildStory(given)
  return listAttempts(story).map((attempt) => buildAttemptAccount(story, given, attempt))
}

test('each attempt has what its agent was shown by then, and what came of it alone', () => {
  const [refused, paid] = accounts(entries)
  assert.ok(refused !== undefined && paid !== undefined)
  assert.equal(refused.shown?.entry.kind, 'writ', 'what it was opened with')
  assert.deepEqual(refused.happened, [])
  assert.equal(refused.step, null)
  assert.equal(paid.shown?.entry.kind, 'writ', 'nothing newer was shown')
  assert.deepEqual(
    paid.happened.map(({ kind }) => kind),
    ['dispatch', 'commit'],
  )
  assert.equal(paid.step, 'step-1')
})

test('what came of an attempt whose text was left out is not of the attempt before it', () => {
  const given = entries.map((entry) =>
    entry.kind === 'dispatch' ? { ...entry, payload: null } : entry,
  )
  const [refused] = accounts(given)
  assert.deepEqual(refused?.happened, [])
})

test('what is known late of an effect stays with the attempt that sent it', () => {
  const late = entries.find(({ kind }) => kind === 'commit')
  const [refusal] = entries.filter(({ kind }) => kind === 'rejection')
  assert.ok(late !== undefined && refusal !== undefined)
  const before = entries.filter(({ kind }) => kind !== 'rejection' && kind !== 'commit')
  const [paid, refused] = accounts([...before, { ...refusal, id: 'later' }, late])
  assert.deepEqual(
    paid?.happened.map(({ kind }) => kind),
    ['dispatch', 'commit'],
  )
  assert.deepEqual(refused?.happened, [])
})

test('what a refusal or another look shows anew counts for the attempts after it', () => {
  const [refusal] = entries.filter(({ kind }) => kind === 'rejection')
  assert.ok(refusal !== undefined)
  const payload = { ...Object(refusal.payload), snapshot: { trigger: 'newer' } }
  const [refused, paid] = accounts(
    entries.map((entry) => (entry === refusal ? { ...entry, payload } : entry)),
  )
  assert.deepEqual([refused?.shown?.entry.kind, paid?.shown?.snapshot.trigger], ['writ', 'newer'])
})

test('entries without payloads, erased or archived, are no attempts and break nothing', () => {
  assert.deepEqual(accounts(entries.map((entry) => ({ ...entry, payload: null }))), [])
  const halfGone = entries.map((entry) =>
    entry.kind === 'writ' || entry.kind === 'rejection' ? { ...entry, payload: null } : entry,
  )
  const [paid, ...others] = accounts(halfGone)
  assert.deepEqual([paid?.shown, others.length], [null, 0])
})

test('two attempts differ by member: what was changed, and what that changed in the verdict', () => {
  const [refused, paid] = listAttempts(buildStory(entries))
  assert.ok(refused !== undefined && paid !== undefined)
  const lines = compareAttempts(refused, paid)
  const changed = lines.filter(({ isSame }) => !isSame)
  assert.deepEqual(
    changed
      .filter(({ member }) => !member.startsWith('found.'))
      .map(({ member, before: was, after: is }) => [member, was, is]),
    [
      ['params.amount', '20000.00', '20.00'],
      ['decision', 'rejected', 'accepted'],
      ['reason', 'LIMIT_EXCEEDED', null],
      ['stage', refused.stage, null],
    ],
  )
  assert.ok(lines.some(({ member, isSame }) => member === 'params.order' && isSame))
  assert.deepEqual(
    compareAttempts(paid, paid).filter(({ isSame }) => !isSame),
    [],
  )
})

test('a member that is missing is not one that is null, and deep values are compared whole', () => {
  const [, paid] = listAttempts(buildStory(entries))
  assert.ok(paid !== undefined)
  const withParams = (params: object) => ({
    ...paid,
    proposal: { policy_kind: 'REFUND', params: { ...params } } as const,
  })
  const diff = compareAttempts(
    withParams({ a: null, b: { c: [1, 2] } }),
    withParams({ b: { c: [2, 1] } }),
  )
  assert.deepEqual(
    diff.filter(({ isSame }) => !isSame).map(({ member }) => member),
    ['params.a', 'params.b.c'],
  )
})
