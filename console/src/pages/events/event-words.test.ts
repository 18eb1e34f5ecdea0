import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EventAccount, EventMember } from 'rubicon-agents/client'
import {
  describeAdmission,
  describeLaw,
  describePrecedence,
  describeSource,
  describeWokenFlow,
  listByPlace,
} from './event-words.ts'
import { listWindowMarks } from './window-marks.ts'

type By = NonNullable<EventMember['place']>['before_next_by']

function member(agent: string, rank: number | null, by: By = null, at?: string): EventMember {
  const answer = {
    policy_kind: 'BUY',
    preempting: false,
    outcome: 'lost',
    code: null,
    by: null,
  } as const
  return {
    agent,
    dfid: agent,
    priority: rank ?? 50,
    role: rank === 1 ? 'MONITOR' : 'EXECUTOR',
    flow: null,
    answers: at === undefined ? [] : [{ at, ...answer }],
    place: rank === null ? null : { rank, before_next_by: by },
  }
}

test('why a proposal stands before the next one names both', () => {
  const next = member('b', 2)
  const say = (by: By): string | null => describePrecedence(member('a', 1, by), next)
  assert.equal(say('kind'), 'before b: its kind comes before all others')
  assert.equal(say('priority'), 'before b: priority 1 comes before 2')
  assert.equal(say('role'), 'before b: at the same priority monitor comes before executor')
  assert.equal(say('name'), 'before b: same priority and role, so the name decides')
  assert.equal(say('time'), 'before b: it was made first')
  assert.equal(say(null), null)
  assert.equal(describePrecedence(member('a', null), next), null)
})

test('who has proposed nothing stands last', () => {
  const sorted = listByPlace([member('c', null), member('b', 2), member('a', 1)])
  assert.deepEqual(
    sorted.map(({ agent }) => agent),
    ['a', 'b', 'c'],
  )
})

test('what was counted before anybody was woken is said as far as the rules asked', () => {
  const say = (admission: EventAccount['admission'], woken = 1): string | null =>
    describeAdmission({
      admission,
      members: Array.from({ length: woken }, (_, n) => member(`a${n}`, null)),
      left_off: 0,
    })
  assert.equal(say(null), null)
  assert.equal(say({ candidates: 1 }), 'It met the condition of 1 agent; 1 was woken.')
  assert.equal(
    say({ candidates: 3, by_table: 2, volatility: '1.5' }, 2),
    'It met the conditions of 3 agents; 2 were woken. The rules admit 2 at a change of 1.5 %, not counting agents with the role monitor.',
  )
  assert.match(
    say({ candidates: 3, by_tokens: 1, tokens_left: 900 }) ?? '',
    /the tokens that are left \(900\) are enough for 1/,
  )
})

test('a flow that only lost is not said to be done', () => {
  const flow = { state: 'CLOSED', steps: 'one', tags: [], rejections: 0 } as const
  const lost = { ...member('a', 2, null, '2026-02-01T00:00:00.000Z'), flow: { ...flow, tags: [] } }
  assert.deepEqual(describeWokenFlow(lost), {
    standing: 'repeated',
    word: 'ended, nothing was carried out',
  })
  const won = { ...lost, answers: lost.answers.map((one) => ({ ...one, outcome: 'won' as const })) }
  assert.equal(describeWokenFlow(won)?.word, 'done')
  const running = { ...lost, flow: { ...lost.flow, state: 'ACTIVE' as const } }
  assert.notEqual(describeWokenFlow(running)?.word, 'ended, nothing was carried out')
  assert.equal(describeWokenFlow(member('a', null))?.word, 'to be woken')
})

test('who reported a fact is said in words where it has no name', () => {
  assert.equal(describeSource('operator:', 'operator'), 'an operator')
  assert.equal(describeSource('feed', 'trusted'), 'feed (trusted)')
})

test('the rules of a topic are said whole', () => {
  assert.match(
    describeLaw({ exclusive: 'event', preempting_kinds: ['HALT'] }),
    /^One .*HALT before/,
  )
  assert.match(describeLaw({ exclusive: 'resources', preempting_kinds: [] }), /same resource/)
})

test('marks of one moment do not lie on each other, and none lies outside of the axis', () => {
  const at = (seconds: number): string => `2026-02-01T00:00:0${seconds}.000Z`
  const event = { at: at(0), closes_at: at(4) }
  const members = [
    member('a', 1, null, at(2)),
    member('b', 2, null, at(2)),
    member('late', 3, null, at(8)),
    member('silent', null),
  ]
  const marks = listWindowMarks(event, members)
  assert.deepEqual(
    marks.map((mark) => [mark.agent, mark.at, mark.line]),
    [
      ['a', 25, 0],
      ['b', 25, 1],
      ['late', 100, 0],
    ],
  )
  const [only] = listWindowMarks({ at: at(1), closes_at: at(1) }, [member('a', 1, null, at(1))])
  assert.equal(only?.at, 0)
})
