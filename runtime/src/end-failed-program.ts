/** How a program that people start by hand ends when the library refuses something. */
import type { Failure } from 'rubicon-kernel'
import { listProblemLines } from './contract-file/placed-problem.ts'
import { StoreError } from './ports/store.ts'
import { RubiconError } from './rubicon-error.ts'

/**
 * Ends the program with what could not be done, why, and what to do about it, in place of the stack of a refusal:
 * `process.once('uncaughtException', endFailedProgram)`. What the library did not refuse is a bug, and is shown with its stack.
 */
export function endFailedProgram(error: unknown): never {
  const failure = toFailure(error)
  if (failure === null) console.error(error)
  else console.error(formatFailure(failure))
  process.exit(1)
}

function toFailure(error: unknown): Failure | null {
  if (error instanceof RubiconError) return error.failure
  if (!(error instanceof StoreError)) return null
  const { code, message: summary, fix } = error
  return { code, summary, fix }
}

/** As the command `rubicon` shows a failure, with its code, which `rubicon explain` takes. */
function formatFailure(failure: Failure): string {
  const { code, summary, why, fix } = failure
  const lines = [`✖ ${code}: ${summary}`, ...listProblemLines(failure).map((one) => `  ${one}`)]
  if (why !== undefined && why !== '') lines.push(`  why  ${why}`)
  if (fix !== undefined && fix !== '') lines.push(`  fix  ${fix}`)
  return lines.join('\n')
}
