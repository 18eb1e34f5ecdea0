/** What a verb gets: its arguments, its options, where the data is, and how to speak and ask. */
import type { ClientOptions } from 'rubicon-agents'
import type { Client } from 'rubicon-agents/client'
import { type Failure, findPersonNameProblem, isBlank } from 'rubicon-kernel'
import type { ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import type { CommandStreams, Output } from './output.ts'

export type StorePlace = {
  /** `sqlite:PATH`, or `postgres://user:password@host:port/database` */
  readonly store: string
  readonly tenant: string
  /** Where keys and checkpoints are; undefined: the user's state directory. */
  readonly state: string | undefined
  /** The socket of the agent that holds the keys. */
  readonly keyAgent: string | undefined
  /** What the key files are sealed under. */
  readonly passphraseFile: string | undefined
}

export type CommandCall = {
  readonly args: readonly string[]
  readonly options: Options
  readonly place: StorePlace
  readonly out: Output
  readonly streams: CommandStreams
  /** In a shell: the server that it is connected to, and how somebody is asked there. */
  readonly connected?: ConnectedServer
}

export type ConnectedServer = {
  readonly client: Client
  readonly asks: ClientOptions
  /** Returns only if it was confirmed. */
  readonly confirm: (question: { readonly what: string; readonly name: string }) => Promise<void>
}

export type Verb = (call: CommandCall) => Promise<ExitCode>

/** Options as the parser left them; read only through these. */
export class Options {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  hasFlag(name: string): boolean {
    return this.#values[name] === true
  }

  text(name: string): string | undefined {
    const value = this.#values[name]
    return typeof value === 'string' ? value : undefined
  }

  getRequired(name: string, flag: string): string {
    const value = this.text(name)
    if (value === undefined || isBlank(value)) throw createMissingFailure(flag)
    return value
  }

  /** A whole number from `least` on. */
  count(name: string, fallback: number, least = 0): number {
    const value = this.text(name)
    if (value === undefined) return fallback
    return countOf(value, formatFlag(name), least)
  }

  getTexts(name: string): readonly string[] {
    const value = this.#values[name]
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  }
}

/** The address of a server that is asked; undefined: the verb opens the store. */
export function getServerOption({ options }: Pick<CommandCall, 'options'>): string | undefined {
  return options.text('server')
}

/**
 * Whose word it is, as `--by` says; undefined: nobody's. The ledger is read by the beginnings of names: whoever had
 * one that no person can have would be read as an agent, a source, or the runtime itself.
 */
export function getSpeakerName({ options }: Pick<CommandCall, 'options'>): string | undefined {
  const by = options.text('by')
  const problem = by === undefined ? undefined : findPersonNameProblem(by)
  if (problem === undefined) return by
  throw new CliFailure({
    code: 'PERSON_NAME',
    summary: `\`--by\`: \`${by}\` cannot be the name of a person: it ${problem}`,
    fix: 'use another name, such as an e-mail address',
  })
}

/** A server knows whose word it is by the token, and takes nobody's word for another. */
export function assertSpeakerOption(call: Pick<CommandCall, 'options'>): void {
  if (getSpeakerName(call) === undefined || getServerOption(call) === undefined) return
  throw createUsageFailure(
    '`--by` does not go with `--server`',
    'leave it out: the token says who you are',
  )
}

/** For what is somebody's own word: it is said who says it. */
export function assertSpeakerNamed(call: Pick<CommandCall, 'options'>): void {
  if (getServerOption(call) === undefined) call.options.getRequired('by', '--by PERSON')
  assertSpeakerOption(call)
}

/** As it is typed: `proxyHops` of the parser is `--proxy-hops`. */
function formatFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

export function countOf(value: string, name: string, least: number): number {
  const number = Number(value)
  if (Number.isSafeInteger(number) && number >= least) return number
  throw createUsageFailure(
    `\`${value}\` is not a whole number from ${least} on`,
    `correct \`${name}\``,
  )
}

export function createUsageFailure(summary: string, fix: string): CliFailure {
  const failure: Failure = { code: 'USAGE', summary, fix }
  return new CliFailure(failure)
}

export function createMissingFailure(what: string): CliFailure {
  return createUsageFailure(`\`${what}\` is missing`, `add \`${what}\``)
}

/** The argument at `index`; the parser has already demanded it. */
export function getArgument({ args }: CommandCall, index: number, name: string): string {
  const value = args[index]
  if (value === undefined) throw createMissingFailure(name)
  return value
}
