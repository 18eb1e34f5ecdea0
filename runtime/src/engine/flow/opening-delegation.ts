/** What a child takes of its parent: its budget is held there, and an entry says that it was opened. */
import type { OpenedBy, Writ } from 'rubicon-kernel'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Deps } from '../deps.ts'
import { reserve } from '../rows/budget-counters.ts'
import { moveFlow } from '../rows/flow-row.ts'
import type { Parent } from '../rows/flow-writ.ts'
import { buildDelegationEntry } from './opening-entries.ts'

export function buildDelegationUnit(
  deps: Deps,
  parent: Parent,
  child: FlowRow,
  writ: Writ,
  by: OpenedBy,
): Unit {
  const { dfid, version } = parent.flow
  const held = reserve(parent.writ, writ.body.budget)
  // The parent's row moves on, so that a parent which ends meanwhile cannot give the same amount back.
  const above = moveFlow(parent.flow, [], child.opened_at)
  return {
    guards: [...held.guards, { kind: 'flow_version', dfid, version }],
    writes: [
      ...held.writes,
      buildDelegationEntry(deps, parent, child, writ, by),
      { kind: 'put_flow', flow: above },
    ],
  }
}
