/** `rubicon agents suspend|reactivate|retire|kill`: signed by the operator, with a reason. */
import type { AgentStatus } from 'rubicon-kernel'
import { unknownAgent } from './agents.ts'
import { argument, type Call } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { operating } from './open.ts'
import { SYMBOLS } from './output.ts'

export async function suspendAgent(call: Call): Promise<ExitCode> {
  return move(call, 'SUSPENDED', 'suspending it stops its open flows')
}

export async function reactivateAgent(call: Call): Promise<ExitCode> {
  return move(call, 'ACTIVE', null)
}

export async function retireAgent(call: Call): Promise<ExitCode> {
  return move(call, 'RETIRED', 'nobody comes back from retirement')
}

/** The kill switch. */
export async function killAgent(call: Call): Promise<ExitCode> {
  const { options, out } = call
  const agent_id = argument(call, 0, 'AGENT')
  const reason = options.required('reason', '--reason TEXT')
  const what = `\`${agent_id}\`: it is stopped, and its flows and those of its instances end`
  await confirm(call, { what, name: agent_id })
  const killed = await operating(call, async (engine) =>
    unwrap(await engine.kill(agent_id, reason)),
  )
  const { from, to, seq } = killed
  out.line(`${out.symbol(SYMBOLS.allowed)} ${agent_id} ${from} → ${to}, contract revoked`)
  out.data({ agent_id, from, to, reason, seq })
  return EXIT.done
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
