/** `rubicon flows show DFID`: what happened, and why. */

import { assert } from 'rubicon-kernel'
import { readFlowBudget } from 'rubicon-runtime/engine/flow'
import { toExecutionView } from '../http/views/execution-view.ts'
import { type CommandCall, getArgument } from './call.ts'
import { formatEntry, toEntrySummaryView } from './entry-text.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatBudgetLine } from './flow-budget.ts'
import { readFromStore } from './open.ts'
import { resolveDfid } from './whole-id.ts'

const LISTED = 100

export async function showFlow(call: CommandCall): Promise<ExitCode> {
  const { place, out } = call
  const given = getArgument(call, 0, 'DFID')
  const shown = await readFromStore(place, async (store) => {
    const dfid = await resolveDfid(store, given)
    const flow = await store.readFlow(dfid)
    assert(flow !== null, 'a whole dfid is that of a flow')
    const entries = (await store.listFlowEntries(dfid)).map(toEntrySummaryView)
    const executions = await store.listExecutions({ dfid, limit: LISTED })
    const children = await store.listFlows({ parent_dfid: dfid, limit: LISTED })
    return {
      flow,
      budget: await readFlowBudget(store, flow, entries),
      entries,
      executions: executions.map(toExecutionView),
      children: children.map(({ dfid, agent_id, state }) => ({ dfid, agent_id, state })),
    }
  })
  const { flow, budget, entries, executions, children } = shown
  out.line(`${flow.dfid}  ${[flow.state, ...flow.tags].join(' ')}`)
  out.line(`  agent    ${flow.agent_id}`)
  out.line(`  trigger  ${escapeText(flow.trigger)}`)
  if (flow.parent_dfid !== null) out.line(`  parent   ${flow.parent_dfid}`)
  for (const child of children)
    out.line(`  child    ${child.dfid} ${child.agent_id} ${child.state}`)
  for (const line of budget) out.line(`  used     ${formatBudgetLine(line)}`)
  for (const entry of entries) out.line(`  ${formatEntry(entry)}`)
  for (const { step_id, status, sends, reason_code } of executions)
    out.line(`  effect   ${step_id} ${status} after ${sends} sends ${reason_code ?? ''}`.trimEnd())
  out.data(shown)
  return EXIT.done
}
