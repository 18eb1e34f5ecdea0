/** What watches over agents, and what it says now. */

import { hashMonitor, type JsonValue, LIMITS } from 'rubicon-kernel'
import { describeMonitor, formatMonitor } from 'rubicon-runtime/contract-file'
import type { Engine } from 'rubicon-runtime/engine'
import { readStateSince } from 'rubicon-runtime/engine/authority'
import { computeMonitorState, type DeployedMonitorAnswer } from 'rubicon-runtime/engine/monitors'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { toUnreadableView } from '../problems/unreadable-view.ts'
import { checkedMonitor, monitorReport } from '../schemas/monitor.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  allowNull,
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

const source = text(LIMITS.sourceLength)
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
      method: 'POST',
      path: '/v1/monitors/check',
      operation: 'checkMonitor',
      summary: 'check a monitor, YAML or JSON; nothing is deployed',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: buildClosedObject({ source }, ['source']),
      reply: checkedMonitor,
      beside: true,
      handle: (asked) => check(engine, asked, createDraftAsker(parts, asked)),
    },
    {
      method: 'PUT',
      path: '/v1/monitors/:name',
      operation: 'deployMonitor',
      summary:
        'deploy a monitor, YAML or JSON; one of the same name is replaced; `replaces`: only where it still has this hash (null: there is none)',
      roles: ['operator'],
      body: buildClosedObject({ source, replaces: allowNull(text(128)) }, ['source']),
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

async function check({ context }: Engine, { body }: RouteRequest, ask: AskDraft): Promise<Reply> {
  const read = await ask({ kind: 'monitor', text: parseDeployment(body).source })
  if (!read.ok) return toReply({ ok: false, ...toUnreadableView(read.error), ...NOTHING_READ })
  const { name } = read.value
  const { monitors } = await context.authorities.loadLatest()
  const inForce = monitors.get(name)
  return toReply({
    ok: true,
    code: null,
    summary: null,
    problems: [],
    name,
    monitor_hash: hashMonitor(read.value, context.sha256),
    sentence: describeMonitor(read.value),
    in_force:
      inForce === undefined
        ? null
        : { monitor_hash: inForce.hash, source: formatMonitor(inForce.monitor) },
  })
}

const NOTHING_READ = { name: null, monitor_hash: null, sentence: null, in_force: null }

async function deploy(
  engine: Engine,
  { params: { name = '' }, body, ended }: RouteRequest,
  ask: AskDraft,
): Promise<Reply> {
  const { source: text, replaces } = parseDeployment(body)
  const read = await ask({ kind: 'monitor', text })
  if (!read.ok) return toProblemReply(read.error)
  if (read.value.name !== name) return refuseMismatchedMonitor(name, read.value.name)
  // It may have waited for others' drafts, and been read for long.
  const problem = await ended()
  if (problem !== null) return problem
  const put = await engine.oversight.deployMonitor(read.value, replaces)
  return put.ok ? toReply(put.value) : toProblemReply(put.error)
}

function refuseMismatchedMonitor(name: string, found: string): Reply {
  return toProblemReply({
    code: 'MONITOR_INVALID',
    summary: `the monitor is \`${found}\`, not \`${name}\``,
    fix: `send it to /v1/monitors/${found}`,
  })
}

function parseDeployment(body: JsonValue): {
  readonly source: string
  readonly replaces?: string | null
} {
  return body as { readonly source: string; readonly replaces?: string | null }
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
