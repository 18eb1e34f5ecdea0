/**
 * The command line: reads what was typed, loads the one verb that was asked for, and turns how it
 * ended into an exit code. Nothing else of the runtime is loaded before it is needed.
 */
import { Command, CommanderError, Option } from 'commander'
import { type Call, Options } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, reportError } from './failure.ts'
import { createOutput, type Streams } from './output.ts'
import { isRepositoryVerb, registerRepositoryVerb, REPOSITORY_VERBS } from './repository-verb.ts'
import { GROUPS, VALUE_OPTIONS, VERBS, type VerbSpec } from './verbs.ts'
import { version } from './version.ts'

const DEFAULT_STORE = 'sqlite:./.rubicon/rubicon.db'

export async function main(
  argv: readonly string[],
  streams: Streams = process,
): Promise<ExitCode> {
  const words = withDefaultVerb(argv)
  let exit: ExitCode = EXIT.done
  const program = createProgram(streams, (code) => {
    exit = code
  })
  try {
    const first = operands(words)[0]
    if (first !== undefined && isRepositoryVerb(first)) await registerRepositoryVerb(program, first)
    await program.parseAsync([...words], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return afterParser(error, streams, words)
    return reportError(error, streams, words.includes('--json'))
  }
}

function createProgram(streams: Streams, ended: (code: ExitCode) => void): Command {
  const program = new Command('rubicon')
    .description('Agents propose. A deterministic kernel decides.')
    .version(version())
    .addOption(new Option('--json', 'machine-readable output on stdout'))
    .addOption(new Option('--store <address>', 'where the ledger is').default(DEFAULT_STORE))
    .addOption(new Option('--state <folder>', 'where keys and checkpoints are'))
    .addOption(new Option('--tenant <name>', 'whose ledger').default('default'))
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: () => {},
      outputError: () => {},
    })
    .exitOverride()
  for (const spec of VERBS) declare(program, spec, streams, ended)
  for (const { name, summary } of REPOSITORY_VERBS)
    program.command(name).description(`${summary} (repository only)`)
  return program
}

function declare(
  program: Command,
  spec: VerbSpec,
  streams: Streams,
  ended: (code: ExitCode) => void,
): void {
  const names = spec.verb.split(' ')
  const leaf = names.pop() ?? ''
  const group = names[0]
  const command = (group === undefined ? program : groupOf(program, group)).command(
    spec.args === undefined ? leaf : `${leaf} ${spec.args}`,
  )
  command.description(spec.summary)
  for (const [flags, description] of spec.options ?? []) command.option(flags, description)
  command.action(async () => {
    const options = command.optsWithGlobals<Record<string, unknown>>()
    const verb = await spec.load()
    ended(await verb(callOf(command.args, options, streams)))
  })
}

function groupOf(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name)
  return known ?? program.command(name).description(GROUPS[name] ?? '')
}

function callOf(
  args: readonly string[],
  given: Readonly<Record<string, unknown>>,
  streams: Streams,
): Call {
  const options = new Options(given)
  return {
    args,
    options,
    streams,
    out: createOutput(streams, options.flag('json')),
    place: {
      store: options.text('store') ?? DEFAULT_STORE,
      tenant: options.text('tenant') ?? 'default',
      state: options.text('state'),
    },
  }
}

/** `rubicon agents` means `rubicon agents list`. */
function withDefaultVerb(argv: readonly string[]): readonly string[] {
  const [group, verb] = operands(argv)
  const lists = VERBS.some((spec) => spec.verb === `${group} list`)
  if (group === undefined || verb !== undefined || !lists || argv.includes('--help')) return argv
  const at = argv.indexOf(group) + 1
  return [...argv.slice(0, at), 'list', ...argv.slice(at)]
}

/** The words that are neither options nor their values. */
function operands(argv: readonly string[]): readonly string[] {
  return argv.filter((word, index) => {
    const before = argv[index - 1]
    return !word.startsWith('-') && (before === undefined || !VALUE_OPTIONS.has(before))
  })
}

function afterParser(error: CommanderError, streams: Streams, words: readonly string[]): ExitCode {
  if (error.exitCode === 0) return EXIT.done
  const [first = '', hint] = error.message.replace(/^error: /, '').split('\n')
  const failure =
    error.code === 'commander.help'
      ? { code: 'USAGE', summary: 'say what to do', fix: 'see `rubicon --help`; try quickstart' }
      : {
          code: 'USAGE',
          summary: first.replaceAll("'", '`'),
          fix: hint === undefined ? 'see `rubicon --help`' : suggestion(hint),
        }
  return reportError(new CliFailure(failure), streams, words.includes('--json'))
}

/** `(Did you mean verify?)` in the house's words. */
function suggestion(hint: string): string {
  return hint.replace(/^\(Did you mean (one of )?(.*)\?\)$/, 'did you mean $1`$2`?')
}
