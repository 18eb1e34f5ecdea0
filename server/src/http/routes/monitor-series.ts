/** What monitors said over time, which flows are behind it, and what another would have said. */
import {
  AUTHORITY,
  type JsonValue,
  LIMITS,
  listMonitorsInForce,
  type MonitorInForce,
} from 'rubicon-kernel'
import { describeMonitor } from 'rubicon-runtime/contract-file'
import type { Engine } from 'rubicon-runtime/engine'
import {
  getMonitorBounds,
  groupStreams,
  listFlowsBehind,
  loadMonitorSeries,
  type SeriesOf,
} from 'rubicon-runtime/engine/monitors'
import { type RehearsedTrip, rehearseMonitors } from 'rubicon-runtime/evidence'
import { type AskDraft, createDraftAsker } from '../drafts/drafts-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import {
  flowsBehind as flowsSchema,
  rehearsal,
  monitorSeries as seriesSchema,
} from '../schemas/monitor-series.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import { buildClosedObject, identifier, text } from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { type Pause, type SlowReads, toSlowReadCaller } from '../turns/slow-reads.ts'
import { listMonitorViews } from './monitors.ts'

const leaf = { type: 'string', pattern: '^[0-9]{1,15}$' }

export function createMonitorSeriesRoutes(parts: ServerParts, past: SlowReads): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'GET',
      path: '/v1/monitors/:name/series',
      operation: 'getMonitorSeries',
      summary: 'the values of a monitor for an agent over time, with the changes in between',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ agent: identifier }, ['agent']),
      reply: seriesSchema,
      handle: (asked) =>
        past.ask(toSlowReadCaller(asked), (pause) => showSeries(engine, asked, pause)),
    },
    {
      method: 'GET',
      path: '/v1/monitors/:name/flows',
      operation: 'listFlowsBehind',
      summary: 'the flows behind a point of the series',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ agent: identifier, leaf }, ['agent', 'leaf']),
      reply: flowsSchema,
      handle: (asked) =>
        past.ask(toSlowReadCaller(asked), async (pause) => {
          const of = await findWatchedSeries(engine, asked, pause)
          if (of === null) return refuseUnknownMonitor(asked)
          return toReply({ flows: await listFlowsBehind(of, Number(asked.query.leaf)) })
        }),
    },
    {
      method: 'POST',
      path: '/v1/monitors/rehearsal',
      operation: 'rehearseMonitor',
      summary: 'what a monitor would have done over the last entries of the ledger; YAML or JSON',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: buildClosedObject({ source: text(LIMITS.sourceLength) }, ['source']),
      reply: rehearsal,
      beside: true,
      handle: (asked) => rehearse(engine, asked, createDraftAsker(parts, asked), past),
    },
  ]
}

async function showSeries(engine: Engine, asked: RouteRequest, pause: Pause): Promise<Reply> {
  const of = await findWatchedSeries(engine, asked, pause)
  const views = await listMonitorViews(engine)
  const view = views.monitors.find(
    ({ agent_id, monitor }) =>
      agent_id === of?.watched.agent_id && monitor.name === of.watched.monitor.name,
  )
  if (of === null || view === undefined) return refuseUnknownMonitor(asked)
  const bounds = getMonitorBounds(of.watched.monitor.statistic)
  return toReply({ monitor: view, bounds, ...(await loadMonitorSeries(of)) })
}

/** Null: no such monitor watches the agent. */
async function findWatchedSeries(
  { context }: Engine,
  { params, query }: RouteRequest,
  pause: Pause,
): Promise<SeriesOf | null> {
  const { store, authorities, sha256 } = context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(AUTHORITY)
  const streams = [...groupStreams(listMonitorsInForce(authority, now, sha256)).values()]
  const isAsked = ({ agent_id, monitor }: MonitorInForce): boolean =>
    agent_id === query.agent && monitor.name === params.name
  const stream = streams.find(({ monitors }) => monitors.some(isAsked))
  const watched = stream?.monitors.find(isAsked)
  if (stream === undefined || watched === undefined) return null
  return { store, authority, stream, watched, pause }
}

async function rehearse(
  { context }: Engine,
  asked: RouteRequest,
  ask: AskDraft,
  past: SlowReads,
): Promise<Reply> {
  const read = await ask({ kind: 'monitor', text: parseSource(asked.body) })
  if (!read.ok) return toProblemReply(read.error)
  const { store, sha256 } = context
  return past.ask(toSlowReadCaller(asked), async (pause) => {
    const from = Math.max(0, (await store.countLeaves()) - LIMITS.rehearsedEntries)
    const report = await rehearseMonitors(store, sha256, [read.value], { from, pause })
    const { ok, entries, executions, trips, monitors } = report
    return toReply({
      ok,
      sentence: describeMonitor(read.value),
      entries,
      executions,
      from_leaf: from,
      trips: trips.map(toTripView),
      monitors,
    })
  })
}

function toTripView({ verdict, behind, ...trip }: RehearsedTrip): object {
  const { agent_id, monitor, leaf, dfid, at, flows } = trip
  const { value, samples, breach } = verdict
  const { bound, threshold } = breach
  const executions_behind = behind.length
  const found = { value, bound, threshold, samples, executions_behind, flows }
  return { agent_id, monitor, leaf, dfid, at, ...found }
}

function parseSource(body: JsonValue): string {
  return (body as { readonly source: string }).source
}

function refuseUnknownMonitor({ params, query }: RouteRequest): Reply {
  return toProblemReply({
    code: 'MONITOR_UNKNOWN',
    summary: `no monitor \`${params.name}\` watches \`${query.agent}\``,
    fix: 'see GET /v1/monitors',
  })
}
