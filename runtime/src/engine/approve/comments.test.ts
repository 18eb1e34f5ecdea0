import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { createEmptyDatabase, describeWithServer } from '../../adapters/postgres/testing.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { COMMENTS } from '../rows/stored-escalation.ts'
import type { Onlooker } from './brief/standing.ts'
import { BOB, codeOf, type Desk, type DeskOptions, desk } from './escalation.test-support.ts'

const ann: Onlooker = { name: 'ann@example.com', approver: true }
const bob: Onlooker = { name: 'bob@example.com', approver: true }

async function onDesk(
  run: (stage: Desk, id: string) => Promise<void>,
  options: DeskOptions = {},
): Promise<void> {
  const stage = await desk(options)
  try {
    await stage.ask('600.00')
    await run(stage, (await stage.waiting()).request.id)
  } finally {
    await stage.close()
  }
}

function say(stage: Desk, id: string, who: Onlooker, text: string): Promise<string> {
  return stage.engine().oversight.addComment(id, who, text).then(codeOf)
}

async function listTexts(stage: Desk, id: string, who = bob): Promise<readonly string[]> {
  const brief = await stage.engine().oversight.brief(id, who)
  return (brief?.comments ?? []).map(({ by, text, yours }) => `${by}: ${text}${yours ? ' *' : ''}`)
}

/** The same on every store: what is said stays beside the request, and goes with its flow. */
async function talkAndErase(stage: Desk, id: string): Promise<void> {
  const { oversight, context } = stage.engine()
  const { dfid } = (await oversight.escalation(id))?.request ?? assert.fail()
  // Its own: what the runtime does beside it has entries too.
  const listIds = async (): Promise<readonly string[]> =>
    (await context.store.listFlowEntries(dfid)).map(({ id }) => id)
  const entries = await listIds()
  assert.equal(await say(stage, id, ann, 'who knows this customer?'), 'ok')
  assert.equal(await say(stage, id, bob, 'I do <b>well</b>'), 'ok')
  assert.deepEqual(await listIds(), entries, 'it is no entry')
  const said = ['ann@example.com: who knows this customer?', 'bob@example.com: I do <b>well</b> *']
  assert.deepEqual(await listTexts(stage, id), said)
  assert.equal(codeOf(await stage.decide({}, BOB, id)), 'ok')
  assert.deepEqual(await listTexts(stage, id), said, 'what was said before it was decided stays')
  const erased = await oversight.erase({ dfid, reason: 'asked for by the customer' })
  assert.ok(erased.ok, JSON.stringify(erased))
  assert.equal(erased.value.records.escalation_comments, 1)
  assert.equal(await context.store.readRecord(COMMENTS.record, COMMENTS.group, id), null)
  assert.equal(await say(stage, id, ann, 'and now?'), 'ESCALATION_UNKNOWN')
}

test('in memory: people talk about a request, beside the ledger, and an erasure takes it out', () =>
  onDesk(talkAndErase, { store: 'memory' }))

test('on SQLite: people talk about a request, beside the ledger, and an erasure takes it out', () =>
  onDesk(talkAndErase, { store: `sqlite:${join(temporaryFolder(), 'rubicon.db')}` }))

describeWithServer('comments on Postgres', () => {
  it('people talk about a request, beside the ledger, and an erasure takes it out', async () =>
    onDesk(talkAndErase, { store: await createEmptyDatabase() }))
})

test('a comment touches neither the request nor its version', () =>
  onDesk(async (stage, id) => {
    const { store } = stage.engine().context
    const before = await store.readRecord('escalation', 'open', id)
    assert.equal(await say(stage, id, ann, 'I am on it'), 'ok')
    assert.equal((await store.readRecord('escalation', 'open', id))?.version, before?.version)
  }))

test('a comment is said by somebody who is known, about a request that there is (K1)', () =>
  onDesk(async (stage, id) => {
    const stranger = { name: 'oidc:7', approver: true }
    assert.equal(await say(stage, id, stranger, 'let it through'), 'PERSON_UNKNOWN')
    assert.equal(await say(stage, 'none', ann, 'let it through'), 'ESCALATION_UNKNOWN')
    assert.deepEqual(await listTexts(stage, id), [])
  }))

test('a comment has words, and no more of them than fit', () =>
  onDesk(async (stage, id) => {
    for (const text of ['', ' \n\t', 'x'.repeat(LIMITS.commentLength + 1), 'half \ud83d'])
      assert.equal(await say(stage, id, ann, text), 'COMMENT_INVALID', JSON.stringify(text))
    assert.equal(await say(stage, id, ann, 'x'.repeat(LIMITS.commentLength)), 'ok')
  }))

test('a request has so many comments and no more, also where several speak at once', () =>
  onDesk(async (stage, id) => {
    for (let said = 0; said < LIMITS.commentsPerRequest - 1; said++)
      assert.equal(await say(stage, id, ann, `${said}`), 'ok')
    const both = await Promise.all([say(stage, id, ann, 'last'), say(stage, id, bob, 'last')])
    assert.deepEqual(both.toSorted(), ['COMMENTS_FULL', 'ok'])
    assert.equal((await listTexts(stage, id)).length, LIMITS.commentsPerRequest)
  }))

test('what is said at the moment of an erasure is not left behind (K2)', () =>
  onDesk(async (stage, id) => {
    assert.equal(codeOf(await stage.decide({}, BOB, id)), 'ok')
    const { oversight, context } = stage.engine()
    const { dfid } = (await oversight.escalation(id))?.request ?? assert.fail()
    await Promise.all([
      oversight.erase({ dfid, reason: 'asked for by the customer' }),
      ...[1, 2, 3].map((n) => say(stage, id, ann, `the customer is called Smith, ${n}`)),
    ])
    assert.equal(await context.store.readRecord(COMMENTS.record, COMMENTS.group, id), null)
  }))
