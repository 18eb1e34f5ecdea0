/** `agents`, `agent`, and the moves of an agent: `suspend`, `reactivate`, `retire`. */
import { randomUUID } from 'node:crypto'
import type { MoveAgentAsked } from 'rubicon-agents/client'
import { formatAgentStatus } from '../agent-status.ts'
import { escapeText } from '../escape-text.ts'
import { SYMBOLS } from '../output.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { list, throwMissing } from './flow-commands.ts'
import { unwrapServerAnswer } from './link.ts'
import { answerTo, confirmName, type ShellSession } from './session.ts'
import type { Typed } from './typed.ts'
import { formatFigure, formatValue } from './value-text.ts'

const LISTED = '1000'

type State = MoveAgentAsked['body']['to']

export const AGENT_COMMANDS: readonly ShellCommand[] = [
  { name: 'agents', summary: 'who is registered, and in which state', run: listAgents },
  {
    name: 'agent',
    args: 'AGENT',
    about: ['agent'],
    summary: 'an agent: its state and why, what it may do, budgets, open flows',
    run: showAgent,
  },
  createMoveCommand('suspend', 'SUSPENDED', 'stop an agent; its open flows stop'),
  createMoveCommand('reactivate', 'ACTIVE', 'start a suspended agent again'),
  createMoveCommand('retire', 'RETIRED', 'end an agent for good'),
]

async function listAgents({ link, out, seen }: ShellSession): Promise<CommandResult> {
  const body = unwrapServerAnswer(await link.client.listAgents({ query: { limit: LISTED } }))
  const rows = body.agents.map((agent) => {
    seen.add('agent', agent.agent_id)
    const status = formatAgentStatus(agent)
    const problems = agent.problems === 0 ? '' : String(agent.problems)
    return [agent.agent_id, status, agent.version ?? '-', agent.owner ?? '-', problems]
  })
  list(out, ['AGENT', 'STATUS', 'VERSION', 'OWNER', 'PROBLEMS'], rows, body.next)
  return { data: body }
}

async function showAgent(
  { link, out, seen }: ShellSession,
  { args }: Typed,
): Promise<CommandResult> {
  const id = args[0] ?? throwMissing('AGENT')
  const body = unwrapServerAnswer(await link.client.getAgent({ params: { id } }))
  const { state, sentences, budgets, verdicts, open_flows, problems, mission, owner } = body
  seen.add('agent', body.agent_id)
  seen.add('flow', ...open_flows.map(({ dfid }) => dfid))
  out.line(`${out.paint('bold', escapeText(body.agent_id))}  ${formatAgentStatus(body)}`)
  if (state !== null)
    out.line(
      `  since    ${state.at} by ${formatValue(state.by)}: ${formatValue(state.justification)}`,
    )
  out.line(`  owner    ${formatValue(owner)}`)
  out.line(`  mission  ${formatValue(mission)}`)
  for (const { text } of sentences) out.line(`  law      ${formatValue(text)}`)
  for (const { of, measure, spent, limit, dfid, resets_at } of budgets) {
    const used = `${formatFigure(spent)} of ${formatFigure(limit)}`
    const whose = of === 'window' ? `of all its flows until ${resets_at}` : (dfid ?? '')
    out.line(`  budget   ${formatValue(measure)} ${used} ${whose}`.trimEnd())
  }
  const counted = Object.entries(verdicts.outcomes).map(([word, count]) => `${count} ${word}`)
  if (counted.length > 0) out.line(`  verdicts ${escapeText(counted.join(', '))}`)
  for (const { dfid, state: at, trigger } of open_flows)
    out.line(`  flow     ${dfid} ${at} ${formatValue(trigger)}`)
  for (const { summary, fix } of problems)
    out.line(`${out.symbol(SYMBOLS.waiting)} ${formatValue(summary)}: ${formatValue(fix)}`)
  return { data: body }
}

function createMoveCommand(name: string, to: State, summary: string): ShellCommand {
  return {
    name,
    args: 'AGENT',
    about: ['agent'],
    summary,
    options: ['reason'],
    flags: ['yes'],
    run: (session, typed) => move(session, typed, to),
  }
}

async function move(session: ShellSession, typed: Typed, to: State): Promise<CommandResult> {
  const { link, out } = session
  const id = typed.args[0] ?? throwMissing('AGENT')
  const justification = await answerTo(session, typed, 'reason', { prompt: '  reason: ' })
  await confirmName(session, typed, id)
  const body = { to, justification }
  const moved = unwrapServerAnswer(
    await link.client.moveAgent({ params: { id }, body, key: randomUUID() }),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(id)} ${moved.from} → ${moved.to}`)
  return { data: moved }
}
