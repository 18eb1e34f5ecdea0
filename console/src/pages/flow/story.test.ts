import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createRuntime, type Runtime } from 'rubicon-runtime'
import { toEntryView } from '../../../../server/src/http/views/entry-view.ts'
import { capabilities, seedRefunds } from '../../browser/refunds.test-support.ts'
import { findErasure, parseOpening, parseProposed } from './entry-payload.ts'
import { buildStory } from './story.ts'
import type { Attempt, FlowEntry, Story } from './story-parts.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-story-'))
let runtime: Runtime
const entries = new Map<string, readonly FlowEntry[]>()

before(async () => {
  runtime = await createRuntime({ store: 'memory', stateDirectory: folder, capabilities })
  await seedRefunds(runtime)
  const { store } = runtime.engine.context
  for (const { dfid, trigger } of await store.listFlows({ limit: 10 }))
    entries.set(trigger.slice(0, 8), (await store.listFlowEntries(dfid)).map(toEntryView))
})
after(async () => {
  await runtime.close()
  rmSync(folder, { recursive: true })
})

function story(ticket: string): Story {
  return buildStory(entries.get(ticket) ?? [])
}

function attempts({ steps }: Story): readonly Attempt[] {
  return steps.filter((step) => step.kind === 'attempt')
}

function reached({ milestones }: Story): readonly string[] {
  return milestones.filter(({ at }) => at !== null).map(({ name }) => name)
}

test('what was allowed is one attempt that went all the way', () => {
  const told = story('ticket 1')
  assert.deepEqual(
    attempts(told).map(({ outcome, code }) => [outcome, code]),
    [['accepted', null]],
  )
  assert.deepEqual(reached(told).at(-1), 'settled')
  assert.deepEqual(
    told.spans.map(({ who }) => who),
    ['agent', 'effect'],
  )
})

test('what was refused names the stage and what it found, and nothing was sent', () => {
  const told = story('ticket 2')
  const [attempt] = attempts(told)
  assert.deepEqual([attempt?.outcome, attempt?.code], ['rejected', 'LIMIT_EXCEEDED'])
  assert.equal(attempt?.trace.at(-1)?.stage, attempt?.stage)
  assert.deepEqual(reached(told), ['observed', 'compiled', 'proposed', 'decided'])
})

test('a flow that was cancelled before anything was proposed proposed nothing', async () => {
  const flow = await runtime.open({ agent: 'refunds_bot', trigger: 'nothing to do' })
  await flow.cancel('the customer took it back')
  const { store } = runtime.engine.context
  const told = buildStory((await store.listFlowEntries(flow.dfid)).map(toEntryView))
  assert.deepEqual(reached(told), ['observed', 'compiled'])
})

test('what waits for a person has its triggers, and is not decided', () => {
  const told = story('ticket 3')
  const [attempt] = attempts(told)
  assert.deepEqual(reached(told), ['observed', 'compiled', 'proposed'])
  assert.deepEqual([attempt?.outcome, attempt?.code], ['escalated', 'AUTHORITY_CEILING'])
  assert.deepEqual(
    attempt?.why.map(({ code, details }) => [code, details.limit, details.max]),
    [['AUTHORITY_CEILING', 'alone', '500']],
  )
})

test('an effect that nobody knows of is dispatched and not settled', () => {
  const told = story('ticket 4')
  assert.deepEqual(reached(told).at(-1), 'dispatched')
  assert.equal(attempts(told).length, 1)
})

test('a flow that was erased says by whom, when and why, and tells nothing else', async () => {
  const { store } = runtime.engine.context
  const [flow] = await store.listFlows({ state: ['CLOSED'], limit: 1 })
  const dfid = flow?.dfid ?? ''
  const shown = async (): Promise<FlowEntry[]> =>
    (await store.listFlowEntries(dfid)).map(toEntryView)
  assert.equal(findErasure(await shown()), null)
  const request = { dfid, reason: 'asked for', by: 'p_olga' }
  assert.ok((await runtime.engine.oversight.erase(request)).ok)
  const left = await shown()
  const at = left.at(-1)?.at
  assert.deepEqual(findErasure(left), { at, by: 'p_olga', reason: 'asked for' })
  assert.deepEqual(buildStory(left).steps, [])
})

test('an erased payload leaves a gap, not a guess', () => {
  const [opening, ...rest] = entries.get('ticket 1') ?? []
  const erased = rest.map((entry) => ({ ...entry, payload: null }))
  const told = buildStory(opening === undefined ? [] : [opening, ...erased])
  assert.deepEqual(told.steps, [])
})

test('what a payload does not say is null', () => {
  assert.deepEqual(parseProposed(undefined), {
    kind: null,
    params: {},
    justification: null,
    confidence: null,
  })
  for (const odd of [null, 1, 'x', [], { flow: null }]) assert.equal(parseOpening(odd), null)
})

test('finding 30e: what ran without asking is shown without why it needs a review', () => {
  const flagged = [{ id: 'limit:size', code: 'AUTHORITY_CEILING', details: { limit: 'size' } }]
  const trace = [{ stage: 'preconditions', said: 'pass', read: [], flagged }]
  const payload = { attempt: 1, trace, intent: {}, proposal: {} }
  const place = { trajectory: 'main', seq: 1, leaf: 1, id: 'x', at: '2026-02-01T09:00:00.000Z' }
  const [attempt] = attempts(buildStory([{ ...place, kind: 'dispatch', payload }]))
  assert.deepEqual(
    [attempt?.outcome, attempt?.why.map(({ code }) => code)],
    ['accepted', ['AUTHORITY_CEILING']],
  )
})
