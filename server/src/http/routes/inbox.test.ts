import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import type { EscalationBrief } from '../../../../runtime/src/engine/approve/brief/brief.ts'
import type { Inbox } from '../../../../runtime/src/engine/approve/inbox.ts'
import {
  BUYER,
  createPurchaseCapability,
  purchaseContracts,
} from '../../../../scenarios/src/escalation.ts'
import { refundCapability } from '../../demo/refunds.ts'
import { createMovableClock } from '../../demo/stage.ts'
import { ask, type HttpAnswer, type HttpPlace } from '../agent-auth/client.ts'
import { freshKey, get, post, problemOf, type Served, served } from '../served.test-support.ts'

type Shop = Served & {
  readonly bought: readonly string[]
  readonly ann: HttpPlace
  ahead(ms: number): void
  /** Asks for a purchase of so much; answers with what a person is shown of it. */
  wanted(usd: string): Promise<EscalationBrief>
}

/** The agents of the `escalation` scenario, behind a server. */
async function shop(t: TestContext): Promise<Shop> {
  // It stands still until it is told to move: whether somebody was too fast is no matter of how busy the machine is.
  const clock = createMovableClock(Date.now())
  const bought: string[] = []
  const stage = await served(t, {
    clock,
    background: false,
    capabilities: [createPurchaseCapability(bought), refundCapability([])],
  })
  for (const contract of purchaseContracts()) await stage.runtime.deploy(contract)
  const ann = stage.person('ann@example.com', 'approver')
  return {
    ...stage,
    bought,
    ann,
    ahead: (ms) => clock.ahead(ms),
    async wanted(usd) {
      const flow = await stage.runtime.open({ agent: BUYER, trigger: `${usd} is wanted` })
      await flow.propose({ policy_kind: 'PURCHASE', params: { usd } })
      return brief(ann, `${flow.dfid}:1`)
    },
  }
}

async function brief(person: HttpPlace, id: string): Promise<EscalationBrief> {
  const { status, body } = await get(person, `/v1/escalations/${id}/brief`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function look(person: HttpPlace, query = ''): Promise<Inbox> {
  const { status, body } = await get(person, `/v1/inbox${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** What the console sends of a brief that was read. */
function approval(
  { binds, impact, acknowledge, now }: EscalationBrief,
  change: object = {},
): object {
  const { intent_digest, shown_snapshot, shown_facts, lifts } = binds
  return {
    decision: 'OVERRIDE',
    ...{ intent_digest, shown_snapshot, shown_facts, lifts },
    valid_until: new Date(Date.parse(now) + 600_000).toISOString(),
    justification: 'it is needed',
    acknowledged_impact: impact,
    ...(acknowledge === null ? {} : { acknowledgement: acknowledge }),
    ...change,
  }
}

function decide(
  person: HttpPlace,
  { id }: Pick<EscalationBrief, 'id'>,
  body: object,
  headers = freshKey(),
): Promise<HttpAnswer> {
  return post(person, `/v1/escalations/${id}/decision`, { body, headers })
}

function judge(person: HttpPlace, { id }: EscalationBrief, usd: string): Promise<HttpAnswer> {
  const body = { modified: { params: { usd } } }
  return post(person, `/v1/escalations/${id}/modification`, { body })
}

test('an OVERRIDE of what was shown runs it, and the brief says afterwards who did', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const shown = await wanted('5000')
  assert.deepEqual(
    [shown.acknowledge, shown.effect?.changes?.[0]?.after, shown.outlook?.kind],
    ['PURCHASE 5000', '5000', 'runs'],
  )
  ahead(LIMITS.highImpactDwellMs)
  const decided = await decide(ann, shown, approval(shown))
  assert.deepEqual([decided.status, decided.body.outcome], [200, 'released'])
  assert.deepEqual(bought, ['5000'])
  const after = await brief(ann, shown.id)
  assert.deepEqual([after.state, after.ended?.as], ['closed', 'released'])
  assert.equal(after.decisions[0]?.approver, 'ann@example.com')
  const next = await wanted('6000')
  assert.equal(next.effect?.changes?.[0]?.before, '5000', 'what was bought is a fact by now')
  assert.equal(next.before.overridden, 1)
})

test('a MODIFY makes a new proposal, which is judged like any other', async (t) => {
  const { wanted, ann, ahead, bought, runtime } = await shop(t)
  const shown = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const modified = { params: { usd: '3000' } }
  const unjudged = await decide(ann, shown, approval(shown, { decision: 'MODIFY', modified }))
  assert.deepEqual(problemOf(unjudged), [409, 'MODIFICATION_UNJUDGED'])
  const { body: judged } = await judge(ann, shown, '3000')
  assert.deepEqual(
    [judged.impact, judged.acknowledge, judged.outlook.kind, judged.effect.changes[0].after],
    ['HIGH_IMPACT', 'PURCHASE 3000', 'runs', '3000'],
  )
  const modify = approval(shown, {
    decision: 'MODIFY',
    modified,
    modification: judged.digest,
    acknowledgement: judged.acknowledge,
  })
  assert.deepEqual(problemOf(await decide(ann, shown, modify)), [409, 'DECISION_TOO_FAST'])
  ahead(LIMITS.highImpactDwellMs)
  const decided = await decide(ann, shown, modify)
  assert.deepEqual([decided.body.outcome, decided.body.answer.outcome], ['released', 'ACCEPTED'])
  assert.deepEqual(bought, ['3000'])
  const other = await wanted('4000')
  const { body: beyond } = await judge(ann, other, '20000')
  assert.deepEqual([beyond.outlook.code, beyond.digest], ['LIMIT_EXCEEDED', null])
  assert.equal(
    (await runtime.store.readFlow(other.dfid))?.state,
    'ESCALATED',
    'somebody still decides',
  )
})

test('an ABORT needs no words and no waiting, and ends the flow', async (t) => {
  const { wanted, ann, bought, runtime } = await shop(t)
  const shown = await wanted('5000')
  const { intent_digest, shown_snapshot } = shown.binds
  const body = { decision: 'ABORT', intent_digest, shown_snapshot, justification: 'no' }
  assert.equal((await decide(ann, shown, body)).body.outcome, 'aborted')
  assert.equal((await runtime.store.readFlow(shown.dfid))?.state, 'ABORTED')
  assert.deepEqual(bought, [])
})

test('finding 36g: a decision that came too soon is refused again under its key when there was time', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const shown = await wanted('5000')
  const question = { body: approval(shown), headers: freshKey() }
  const path = `/v1/escalations/${shown.id}/decision`
  assert.deepEqual(problemOf(await post(ann, path, question)), [409, 'DECISION_TOO_FAST'])
  ahead(LIMITS.highImpactDwellMs)
  const later = await post(ann, path, question)
  assert.deepEqual([later.status, later.headers.get('idempotent-replayed')], [200, null])
  assert.equal(bought.length, 1)
})

test('HIGH_IMPACT is not approved without its words, with others, or before it was read', async (t) => {
  const { wanted, ann, ahead, bought, runtime } = await shop(t)
  const shown = await wanted('5000')
  assert.deepEqual(problemOf(await decide(ann, shown, approval(shown))), [409, 'DECISION_TOO_FAST'])
  ahead(LIMITS.highImpactDwellMs)
  for (const acknowledgement of ['', 'PURCHASE 500', 'purchase 5000', 'HIGH_IMPACT']) {
    const refused = await decide(ann, shown, approval(shown, { acknowledgement }))
    assert.deepEqual(problemOf(refused), [422, 'IMPACT_UNACKNOWLEDGED'])
    assert.equal(refused.body.meta.acknowledge, 'PURCHASE 5000')
  }
  const { acknowledgement: _, ...silent } = approval(shown) as { acknowledgement: string }
  assert.equal(problemOf(await decide(ann, shown, silent))[1], 'IMPACT_UNACKNOWLEDGED')
  assert.deepEqual(bought, [])
  assert.equal((await decide(ann, shown, approval(shown))).status, 200)
  const entries = await runtime.store.listFlowEntries(shown.dfid)
  const [said] = entries.filter(({ envelope }) => envelope.kind === 'approval')
  const { body } = JSON.parse(said?.payload ?? '{}')
  assert.equal(body.acknowledgement, 'PURCHASE 5000', 'what was typed is on the record')
  assert.equal(body.shown_facts, shown.binds.shown_facts, 'and what was on the screen')
})

test('facts that move while somebody reads: refused with what moved, until it was looked at', async (t) => {
  const { wanted, ann, ahead, bought } = await shop(t)
  const first = await wanted('3000')
  ahead(1)
  const second = await wanted('4000')
  ahead(LIMITS.highImpactDwellMs)
  assert.equal((await decide(ann, first, approval(first))).status, 200)
  const stale = await decide(ann, second, approval(second))
  assert.deepEqual(problemOf(stale), [409, 'APPROVAL_SNAPSHOT_MISMATCH'])
  assert.deepEqual(stale.body.meta.moved, [
    { layer: 'world', name: 'account/purchases', was: null, is: { spent: '3000' } },
  ])
  assert.deepEqual(bought, ['3000'])
  const again = await brief(ann, second.id)
  assert.deepEqual(
    again.facts.map(({ name, moved }) => [name, moved]),
    [['account/purchases', true]],
  )
  assert.equal(again.effect?.changes?.[0]?.after, '7000')
  assert.equal((await decide(ann, second, approval(again))).status, 200)
})

test('what expired is decided by nobody, and stands where it can be found', async (t) => {
  const { wanted, ann, ahead, runtime } = await shop(t)
  const shown = await wanted('5000')
  ahead(LIMITS.approvalWindowMs.usual)
  const late = await decide(ann, shown, approval(await brief(ann, shown.id)))
  assert.deepEqual(problemOf(late), [409, 'ESCALATION_EXPIRED'])
  await runtime.engine.runDue()
  assert.equal(problemOf(await decide(ann, shown, approval(shown)))[1], 'ESCALATION_DECIDED')
  const expired = await look(ann, '?tab=expired')
  assert.deepEqual(
    expired.requests.map(({ id }) => id),
    [shown.id],
  )
  assert.equal((await brief(ann, shown.id)).decisions[0]?.decision, 'EXPIRED')
})

test('an approval that is sent again is answered again, and one that came too late is told', async (t) => {
  const { wanted, ann, ahead, bought, person } = await shop(t)
  const shown = await wanted('5000')
  ahead(LIMITS.highImpactDwellMs)
  const key = freshKey()
  const first = await decide(ann, shown, approval(shown), key)
  const again = await decide(ann, shown, approval(shown), key)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  const ben = person('ben@example.com', 'approver')
  const late = await decide(ben, shown, approval(shown))
  assert.deepEqual(problemOf(late), [409, 'ESCALATION_DECIDED'])
  assert.equal((await brief(ben, shown.id)).may.OVERRIDE, 'ESCALATION_DECIDED')
  assert.deepEqual(bought, ['5000'])
})

test('everybody finds in the inbox what is theirs; agents find nothing', async (t) => {
  const { wanted, ann, person, agent } = await shop(t)
  const shown = await wanted('5000')
  await wanted('1500')
  assert.deepEqual((await look(ann)).waiting, { mine: 1, fast: 0, team: 1 })
  assert.equal((await look(ann, '?tab=team')).requests[0]?.object, 'usd 1500', 'the lead is asked')
  const owner = person('jane.doe@example.com', 'approver')
  assert.deepEqual((await look(owner)).waiting, { mine: 0, fast: 0, team: 2 })
  assert.equal((await brief(owner, shown.id)).may.OVERRIDE, 'SELF_APPROVAL')
  const auditor = person('aud', 'auditor')
  assert.equal((await brief(auditor, shown.id)).may.ABORT, 'ROLE_MISSING')
  const bot = await agent()
  assert.deepEqual(problemOf(await get(bot, '/v1/inbox')), [403, 'ROLE_MISSING'])
  const peek = await get(bot, `/v1/escalations/${shown.id}/brief`)
  assert.deepEqual(problemOf(peek), [403, 'ROLE_MISSING'])
  assert.equal(problemOf(await get(ann, '/v1/inbox?tab=all'))[0], 422)
  assert.deepEqual(problemOf(await get(ann, '/v1/escalations/none/brief')), [
    404,
    'ESCALATION_UNKNOWN',
  ])
})

test('a request is claimed, taken over by name and given back; whose it was is said', async (t) => {
  const it = await shop(t)
  const bob = it.person('bob@example.com', 'approver')
  const { id } = await it.wanted('5000')
  const at = `/v1/escalations/${id}/claim`
  const claimed = await post(it.ann, at, { body: {} })
  assert.deepEqual([claimed.status, claimed.body.by], [200, 'ann@example.com'])
  assert.equal((await brief(bob, id)).claimed?.by, 'ann@example.com')
  assert.deepEqual((await look(bob)).waiting, { mine: 0, fast: 0, team: 1 })
  assert.deepEqual((await look(it.ann)).waiting, { mine: 1, fast: 0, team: 0 })
  assert.deepEqual(problemOf(await post(bob, at, { body: {} })), [409, 'ESCALATION_CLAIMED'])
  const refusedToEnd = await ask(bob, 'DELETE', at)
  assert.deepEqual(problemOf(refusedToEnd), [409, 'ESCALATION_CLAIMED'])
  const taken = await post(bob, at, { body: { instead_of: 'ann@example.com' } })
  assert.deepEqual([taken.status, taken.body.by], [200, 'bob@example.com'])
  const released = await ask(it.ann, 'DELETE', `${at}?of=bob@example.com`)
  assert.equal(released.body.released.by, 'bob@example.com')
  assert.deepEqual((await ask(it.ann, 'DELETE', at)).body, { released: null })
})

test('a claim is for whoever decides: others are refused, and it keeps nobody from deciding', async (t) => {
  const it = await shop(t)
  const shown = await it.wanted('5000')
  const at = `/v1/escalations/${shown.id}/claim`
  const clerk = it.person('cyd', 'operator')
  assert.deepEqual(problemOf(await post(clerk, at, { body: {} })), [403, 'ROLE_MISSING'])
  const none = await post(it.ann, '/v1/escalations/none/claim', { body: {} })
  assert.deepEqual(problemOf(none), [404, 'ESCALATION_UNKNOWN'])
  const bob = it.person('bob@example.com', 'approver')
  assert.equal((await post(bob, at, { body: {} })).status, 200)
  it.ahead(LIMITS.highImpactDwellMs)
  const decided = await decide(it.ann, shown, approval(shown))
  assert.equal(decided.status, 200, JSON.stringify(decided.body))
  assert.deepEqual(problemOf(await post(bob, at, { body: {} })), [409, 'ESCALATION_DECIDED'])
})

test('people comment on a request by their role; agents and auditors do not, and one key says it once', async (t) => {
  const { ann, wanted, person } = await shop(t)
  const { id } = await wanted('5000')
  const at = `/v1/escalations/${id}/comments`
  const say = (who: HttpPlace, text: unknown, key = freshKey()) =>
    post(who, at, { body: { text }, headers: key })
  assert.deepEqual(problemOf(await post(ann, at, { body: { text: 'x' } })), [
    400,
    'IDEMPOTENCY_KEY_MISSING',
  ])
  const key = freshKey()
  const first = await say(ann, 'who knows this shop?', key)
  assert.deepEqual([first.status, first.body.by, first.body.yours], [200, 'ann@example.com', true])
  assert.equal((await say(ann, 'who knows this shop?', key)).status, 200)
  const olga = person('olga@example.com', 'operator')
  assert.equal((await say(olga, 'I do')).status, 200, 'an operator is a person too')
  const audit = person('audit@example.com', 'auditor')
  assert.equal((await say(audit, 'hm')).status, 403)
  assert.deepEqual(problemOf(await say(ann, '  ')), [422, 'COMMENT_INVALID'])
  assert.equal((await say(ann, 'x'.repeat(LIMITS.commentLength + 1))).status, 422)
  assert.equal((await say(ann, 7)).status, 422)
  const none = await post(ann, '/v1/escalations/none/comments', {
    body: { text: 'x' },
    headers: freshKey(),
  })
  assert.deepEqual(problemOf(none), [404, 'ESCALATION_UNKNOWN'])
  const shown = await brief(audit, id)
  assert.deepEqual(
    shown.comments.map(({ by, text, yours }) => [by, text, yours]),
    [
      ['ann@example.com', 'who knows this shop?', false],
      ['olga@example.com', 'I do', false],
    ],
  )
})

test('a request is given to somebody by their name, and is theirs in the inbox', async (t) => {
  const { ann, wanted, person } = await shop(t)
  const bob = person('bob@example.com', 'approver')
  await look(bob)
  const { id } = await wanted('5000')
  const at = `/v1/escalations/${id}/claim`
  const unknown = await post(ann, at, { body: { for: 'nobody@example.com' } })
  assert.equal(problemOf(unknown)[1], 'PERSON_UNKNOWN')
  const given = await post(ann, at, { body: { for: 'bob@example.com' } })
  assert.deepEqual(
    [given.status, given.body.by, given.body.given_by, given.body.yours],
    [200, 'bob@example.com', 'ann@example.com', false],
  )
  assert.equal((await look(bob)).waiting.mine, 1)
  assert.equal((await look(ann)).waiting.team, 1)
  const taken = await post(ann, at, { body: { for: 'ann@example.com' } })
  assert.deepEqual(problemOf(taken), [409, 'ESCALATION_CLAIMED'])
})

test('a request is given to nobody who has no role to decide it, and the answer says who has', async (t) => {
  const { ann, wanted, person, runtime } = await shop(t)
  const bob = person('bob@example.com', 'approver')
  await look(bob)
  const audit = person('audit@example.com', 'auditor')
  const olga = person('olga@example.com', 'operator')
  await runtime.engine.people.register('audit@example.com')
  await runtime.engine.people.register('olga@example.com')
  await runtime.engine.people.register('gone@example.com')
  const { id } = await wanted('5000')
  const at = `/v1/escalations/${id}/claim`
  for (const to of ['audit@example.com', 'olga@example.com', 'gone@example.com']) {
    const refused = await post(ann, at, { body: { for: to } })
    assert.deepEqual(problemOf(refused), [403, 'ROLE_MISSING'], to)
    assert.match(refused.body.fix, /`ann@example.com`, `bob@example.com`/)
  }
  assert.equal((await look(ann)).waiting.team, 0)
  for (const who of [audit, olga])
    assert.deepEqual(problemOf(await post(who, at, { body: { for: 'bob@example.com' } })), [
      403,
      'ROLE_MISSING',
    ])
  // Of two names of one person, either may have the role.
  const bobby = await runtime.engine.people.find({ kind: 'name', name: 'bob@example.com' })
  const named = { kind: 'name', name: 'bobby@example.com' } as const
  assert.ok((await runtime.engine.people.link(bobby ?? '', named)).ok)
  const given = await post(ann, at, { body: { for: 'bobby@example.com' } })
  assert.equal(given.status, 200, JSON.stringify(given.body))
})

test('the inbox is sorted as it is asked, and rows say what is at stake', async (t) => {
  const { ann, wanted } = await shop(t)
  for (const usd of ['5000', '9000', '6000']) await wanted(usd)
  const { requests } = await look(ann, '?sort=-amount')
  assert.deepEqual(
    requests.map(({ exposure }) => exposure?.value),
    ['9000', '6000', '5000'],
  )
  const [first] = requests
  assert.deepEqual([first?.stakes.over?.value, first?.stakes.over?.max], ['9000', '1000'])
  assert.deepEqual(first?.stakes.impact_reasons, ['exposure'])
  assert.equal((await get(ann, '/v1/inbox?sort=colour')).status, 422)
  const { body } = await get(ann, '/v1/escalations?agent=purchase_agent')
  const listed: readonly {
    readonly action: string
    readonly exposure: { readonly value: string }
  }[] = body.escalations
  assert.deepEqual(listed.map(({ action, exposure }) => `${action} ${exposure.value}`).toSorted(), [
    'PURCHASE 5000',
    'PURCHASE 6000',
    'PURCHASE 9000',
  ])
})
