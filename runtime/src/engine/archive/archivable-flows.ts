import { LIMITS } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { indexLeaves } from '../ledger/find/index-leaves.ts'
import { iterateFlowTree } from '../saga/effects.ts'

/** Everything has its place, and the directory of the ledger is made as far as it goes: later nobody can read it. */
export async function prepareArchiving({ store }: Pick<Context, 'store'>): Promise<void> {
  await store.integrate()
  while ((await indexLeaves(store)) > 0);
}

/** Flows that have ended, whole after whole: each that stands alone or on top, then all below it. */
export async function* iterateEndedFlows(context: Context): AsyncGenerator<FlowRow> {
  const { store } = context
  const limit = LIMITS.entriesPerPage
  for (let before: string | undefined; ; ) {
    const place = before === undefined ? {} : { before }
    const page = await store.listFlows({ state: ['CLOSED', 'ABORTED'], limit, ...place })
    for (const flow of page) if (flow.parent_dfid === null) yield* iterateFlowTree(context, flow)
    before = page.at(-1)?.dfid
    if (page.length < limit) return
  }
}
