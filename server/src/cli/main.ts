/**
 * The command line: reads what was typed, loads the one verb that was asked for, and turns how it
 * ended into an exit code. Nothing else of the runtime is loaded before it is needed.
 */
import { CommanderError } from 'commander'
import { escapeControls } from 'rubicon-kernel'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, reportError } from './failure.ts'
import type { CommandStreams } from './output.ts'
import { createBareProgram, createProgram, type ParserOutput } from './program.ts'
import { isRepositoryVerb, registerRepositoryVerb } from './repository-verb.ts'
import { explainUsage } from './usage-fix.ts'
import { VALUE_OPTIONS } from './value-options.ts'
import { VERBS } from './verbs.ts'

export async function main(
  argv: readonly string[],
  streams: CommandStreams = process,
): Promise<ExitCode> {
  const words = addDefaultVerb(argv)
  let exit: ExitCode = EXIT.done
  let help = ''
  const told: ParserOutput = {
    writeOut: (text) => streams.stdout.write(escapeControls(text)),
    writeErr: (text) => {
      help += text
    },
  }
  try {
    const [first] = listOperands(words)
    const program = isRepositoryVerb(first)
      ? await registerRepositoryVerb(createBareProgram(told), first)
      : createProgram(told, streams, (code) => {
          exit = code
        })
    await program.parseAsync([...words], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return handleParserError(error, streams, words, help)
    return reportError(error, streams, words.includes('--json'))
  }
}

/** `rubicon agents` means `rubicon agents list`. */
function addDefaultVerb(argv: readonly string[]): readonly string[] {
  const [group, verb] = listOperands(argv)
  const lists = VERBS.some((spec) => spec.verb === `${group} list`)
  if (group === undefined || verb !== undefined || !lists || argv.includes('--help')) return argv
  const at = argv.indexOf(group) + 1
  return [...argv.slice(0, at), 'list', ...argv.slice(at)]
}

/** The words that are neither options nor their values. */
function listOperands(argv: readonly string[]): readonly string[] {
  return argv.filter((word, index) => {
    const before = argv[index - 1]
    return !word.startsWith('-') && (before === undefined || !VALUE_OPTIONS.has(before))
  })
}

function handleParserError(
  error: CommanderError,
  streams: CommandStreams,
  words: readonly string[],
  help: string,
): ExitCode {
  if (error.exitCode === 0) return EXIT.done
  const json = words.includes('--json')
  if (error.code === 'commander.help' && !json) {
    streams.stderr.write(escapeControls(help))
    return EXIT.couldNotRun
  }
  const { summary, fix } = explainUsage(error, words, listOperands(words))
  return reportError(new CliFailure({ code: 'USAGE', summary, fix }), streams, json)
}
