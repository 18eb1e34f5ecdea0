/**
 * A command of the shell that is a verb: what is typed becomes its arguments and options, and it asks the server that
 * the shell is connected to. What only a terminal has stays here: questions, a confirmation that is typed, completion.
 */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { Options, type Verb } from '../call.ts'
import { CliFailure } from '../failure.ts'
import type { Output } from '../output.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { SHELL_FIXES } from './link.ts'
import type { Seen } from './seen.ts'
import { answerTo, confirmName, type ShellSession } from './session.ts'
import type { Typed } from './typed.ts'

type VerbCommand = Omit<ShellCommand, 'run'> & {
  readonly load: () => Promise<Verb>
  /** Arguments and options of the verb; those that were typed, when nobody says. */
  readonly read?: (typed: Typed) => VerbInput
  /** What somebody at a terminal is asked for, where it was not typed. */
  readonly asks?: readonly AskedOption[]
}

export type VerbInput = {
  readonly args: readonly string[]
  readonly options?: Readonly<Record<string, unknown>>
}

type AskedOption = {
  readonly option: string
  readonly prompt: string
  /** Throws where the answer is none. */
  readonly check?: (answer: string) => unknown
}

export function createVerbCommand({ load, read, asks, ...command }: VerbCommand): ShellCommand {
  return {
    ...command,
    async run(session, typed) {
      const answers: Record<string, string> = {}
      for (const { option, prompt, check } of asks ?? []) {
        const answer = await answerTo(session, typed, option, { prompt })
        check?.(answer)
        answers[option] = answer
      }
      const { args, options = {} } = read?.(typed) ?? { args: typed.args }
      return runVerb(session, typed, await load(), { args, options: { ...options, ...answers } })
    },
  }
}

async function runVerb(
  session: ShellSession,
  typed: Typed,
  verb: Verb,
  { args, options }: VerbInput,
): Promise<CommandResult> {
  const { link, call } = session
  let data: unknown
  const out: Output = {
    ...session.out,
    data: (value) => {
      data = value
    },
  }
  const given = { ...options, yes: typed.options.has('yes'), server: link.url }
  const confirm = ({ name }: { readonly name: string }): Promise<void> =>
    confirmName(session, typed, name)
  const connected = { client: link.client, asks: link.asks, confirm }
  try {
    const exit = await verb({ ...call, args, options: new Options(given), out, connected })
    addNames(session.seen, parseData(data))
    return { data, exit }
  } catch (error) {
    throw toShellFailure(error)
  }
}

/** What to do, in the words of the shell. */
export function toShellFailure(error: unknown): unknown {
  if (!(error instanceof CliFailure)) return error
  const fix = SHELL_FIXES[error.failure.code]
  return fix === undefined ? error : new CliFailure({ ...error.failure, fix }, error.exit)
}

/** Ids that were on the screen may be completed from now on. */
function addNames(seen: Seen, value: JsonValue): void {
  if (Array.isArray(value)) for (const one of value) addNames(seen, one)
  if (!isObject(value)) return
  const { agent_id, dfid, step_id } = value
  if (typeof agent_id === 'string') seen.add('agent', agent_id)
  if (typeof dfid === 'string') seen.add('flow', dfid)
  if (typeof dfid === 'string' && typeof step_id === 'string')
    seen.add('effect', `${dfid}:${step_id}`)
  // What an entry says is not ours to name things by.
  for (const [name, member] of Object.entries(value))
    if (name !== 'payload' && member !== undefined) addNames(seen, member)
}

/** What verbs print is JSON. */
function parseData(data: unknown): JsonValue {
  return (data ?? null) as JsonValue
}
