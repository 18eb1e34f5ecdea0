/** Turns whatever went wrong into one form, and shows it. */
import type { Failure } from 'rubicon-kernel'
import { listProblemLines } from 'rubicon-runtime/contract-file/problems'
import { nameCommands } from './command-name.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { type CommandStreams, serialiseJson } from './output.ts'

/** A job that the command line could not do, thrown by verbs and shown by `main`. */
export class CliFailure extends Error {
  readonly failure: Failure
  readonly exit: ExitCode

  constructor(failure: Failure, exit: ExitCode = EXIT.couldNotRun) {
    super(failure.summary)
    this.name = 'CliFailure'
    this.failure = failure
    this.exit = exit
  }
}

export function unwrap<T>(result: { ok: true; value: T } | { ok: false; error: Failure }): T {
  if (result.ok) return result.value
  throw new CliFailure(result.error)
}

/** Shows an error and says how the command ends. */
export function reportError(error: unknown, streams: CommandStreams, json: boolean): ExitCode {
  const { failure, exit } = describeError(error)
  if (json) streams.stdout.write(serialiseJson({ error: failure }, 2))
  else streams.stderr.write(nameCommands(formatFailure(failure), streams.env))
  return exit
}

export function formatFailure(failure: Failure): string {
  return `${formatFailureLines(failure).join('\n')}\n`
}

export function formatFailureLines(failure: Failure): readonly string[] {
  const { summary, why, fix } = failure
  const lines = [`✖ ${escapeText(summary)}`]
  for (const problem of listProblemLines(failure)) lines.push(`  ${escapeText(problem)}`)
  if (why !== undefined && why !== '') lines.push(`  why  ${escapeText(why)}`)
  if (fix !== undefined && fix !== '') lines.push(`  fix  ${escapeText(fix)}`)
  return lines
}

export function describeError(error: unknown): {
  readonly failure: Failure
  readonly exit: ExitCode
} {
  if (error instanceof CliFailure) return { failure: error.failure, exit: error.exit }
  if (!(error instanceof Error)) return createBugFailure(String(error), '')
  // By name and not by class: loading the classes would load the whole runtime for `explain`.
  if (error.name === 'RubiconError' && 'failure' in error)
    return { failure: error.failure as Failure, exit: EXIT.couldNotRun }
  if (error.name === 'StoreError' && 'code' in error && 'fix' in error) {
    const failure = { code: String(error.code), summary: error.message, fix: String(error.fix) }
    return { failure, exit: EXIT.couldNotRun }
  }
  if (error.name === 'LedgerCorrupt')
    return {
      failure: {
        code: 'LEDGER_CORRUPT',
        summary: `the ledger is damaged: ${error.message}`,
        fix: 'keep the file as evidence; `rubicon verify` names every place',
      },
      exit: EXIT.findings,
    }
  if ('code' in error && typeof error.code === 'string' && 'syscall' in error)
    return {
      failure: {
        code: error.code,
        summary: describeSystemError(error, error.code),
        fix: findSystemFix(error.code),
      },
      exit: EXIT.couldNotRun,
    }
  return createBugFailure(error.message, error.stack ?? '')
}

/** Mistyped, or a pattern that matched nothing: the words of the system begin with its own code instead of the path. */
function describeSystemError(error: Error, code: string): string {
  if (code !== 'ENOENT' || !('path' in error) || typeof error.path !== 'string')
    return error.message
  return `no such file or folder: \`${error.path}\``
}

/** A full disk is not a matter of rights; and what was committed before a write beside it stays so. */
function findSystemFix(code: string): string {
  return code === 'ENOSPC'
    ? 'free space on the disks of the state directory and of the output; look whether it was done before you repeat it'
    : 'check the path and its rights'
}

function createBugFailure(message: string, stack: string): { failure: Failure; exit: ExitCode } {
  return {
    failure: {
      code: 'BUG',
      summary: `this is a bug in rubicon: ${message}`,
      why: stack.split('\n').slice(1, 4).join(' ').trim(),
      fix: 'please report it with the command that you ran',
    },
    exit: EXIT.bug,
  }
}
