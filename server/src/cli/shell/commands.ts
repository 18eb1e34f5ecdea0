/** Every word of the shell, in the order in which `help` tells them. */

import { findNearest } from 'rubicon-kernel'
import { CliFailure } from '../failure.ts'
import { formatTable } from '../output.ts'
import { AGENT_COMMANDS } from './agent-commands.ts'
import type { ShellCommand } from './command.ts'
import { DECIDE_COMMANDS } from './decide-commands.ts'
import { FLOW_COMMANDS } from './flow-commands.ts'
import { INBOX_COMMANDS } from './inbox-commands.ts'
import { LOOK_COMMANDS } from './look-commands.ts'
import { TAIL_COMMAND } from './tail.ts'

/** They end the shell. */
export const QUIT: readonly string[] = ['quit', 'exit']

const HELP: ShellCommand = {
  name: 'help',
  summary: 'this list; also `?`',
  run: async ({ out }) => {
    const commands = [...COMMANDS, { name: 'quit', args: '', summary: 'leave; also Ctrl-D' }]
    const rows = commands.map(({ name, args = '', summary }) => [
      `${name} ${args}`.trimEnd(),
      summary,
    ])
    for (const line of formatTable(rows)) out.line(line)
    return { data: commands.map(({ name, args = '', summary }) => ({ name, args, summary })) }
  },
}

export const COMMANDS: readonly ShellCommand[] = [
  ...INBOX_COMMANDS,
  ...DECIDE_COMMANDS,
  ...FLOW_COMMANDS,
  ...AGENT_COMMANDS,
  TAIL_COMMAND,
  ...LOOK_COMMANDS,
  HELP,
]

export function resolveCommand(word: string): ShellCommand {
  const name = word === '?' ? 'help' : word
  const found = COMMANDS.find((command) => command.name === name)
  if (found !== undefined) return found
  const close = findNearest(
    name,
    COMMANDS.map((command) => command.name),
  )
  throw new CliFailure({
    code: 'USAGE',
    summary: `there is no command \`${word}\``,
    fix: close === undefined ? 'see `help`' : `did you mean \`${close}\`?`,
  })
}
