import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  CapabilityDescription,
  CommitPayload,
  SagaPayload,
  SettlePayload,
  SignedIntent,
} from 'rubicon-kernel'
import type { Line } from './report.ts'
import { AuditedSagas } from './sagas.ts'

type Story = {
  readonly found: string[]
  decide(id: string, change?: object): Story
  commit(id: string, compensates?: string): Story
  settle(id: string, status: SettlePayload['status']): Story
  stands(status: SagaPayload['status'], dfid?: string, more?: Partial<SagaPayload>): Story
  /** A person settles these with their flow. */
  settles(ids: readonly string[], dfid?: string): Story
  again(of: string): Story
  undo(of: string, change?: object): Story
  dispatch(agent_id: string, policy_kind?: string): Story
}

/** What a beginning says of who chose it. */
const CHOSEN = { details: { intent_id: 'choice', action: 'REVERT' } } as const

/** Flow `a` of a bot, with a child `b` of another; somebody chose REVERT for `a`. */
function story(): Story {
  const found: string[] = []
  const sagas = new AuditedSagas((invariant) => void found.push(invariant))
  const line = { trajectory: 'main', seq: 1 } as Line
  const opened = (dfid: string, agent_id: string, parent?: string): void =>
    sagas.recordFlow({ dfid, agent_id, parent_dfid: parent } as never)
  opened('a', 'bot')
  opened('b', 'hand', 'a')
  sagas.recordCapabilities([{ kind: 'LOOKUP', effect: 'read' } as CapabilityDescription])
  const intent = (id: string, change: object): SignedIntent => {
    const common = { intent_id: id, step_id: id, dfid: 'a', policy_kind: 'PAY', params: {} }
    return { ...common, ...change } as unknown as SignedIntent
  }
  const it: Story = {
    found,
    decide(id, change = {}) {
      sagas.auditDecision(line, intent(id, change))
      return it
    },
    commit(intent_id, compensates) {
      sagas.auditCommit({ intent_id, compensates } as unknown as CommitPayload)
      return it
    },
    settle(intent_id, status) {
      sagas.auditSettle({ intent_id, status } as unknown as SettlePayload)
      return it
    },
    stands(status, dfid = 'a', more = {}) {
      sagas.auditSagaMove(
        { ...line, dfid } as Line,
        { status, details: {}, ...more } as SagaPayload,
      )
      return it
    },
    settles: (ids, dfid) =>
      it.stands('COMPENSATED', dfid, { settles: ids, details: { by: 'olga' } } as never),
    again(of) {
      sagas.auditResend(line, { compensation: { of } } as unknown as SignedIntent)
      return it
    },
    undo(of, change = {}) {
      const compensation = { of, chosen: 'choice', action: 'REVERT', dfid: 'c', ...change }
      return it.decide(`undo~${of}`, { compensation })
    },
    dispatch(agent_id, policy_kind = 'PAY') {
      sagas.auditDispatch(line, { agent_id, policy_kind } as SignedIntent)
      return it
    },
  }
  const params = { dfid: 'a', action: 'REVERT' }
  return it.decide('choice', { dfid: 'c', policy_kind: 'COMPENSATE', params })
}

/** Both are taken back. */
function undone(): Story {
  return half().undo('s2').commit('undo~s2', 's2').undo('s1').commit('undo~s1', 's1')
}

/** Two effects that stand, one that failed, and the choice to take them back. */
function half(): Story {
  return story()
    .decide('s1')
    .decide('s2', { dfid: 'b' })
    .decide('s3')
    .commit('s1')
    .commit('s2')
    .settle('s3', 'FAILED')
    .stands('PARTIAL_SUCCESS_DIRTY')
    .stands('COMPENSATING', 'a', CHOSEN)
}

test('the last effect is taken back first, then the one before it', () => {
  assert.deepEqual(undone().stands('COMPENSATED').found, [])
})

test('a flow that is called COMPENSATED while something stands in it or below it is found (I11)', () => {
  assert.deepEqual(half().stands('COMPENSATED').found, ['I11', 'I11'])
  const one = half().undo('s2').commit('undo~s2', 's2')
  assert.deepEqual(one.stands('COMPENSATED').found, ['I11'])
  assert.deepEqual(undone().decide('s4', { dfid: 'b' }).stands('COMPENSATED').found, ['I11'])
  const read = undone().decide('s4', { policy_kind: 'LOOKUP' }).commit('s4')
  assert.deepEqual(read.stands('COMPENSATED').found, [])
})

test('another order, the same effect twice, and two at once are found (I11)', () => {
  assert.deepEqual(half().undo('s1').found, ['I11'])
  const twice = half().undo('s2').commit('undo~s2', 's2').undo('s2')
  assert.deepEqual(twice.found, ['I11'])
  assert.deepEqual(twice.commit('undo~s2', 's2').found, ['I11', 'I11'])
  assert.ok(half().undo('s2').undo('s1').found.includes('I11'))
})

test('taking back while something has no outcome is found (I11)', () => {
  const open = half().decide('s4', { dfid: 'b' })
  assert.deepEqual(open.undo('s2').found, ['I11'])
  assert.deepEqual(half().decide('s4', { policy_kind: 'LOOKUP' }).undo('s2').found, [])
  assert.deepEqual(half().decide('s4').settle('s4', 'UNKNOWN').undo('s2').found, ['I11'])
  assert.deepEqual(half().decide('s4').settle('s4', 'ABANDONED').undo('s2').found, [])
})

test('taking back what nobody chose, what failed, or what belongs elsewhere is found (I11)', () => {
  assert.deepEqual(half().undo('s2', { chosen: 's1' }).found, ['I11'])
  assert.deepEqual(half().undo('s2', { action: 'CLOSE_ALL' }).found, ['I11'])
  assert.ok(half().undo('s3').found.includes('I11'))
  const elsewhere = half().decide('x', { dfid: 'z' }).commit('x')
  assert.ok(elsewhere.undo('x').found.includes('I11'))
  const early = story().decide('s1').commit('s1').stands('PARTIAL_SUCCESS_DIRTY')
  assert.deepEqual(early.undo('s1').found, ['I11'])
})

test('taking back that begins before its choice, or before the failure for which it was fixed, is found (I11)', () => {
  const dirty = (): Story => story().stands('PARTIAL_SUCCESS_DIRTY')
  const begin = (it: Story, intent_id: string, action = 'REVERT'): readonly string[] =>
    it.stands('COMPENSATING', 'a', { details: { intent_id, action } }).found
  assert.deepEqual(begin(dirty(), 'choice'), [])
  assert.deepEqual(begin(dirty(), 'nobody'), ['I11'])
  assert.deepEqual(begin(dirty(), 'choice', 'CLOSE_ALL'), ['I11'])
  const proven = dirty().decide('p', { on_failure: 'REVERT_STATE' })
  assert.deepEqual(begin(proven, 'p'), ['I11'], 'it may still succeed')
  const failed = dirty().decide('p', { on_failure: 'REVERT_STATE' }).settle('p', 'FAILED')
  assert.deepEqual(begin(failed, 'p'), [])
  const told = dirty().decide('p', { on_failure: 'ALERT_HUMAN' }).settle('p', 'FAILED')
  assert.deepEqual(begin(told, 'p'), ['I11'], 'a person was to be told')
})

test('a flow becomes dirty first, and is clean for good unless it becomes dirty again (I11)', () => {
  assert.deepEqual(story().stands('COMPENSATING', 'a', CHOSEN).found, ['I11'])
  const clean = undone().stands('COMPENSATED')
  assert.deepEqual(clean.found, [])
  assert.deepEqual(clean.stands('COMPENSATING', 'a', CHOSEN).found, ['I11'])
})

test('an agent with half a job does nothing else but put it right (I11)', () => {
  assert.deepEqual(half().dispatch('bot').found, ['I11'])
  assert.deepEqual(half().dispatch('hand').found, [])
  for (const kind of ['COMPENSATE', 'ESCALATE', 'RETIRE'])
    assert.deepEqual(half().dispatch('bot', kind).found, [], kind)
  assert.deepEqual(half().stands('SETTLED').dispatch('bot').found, [])
})

test('what a person has settled is not taken back again, by whichever choice (I11)', () => {
  const settled = (): Story => half().stands('PARTIAL_SUCCESS_DIRTY', 'b').settles(['s2'], 'b')
  assert.deepEqual(settled().undo('s1').found, [])
  assert.deepEqual(settled().undo('s2').found, ['I11'])
  assert.deepEqual(settled().commit('undo~s2', 's2').found, ['I11'])
  assert.deepEqual(settled().again('s2').found, ['I11'])
  assert.deepEqual(settled().again('s1').found, [])
})

test('a person settles everything that stands, and nothing that is on its way (I11)', () => {
  assert.deepEqual(half().settles(['s1', 's2']).found, [])
  assert.deepEqual(half().settles(['s1']).found, ['I11'])
  assert.deepEqual(half().settles(['s1', 's2', 's3']).found, ['I11'])
  assert.deepEqual(half().undo('s2').settles(['s1', 's2']).found, ['I11'])
  assert.deepEqual(half().decide('s4').settles(['s1', 's2']).found, ['I11'])
  const reviewed = half().decide('s4').settle('s4', 'MANUAL_REVIEW')
  assert.deepEqual(reviewed.settles(['s1', 's2', 's4']).found, [])
})
