/** `agents`, `agent`, and the moves of an agent: `suspend`, `reactivate`, `retire`. */
import type { Verb } from '../call.ts'
import type { ShellCommand } from './command.ts'
import { createVerbCommand } from './verb-command.ts'

export const AGENT_COMMANDS: readonly ShellCommand[] = [
  createVerbCommand({
    name: 'agents',
    summary: 'list agents and their states',
    load: async () => (await import('../agents.ts')).listAgents,
  }),
  createVerbCommand({
    name: 'agent',
    args: 'AGENT',
    about: ['agent'],
    summary: 'show an agent: its state and why, what it may do, budgets, flows',
    load: async () => (await import('../agents.ts')).showAgent,
  }),
  createMoveCommand('suspend', 'stop an agent; its open flows stop', async () => {
    return (await import('../agent-moves.ts')).suspendAgent
  }),
  createMoveCommand('reactivate', 'start a suspended agent again', async () => {
    return (await import('../agent-moves.ts')).reactivateAgent
  }),
  createMoveCommand('retire', 'end an agent for good', async () => {
    return (await import('../agent-moves.ts')).retireAgent
  }),
]

function createMoveCommand(name: string, summary: string, load: () => Promise<Verb>): ShellCommand {
  return createVerbCommand({
    name,
    args: 'AGENT',
    about: ['agent'],
    summary,
    options: ['reason'],
    flags: ['yes'],
    asks: [{ option: 'reason', prompt: '  reason: ' }],
    load,
  })
}
