/**
 * `rubicon open [DEMO]`: a scenario that has ended, in the console. It is played into a temporary folder, which goes with the command.
 *
 * Whoever serves it holds none of its capabilities, so that nothing new is decided and nothing is sent; and nothing happens by
 * itself, so that what is shown stays as the scenario left it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRuntime, openStore, systemClock } from 'rubicon-runtime/compose'
import type { Clock } from 'rubicon-runtime/ports'
import { type Played, playScenario } from '../demo/play.ts'
import type { ListedScenario } from '../demo/stage.ts'
import { checkPort, DEFAULT_HOST, getDefaultPort, type Serving, serve } from '../http/serve.ts'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { deliverToken } from './first-token.ts'
import { isBrowserWanted, openBrowser } from './open-browser.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { assertPortFree } from './port-free.ts'
import { findScenario, loadOpenable } from './scenario-list.ts'
import { createStopSignal } from './stop-signal.ts'

export async function openDemo(call: CommandCall): Promise<ExitCode> {
  const { args, out, options } = call
  const scenarios = await loadOpenable()
  const [name] = args
  if (name === undefined) {
    const rows = scenarios.map((one) => [one.name, one.summary])
    for (const line of formatTable(rows, out.width)) out.line(line)
    out.note(`${SYMBOLS.info} next: \`rubicon open NAME\``)
    out.data(scenarios.map((one) => ({ name: one.name, summary: one.summary })))
    return EXIT.done
  }
  const listed = findScenario(name, scenarios, 'rubicon open')
  const port = options.count('port', getDefaultPort())
  const refused = checkPort(port)
  if (refused !== null) throw new CliFailure(refused)
  await assertPortFree(DEFAULT_HOST, port)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-open-'))
  try {
    return await serveDemo(call, listed, folder, port)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serveDemo(
  call: CommandCall,
  listed: ListedScenario,
  folder: string,
  port: number,
): Promise<ExitCode> {
  const { out } = call
  const { stopped } = createStopSignal()
  out.note(`${SYMBOLS.info} playing ${listed.name}: ${listed.summary}`)
  const played = await playScenario(await listed.load(), { folder })
  const { store, stateDirectory } = played
  const runtime = await createRuntime({
    ...{ store, stateDirectory },
    clock: await createClockFrom(store),
    background: false,
    // The rules of the scenario are not here, which is what the runtime would say.
    report: () => {},
  })
  try {
    const serving = await serve(runtime, { port })
    await show(call, played, serving)
    await stopped
  } finally {
    await runtime.close()
  }
  return EXIT.done
}

/** A scenario may have moved its clock ahead: it goes on from its last entry. */
async function createClockFrom(store: string): Promise<Clock> {
  const opened = await openStore(store, 'default', undefined, 'read')
  try {
    const heads = await opened.listHeads()
    const last = Math.max(0, ...heads.map(({ at }) => Date.parse(at)))
    const ahead = Math.max(0, last - systemClock.now())
    return { ...systemClock, now: () => systemClock.now() + ahead }
  } finally {
    await opened.close()
  }
}

async function show(call: CommandCall, played: Played, serving: Serving): Promise<void> {
  const { out, streams, options } = call
  const { name, expected, stateDirectory, ledger } = played
  const { link, url } = serving
  const told = deliverToken(serving, streams, stateDirectory)
  const { token, token_file } = told
  out.line(`${out.symbol(SYMBOLS.allowed)} ${name} is open at ${url}`)
  out.line(`  ledger   ${ledger.report.entries} entries`)
  out.line(`  token    ${token ?? `in ${token_file}`}`)
  if (!expected) out.note(`${SYMBOLS.rejected} it did not end as expected`)
  out.note(`${SYMBOLS.info} nothing new is decided here; Ctrl-C ends it, and nothing is kept`)
  out.data({ name, url, expected, entries: ledger.report.entries, token, token_file })
  if (!isBrowserWanted(streams, options.hasFlag('open'))) return
  if (!(await openBrowser(link, join(stateDirectory, 'open.html'), streams.env)))
    out.note(`${SYMBOLS.waiting} no browser could be started: open ${link}`)
}
