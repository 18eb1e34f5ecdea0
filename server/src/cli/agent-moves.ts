/** `rubicon agents suspend|reactivate|retire|kill`: signed by the operator, with a reason. */
import type { MoveAgentAsked, MoveAgentReply } from 'rubicon-agents/client'
import { executeAsOperator } from './as-operator.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { SYMBOLS } from './output.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function suspendAgent(call: CommandCall): Promise<ExitCode> {
  return move(call, 'SUSPENDED', 'suspending it stops its open flows')
}

export async function reactivateAgent(call: CommandCall): Promise<ExitCode> {
  return move(call, 'ACTIVE', null)
}

export async function retireAgent(call: CommandCall): Promise<ExitCode> {
  return move(call, 'RETIRED', 'retirement is final')
}

/** The kill switch. */
export async function killAgent(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const agent_id = getArgument(call, 0, 'AGENT')
  const reason = options.getRequired('reason', '--reason TEXT')
  const what = `\`${agent_id}\`: it is stopped, and its flows and those of its instances end`
  await confirm(call, { what, name: agent_id })
  const { from, to, seq } = await moveAgent(call, agent_id, {
    to: 'SUSPENDED',
    justification: reason,
    revoke: true,
  })
  out.line(`${out.symbol(SYMBOLS.allowed)} ${agent_id} ${from} → ${to}, contract revoked`)
  out.data({ agent_id, from, to, reason, seq })
  return EXIT.done
}

async function move(
  call: CommandCall,
  to: Transition['to'],
  warning: string | null,
): Promise<ExitCode> {
  const { options, out } = call
  const agent_id = getArgument(call, 0, 'AGENT')
  const justification = options.getRequired('reason', '--reason TEXT')
  if (warning !== null) await confirm(call, { what: `\`${agent_id}\`: ${warning}`, name: agent_id })
  const { from } = await moveAgent(call, agent_id, { to, justification })
  out.line(`${out.symbol(SYMBOLS.allowed)} ${agent_id} ${from} → ${to}`)
  out.data({ agent_id, from, to, justification })
  return EXIT.done
}

type Transition = MoveAgentAsked['body']

function moveAgent(call: CommandCall, id: string, body: Transition): Promise<MoveAgentReply> {
  return executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.moveAgent({ params: { id }, body, ...createIdempotencyKey() })),
  )
}
