/**
 * At start: every effect that a dead engine had on its way is UNKNOWN. It may have happened; it is
 * never sent again from here, only looked into.
 */
import { LIMITS } from 'rubicon-kernel'
import type { Context } from './context.ts'
import { parseIntent } from './dispatch.ts'
import { settle } from './settle.ts'

export async function recover(context: Context): Promise<number> {
  let recovered = 0
  for (;;) {
    const rows = await context.store.executions({
      status: ['DISPATCHED'],
      limit: LIMITS.entriesPerPage,
    })
    const orphans = rows.filter((row) => row.epoch < context.store.epoch)
    for (const execution of orphans) {
      const flow = await context.store.flow(execution.dfid)
      if (flow === null) throw new Error(`execution without its flow: ${execution.dfid}`)
      await settle(
        context,
        { intent: parseIntent(execution.intent), execution, flow },
        {
          kind: 'unknown',
          code: 'OUTCOME_UNKNOWN',
          details: { detail: 'the engine ended before the answer came' },
          evidence: {
            source: 'recovery',
            finding: 'interrupted',
            details: { epoch: execution.epoch },
          },
        },
      )
      recovered += 1
    }
    if (orphans.length === 0 || rows.length < LIMITS.entriesPerPage) return recovered
  }
}
