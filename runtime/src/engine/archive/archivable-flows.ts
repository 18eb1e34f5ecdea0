import { LIMITS } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { iterateFlowTree } from '../saga/effects.ts'

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
