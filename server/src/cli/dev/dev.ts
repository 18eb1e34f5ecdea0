/** `rubicon dev [FOLDER]`: a project, served for its author while it is written. */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { escapeControls, isBlank } from 'rubicon-kernel'
import { checkPort, DEFAULT_HOST, getDefaultPort } from '../../http/serve.ts'
import { mintToken } from '../../people/people.ts'
import type { CommandCall } from '../call.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { CliFailure } from '../failure.ts'
import { parseSqlitePath } from '../open.ts'
import { isBrowserWanted, openBrowser } from '../open-browser.ts'
import { SYMBOLS } from '../output.ts'
import { assertPortFree } from '../port-free.ts'
import { findRunningServer } from '../running-server.ts'
import { createStopSignal } from '../stop-signal.ts'
import { chooseDevPlace, type DevPlace, findRulesFile, prepareDevPlace } from './dev-place.ts'
import { type DevEvent, DevSession, getTokenFile, writeToken } from './dev-session.ts'
import { formatEvent } from './format-event.ts'
import { readKeys } from './read-keys.ts'
import { watchProject } from './watch-project.ts'

export async function serveDevProject(call: CommandCall): Promise<ExitCode> {
  const { options, out, streams } = call
  const place = chooseDevPlace(call)
  const port = options.count('port', getDefaultPort())
  const refused = checkPort(port)
  if (refused !== null) throw new CliFailure(refused)
  await assertNotServed(call, place)
  await assertPortFree(DEFAULT_HOST, port)
  prepareDevPlace(place)
  const stop = createStopSignal()
  const token = ensureToken(place)
  const show = async (url: string): Promise<void> => {
    const isOpened = await openBrowser(buildLink(url, token), getPageFile(place), streams.env)
    if (!isOpened) out.note(`${SYMBOLS.waiting} no browser could be started: open ${url}`)
  }
  const tell = (event: DevEvent): void => {
    tellEvent(call, event)
    if (event.kind !== 'serving') return
    tellServing(call, place, event.url, token)
    if (isBrowserWanted(streams, options.hasFlag('open'))) void show(event.url)
  }
  const session = new DevSession(place, { host: DEFAULT_HOST, port, token }, tell)
  const watch = watchProject(
    place.folder,
    (paths) => void session.change(paths),
    (error) => stop.fail(error),
  )
  const keys = readKeys(streams, createKeyHandler(call, place, session, show, stop.stop), stop.stop)
  try {
    await Promise.race([session.start(), stop.stopped])
    await stop.stopped
  } finally {
    keys.stop()
    watch.stop()
    await session.end()
  }
  out.note(`${SYMBOLS.info} stopped; the dev store stays for the next time`)
  return EXIT.done
}

/** Before the port: whoever forgot the other terminal is told where the project is, and not that a port or a file is in use. */
async function assertNotServed(call: CommandCall, { store, state }: DevPlace): Promise<void> {
  const running = await findRunningServer({ ...call.place, store, state })
  if (running === null) return
  throw new CliFailure({
    code: 'STORE_LOCKED',
    summary: `this project is served already, at ${running.url}`,
    why: `process ${running.pid} has its dev store open`,
    fix: 'open that address, or stop that process first',
  })
}

/** The same each time, so that a browser stays signed in; it opens the dev store and nothing else. */
function ensureToken(place: DevPlace): string {
  const file = getTokenFile(place)
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  if (!isBlank(kept)) return kept
  const token = mintToken({ bytes: (count) => new Uint8Array(randomBytes(count)) })
  writeToken(place, token)
  return token
}

function buildLink(url: string, token: string): string {
  return `${url}/#token=${token}`
}

function getPageFile({ state }: DevPlace): string {
  return join(state, 'open.html')
}

function tellServing({ out, streams }: CommandCall, place: DevPlace, url: string, token: string) {
  const isTerminal = streams.stdout.isTTY === true && streams.stderr.isTTY === true
  const file = getTokenFile(place)
  const store = parseSqlitePath(place.store) ?? ''
  out.line(`${out.symbol(SYMBOLS.allowed)} ${basename(place.folder)} is served at ${url}`)
  out.line(`  store    ${relative('.', store)} (for development)`)
  out.line(`  inbox    ${url}/inbox`)
  out.line(`  token    ${isTerminal ? token : `in ${relative('.', file)}`}`)
  if (findRulesFile(place) === null)
    out.note(
      `${SYMBOLS.waiting} there is no rules.ts: without capabilities every proposal is refused`,
    )
  if (isTerminal) out.note(`${SYMBOLS.info} keys: r reset, o open the console, q quit, ? help`)
  out.row({
    event: 'serving',
    url,
    store,
    state: place.state,
    token: isTerminal ? token : null,
    token_file: file,
  })
}

/** What code of the project prints is nobody's data. */
function tellEvent({ out, streams }: CommandCall, event: DevEvent): void {
  for (const line of formatEvent(event, out)) out.line(line)
  if (event.kind === 'serving') return
  if (event.kind === 'printed') {
    if (out.json) streams.stderr.write(`${escapeControls(event.line)}\n`)
    return
  }
  const { kind, ...said } = event
  out.row({ event: kind, ...said })
}

const HELP = [
  'r  delete the dev store and begin anew (asks once)',
  'o  open the console in the browser',
  'q  quit',
]

function createKeyHandler(
  { out }: CommandCall,
  place: DevPlace,
  session: DevSession,
  show: (url: string) => Promise<void>,
  quit: () => void,
): (key: string) => void {
  let isAsked = false
  return (key) => {
    const isConfirmed = isAsked && key === 'r'
    if (isAsked && !isConfirmed) out.note(`${SYMBOLS.info} nothing was deleted`)
    const wasAsked = isAsked
    isAsked = false
    if (isConfirmed) void session.reset()
    else if (key === 'r' && !wasAsked) {
      isAsked = true
      out.note(
        `${SYMBOLS.waiting} this deletes every flow and decision in the dev store: press r again, any other key keeps it`,
      )
    } else if (key === 'o' && session.url !== null) void show(session.url)
    else if (key === 'q') quit()
    else if (key === '?') {
      for (const line of HELP) out.note(line)
      out.note(
        `other commands: \`rubicon flows list --store ${place.store} --state ${place.state}\``,
      )
    }
  }
}
