import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BOB,
  type Desk,
  type DeskOptions,
  desk,
} from '../../../../runtime/src/engine/approve/escalation.test-support.ts'
import { toEntryView } from '../../../../server/src/http/views/entry-view.ts'
import { buildStory } from './story.ts'
import type { Attempt, Ruling, Story } from './story-parts.ts'

const TWO = { needs: 2, of: ['ann@example.com', 'bob@example.com'] }

async function at<T>(options: DeskOptions, work: (desk: Desk) => Promise<T>): Promise<T> {
  const opened = await desk(options)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function storyAt({ engine }: Desk, dfid: string): Promise<Story> {
  return buildStory((await engine().context.store.listFlowEntries(dfid)).map(toEntryView))
}

function rulings({ steps }: Story): readonly Ruling[] {
  return steps.filter((step) => step.kind === 'ruling')
}

function released({ steps }: Story): Attempt | undefined {
  return steps.filter((step) => step.kind === 'attempt').at(-1)
}

function decidedAt({ milestones }: Story): string | null | undefined {
  return milestones.find(({ name }) => name === 'decided')?.at
}

test('who decided, what, when and why stands between what was asked and what was released', () =>
  at({}, async (it) => {
    const { flow } = await it.ask('700.00')
    await it.clock.advance(60_000)
    await it.decide({ justification: 'the carrier confirmed the loss' })
    const told = await storyAt(it, flow.dfid)
    assert.deepEqual(
      told.steps.map((step) => (step.kind === 'ruling' ? step.decision : step.outcome)),
      ['escalated', 'OVERRIDE', 'accepted'],
    )
    const [ruling] = rulings(told)
    assert.deepEqual(
      [ruling?.by, ruling?.justification, ruling?.releases],
      ['ann@example.com', 'the carrier confirmed the loss', true],
    )
    assert.deepEqual(released(told)?.lifted, {
      by: 'ann@example.com',
      triggers: ['limit:alone'],
    })
    assert.equal(decidedAt(told), released(told)?.entry.at)
    assert.deepEqual(told.spans.map(({ what }) => what).slice(1), [
      'waits for a person',
      'checked again, as approved',
      'effect',
    ])
  }))

test('an abort is the last word, and nothing is judged after it', () =>
  at({}, async (it) => {
    const { flow } = await it.ask('700.00')
    await it.decide({ decision: 'ABORT', lifts: [], justification: 'it was found' })
    const told = await storyAt(it, flow.dfid)
    const [ruling] = rulings(told)
    assert.deepEqual([ruling?.decision, ruling?.releases], ['ABORT', false])
    assert.equal(told.spans.at(-1)?.what, 'waits for a person')
    assert.notEqual(decidedAt(told), null)
  }))

test('where two have to approve, the first alone decides nothing', () =>
  at({ contract: { safety_rules: { approvers: TWO } } }, async (it) => {
    const { flow } = await it.ask('700.00')
    await it.decide()
    const half = await storyAt(it, flow.dfid)
    assert.deepEqual([rulings(half).length, decidedAt(half)], [1, null])
    await it.decide({}, BOB)
    const whole = await storyAt(it, flow.dfid)
    assert.deepEqual(
      rulings(whole).map(({ releases }) => releases),
      [false, true],
    )
    assert.notEqual(decidedAt(whole), null)
  }))
