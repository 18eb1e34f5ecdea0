/** What a shell knows while it runs: whom it asks, what it has shown, and what was not answered. */

import type { DecisionBody, DecisionWords } from 'rubicon-agents'
import type { EscalationBrief } from 'rubicon-agents/client'
import { isBlank } from 'rubicon-kernel'
import { type CommandCall, createMissingFailure } from '../call.ts'
import { EXIT } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import type { Output } from '../output.ts'
import type { ProgressOf } from '../progress.ts'
import type { Lines } from './lines.ts'
import type { Link } from './link.ts'
import type { Seen } from './seen.ts'
import type { Typed } from './typed.ts'

export type ShellSession = {
  readonly link: Link
  /** How the shell was called. */
  readonly call: CommandCall
  readonly out: Output
  readonly lines: Lines
  readonly seen: Seen
  readonly progressOf: ProgressOf
  /** What somebody has looked at here, by request: nothing else can be approved. */
  readonly shown: Map<string, EscalationBrief>
  /** What was typed about a request and did not count, by request. */
  readonly drafts: Map<string, DecisionWords>
  /** Decisions of which nobody knows whether they arrived, by request. */
  readonly unheard: Map<string, Unheard>
}

export type Unheard = { readonly key: string; readonly body: DecisionBody }

export function throwMissing(name: string): never {
  throw createMissingFailure(name)
}

/** What an option says; where there is none, what is answered to a question. */
export async function answerTo(
  { lines }: ShellSession,
  { options }: Typed,
  option: string,
  question: { readonly prompt: string; readonly prefilled?: string },
): Promise<string> {
  const given = options.get(option)
  if (given !== undefined) return given
  if (!lines.isTerminal) throw createMissingFailure(`--${option}`)
  const answer = await lines.readNext({ kind: 'answer', ...question })
  if (answer === null || isBlank(answer)) throw createDeclinedFailure()
  return answer.trim()
}

/** The name has to be typed, not "y"; a script says `--yes`. */
export async function confirmName(
  session: ShellSession,
  typed: Typed,
  name: string,
): Promise<void> {
  if (typed.options.has('yes')) return
  if (!session.lines.isTerminal) throw createMissingFailure('--yes')
  const prompt = `  type ${name} to go on: `
  const answer = await session.lines.readNext({ kind: 'answer', prompt })
  if (answer?.trim() !== name) throw createDeclinedFailure()
}

export function createDeclinedFailure(): CliFailure {
  return new CliFailure({ code: 'DECLINED', summary: 'nothing was changed' }, EXIT.declined)
}
