import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientAnswer, Decided, EscalationBrief } from 'rubicon-agents/client'
import { brief, spending } from './brief.test-support.ts'
import {
  type BatchResult,
  type BatchServer,
  type BatchTask,
  decideEach,
  type Sent,
} from './decide-each.ts'

function ok<Body>(body: Body): ClientAnswer<Body> {
  return { ok: true, status: 200, headers: new Headers(), body } as ClientAnswer<Body>
}

function refused(code: string, status: number): ClientAnswer<never> {
  const problem = { code, status, title: code, detail: code, type: '' }
  return { ok: false, problem } as unknown as ClientAnswer<never>
}

type Desk = BatchServer & {
  readonly sent: (readonly [id: string, sent: Sent])[]
  readonly now: Map<string, EscalationBrief>
  readonly answers: Map<string, ClientAnswer<never>>
}

function desk(...briefs: readonly EscalationBrief[]): Desk {
  const now = new Map(briefs.map((one) => [one.id, one]))
  const answers = new Map<string, ClientAnswer<never>>()
  const sent: (readonly [id: string, sent: Sent])[] = []
  let keys = 0
  return {
    sent,
    now,
    answers,
    readBrief: async (id) => {
      const found = now.get(id)
      return found === undefined ? refused('ESCALATION_UNKNOWN', 404) : ok(found)
    },
    async decide(id, what) {
      sent.push([id, what])
      const decided: Decided = { request_id: id, dfid: id, outcome: 'approved', missing: 0 }
      return answers.get(id) ?? ok(decided)
    },
    createKey: () => `key ${++keys}`,
  }
}

async function run(
  server: Desk,
  shown: readonly EscalationBrief[],
  more: Partial<BatchTask> = {},
): Promise<readonly string[]> {
  const told: string[] = []
  const tell = (id: string, { kind }: BatchResult): void => void told.push(`${id} ${kind}`)
  await decideEach(server, {
    ...{ word: 'OVERRIDE', reason: 'office supplies', shown, unheard: new Map(), made: [], tell },
    isStopped: () => false,
    ...more,
  })
  return told
}

test('each is decided by itself, under a key of its own, bound to what was shown of it', async () => {
  const shown = [brief('a'), brief('b')]
  const server = desk(...shown)
  assert.deepEqual(await run(server, shown), ['a decided', 'b decided'])
  assert.deepEqual(
    server.sent.map(([id, { key, body }]) => [id, key, body.intent_digest, body.shown_facts]),
    [
      ['a', 'key 1', 'digest a', 'facts'],
      ['b', 'key 2', 'digest b', 'facts'],
    ],
  )
  const [, { body }] = server.sent[0] ?? assert.fail()
  assert.deepEqual(
    [body.decision, body.justification, body.acknowledged_impact, body.lifts],
    ['OVERRIDE', 'office supplies', 'LOW_IMPACT', ['limit']],
  )
})

test('one that moved since it was shown is not decided, and the others are (E1)', async () => {
  const shown = [spending('a', '0', '10'), spending('b', '0', '20'), brief('c')]
  const server = desk(...shown)
  server.now.set('a', spending('a', '7', '17'))
  server.now.set('c', brief('c', { binds: { ...brief('c').binds, intent_digest: 'another' } }))
  assert.deepEqual(await run(server, shown), ['a moved', 'b decided', 'c moved'])
})

test('what the list itself has made of a fact is no movement (E1)', async () => {
  const shown = [spending('a', '0', '10'), spending('b', '0', '20')]
  const server = desk(...shown)
  const decide = server.decide
  const moving: Desk = {
    ...server,
    async decide(id, sent) {
      if (id === 'a') server.now.set('b', spending('b', '10', '30'))
      return decide(id, sent)
    },
  }
  assert.deepEqual(await run(moving, shown), ['a decided', 'b decided'])
  assert.equal(server.sent[1]?.[1].body.shown_facts, 'facts 10', 'of what it was a moment before')
})

test('one that was decided, rose to a high impact, or is gone meanwhile is left out', async () => {
  const shown = [brief('a'), brief('b'), brief('c'), brief('d')]
  const server = desk(
    brief('a', { state: 'closed' }),
    brief('b', { impact: 'HIGH_IMPACT' }),
    brief('d'),
  )
  const told = await run(server, shown)
  assert.deepEqual(told, ['a obstacle', 'b obstacle', 'c refused', 'd decided'])
  assert.deepEqual(
    server.sent.map(([id]) => id),
    ['d'],
  )
})

test('a refusal is the answer of one, and the others go on', async () => {
  const shown = [brief('a'), brief('b')]
  const server = desk(...shown)
  server.answers.set('a', refused('APPROVAL_SNAPSHOT_MISMATCH', 409))
  assert.deepEqual(await run(server, shown), ['a refused', 'b decided'])
})

test('what was not heard of ends the run, and is sent again as it was, under its key (E2)', async () => {
  const shown = [brief('a'), brief('b'), brief('c')]
  const server = desk(...shown)
  server.answers.set('b', refused('SERVER_UNREACHABLE', 0))
  const unheard = new Map<string, Sent>()
  assert.deepEqual(await run(server, shown, { unheard }), ['a decided', 'b unheard'])
  server.answers.clear()
  // It had arrived after all.
  server.now.set('b', brief('b', { state: 'closed' }))
  assert.deepEqual(await run(server, shown.slice(1), { unheard }), ['b decided', 'c decided'])
  const [, first, again] = server.sent
  assert.deepEqual(again, first)
  assert.equal(unheard.size, 0)
})

test('a server that is too busy has done nothing, and nothing is sent behind it', async () => {
  const shown = [brief('a'), brief('b')]
  const server = desk(...shown)
  server.answers.set('a', refused('RATE_LIMITED', 429))
  assert.deepEqual(await run(server, shown), ['a unheard'])
})

test('stopped by its reader, the rest is not sent', async () => {
  const shown = [brief('a'), brief('b')]
  const server = desk(...shown)
  const isStopped = (): boolean => server.sent.length > 0
  assert.deepEqual(await run(server, shown, { isStopped }), ['a decided'])
})

test('a reject counts on any facts, and retires nobody', async () => {
  const shown = [spending('a', '0', '10')]
  const server = desk(spending('a', '7', '17'))
  assert.deepEqual(await run(server, shown, { word: 'ABORT' }), ['a decided'])
  const [, { body }] = server.sent[0] ?? assert.fail()
  assert.deepEqual(
    [body.decision, body.lifts, body.retire, body.shown_facts],
    ['ABORT', [], undefined, undefined],
  )
})
