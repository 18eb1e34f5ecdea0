/** What monitors said over time, which flows are behind it, and what another would have said. */
import {
  AUTHORITY,
  type JsonValue,
  LIMITS,
  type MonitorInForce,
  monitorsInForce,
} from 'rubicon-kernel'
import { monitorSentence } from '../../contract-file/monitor-sentence.ts'
import type { Engine } from '../../engine/engine.ts'
import { monitorBounds } from '../../engine/monitors/monitor-state.ts'
import { flowsBehind, monitorSeries, type SeriesOf } from '../../engine/monitors/series.ts'
import { streamsWatched } from '../../engine/monitors/streams.ts'
import { dryRunMonitors, type RehearsedTrip } from '../../evidence/dry-run.ts'
import { type AskDraft, draftsOf } from '../drafts/drafts-of.ts'
import { type PastQuestions, type Pause, pastAsking } from '../past-questions.ts'
import { refused } from '../problem.ts'
import { type Asked, done, type Reply, type Route } from '../route.ts'
import {
  flowsBehind as flowsSchema,
  rehearsal,
  monitorSeries as seriesSchema,
} from '../schemas/monitor-series.ts'
import type { ServerParts } from '../server.ts'
import { monitorViews } from './monitors.ts'
import { closed, identifier, text } from './shape.ts'

const leaf = { type: 'string', pattern: '^[0-9]{1,15}$' }

export function monitorSeriesRoutes(parts: ServerParts, past: PastQuestions): readonly Route[] {
  const { engine } = parts
  return [
    {
      method: 'GET',
      path: '/v1/monitors/:name/series',
      operation: 'getMonitorSeries',
      summary: 'what a monitor said of an agent over time, with what changed meanwhile',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ agent: identifier }, ['agent']),
      reply: seriesSchema,
      handle: (asked) => past.ask(pastAsking(asked), (pause) => series(engine, asked, pause)),
    },
    {
      method: 'GET',
      path: '/v1/monitors/:name/flows',
      operation: 'listFlowsBehind',
      summary: 'the flows behind a point of the series',
      roles: ['operator', 'approver', 'auditor'],
      query: closed({ agent: identifier, leaf }, ['agent', 'leaf']),
      reply: flowsSchema,
      handle: (asked) =>
        past.ask(pastAsking(asked), async (pause) => {
          const of = await watchedBy(engine, asked, pause)
          if (of === null) return unknownMonitor(asked)
          return done({ flows: await flowsBehind(of, Number(asked.query.leaf)) })
        }),
    },
    {
      method: 'POST',
      path: '/v1/monitors/rehearsal',
      operation: 'rehearseMonitor',
      summary: 'what a monitor would have done over the last entries of the ledger; YAML or JSON',
      unlinked: true,
      roles: ['operator', 'approver', 'auditor'],
      body: closed({ source: text(LIMITS.sourceLength) }, ['source']),
      reply: rehearsal,
      beside: true,
      handle: (asked) => rehearse(engine, asked, draftsOf(parts, asked), past),
    },
  ]
}

async function series(engine: Engine, asked: Asked, pause: Pause): Promise<Reply> {
  const of = await watchedBy(engine, asked, pause)
  const views = await monitorViews(engine)
  const view = views.monitors.find(
    ({ agent_id, monitor }) =>
      agent_id === of?.watched.agent_id && monitor.name === of.watched.monitor.name,
  )
  if (of === null || view === undefined) return unknownMonitor(asked)
  const bounds = monitorBounds(of.watched.monitor.statistic)
  return done({ monitor: view, bounds, ...(await monitorSeries(of)) })
}

/** Null: no such monitor watches the agent. */
async function watchedBy(
  { context }: Engine,
  { params, query }: Asked,
  pause: Pause,
): Promise<SeriesOf | null> {
  const { store, authorities, sha256 } = context
  const authority = await authorities.latest()
  const { now } = await store.now(AUTHORITY)
  const streams = [...streamsWatched(monitorsInForce(authority, now, sha256)).values()]
  const isAsked = ({ agent_id, monitor }: MonitorInForce): boolean =>
    agent_id === query.agent && monitor.name === params.name
  const stream = streams.find(({ monitors }) => monitors.some(isAsked))
  const watched = stream?.monitors.find(isAsked)
  if (stream === undefined || watched === undefined) return null
  return { store, authority, stream, watched, pause }
}

async function rehearse(
  { context }: Engine,
  asked: Asked,
  ask: AskDraft,
  past: PastQuestions,
): Promise<Reply> {
  const read = await ask({ kind: 'monitor', text: parseSource(asked.body) })
  if (!read.ok) return refused(read.error)
  const { store, sha256 } = context
  return past.ask(pastAsking(asked), async (pause) => {
    const from = Math.max(0, (await store.leafCount()) - LIMITS.rehearsedEntries)
    const report = await dryRunMonitors(store, sha256, [read.value], { from, pause })
    const { ok, entries, executions, trips, monitors } = report
    return done({
      ok,
      sentence: monitorSentence(read.value),
      entries,
      executions,
      from_leaf: from,
      trips: trips.map(tripView),
      monitors,
    })
  })
}

function tripView({ verdict, behind, ...trip }: RehearsedTrip): object {
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

function unknownMonitor({ params, query }: Asked): Reply {
  return refused({
    code: 'MONITOR_UNKNOWN',
    summary: `no monitor \`${params.name}\` watches \`${query.agent}\``,
    fix: 'see GET /v1/monitors',
  })
}
