import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject, Policy } from 'rubicon-kernel'
import { type Desk, desk } from '../engine/approve/escalation.test-support.ts'
import { AGENT } from '../engine/flow/flow-stage.test-support.ts'
import { CaseReader, type DecisionCase } from './decision-case.ts'
import { readPastFlows } from './past-decisions.ts'
import { checkCase, createPolicyCase, parseCase } from './policy-case.ts'
import { applyTrial, type LastTried, type Trial, tryCase, tryLast } from './trial.ts'

const NOTHING: Trial = { contract: null, policy: null }

function denying(order: string): Policy {
  return {
    name: `no ${order}`,
    version: '1',
    source: { kind: 'unpinned' },
    evaluate: ({ proposal }) =>
      proposal.params.order === order
        ? { decision: { kind: 'deny', reason: 'not this one' } }
        : { decision: null },
  }
}

async function last(stage: Desk, trial: Trial, range: object = {}): Promise<LastTried> {
  const { store, authorities, book } = stage.engine().context
  const law = { authority: await authorities.loadLatest(), law: book.rules }
  return tryLast(store, law, trial, { last: 100, ...range }, async () => {})
}

async function cases(stage: Desk): Promise<readonly DecisionCase[]> {
  const { store, authorities } = stage.engine().context
  const reader = new CaseReader(store, await authorities.loadLatest())
  const found: DecisionCase[] = []
  for await (const { decisions } of readPastFlows(store, {}))
    for (const { entry } of decisions) {
      const read = await reader.read(entry)
      if (read?.ok === true) found.push(read.value)
    }
  return found
}

test('an approval counts for the law that is tried, and not for other parameters', async () => {
  const stage = await desk()
  await stage.ask('800.00')
  assert.ok((await stage.decide()).ok)
  assert.deepEqual(stage.sent, ['800.00'])
  const elsewhere = await last(stage, { ...NOTHING, policy: denying('o-9') })
  assert.deepEqual([elsewhere.decisions, elsewhere.flips], [2, []])
  const here = await last(stage, { ...NOTHING, policy: denying('o-1') })
  assert.deepEqual(
    here.flips.map(({ recorded, now }) => [recorded.outcome, now.code]),
    [
      ['ACCEPTED', 'POLICY_DENIED'],
      ['ESCALATED', 'POLICY_DENIED'],
    ],
  )
  const released = (await cases(stage)).find(({ facts }) => facts.approval !== null)
  assert.ok(released !== undefined)
  const params: JsonObject = { order: 'o-1', amount: '900.00' }
  const { rules } = stage.engine().context.book
  const other = await tryCase(released, { ...NOTHING, params }, rules)
  assert.equal(other.ok ? other.value.now.code : '', 'APPROVAL_VOID')
  await stage.close()
})

test('what was refused before it was compiled is skipped, and counted', async () => {
  const stage = await desk()
  const { flow } = await stage.ask('10.00')
  await stage.engine().propose(flow.dfid, '{')
  const { decisions, skipped, since } = await last(stage, NOTHING)
  assert.deepEqual([decisions, skipped], [1, 1])
  assert.notEqual(since, null)
  const one = await last(stage, NOTHING, { last: 1 })
  assert.equal(one.decisions + one.skipped, 1)
  assert.equal((await last(stage, NOTHING, { agent: 'nobody' })).decisions, 0)
  assert.equal((await last(stage, NOTHING, { agent: AGENT })).decisions, 1)
  await stage.close()
})

test('a fact is changed by its own path, whatever it is called', async () => {
  const stage = await desk()
  await stage.ask('10.00')
  const [found] = await cases(stage)
  assert.ok(found !== undefined)
  const fact = {
    path: 'constructor',
    value: '1',
    source: 'exchange',
    label: 'trusted' as const,
    observed_at: '2026-03-02T10:00:00.000Z',
    version: '1',
  }
  const named = { ...found, facts: { ...found.facts, state: [fact] } }
  const valueIn = (state: JsonObject): unknown =>
    applyTrial(named, { ...NOTHING, state }).facts.state[0]?.value
  assert.equal(valueIn({}), '1')
  assert.equal(valueIn({ constructor: '2' }), '2')
  await stage.close()
})

test('a policy that is code is one rule: asked, and heard or not', async () => {
  const stage = await desk()
  await stage.ask('10.00')
  const { coverage } = await last(stage, { ...NOTHING, policy: denying('o-1') })
  const row = { policy: 'no o-1', rule: 'no o-1', line: null }
  assert.deepEqual(coverage, [{ ...row, evaluated: 1, determined: 1, erred: 0 }])
  const [silent] = (await last(stage, { ...NOTHING, policy: denying('o-9') })).coverage
  assert.deepEqual([silent?.evaluated, silent?.determined], [1, 0])
  const throws = {
    ...denying('o-1'),
    evaluate: () => {
      throw new Error('broken')
    },
  }
  const [erred] = (await last(stage, { ...NOTHING, policy: throws })).coverage
  assert.deepEqual([erred?.evaluated, erred?.determined, erred?.erred], [1, 0, 1])
  await stage.close()
})

test('a case stands alone: as text it says the same', async () => {
  const stage = await desk()
  await stage.ask('10.00')
  const [found] = await cases(stage)
  assert.ok(found !== undefined)
  const { rules } = stage.engine().context.book
  const saved = JSON.parse(JSON.stringify(createPolicyCase('small', found, found.recorded)))
  const read = parseCase(saved, 'case.json')
  assert.ok(read.ok)
  assert.equal(checkCase(read.value, rules).ok, true)
  const stricter = { ...rules, policies: [denying('o-1')] }
  assert.deepEqual(checkCase(read.value, stricter).found, {
    outcome: 'REJECTED',
    code: 'POLICY_DENIED',
  })
  for (const broken of [{}, [], { ...saved, format: 'other/1' }, { ...saved, input: {} }])
    assert.equal(parseCase(broken, 'case.json').ok, false)
  const hollow = parseCase({ ...saved, input: { ...saved.input, facts: {} } }, 'case.json')
  assert.ok(hollow.ok)
  assert.deepEqual(
    [checkCase(hollow.value, rules).ok, checkCase(hollow.value, rules).found],
    [false, null],
  )
  await stage.close()
})
