/** What watches over agents, and what it says now. */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import { monitorSentence } from '../../contract-file/monitor-sentence.ts'
import type { Engine } from '../../engine/engine.ts'
import type { DeployedMonitorAnswer } from '../../engine/monitors/deploy-monitor.ts'
import { type MonitorState, monitorState } from '../../engine/monitors/monitor-state.ts'
import type { MonitorStatus } from '../../engine/monitors/sweep.ts'
import { stateSince } from '../../engine/registry/agent-detail.ts'
import { type AskDraft, draftsOf } from '../drafts/drafts-of.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import { monitorReport } from '../schemas/monitor.ts'
import type { ServerParts } from '../server.ts'
import { boolean, closed, integer, named, string, text, whole } from './shape.ts'

const deployed = named(
  'DeployedMonitor',
  whole<DeployedMonitorAnswer>({ name: string, monitor_hash: string, unchanged: boolean }),
)

export function monitorRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'PUT',
      path: '/v1/monitors/:name',
      operation: 'deployMonitor',
      summary: 'put a monitor in force, YAML or JSON; one of the same name is replaced',
      roles: ['operator'],
      body: closed({ source: text(LIMITS.sourceLength) }, ['source']),
      reply: deployed,
      handle: (asked) => deploy(engine, asked, draftsOf(parts, asked, { first: true })),
    },
    {
      method: 'POST',
      path: '/v1/monitors/:name/withdrawal',
      operation: 'withdrawMonitor',
      summary: 'end a monitor',
      roles: ['operator'],
      body: closed({ reason: text(LIMITS.justificationLength) }, ['reason']),
      once: true,
      reply: whole({ withdrawn: string, reason: string, seq: integer }),
      async handle({ params: { name = '' }, body }) {
        const { reason } = parseReason(body)
        const ended = await engine.oversight.withdrawMonitor(name, reason)
        if (!ended.ok) return refused(ended.error)
        return done({ withdrawn: name, reason, seq: ended.value.seq })
      },
    },
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

async function deploy(
  engine: Engine,
  { params: { name = '' }, body, ended }: Asked,
  ask: AskDraft,
): Promise<Reply> {
  const read = await ask({ kind: 'monitor', text: parseSource(body) })
  if (!read.ok) return refused(read.error)
  if (read.value.name !== name) return otherMonitor(name, read.value.name)
  // It may have waited for others' drafts, and been read for long.
  const problem = await ended()
  if (problem !== null) return problem
  const put = await engine.oversight.deployMonitor(read.value)
  return put.ok ? done(put.value) : refused(put.error)
}

function otherMonitor(name: string, found: string): Reply {
  return refused({
    code: 'MONITOR_INVALID',
    summary: `the monitor is \`${found}\`, not \`${name}\``,
    fix: `send it to /v1/monitors/${found}`,
  })
}

function parseSource(body: JsonValue): string {
  return (body as { readonly source: string }).source
}

function parseReason(body: JsonValue): { readonly reason: string } {
  return body as { readonly reason: string }
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
