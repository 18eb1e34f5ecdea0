/** What watches over agents, and what it says now. */

import { type JsonValue, LIMITS } from 'rubicon-kernel'
import { describeMonitor } from 'rubicon-runtime/contract-file'
import type { Engine } from 'rubicon-runtime/engine'
import { readStateSince } from 'rubicon-runtime/engine/authority'
import { computeMonitorState, type DeployedMonitorAnswer } from 'rubicon-runtime/engine/monitors'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { monitorReport } from '../schemas/monitor.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  boolean,
  buildClosedObject,
  buildWholeObject,
  integer,
  nameSchema,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import type { MonitorView } from '../views/monitor-view.ts'

const deployed = nameSchema(
  'DeployedMonitor',
  buildWholeObject<DeployedMonitorAnswer>({
    name: string,
    monitor_hash: string,
    unchanged: boolean,
  }),
)

export function createMonitorRoutes(parts: ServerParts): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'PUT',
      path: '/v1/monitors/:name',
      operation: 'deployMonitor',
      summary: 'deploy a monitor, YAML or JSON; one of the same name is replaced',
      roles: ['operator'],
      body: buildClosedObject({ source: text(LIMITS.sourceLength) }, ['source']),
      reply: deployed,
      handle: (asked) => deploy(engine, asked, createDraftAsker(parts, asked, { first: true })),
    },
    {
      method: 'POST',
      path: '/v1/monitors/:name/withdrawal',
      operation: 'withdrawMonitor',
      summary: 'end a monitor',
      roles: ['operator'],
      body: buildClosedObject({ reason: text(LIMITS.justificationLength) }, ['reason']),
      once: true,
      reply: buildWholeObject({ withdrawn: string, reason: string, seq: integer }),
      async handle({ params: { name = '' }, body }) {
        const { reason } = parseReason(body)
        const ended = await engine.oversight.withdrawMonitor(name, reason)
        if (!ended.ok) return toProblemReply(ended.error)
        return toReply({ withdrawn: name, reason, seq: ended.value.seq })
      },
    },
    {
      method: 'GET',
      path: '/v1/monitors',
      operation: 'listMonitors',
      summary: 'the monitors in force, and the state of each',
      roles: ['operator', 'approver', 'auditor'],
      reply: monitorReport,
      handle: async () => toReply(await listMonitorViews(engine)),
    },
  ]
}

async function deploy(
  engine: Engine,
  { params: { name = '' }, body, ended }: RouteRequest,
  ask: AskDraft,
): Promise<Reply> {
  const read = await ask({ kind: 'monitor', text: parseSource(body) })
  if (!read.ok) return toProblemReply(read.error)
  if (read.value.name !== name) return refuseMismatchedMonitor(name, read.value.name)
  // It may have waited for others' drafts, and been read for long.
  const problem = await ended()
  if (problem !== null) return problem
  const put = await engine.oversight.deployMonitor(read.value)
  return put.ok ? toReply(put.value) : toProblemReply(put.error)
}

function refuseMismatchedMonitor(name: string, found: string): Reply {
  return toProblemReply({
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

export async function listMonitorViews(
  engine: Engine,
): Promise<{ readonly monitors: readonly MonitorView[]; readonly unseen: number }> {
  const { monitors, unseen } = await engine.oversight.monitors()
  const { store, authorities } = engine.context
  const authority = await authorities.loadLatest()
  const views: MonitorView[] = []
  for (const status of monitors) {
    // Why an agent was moved is asked only of those that may stand still because of a monitor.
    const isStill = status.agent_status === 'SUSPENDED'
    const moved = isStill ? await readStateSince(store, authority, status.agent_id) : null
    const state = computeMonitorState(status, moved?.justification ?? '')
    views.push({ ...status, state, sentence: describeMonitor(status.monitor) })
  }
  return { monitors: views, unseen }
}
