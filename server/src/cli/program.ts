/** The verbs as the parser knows them. A verb's own file is loaded when it is called. */
import { Command, Option } from 'commander'
import { type CommandCall, Options } from './call.ts'
import type { ExitCode } from './exit-code.ts'
import { type CommandStreams, createOutput, SYMBOLS } from './output.ts'
import { findPassphraseFile } from './passphrase.ts'
import { getRepositoryPackage, isInstalled, REPOSITORY_VERBS } from './repository-verb.ts'
import { DEFAULT_STORE, findExposedSecret, getStoreAddress } from './store-option.ts'
import { EXAMPLES } from './verb-examples.ts'
import { GROUPS } from './verb-groups.ts'
import { compareBySection, findSection } from './verb-sections.ts'
import { listOptions, type VerbSpec } from './verb-spec.ts'
import { VERBS } from './verbs.ts'
import { readVersion } from './version.ts'

/** Where the parser puts what it wants to say. */
export type ParserOutput = {
  readonly writeOut: (text: string) => void
  readonly writeErr: (text: string) => void
}

/** For verbs that bring their own options. */
export function createBareProgram(told: ParserOutput): Command {
  return (
    new Command('rubicon')
      .description('Agents propose. A deterministic kernel decides.')
      .version(readVersion())
      // Long verbs leave less than the 40 columns below which the parser wraps nothing at all.
      .configureHelp({ showGlobalOptions: true, minWidthToWrap: 24 })
      .configureOutput({ ...told, outputError: () => {} })
      .exitOverride()
  )
}

export function createProgram(
  told: ParserOutput,
  streams: CommandStreams,
  ended: (code: ExitCode) => void,
): Command {
  const program = createBareProgram(told)
    .addOption(new Option('--json', 'machine-readable output on stdout'))
    .addOption(
      new Option(
        '--store <address>',
        `the store (default: ${DEFAULT_STORE}; of dev and reset: the dev store)`,
      ),
    )
    .addOption(
      new Option(
        '--store-file <path>',
        'a file with the address of the store (default: RUBICON_STORE)',
      ),
    )
    .addOption(new Option('--state <folder>', 'the state directory, with keys and checkpoints'))
    .addOption(
      new Option('--passphrase-file <path>', 'a file with the passphrase of the key files'),
    )
    .addOption(new Option('--key-agent <socket>', 'an SSH agent that holds the signing keys'))
    .addOption(new Option('--tenant <name>', 'the tenant (default: `default`)'))
    .addOption(new Option('--quiet', 'do not show progress'))
  for (const spec of VERBS.toSorted(compareVerbs)) declare(program, spec, streams, ended)
  for (const { name, summary } of REPOSITORY_VERBS)
    program
      .command(name, { hidden: !isInstalled(getRepositoryPackage(name)) })
      .description(`${summary} (repository only)`)
  for (const command of program.commands) command.helpGroup(findSection(command.name()) ?? '')
  return program.addHelpCommand(createHelpVerb()).addHelpText('after', BEGINNING)
}

function createHelpVerb(): Command {
  return new Command('help')
    .argument('[command]')
    .description('show the help of a command')
    .helpGroup(findSection('help') ?? '')
}

/** The help lists verbs in the order in which they are declared. */
function compareVerbs(a: VerbSpec, b: VerbSpec): number {
  return compareBySection(getFirstWord(a), getFirstWord(b))
}

function getFirstWord({ verb }: VerbSpec): string {
  return verb.split(' ')[0] ?? ''
}

/** For whoever asks for the first time. */
const BEGINNING = `
Start here: rubicon quickstart shows what it does, rubicon init creates a project, rubicon dev serves it.
The glossary explains the terms: /docs/glossary in the console. rubicon explain CODE explains a refusal.`

function declare(
  program: Command,
  spec: VerbSpec,
  streams: CommandStreams,
  ended: (code: ExitCode) => void,
): void {
  const names = spec.verb.split(' ')
  const leaf = names.pop() ?? ''
  const group = names[0]
  const hidden = spec.workspace !== undefined && !isInstalled(spec.workspace)
  const command = (group === undefined ? program : ensureGroup(program, group)).command(
    spec.args === undefined ? leaf : `${leaf} ${spec.args}`,
    { hidden },
  )
  // `rubicon agents` means `rubicon agents list`: see `main.ts`.
  command.description(leaf === 'list' ? `${spec.summary} (default)` : spec.summary)
  for (const [flags, description] of listOptions(spec)) command.option(flags, description)
  const examples = EXAMPLES[spec.verb] ?? []
  if (examples.length > 0)
    command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)
  command.action(async () => {
    const options = command.optsWithGlobals<Record<string, unknown>>()
    const verb = await spec.load()
    ended(await verb(createCall(command.args, options, streams)))
  })
}

function ensureGroup(program: Command, name: string): Command {
  const known = program.commands.find((command) => command.name() === name)
  return known ?? program.command(name).description(GROUPS[name] ?? '')
}

function createCall(
  args: readonly string[],
  given: Readonly<Record<string, unknown>>,
  streams: CommandStreams,
): CommandCall {
  const options = new Options(given)
  const out = createOutput(streams, options.hasFlag('json'))
  const shown = findExposedSecret(options)
  if (shown !== null) out.note(`${SYMBOLS.waiting} ${shown}`)
  return {
    args,
    options,
    streams,
    out,
    place: {
      store: getStoreAddress(options, streams.env),
      tenant: options.text('tenant') ?? 'default',
      state: options.text('state'),
      keyAgent: options.text('keyAgent') ?? streams.env.RUBICON_KEY_AGENT,
      passphraseFile: findPassphraseFile(options, streams.env),
    },
  }
}
