import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createModelGuard, createScriptedProvider } from '../../../../runtime/src/compose.ts'
import type { HttpPlace } from '../agent-auth/client.ts'
import { toLedgerEvent } from '../events/event-view.ts'
import { freshKey, get, post, problemOf, type Served, served } from '../served.test-support.ts'

const WORD = { justification: 'the photo shows it' }

type Flagged = Served & {
  readonly bot: HttpPlace
  readonly olga: HttpPlace
  readonly path: string
}

async function flagged(t: TestContext, tokens = '100000'): Promise<Flagged> {
  const script = (): string => '{"verdict":"does_not_fit","why":"another story"}'
  const provider = createScriptedProvider({ name: 'acme', script })
  const budget = { window_s: 3_600, tokens }
  const softGuards = [createModelGuard({ provider, model: 'm-1', budget })]
  const it = await served(t, { softGuards })
  const bot = await it.agent()
  const flow = await it.open(bot)
  await it.propose(bot, flow)
  await it.runtime.engine.context.advisers.guards.awaitSettled()
  return { ...it, bot, olga: it.person('olga', 'operator'), path: `/v1/flows/${flow.dfid}` }
}

test('an operator sees who flagged a flow and why, and clears it once', async (t) => {
  const { olga, path } = await flagged(t)
  const shown = (await get(olga, path)).body
  assert.deepEqual(shown.flow.tags, ['NEEDS_REVIEW'])
  const [{ kind, by, why, reviewed }] = shown.flags
  assert.deepEqual([kind, by, why, reviewed], ['soft_guard', 'model_guard', 'another story', false])
  const tagged = (await get(olga, '/v1/flows?tag=NEEDS_REVIEW')).body
  assert.equal(tagged.flows.length, 1)

  const stale = await post(olga, `${path}/review`, {
    body: { ...WORD, last_flag: 0 },
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(stale), [409, 'REVIEW_STALE'])
  const key = freshKey()
  const body = { ...WORD, last_flag: shown.flags[0].seq }
  const done = await post(olga, `${path}/review`, { body, headers: key })
  assert.deepEqual([done.status, done.body.by, done.body.repeated], [200, 'olga', false])
  assert.deepEqual((await post(olga, `${path}/review`, { body, headers: key })).body, done.body)
  const again = await post(olga, `${path}/review`, { body: WORD, headers: freshKey() })
  assert.deepEqual([again.status, again.body.repeated, again.body.at], [200, true, done.body.at])

  const after = (await get(olga, path)).body
  assert.deepEqual(after.flow.tags, [])
  assert.equal(after.flags[0].reviewed, true)
  const [review, ...more] = after.reviews
  assert.deepEqual([review.by, review.justification, more], ['olga', WORD.justification, []])
})

test('nobody else clears it, and not without a reason', async (t) => {
  const { olga, bot, path, person } = await flagged(t)
  for (const place of [bot, person('ann', 'approver'), person('ben', 'auditor')]) {
    const asked = await post(place, `${path}/review`, { body: WORD, headers: freshKey() })
    assert.deepEqual(problemOf(asked), [403, 'ROLE_MISSING'])
  }
  for (const body of [
    {},
    { justification: ' ' },
    { ...WORD, by: 'otto' },
    { ...WORD, last_flag: -1 },
  ]) {
    const asked = await post(olga, `${path}/review`, { body, headers: freshKey() })
    assert.equal(asked.status, 422, JSON.stringify(body))
  }
  assert.deepEqual((await get(olga, path)).body.flow.tags, ['NEEDS_REVIEW'])
  const unknown = await post(olga, '/v1/flows/nobody/review', { body: WORD, headers: freshKey() })
  assert.deepEqual(problemOf(unknown), [404, 'FLOW_UNKNOWN'])
})

test('an agent does not learn what a guard was asked, or that it has nothing left to ask with', async (t) => {
  const { olga, bot, path } = await flagged(t)
  type Shown = { readonly payload: { readonly source?: string; readonly generation_id?: string } }
  const list = async (place: HttpPlace): Promise<readonly Shown['payload'][]> => {
    const { entries } = (await get(place, path)).body as { entries: readonly Shown[] }
    return entries.map(({ payload }) => payload).filter(({ source }) => source === 'adviser')
  }
  assert.deepEqual(await list(bot), [{ source: 'adviser' }])
  const [asked] = await list(olga)
  const id = asked?.generation_id ?? ''
  const kept = await get(olga, `${path}/generations/${id}`)
  assert.match(kept.body.response, /another story/)
  assert.deepEqual(problemOf(await get(bot, `${path}/generations/${id}`)), [403, 'ROLE_MISSING'])
})

test('who listens is not told that a guard has nothing left to ask with', async (t) => {
  const { olga, path, runtime } = await flagged(t, '10')
  const { entries } = (await get(olga, path)).body as {
    entries: readonly { leaf: number; payload: { source?: string; reason_code?: string } }[]
  }
  const [entry] = entries.filter(({ payload }) => payload.source === 'adviser')
  assert.equal(entry?.payload.reason_code, 'ADVISER_BUDGET')
  const [stored] = await runtime.store.listLeaves(entry?.leaf ?? -1, 1)
  assert.ok(stored !== undefined)
  const { view, text } = toLedgerEvent(stored, 'bot')
  assert.deepEqual([view.kind, view.code], ['evidence', null])
  assert.ok(!text.includes('ADVISER_BUDGET'))
})
