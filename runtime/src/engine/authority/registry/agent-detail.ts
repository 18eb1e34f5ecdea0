/** One agent, for whoever is responsible for it: what it is, may, did, and what is wrong with it. */
import {
  type AgentStatus,
  AUTHORITY,
  type Authority,
  findShownContract,
  type LifecyclePayload,
  type Occasion,
  OPEN_FLOW_STATES,
} from 'rubicon-kernel'
import type { FlowRow, Store } from '../../../ports/store.ts'
import type { Context } from '../../engine-context.ts'
import { LIVE } from '../../rows/live-instances.ts'
import { type AgentBudget, loadAgentBudgets } from './agent-budgets.ts'
import { type AgentProblem, findAgentProblems } from './agent-problems.ts'
import { type AgentSummary, loadAgentSummary } from './agent-summary.ts'
import { loadVerdictMix, type VerdictMix } from './verdict-mix.ts'

/** Who put an agent where it is, and why. */
export type StateSince = {
  readonly at: string
  readonly seq: number
  readonly from: AgentStatus | null
  readonly actor: string
  readonly by: string
  readonly justification: string
}

export type AgentDetail = Omit<AgentSummary, 'problems'> & {
  readonly state: StateSince | null
  readonly budgets: readonly AgentBudget[]
  readonly verdicts: VerdictMix
  readonly last_seen: string | null
  readonly open_flows: readonly Pick<FlowRow, 'dfid' | 'state' | 'trigger' | 'updated_at'>[]
  readonly instances: readonly { readonly agent_id: string; readonly status: AgentStatus }[]
  readonly problems: readonly AgentProblem[]
  /** Of an instance that an agent spawned; null: of everybody else. */
  readonly occasion: Occasion | null
}

const FLOWS_SHOWN = 20
const INSTANCES_SHOWN = 100

/** Null: nobody has this name. */
export async function loadAgentDetail(
  context: Context,
  agent_id: string,
): Promise<AgentDetail | null> {
  const { store, authorities } = context
  const authority = await authorities.loadLatest()
  if (!authority.statuses.has(agent_id)) return null
  const { now } = await store.readNow(AUTHORITY)
  const contract = findShownContract(authority, agent_id, now)?.contract ?? null
  const open = await store.listFlows({ agent_id, state: OPEN_FLOW_STATES, limit: FLOWS_SHOWN })
  const [newest] = await store.listFlows({ agent_id, limit: 1 })
  const verdicts = await loadVerdictMix(store, agent_id, now)
  return {
    ...(await loadAgentSummary(store, authority, agent_id)),
    state: await readStateSince(store, authority, agent_id),
    budgets: await loadAgentBudgets(context, contract, open, now),
    verdicts,
    last_seen: pickLater(newest?.updated_at ?? null, verdicts.last),
    open_flows: open.map(({ dfid, state, trigger, updated_at }) => {
      return { dfid, state, trigger, updated_at }
    }),
    instances: listInstances(authority, agent_id).slice(0, INSTANCES_SHOWN),
    problems: findAgentProblems(authority, agent_id, now),
    occasion: await readOccasion(store, agent_id),
  }
}

async function readOccasion(store: Store, agent_id: string): Promise<Occasion | null> {
  const live = await store.readRecord('instance', LIVE, agent_id)
  if (live === null) return null
  const { spawner, until, ends_at } = live.body
  return { spawner, until, ends_at }
}

export async function readStateSince(
  store: Store,
  { moved }: Authority,
  agent: string,
): Promise<StateSince | null> {
  const seq = moved.get(agent)
  const [entry] = seq === undefined ? [] : await store.listEntries(AUTHORITY, seq, 1)
  if (seq === undefined || entry?.payload == null) return null
  const { from, actor, by, justification } = parseMove(entry.payload)
  return { at: entry.envelope.at, seq, from, actor, by, justification }
}

/** Those that have not ended. */
export function listInstances(
  { contracts, statuses }: Authority,
  agent: string,
): AgentDetail['instances'] {
  const names = [...contracts]
    .filter(([, [first]]) => first?.contract.instance_of === agent)
    .map(([name]) => name)
  return names
    .map((agent_id) => ({ agent_id, status: statuses.get(agent_id) ?? ('INITIALIZING' as const) }))
    .filter(({ status }) => status !== 'RETIRED')
}

function pickLater(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? b : a
}

/** Entries in our own store are what we wrote there. */
function parseMove(payload: string): LifecyclePayload['body'] {
  return (JSON.parse(payload) as LifecyclePayload).body
}
