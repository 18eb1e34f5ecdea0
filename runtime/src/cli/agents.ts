/** `rubicon agents …`: who is registered, and their lifecycle. Moves are signed and recorded. */
import { type AgentStatus, type Authority, currentContract } from 'rubicon-kernel'
import { AuthorityCache } from '../engine/authority-cache.ts'
import { argument, type Call } from './call.ts'
import { confirm } from './confirm.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { operating, reading } from './open.ts'
import { SYMBOLS, table } from './output.ts'

const RECENT_FLOWS = 10

export async function listAgents({ place, out }: Call): Promise<ExitCode> {
  const agents = await reading(place, async (store) => {
    const authority = await new AuthorityCache(store).latest()
    return [...authority.statuses.keys()].sort().map((agent) => summaryOf(authority, agent))
  })
  const rows = agents.map(({ agent_id, status, version, owner, revoked }) => [
    agent_id,
    revoked ? `${status} (revoked)` : status,
    version ?? '-',
    owner ?? '-',
  ])
  for (const line of table([['AGENT', 'STATUS', 'VERSION', 'OWNER'], ...rows])) out.line(line)
  if (agents.length === 0) out.note(`${SYMBOLS.info} none yet: rubicon contract deploy FILE`)
  out.data({ agents })
  return EXIT.done
}

function summaryOf(authority: Authority, agent_id: string) {
  const current = currentContract(authority, agent_id)
  const { version = null, owner = null, mission = null } = current?.contract ?? {}
  const status = authority.statuses.get(agent_id) ?? 'INITIALIZING'
  return { agent_id, status, version, owner, mission, revoked: current === undefined }
}

export async function showAgent(call: Call): Promise<ExitCode> {
  const { place, out } = call
  const agent = argument(call, 0, 'AGENT')
  const shown = await reading(place, async (store) => {
    const authority = await new AuthorityCache(store).latest()
    if (!authority.statuses.has(agent)) throw unknownAgent(agent)
    const versions = (authority.contracts.get(agent) ?? []).map(
      ({ contract, hash, seq, revoked }) => ({
        version: contract.version,
        contract_hash: hash,
        seq,
        revoked,
      }),
    )
    const flows = await store.flows({ agent_id: agent, limit: RECENT_FLOWS })
    return {
      ...summaryOf(authority, agent),
      contract: currentContract(authority, agent)?.contract ?? null,
      versions,
      flows: flows.map(({ dfid, state, trigger }) => ({ dfid, state, trigger })),
    }
  })
  out.line(`${shown.agent_id}  ${shown.status}`)
  out.line(`  owner    ${escapeText(shown.owner ?? '-')}`)
  out.line(`  mission  ${escapeText(shown.mission ?? '-')}`)
  for (const { version, seq, revoked } of shown.versions)
    out.line(`  version  ${version} at authority/${seq}${revoked ? ', revoked' : ''}`)
  for (const { dfid, state, trigger } of shown.flows)
    out.line(`  flow     ${dfid} ${state} ${escapeText(trigger)}`)
  out.data(shown)
  return EXIT.done
}

function unknownAgent(agent: string): CliFailure {
  return new CliFailure({
    code: 'AGENT_UNKNOWN',
    summary: `there is no agent \`${agent}\``,
    fix: 'see `rubicon agents`',
  })
}

export async function suspendAgent(call: Call): Promise<ExitCode> {
  return move(call, 'SUSPENDED', 'suspending it stops its open flows')
}

export async function reactivateAgent(call: Call): Promise<ExitCode> {
  return move(call, 'ACTIVE', null)
}

export async function retireAgent(call: Call): Promise<ExitCode> {
  return move(call, 'RETIRED', 'nobody comes back from retirement')
}

async function move(call: Call, to: AgentStatus, warning: string | null): Promise<ExitCode> {
  const { options, out } = call
  const agent_id = argument(call, 0, 'AGENT')
  const justification = options.required('reason', '--reason TEXT')
  if (warning !== null) await confirm(call, { what: `\`${agent_id}\`: ${warning}`, name: agent_id })
  const from = await operating(call, async (engine) => {
    const { statuses } = await engine.context.authorities.latest()
    const before = statuses.get(agent_id)
    if (before === undefined) throw unknownAgent(agent_id)
    unwrap(await engine.moveAgent({ agent_id, to, actor: 'operator', justification }))
    return before
  })
  out.line(`${out.symbol(SYMBOLS.allowed)} ${agent_id} ${from} → ${to}`)
  out.data({ agent_id, from, to, justification })
  return EXIT.done
}
