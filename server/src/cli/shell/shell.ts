/**
 * `rubicon shell [URL]`: an operator at a terminal, and a server that runs.
 *
 * What is piped in is done a line at a time; the first line that fails ends it, and the exit code says
 * how. At a terminal nothing ends the shell but its user.
 */
import { join } from 'node:path'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import type { CommandCall } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { describeError, formatFailureLines } from '../failure.ts'
import { SYMBOLS } from '../output.ts'
import { createVerbProgress } from '../progress.ts'
import { QUIT, resolveCommand } from './commands.ts'
import { createCompletion } from './complete.ts'
import { History } from './history.ts'
import { Lines } from './lines.ts'
import { createLink, isUnheard, obtainValidToken, parseServerAddress } from './link.ts'
import { Seen } from './seen.ts'
import type { ShellSession } from './session.ts'
import { parseTyped } from './typed.ts'

export async function runShell(call: CommandCall): Promise<ExitCode> {
  const url = parseServerAddress(call)
  const token = await obtainValidToken(call, url)
  const session = openSession(call, url, token)
  try {
    return session.lines.isTerminal ? await runInteractive(session) : await perform(session)
  } finally {
    session.lines.close()
  }
}

function openSession(call: CommandCall, url: string, token: string): ShellSession {
  const { place, options, out, streams } = call
  const seen = new Seen()
  const folder = place.state ?? resolveStateDirectory(url)
  const history = new History(join(folder, 'shell-history'), token)
  const lines = new Lines({
    streams,
    history: history.listNewestFirst(),
    complete: createCompletion(seen),
    onCommand: (line) => history.add(line),
  })
  return {
    link: createLink(url, token, options.text('tenant')),
    call,
    out,
    lines,
    seen,
    progressOf: createVerbProgress(call),
    shown: new Map(),
    drafts: new Map(),
    unheard: new Map(),
  }
}

/** The server is asked who one is first: a wrong token is told before anything is typed. */
async function runInteractive(session: ShellSession): Promise<ExitCode> {
  const { out, lines, link } = session
  await execute(session, 'who')
  out.note(`${SYMBOLS.info} \`help\` lists the commands, Tab completes, Ctrl-D ends`)
  const prompt = `rubicon ${new URL(link.url).host}> `
  let unsent: string | undefined
  for (;;) {
    const line = await lines.readNext({
      kind: 'command',
      prompt,
      ...(unsent === undefined ? {} : { prefilled: unsent }),
    })
    if (line === null || QUIT.includes(line.trim())) return EXIT.done
    const { isHeard } = await execute(session, line)
    // What nobody heard stands there again, for when the server is back.
    unsent = isHeard ? undefined : line
  }
}

async function perform(session: ShellSession): Promise<ExitCode> {
  for (;;) {
    const line = await session.lines.readNext({ kind: 'command', prompt: '' })
    if (line === null || QUIT.includes(line.trim())) return EXIT.done
    const { exit } = await execute(session, line)
    if (exit !== EXIT.done) return exit
  }
}

type Executed = { readonly exit: ExitCode; readonly isHeard: boolean }

/** Whatever goes wrong with a line is said, and is not the end of the shell. */
async function execute(session: ShellSession, line: string): Promise<Executed> {
  const { out } = session
  let name = ''
  try {
    const typed = parseTyped(line, (word) => {
      name = word
      return resolveCommand(word)
    })
    if (typed === null) return { exit: EXIT.done, isHeard: true }
    const { data, exit = EXIT.done } = await resolveCommand(name).run(session, typed)
    if (data !== undefined) out.row({ command: name, data })
    return { exit, isHeard: true }
  } catch (error) {
    const { failure, exit } = describeError(error)
    out.row({ command: name, error: failure })
    for (const line of formatFailureLines(failure)) out.note(line)
    return { exit, isHeard: !isUnheard(error) }
  }
}
