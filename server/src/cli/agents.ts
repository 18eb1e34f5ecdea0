/** `rubicon agents list|show`: who is registered, what they may do, and in which state they are. */
import { AUTHORITY, type Authority, findShownContract, type Occasion } from 'rubicon-kernel'
import {
  findAgentProblems,
  listAgentSummaries,
  listInstances,
  loadAgentSummary,
  readAuthority,
} from 'rubicon-runtime/engine/authority'
import { LIVE } from 'rubicon-runtime/engine/rows'
import { formatAgentStatus } from './agent-status.ts'
import { type CommandCall, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'
import { formatTable, SYMBOLS } from './output.ts'

const RECENT_FLOWS = 10

export async function listAgents({ place, out }: CommandCall): Promise<ExitCode> {
  const agents = await readFromStore(place, async (store) => {
    return listAgentSummaries(store, await readAuthority(store))
  })
  const rows = agents.map((agent) => [
    agent.agent_id,
    formatAgentStatus(agent),
    agent.version ?? '-',
    agent.owner ?? '-',
    agent.instance_of ?? '-',
  ])
  const head = ['AGENT', 'STATUS', 'VERSION', 'OWNER', 'CLASS']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (agents.length === 0) out.note(`${SYMBOLS.info} none yet: rubicon contract deploy FILE`)
  out.data({ agents })
  return EXIT.done
}

export async function showAgent(call: CommandCall): Promise<ExitCode> {
  const { place, out } = call
  const agent = getArgument(call, 0, 'AGENT')
  const shown = await readFromStore(place, async (store) => {
    const authority = await readAuthority(store)
    if (!authority.statuses.has(agent)) throw createUnknownAgentFailure(agent)
    const { now } = await store.readNow(AUTHORITY)
    const flows = await store.listFlows({ agent_id: agent, limit: RECENT_FLOWS })
    const live = await store.readRecord('instance', LIVE, agent)
    return {
      ...(await loadAgentSummary(store, authority, agent)),
      problems: findAgentProblems(authority, agent, now),
      occasion: live === null ? null : pickOccasion(live.body),
      contract: findShownContract(authority, agent, now)?.contract ?? null,
      versions: listVersions(authority, agent),
      instances: listInstances(authority, agent),
      flows: flows.map(({ dfid, state, trigger }) => ({ dfid, state, trigger })),
    }
  })
  out.line(`${shown.agent_id}  ${formatAgentStatus(shown)}`)
  out.line(`  owner    ${escapeText(shown.owner ?? '-')}`)
  out.line(`  mission  ${escapeText(shown.mission ?? '-')}`)
  if (shown.instance_of !== null) out.line(`  class    ${shown.instance_of}`)
  if (shown.occasion !== null) out.line(`  until    ${describeOccasion(shown.occasion)}`)
  if (shown.parent_agent !== null) out.line(`  parent   ${shown.parent_agent}`)
  for (const { version, seq, revoked } of shown.versions)
    out.line(`  version  ${version} at authority/${seq}${revoked ? ', revoked' : ''}`)
  for (const { agent_id, status } of shown.instances) out.line(`  instance ${agent_id} ${status}`)
  for (const { dfid, state, trigger } of shown.flows)
    out.line(`  flow     ${dfid} ${state} ${escapeText(trigger)}`)
  for (const { summary, fix } of shown.problems)
    out.line(`${out.symbol(SYMBOLS.waiting)} ${escapeText(summary)}: ${escapeText(fix)}`)
  out.data(shown)
  return EXIT.done
}

function pickOccasion({ spawner, until, ends_at }: Occasion): Occasion {
  return { spawner, until, ends_at }
}

function describeOccasion({ spawner, until, ends_at }: Occasion): string {
  const end = 'flow' in until ? `flow ${until.flow} has ended, at the latest ${ends_at}` : ends_at
  return `${end}, spawned by ${spawner}`
}

type Version = {
  readonly version: string
  readonly contract_hash: string
  readonly seq: number
  readonly revoked: boolean
}

function listVersions({ contracts }: Authority, agent: string): readonly Version[] {
  const versions = contracts.get(agent) ?? []
  return versions.map(({ contract, hash, seq, revoked }) => ({
    version: contract.version,
    contract_hash: hash,
    seq,
    revoked,
  }))
}

export function createUnknownAgentFailure(agent: string): CliFailure {
  return new CliFailure({
    code: 'AGENT_UNKNOWN',
    summary: `there is no agent \`${agent}\``,
    fix: 'see `rubicon agents`',
  })
}
