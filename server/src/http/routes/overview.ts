/**
 * The first page: what the search index counts, and what the engine knows as of now: budgets, monitors, agents that
 * stand still, and how the house is.
 */
import { COMPILER_VERSION, formatInstant } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import { readStateSince } from 'rubicon-runtime/engine/authority'
import { getMonitorBounds } from 'rubicon-runtime/engine/monitors'
import { getPrincipalName } from '../../people/principal.ts'
import type { SearchedOverview } from '../../search/index.ts'
import {
  type AgentAtRisk,
  type MovedBudget,
  type NearMonitor,
  type OverviewHealth,
  overview,
  overviewRange,
} from '../schemas/overview.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { buildClosedObject, instant } from '../schemas/shape.ts'
import type { MonitorView } from '../views/monitor-view.ts'
import { listMonitorViews } from './monitors.ts'
import {
  AGENTS_LOOKED_AT,
  compareShares,
  divideAmounts,
  listMovedBudgets,
} from './moved-budgets.ts'

/** How many of each are shown. */
const SHOWN = 8
/** From here on a budget is nearly used up. */
const NEAR = 0.8

export function createOverviewRoutes(parts: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/overview',
      operation: 'getOverview',
      summary:
        'how it went in a span of time, the last 24 hours by default; every figure is that of a list',
      roles: ['operator', 'approver', 'auditor'],
      query: buildClosedObject({ range: overviewRange, since: instant, until: instant }),
      reply: overview,
      handle: (asked) => showOverview(parts, asked),
    },
  ]
}

async function showOverview(
  { engine, lookups }: RouteParts,
  { principal, query }: RouteRequest,
): Promise<Reply> {
  const question = { asker: getPrincipalName(principal), own: null, params: {}, query }
  const counted = await lookups.answer('getOverview', question)
  if (counted.status !== 200) return counted
  const { silent, recent, ...searched } = parseSearched(counted.body)
  const { moved, lookedAt, of } = await listMovedBudgets(engine, await orderAgents(engine, recent))
  const { monitors: views } = await listMonitorViews(engine)
  const suspended = await findSuspended(engine)
  const at_risk = [
    ...suspended.listed,
    ...moved.filter(({ share }) => share >= NEAR).map(toNearLimit),
    ...views.filter((view) => isWorthALook(view, suspended.listed)).map(toWatched),
    ...(await listStillActive(engine, silent)),
  ]
  return toReply({
    ...searched,
    moved: moved.slice(0, SHOWN),
    at_risk,
    agents: { of, looked_at: lookedAt, suspended: suspended.count },
    monitors: views.map(toNearMonitor).sort(compareShares).slice(0, SHOWN),
    health: await readHealth(engine),
  })
}

/** A lookup answers as its route does; from another thread, as text. */
function parseSearched(body: Reply['body']): SearchedOverview {
  return (typeof body === 'string' ? JSON.parse(body) : body) as SearchedOverview
}

/** Who was at work last comes first: of many agents most are idle. Behind them the newest. */
async function orderAgents(
  { context }: Engine,
  recent: readonly string[],
): Promise<readonly string[]> {
  const { contracts } = await context.authorities.loadLatest()
  const known = recent.filter((agent) => contracts.has(agent))
  return [...new Set([...known, ...[...contracts.keys()].reverse()])]
}

type FoundSuspended = { readonly listed: readonly AgentAtRisk[]; readonly count: number }

/** Why and since when is read from the ledger, of each. */
async function findSuspended({ context }: Engine): Promise<FoundSuspended> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  const agents = [...authority.statuses].flatMap(([agent, status]) =>
    status === 'SUSPENDED' ? [agent] : [],
  )
  const listed: AgentAtRisk[] = []
  for (const agent of agents.slice(0, AGENTS_LOOKED_AT)) {
    const moved = await readStateSince(store, authority, agent)
    const [detail, since] = [moved?.justification ?? '', moved?.at ?? null]
    listed.push({ agent, why: 'suspended', detail, since })
  }
  return { listed, count: agents.length }
}

function toNearLimit({ agent, measure, used, limit }: MovedBudget): AgentAtRisk {
  return { agent, why: 'near_limit', detail: `${measure} ${used} of ${limit}`, since: null }
}

/** An agent that its monitor has suspended stands once. */
function isWorthALook(
  { agent_id, state }: MonitorView,
  suspended: readonly AgentAtRisk[],
): boolean {
  if (state === 'WARNING') return true
  return state === 'TRIPPED' && !suspended.some(({ agent }) => agent === agent_id)
}

function toWatched({ agent_id, monitor, sentence }: MonitorView): AgentAtRisk {
  return { agent: agent_id, why: 'monitor', detail: `${monitor.name}: ${sentence}`, since: null }
}

/** Whoever was suspended or retired is not expected to speak. */
async function listStillActive(
  { context }: Engine,
  silent: SearchedOverview['silent'],
): Promise<readonly AgentAtRisk[]> {
  const { statuses } = await context.authorities.loadLatest()
  return silent
    .filter(({ agent }) => statuses.get(agent) === 'ACTIVE')
    .map(({ agent, since, usual_ms }) => ({
      agent,
      why: 'silent',
      detail: `it usually opens a flow every ${Math.max(1, Math.round(usual_ms / 1000))} s`,
      since,
    }))
}

function toNearMonitor({ agent_id, monitor, state, verdict }: MonitorView): NearMonitor {
  const { max, min } = getMonitorBounds(monitor.statistic)
  const { value } = verdict
  const threshold = max ?? min
  // What is too little to judge by is near to nothing.
  const isJudged = state !== 'NO_DATA'
  const isComparable = isJudged && value !== null && threshold !== null && Number(threshold) > 0
  const share = !isComparable
    ? null
    : max === null
      ? divideAmounts(threshold, value)
      : divideAmounts(value, max)
  return { id: monitor.name, agent: agent_id, state, value, threshold, share }
}

async function readHealth({ context, status }: Engine): Promise<OverviewHealth> {
  const { store, scrub } = context
  const countLetters = (group: string): Promise<number> =>
    store.countRows({ of: 'records', record: 'bus_letter', group })
  return {
    store: store.name,
    processes: await countProcesses(context.store),
    bus: { due: await countLetters('due'), dead: await countLetters('dead') },
    ledger: {
      size: await store.countLeaves(),
      checkpoint: (await store.readCheckpoint())?.size ?? null,
      checked: status.scrub.checked,
      passes: status.scrub.passes,
      verified_at: scrub.verifiedAt === null ? null : formatInstant(scrub.verifiedAt),
    },
    damaged: status.damaged,
    degraded: status.degraded,
    version: COMPILER_VERSION,
  }
}

/** Of a store that others can open: those of the last that have not ended. */
const PROCESSES = 64

async function countProcesses(store: Engine['context']['store']): Promise<number> {
  if (!store.shared) return 1
  const first = Math.max(1, store.epoch - PROCESSES)
  const epochs = Array.from({ length: store.epoch - first + 1 }, (_, i) => first + i)
  return epochs.length - (await store.listEndedEpochs(epochs)).length
}
