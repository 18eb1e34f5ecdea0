/**
 * `rubicon merge-driver run BASE OURS THEIRS PATH [SIZE]`: what git calls for a file. It reads nothing but the exit code and the file of
 * ours: 0 is merged, anything else up to 128 is a conflict. So a failure is one too, with ours as it was.
 */
import { GitMergeError, type MergedFile, mergeFiles } from 'rubicon-artifacts'
import { type CommandCall, countOf, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { SYMBOLS } from './output.ts'

const DEFAULT_SIZE = '7'

export async function runMergeDriver(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const name = getArgument(call, 3, '<path>')
  const { conflicts, by, fallback } = await merge(call, name)
  for (const { path, reason } of conflicts)
    out.line(`${SYMBOLS.rejected} ${name}${path === '' ? '' : ` ${path}`}: ${reason}`)
  out.data({ merged: conflicts.length === 0, path: name, by, fallback, conflicts })
  return conflicts.length === 0 ? EXIT.done : EXIT.findings
}

async function merge(call: CommandCall, name: string): Promise<MergedFile> {
  try {
    return await mergeFiles({
      base: getArgument(call, 0, '<base>'),
      ours: getArgument(call, 1, '<ours>'),
      theirs: getArgument(call, 2, '<theirs>'),
      name,
      markerSize: countOf(call.args[4] ?? DEFAULT_SIZE, '[marker-size]', 1),
    })
  } catch (error) {
    if (!(error instanceof GitMergeError)) throw error
    throw new CliFailure({
      code: 'GIT',
      summary: `\`${name}\` is not merged: ${error.message}`,
      fix: 'choose one of both: git checkout --ours, or git checkout --theirs',
    })
  }
}
