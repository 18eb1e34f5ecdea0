import type { ExitCode } from '../exit-code.ts'
import type { SeenKind } from './seen.ts'
import type { ShellSession } from './session.ts'
import type { Grammar, Typed } from './typed.ts'

/** A word that the shell understands. */
export type ShellCommand = Grammar & {
  readonly name: string
  /** What stands behind it, for `help`. */
  readonly args?: string
  readonly summary: string
  /** Words that it is completed with. */
  readonly words?: readonly string[]
  /** What it is about: it is completed with those that have been seen. */
  readonly about?: readonly SeenKind[]
  readonly run: (session: ShellSession, typed: Typed) => Promise<CommandResult>
}

export type CommandResult = {
  /** For scripts. Left out: it has been said already, or there is nothing to say. */
  readonly data?: unknown
  readonly exit?: ExitCode
}
