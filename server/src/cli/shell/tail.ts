/** `tail`: entries of the ledger as they are written. Ctrl-C ends it, not the shell. */
import { type EntryEvent, type ListenState, listen } from 'rubicon-agents/events'
import { countOf, createUsageFailure } from '../call.ts'
import { escapeText } from '../escape-text.ts'
import { CliFailure } from '../failure.ts'
import { SYMBOLS } from '../output.ts'
import { toProblemFailure } from '../server-answer.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { SHELL_FIXES } from './link.ts'
import type { ShellSession } from './session.ts'
import type { Typed } from './typed.ts'

const FILTERS = ['dfid', 'agent', 'kind'] as const

export const TAIL_COMMAND: ShellCommand = {
  name: 'tail',
  args: '[dfid=…] [agent=…] [kind=…]',
  summary: 'show entries as they are written, until Ctrl-C; several values with commas',
  options: ['after', 'count'],
  words: FILTERS.map((name) => `${name}=`),
  run: followLedger,
}

async function followLedger(
  session: ShellSession,
  { args, options }: Typed,
): Promise<CommandResult> {
  const { link, out, lines } = session
  const filters = Object.fromEntries(args.map(parseEventFilter))
  const after = parseNumberOption(options, 'after')
  let left = parseNumberOption(options, 'count') ?? Number.POSITIVE_INFINITY
  out.note(`${SYMBOLS.info} listening; Ctrl-C ends it`)
  const ended = Promise.withResolvers<void>()
  let lost = false
  const hearing = listen({
    ...link.asks,
    filters,
    ...(after === undefined ? {} : { after }),
    onEvent: (event) => {
      if (left <= 0) return
      show(session, event)
      left -= 1
      if (left === 0) ended.resolve()
    },
    onState: (state) => {
      const words = describeListenState(state, lost)
      lost = state === 'reconnecting'
      if (words !== null) out.note(words)
    },
    onRefused: (problem) => ended.reject(new CliFailure(toProblemFailure(problem, SHELL_FIXES))),
  })
  const done = lines.whileWorking(() => ended.resolve())
  try {
    await ended.promise
  } finally {
    done()
    hearing.stop()
  }
  return {}
}

/** Only when it changes: who waits for long is not told again and again. */
function describeListenState(state: ListenState, lost: boolean): string | null {
  if (state === 'reconnecting' && !lost)
    return `${SYMBOLS.waiting} the server does not answer; it is tried again`
  return state === 'live' && lost ? `${SYMBOLS.info} back; nothing was missed` : null
}

function show({ out, seen }: ShellSession, event: EntryEvent): void {
  const { leaf, at, kind, dfid, agent_id, code } = event
  seen.add('flow', dfid)
  seen.add('agent', agent_id)
  const what = [kind.padEnd(16), dfid ?? '', agent_id ?? '', code ?? ''].join('  ')
  out.line(escapeText(`${leaf}  ${at}  ${what}`).trimEnd())
  out.row({ command: 'tail', data: event })
}

function parseEventFilter(word: string): readonly [string, string] {
  const [name = '', value = ''] = word.split('=')
  if (FILTERS.some((known) => known === name) && value !== '') return [name, value]
  throw createUsageFailure(
    `\`${word}\` is no filter`,
    `use ${FILTERS.map((known) => `${known}=…`).join(', ')}`,
  )
}

function parseNumberOption(options: Typed['options'], name: string): number | undefined {
  const text = options.get(name)
  return text === undefined ? undefined : countOf(text, `--${name}`, 0)
}
