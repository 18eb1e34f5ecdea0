import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AuditedHalfJobs } from './half-jobs.ts'
import type { Line } from './report.ts'

type Story = {
  readonly found: string[]
  send(id: string, dfid: string, more?: object): Story
  /** Each in a unit of its own, with what is said of flows beside it. */
  succeeds(id: string, ...dirty: readonly string[]): Story
  fails(id: string, ...dirty: readonly string[]): Story
  takesBack(id: string): Story
  says(dfid: string, status: string, settles?: readonly string[]): Story
}

/** Flow `a`, with children `b` and `c` of one step each, and `d` below `b`. */
function story(): Story {
  const found: string[] = []
  const jobs = new AuditedHalfJobs((_, detail) => void found.push(detail))
  let seq = 0
  const add = (kind: string, payload: object, dfid?: string): void => {
    seq += 1
    jobs.add({ kind, payload, dfid, trajectory: 'main', seq } as Line)
  }
  const open = (dfid: string, steps: 'one' | 'many', parent_dfid?: string): void =>
    add('writ', { flow: { dfid, steps, parent_dfid } })
  open('a', 'many')
  open('b', 'one', 'a')
  open('c', 'one', 'a')
  open('d', 'one', 'b')
  add('policy', {
    body: { action: 'capability', capability: { kind: 'LOOKUP', effect: 'read' } },
  })
  const becomeDirty = (dirty: readonly string[]): void => {
    for (const dfid of dirty)
      add('evidence', { source: 'saga', status: 'PARTIAL_SUCCESS_DIRTY' }, dfid)
    jobs.endUnit()
  }
  const it: Story = {
    found,
    send(intent_id, dfid, more = {}) {
      add('dispatch', { intent: { intent_id, dfid, policy_kind: 'PAY', ...more } })
      return it
    },
    succeeds(intent_id, ...dirty) {
      add('commit', { intent_id })
      becomeDirty(dirty)
      return it
    },
    fails(intent_id, ...dirty) {
      add('settle', { intent_id, status: 'FAILED' })
      becomeDirty(dirty)
      return it
    },
    takesBack(compensates) {
      add('commit', { intent_id: `undo~${compensates}`, compensates })
      return it
    },
    says(dfid, status, settles) {
      add('evidence', { source: 'saga', status, settles }, dfid)
      return it
    },
  }
  return it
}

test('H1: a failure beside what stands is half a job, of the flow or below it', () => {
  const half = (): Story => story().send('1', 'a').succeeds('1').send('2', 'a')
  assert.deepEqual(half().fails('2').found, ['main/9: a is half done, unsaid'])
  assert.deepEqual(half().fails('2', 'a').found, [])
  assert.deepEqual(half().takesBack('1').fails('2').found, [])
  const below = story().send('1', 'd').succeeds('1').send('2', 'b')
  assert.equal(below.fails('2').found.length, 2, 'of the flow, and of the one above it')
})

test('H1: reads, reserved kinds and what takes back are no effects', () => {
  for (const more of [
    { policy_kind: 'LOOKUP' },
    { policy_kind: 'ESCALATE' },
    { compensation: { of: '0' } },
  ]) {
    assert.deepEqual(story().send('1', 'a', more).succeeds('1').send('2', 'a').fails('2').found, [])
    assert.deepEqual(story().send('1', 'a').succeeds('1').send('2', 'a', more).fails('2').found, [])
  }
})

test('H2: the flow above a failure is half done by what it did, or another below it', () => {
  for (const other of ['a', 'c']) {
    const half = story().send('1', other).succeeds('1').send('2', 'b')
    assert.match(half.fails('2').found.join(), /: a is half done/)
  }
  assert.deepEqual(story().send('1', 'a').succeeds('1').send('2', 'b').fails('2', 'a').found, [])
  assert.deepEqual(story().send('1', 'c').send('2', 'b').fails('2').found, [])
})

test('H3: what was on its way at a failure, and succeeds, is half a job; what was sent later is none', () => {
  const late = story().send('1', 'c').send('2', 'b').fails('2')
  assert.match(late.succeeds('1').found.join(), /: a is half done/)
  assert.deepEqual(story().send('2', 'b').fails('2').send('1', 'c').succeeds('1').found, [])
  const below = story().send('1', 'd').send('2', 'b').fails('2').succeeds('1')
  assert.equal(below.found.length, 2, 'of the flow that failed, and of the one above it')
  const goesOn = story().send('1', 'c').send('2', 'a').fails('2').succeeds('1')
  assert.deepEqual(goesOn.found, [], 'a flow of several steps goes on where nothing was done')
})

test('what a person has settled with its flow, and what is dirty already, is not half done anew', () => {
  const settled = story().send('1', 'a').succeeds('1').send('2', 'a').fails('2', 'a')
  settled.says('a', 'SETTLED', ['1']).send('3', 'a').fails('3')
  assert.deepEqual(settled.found, [])
  const again = story().send('1', 'a').succeeds('1').send('2', 'a').send('3', 'a').fails('2', 'a')
  assert.deepEqual(again.fails('3').found, [])
})

test('somebody was told of every flow that was half done, also where it was put right since', () => {
  const found: string[] = []
  const jobs = new AuditedHalfJobs((_, detail) => void found.push(detail))
  const add = (status: string): void =>
    jobs.add({ kind: 'evidence', payload: { source: 'saga', status }, dfid: 'a' } as Line)
  add('PARTIAL_SUCCESS_DIRTY')
  add('COMPENSATED')
  jobs.finish(new Set(['a']))
  assert.deepEqual(found, [])
  jobs.finish(new Set())
  assert.deepEqual(found, ['a was half done, and nobody was ever told'])
})
