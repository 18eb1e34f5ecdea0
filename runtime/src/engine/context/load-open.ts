import { err, type Failure, type FlowState, ok, type Result } from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { buildFlowUnknownFailure } from '../rows/unknown-flow.ts'

const OVER: readonly FlowState[] = ['CLOSED', 'ABORTED']

/** The flow, if it has not ended; with `state`, if it is in that one. */
export async function loadOpen(
  { store }: Context,
  dfid: string,
  state?: FlowState,
): Promise<Result<FlowRow, Failure>> {
  const flow = await store.readFlow(dfid)
  if (flow === null) return err(buildFlowUnknownFailure(dfid))
  const isOpen = state === undefined ? !OVER.includes(flow.state) : flow.state === state
  if (isOpen) return ok(flow)
  return err({
    code: 'FLOW_NOT_OPEN',
    summary: `the flow is ${flow.state}`,
    fix: 'open a new flow',
  })
}
