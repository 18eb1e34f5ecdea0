/**
 * The silence of an agent that has no flow open: its feed died, or nobody wakes it. Where its contract
 * says `scope: agent`, a flow of its own is opened to say that nothing was decided, and goes to a person.
 *
 * S1 an agent is asked about once for each silence: only a decision of its own begins another.
 * S2 the flow and the record that it was opened are one unit. An engine that dies before the person is
 *    asked leaves a flow that the next one finds by that record.
 * S3 whoever is suspended, retired, or never was active is not expected to speak.
 */
import {
  type Authority,
  type DeployedContract,
  findAgentStatus,
  findCurrentContract,
  MAIN,
  OPEN_FLOW_STATES,
  parseInstant,
} from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { FlowRow, Unit } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { openFlow } from '../flow/open.ts'
import { processRows } from '../rows/each-row.ts'
import { askAboutSilence, hasFallenSilent } from './silence.ts'

const AGENTS = 'agents'

type Watched = StoredRecord<'silence'>

/** Returns how many agents were found silent. */
export async function watchAgents(context: Context): Promise<number> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(MAIN)
  return processRows(context, 'silence', authority.contracts.keys(), async (agent) => {
    const deployed = findWatchedContract(authority, agent, now)
    return deployed !== null && watchAgent(context, deployed, now)
  })
}

function findWatchedContract(
  authority: Authority,
  agent: string,
  now: string,
): DeployedContract | null {
  if (findAgentStatus(authority, agent) !== 'ACTIVE') return null
  const deployed = findCurrentContract(authority, agent, now)
  const scope = deployed?.contract.safety_rules.silence_watchdog?.scope
  return deployed !== undefined && scope === 'agent' ? deployed : null
}

async function watchAgent(
  context: Context,
  { contract }: DeployedContract,
  now: string,
): Promise<boolean> {
  const { store, zones } = context
  const { agent_id, safety_rules } = contract
  const watchdog = safety_rules.silence_watchdog
  if (watchdog === undefined) return false
  const watched = await store.readRecord('silence', AGENTS, agent_id)
  if (watched === null) {
    await store.commit(buildWatchUnit(agent_id, now, null))
    return false
  }
  const { asked } = watched.body
  const decided = await readLastDecision(context, agent_id)
  if (asked !== null && decided <= asked.at) return finishAsking(context, contract, asked.dfid)
  const [newest] = await store.listFlowSummaries({ agent_id, limit: 1 })
  const [open] = await store.listFlowSummaries({ agent_id, state: OPEN_FLOW_STATES, limit: 1 })
  // What is open is watched flow by flow.
  if (open !== undefined) return false
  const since = [watched.body.since, decided, newest?.updated_at ?? ''].sort().at(-1) ?? now
  if (!hasFallenSilent(zones, watchdog, since, parseInstant(now) ?? 0)) return false
  const flow = await openSilent(context, watched, since, now)
  return flow !== null && askAboutSilence(context, flow, contract, { ...watchdog, since })
}

/** Empty: it never decided anything. */
async function readLastDecision({ store }: Context, agent: string): Promise<string> {
  const [last] = await store.listRecords('memory', agent, { newest: true, limit: 1 })
  return last?.body.at ?? ''
}

/** An engine may have died between the opening and the asking. */
async function finishAsking(
  context: Context,
  contract: DeployedContract['contract'],
  dfid: string,
): Promise<boolean> {
  const watchdog = contract.safety_rules.silence_watchdog
  const flow = await context.store.readFlow(dfid)
  if (watchdog === undefined || flow === null || !isUntouched(flow)) return false
  return askAboutSilence(context, flow, contract, { ...watchdog, since: flow.opened_at })
}

function isUntouched({ state, attempts, history }: FlowRow): boolean {
  return state === 'ACTIVE' && attempts === 0 && !history.some(({ to }) => to === 'ESCALATED')
}

/** Null: somebody else was faster, or the agent may not be served now. */
async function openSilent(
  context: Context,
  watched: Watched,
  since: string,
  at: string,
): Promise<FlowRow | null> {
  const { authorities, writs } = context
  const trigger = `nothing was decided since ${since}`
  const request = { agent: watched.key, trigger, by: { kind: 'runtime' } } as const
  const opened = await openFlow(context, authorities, writs, request, (dfid) =>
    buildWatchUnit(watched.key, since, watched.version, { dfid, at }),
  )
  return opened.ok ? opened.value.flow : null
}

function buildWatchUnit(
  key: string,
  since: string,
  version: number | null,
  asked: Watched['body']['asked'] = null,
): Unit {
  const place = { record: 'silence', group: AGENTS, key } as const
  return {
    guards: [{ kind: 'record_version', ...place, version }],
    writes: [{ kind: 'put_record', ...place, body: { since, asked } }],
  }
}
