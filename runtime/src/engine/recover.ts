/**
 * Effects that nobody waits for any more are UNKNOWN. They may have happened; none is ever sent again
 * from here, only looked into: what a dead engine had on its way, and what was sent but could not be
 * recorded because the store failed.
 */
import type { ExecutionRow } from '../ports/store.ts'
import { allExecutions, executionOf } from './all-executions.ts'
import type { Context } from './context.ts'
import { parseIntent } from './dispatch.ts'
import { eachRow } from './each-row.ts'
import { settle } from './settle.ts'

export async function recover(context: Context): Promise<number> {
  const { store } = context
  const rows = await allExecutions(store, { status: ['DISPATCHED'] })
  const others = [...new Set(rows.map(({ epoch }) => epoch))].filter((epoch) => {
    return epoch !== store.epoch
  })
  const ended = others.length === 0 ? [] : await store.ended(others)
  const orphans = rows.filter((row) => ended.includes(row.epoch))
  return eachRow(context, 'recover', orphans, async (execution) => {
    await interrupted(context, execution, 'the engine ended before the answer came')
    return true
  })
}

export async function recoverLost(context: Context): Promise<void> {
  const { inFlight, store } = context
  await eachRow(context, 'recover', inFlight.lost(), async (step) => {
    const row = await executionOf(store, step.dfid, step.step_id)
    if (row?.status === 'DISPATCHED' && row.epoch === store.epoch)
      await interrupted(context, row, 'the store failed before the answer was recorded')
    inFlight.found(step)
    return true
  })
}

async function interrupted(
  context: Context,
  execution: ExecutionRow,
  detail: string,
): Promise<void> {
  await context.failpoints.reach('recover.before_settle')
  const flow = await context.store.flow(execution.dfid)
  if (flow === null) throw new Error(`execution without its flow: ${execution.dfid}`)
  const dispatched = { intent: parseIntent(execution.intent), execution, flow }
  await settle(context, dispatched, {
    kind: 'unknown',
    code: 'OUTCOME_UNKNOWN',
    details: { detail },
    evidence: {
      source: 'recovery',
      finding: 'interrupted',
      details: { epoch: execution.epoch },
    },
  })
}
