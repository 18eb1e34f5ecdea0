/** The page of commands, from what the parser knows. */
import type { Command, Option } from 'commander'
import { createProgram } from '../server/src/cli/program.ts'

const NOWHERE = { writeOut: () => {}, writeErr: () => {} }

export function renderCommandPage(): string {
  const program = createProgram(NOWHERE, process, () => {})
  const verbs = program.commands.filter((command) => command.commands.length === 0)
  const groups = program.commands.filter((command) => command.commands.length > 0)
  return [
    '# Commands',
    '',
    'Written by `node scripts/docs-reference.ts` from what the command knows of itself; `rubicon VERB --help`',
    'says the same. In a project: `npx rubicon VERB`.',
    '',
    'stdout carries data, stderr decoration. Exit codes: 0 done, 1 bug, 2 could not run, 3 declined by the user, 4 done with',
    'findings. A group without a verb lists: `rubicon flows` is `rubicon flows list`.',
    '',
    '## Every verb takes',
    '',
    ...renderOptionTable(program.options),
    '',
    'What `--json` prints is in [cli-json.md](cli-json.md). `RUBICON_STATE` is the state directory where `--state` is not given,',
    '`RUBICON_STORE` the store where neither `--store` nor `--store-file` is, `RUBICON_PORT` the port where `--port` is not.',
    ...verbs.flatMap((command) => renderCommand(command, '##', [])),
    ...groups.flatMap((group) => [
      '',
      `## ${group.name()}`,
      '',
      toSentence(group.description()),
      ...group.commands.flatMap((command) => renderCommand(command, '###', [group.name()])),
    ]),
    '',
  ].join('\n')
}

function renderCommand(
  command: Command,
  mark: string,
  group: readonly string[],
): readonly string[] {
  const words = [...group, command.name()].join(' ')
  const args = command.registeredArguments.map((argument) => {
    const text = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${text}>` : `[${text}]`
  })
  const options = command.options.length === 0 ? [] : ['', ...renderOptionTable(command.options)]
  return [
    '',
    `${mark} ${words}`,
    '',
    `\`rubicon ${[words, ...args].join(' ')}\`: ${command.description()}.`,
    ...options,
  ]
}

function renderOptionTable(options: readonly Option[]): readonly string[] {
  const rows = options.map(({ flags, description, defaultValue }) => {
    const fallback = defaultValue === undefined ? '' : `; \`${defaultValue}\` when nobody says`
    return `| \`${escapeCell(flags)}\` | ${escapeCell(description)}${fallback} |`
  })
  return ['| option | |', '|---|---|', ...rows]
}

/** A bar would end the cell. */
function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
