/** Rules that ask on several channels: all of them are told, and a yes to one is none to another. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPolicyTrigger, LIMITS, type Policy, type Trace, type Trigger } from 'rubicon-kernel'
import { extractSpokenWords } from '../../evidence/law/spoken-words.ts'
import { codeOf, type Desk, desk } from './escalation.test-support.ts'

const asking = (channel: string): string =>
  `@require_approval("${channel}") forbid(principal, action, resource);`

const written: Policy = {
  name: 'written',
  version: '1',
  source: { kind: 'unpinned' },
  evaluate: () => {
    const also = [{ channel: 'risk', reason: 'new' }]
    return { decision: { kind: 'require_approval', channel: 'tax', reason: 'abroad', also } }
  },
}

async function told({ runtime }: Desk, kind: string): Promise<readonly string[]> {
  const due = await runtime().store.listRecords('notice', 'due', { limit: 50 })
  const notices = due.map(({ body }) => body.notice).filter((one) => one.kind === kind)
  assert.equal(new Set(notices.map(({ id }) => id)).size, 1, 'it is one notice')
  return notices.map(({ channel }) => channel).toSorted()
}

test('finding 39d: of two channels that have to approve, one is asked', async () => {
  const policies = [
    { name: 'first', text: asking('finance') },
    { name: 'second', text: `${asking('legal')} ${asking('finance')} ${asking('safety')}` },
    written,
  ]
  const stage = await desk({ policies })
  const { answer } = await stage.ask('800.00')
  assert.equal(answer.outcome, 'ESCALATED')
  const all = ['finance', 'legal', 'operator', 'risk', 'safety', 'tax']
  assert.deepEqual(await told(stage, 'escalation'), all, 'the limit asks the operator')
  const [row] = await stage.engine().oversight.escalations()
  assert.deepEqual(row?.channels.toSorted(), all)
  const { request } = await stage.waiting()
  const lifts = request.triggers.map(({ id }) => id)
  assert.deepEqual(lifts, [
    'limit:alone',
    'policy:first@finance',
    'policy:second@legal',
    'policy:second@finance',
    'policy:second@safety',
    'policy:written@tax',
    'policy:written@risk',
  ])
  const brief = await stage
    .engine()
    .oversight.brief(request.id, { name: 'ann@example.com', approver: true })
  assert.ok(brief !== null)
  assert.deepEqual(
    brief.why.map(({ details }) => details.asked),
    request.triggers.map(({ channel }) => channel),
  )
  assert.equal(codeOf(await stage.decide({ lifts: lifts.slice(0, -1) })), 'LIFTS_INCOMPLETE')
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, ['800.00'])
  await stage.close()
})

test('finding 39d: a yes to one channel is none to another that a policy asks by then', async () => {
  let channel = 'finance'
  const evaluate: Policy['evaluate'] = () => {
    return { decision: { kind: 'require_approval', channel, reason: 'large' } }
  }
  const stage = await desk({ policies: [{ name: 'moving', version: '1', evaluate }] })
  await stage.ask('20.00')
  channel = 'legal'
  assert.equal(codeOf(await stage.decide()), 'ok')
  assert.deepEqual(stage.sent, [], 'nobody of the other channel was asked')
  assert.equal((await stage.waiting()).request.channel, 'legal')
  await stage.close()
})

test('everybody who was asked hears that it is over', async () => {
  const policies = [
    { name: 'first', text: asking('finance') },
    { name: 'second', text: asking('legal') },
  ]
  const stage = await desk({ policies })
  await stage.ask('20.00')
  await stage.clock.advance(LIMITS.approvalWindowMs.usual)
  await stage.engine().runDue()
  assert.deepEqual(await told(stage, 'expiry'), ['finance', 'legal'])
  await stage.close()
})

test('whom a function asked is read back from the record', () => {
  const asks = [
    { channel: 'tax', reason: 'abroad' },
    { channel: 'risk', reason: 'new' },
  ]
  const triggers = asks.map(({ channel, reason }): Trigger => {
    const id = formatPolicyTrigger('written', channel)
    return { id, code: 'APPROVAL_REQUIRED', channel, details: { reason } }
  })
  const other: Trigger = {
    id: formatPolicyTrigger('other', 'tax'),
    code: 'APPROVAL_REQUIRED',
    channel: 'tax',
    details: { reason: 'no' },
  }
  const said = { policy: 'written', version: '1', said: 'require_approval' } as const
  const line = { ...said, reason: 'abroad; new', determining: [], erroring: [] }
  const trace: Trace = [
    {
      stage: 'policy',
      said: 'suspend',
      read: [],
      policies: [line],
      triggers: [other, ...triggers],
    },
  ]
  const read = extractSpokenWords(trace, {}).policy('written')
  const also = [{ channel: 'risk', reason: 'new' }]
  assert.deepEqual(read?.decision, {
    kind: 'require_approval',
    channel: 'tax',
    reason: 'abroad',
    also,
  })
})

test('a policy whose name could be read as another with a channel is refused', async () => {
  const policies = [{ name: 'desk@legal', text: asking('finance') }]
  await assert.rejects(desk({ policies }), { code: 'POLICY_INVALID' })
})
