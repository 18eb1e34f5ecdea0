/** What watches over agents, and what it says now. */
import { monitorSentence } from '../../contract-file/monitor-sentence.ts'
import type { Engine } from '../../engine/engine.ts'
import { type MonitorState, monitorState } from '../../engine/monitors/monitor-state.ts'
import type { MonitorStatus } from '../../engine/monitors/sweep.ts'
import { stateSince } from '../../engine/registry/agent-detail.ts'
import { done, type Route } from '../route.ts'
import { monitorReport } from '../schemas/monitor.ts'
import type { ServerParts } from '../server.ts'

export function monitorRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/monitors',
      operation: 'listMonitors',
      summary: 'the monitors in force, and what each says now',
      roles: ['operator', 'approver', 'auditor'],
      reply: monitorReport,
      handle: async () => done(await monitorViews(engine)),
    },
  ]
}

export type MonitorView = MonitorStatus & {
  readonly state: MonitorState
  /** The rule. */
  readonly sentence: string
}

export async function monitorViews(
  engine: Engine,
): Promise<{ readonly monitors: readonly MonitorView[]; readonly unseen: number }> {
  const { monitors, unseen } = await engine.oversight.monitors()
  const { store, authorities } = engine.context
  const authority = await authorities.latest()
  const views: MonitorView[] = []
  for (const status of monitors) {
    // Why an agent was moved is asked only of those that may stand still because of a monitor.
    const isStill = status.agent_status === 'SUSPENDED'
    const moved = isStill ? await stateSince(store, authority, status.agent_id) : null
    const state = monitorState(status, moved?.justification ?? '')
    views.push({ ...status, state, sentence: monitorSentence(status.monitor) })
  }
  return { monitors: views, unseen }
}
