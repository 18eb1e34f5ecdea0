import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { nodeCrypto } from 'rubicon-verifier'
import { systemClock } from '../../../../runtime/src/compose.ts'
import {
  DESK,
  type SagaStage,
  sagaStage,
  TRADER,
} from '../../../../runtime/src/engine/compensate/saga-stage.test-support.ts'
import { createLookupTable } from '../lookups/all.ts'

const { sha256 } = nodeCrypto
const SECRET = 'we suspect the trader'

/** The flow of the trader, which the desk has taken back. */
async function takenBack(): Promise<{ readonly it: SagaStage; readonly dfid: string }> {
  const it = await sagaStage()
  const dfid = await it.half()
  const desk = await it.desk()
  await desk.propose({
    policy_kind: 'COMPENSATE',
    step_id: 'choose',
    params: { dfid, action: 'REVERT' },
    justification: SECRET,
  })
  assert.deepEqual((await it.flow(dfid)).tags, ['COMPENSATED'])
  return { it, dfid }
}

type Shown = { readonly kind: string; readonly payload: JsonObject }

/** As the flow is shown to this agent; null: to a person. */
async function shown(it: SagaStage, dfid: string, own: string | null): Promise<string> {
  const { getFlow } = createLookupTable({ store: it.runtime().store, sha256, clock: systemClock })
  const reply = await getFlow({ asker: 'person ann', own, params: { dfid }, query: {} })
  assert.equal(reply.status, 200)
  return String(reply.body)
}

function undoOf(text: string): readonly Shown[] {
  const { entries } = JSON.parse(text) as { readonly entries: readonly Shown[] }
  return entries.filter(({ kind, payload }) => {
    const isUndo = (payload.intent as JsonObject | undefined)?.step_id === 'undo~sell'
    return isUndo || (kind === 'commit' && payload.compensates !== undefined)
  })
}

test('an agent does not read in its own flow what the agent above decided on', async () => {
  const { it, dfid } = await takenBack()
  const text = await shown(it, dfid, TRADER)
  assert.ok(!text.includes(SECRET))
  const [dispatch, commit, ...more] = undoOf(text)
  assert.deepEqual(more, [])
  assert.deepEqual(Object.keys(dispatch?.payload ?? {}), ['intent', 'send'])
  const { compensation, params } = (dispatch?.payload.intent ?? {}) as JsonObject
  assert.deepEqual([params, (compensation as JsonObject).action], [{ asset: 'A' }, 'REVERT'])
  const chooser = (await it.row(dfid, 'undo~sell'))?.intent ?? '{}'
  const { facts_hash, proposal_hash, writ_id } = JSON.parse(chooser)
  for (const hash of [facts_hash, proposal_hash, writ_id]) assert.ok(!text.includes(hash))
  assert.equal(commit?.payload.settled_by, 'answer')
  await it.close()
})

test('the agent of a flow does not see in what it remembers, or is shown, why another took it back', async () => {
  const { it } = await takenBack()
  const flow = await it.trade()
  assert.ok(!JSON.stringify(flow.context).includes(SECRET))
  await it.close()
})

test('people see the decision behind an undoing, and agents everything that is their own', async () => {
  const { it, dfid } = await takenBack()
  assert.ok((await shown(it, dfid, null)).includes(SECRET))
  const own = JSON.parse(await shown(it, dfid, TRADER)) as { readonly entries: readonly Shown[] }
  const sold = own.entries.find(({ kind }) => kind === 'dispatch')
  assert.ok(sold?.payload.facts !== undefined && sold.payload.trace !== undefined)
  const [choice] = await it.runtime().store.listFlows({ agent_id: DESK, limit: 1 })
  assert.ok((await shown(it, choice?.dfid ?? '', DESK)).includes(SECRET))
  await it.close()
})
