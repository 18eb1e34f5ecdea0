/**
 * Effects that nobody waits for any more are UNKNOWN. They may have happened; none is ever sent again
 * from here, only looked into: what a dead engine had on its way, and what is dispatched here and not
 * under way, because the store failed: the answer to its COMMIT was lost, or its outcome not recorded.
 */
import type { ExecutionRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import { processRows } from '../rows/each-row.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { settle } from './settle.ts'

export async function recover(context: Context): Promise<number> {
  const { store, inFlight } = context
  const rows = await readAllExecutions(store, { status: ['DISPATCHED'] })
  const others = [...new Set(rows.map(({ epoch }) => epoch))].filter((epoch) => {
    return epoch !== store.epoch
  })
  const ended = others.length === 0 ? [] : await store.listEndedEpochs(others)
  const orphans = rows.filter((row) => ended.includes(row.epoch))
  // A row that was settled since it was read has another version, and is left alone.
  const left = rows.filter((row) => row.epoch === store.epoch && !inFlight.isUnderWay(row))
  const found =
    (await processRows(context, 'recover', orphans, async (execution) => {
      await settleInterrupted(context, execution, 'the engine ended before the answer came')
      return true
    })) +
    (await processRows(context, 'recover', left, async (execution) => {
      await settleInterrupted(context, execution, 'the store failed before the answer was recorded')
      return true
    }))
  return found
}

async function settleInterrupted(
  context: Context,
  execution: ExecutionRow,
  detail: string,
): Promise<void> {
  await context.failpoints.reach('recover.before_settle')
  const flow = await context.store.readFlow(execution.dfid)
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
