/** A server on the store of a verb, started by a verb that needs one. It outlives the verb: others may use it by then. */
import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shorten } from 'rubicon-kernel'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import type { Announcement } from '../local-socket/announcement.ts'
import type { CommandCall } from './call.ts'
import { CliFailure } from './failure.ts'
import { DEFAULT_MCP_FILE } from './mcp-place.ts'
import { findRunningServer } from './running-server.ts'

const START_MS = 30_000
const LOOK_MS = 100
const TOLD_CHARACTERS = 2_000

/** Resolves when it answers at its socket. */
export async function startServer({ place, options }: CommandCall): Promise<Announcement> {
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const logFile = join(state, 'server.log')
  const log = openSync(logFile, 'a', 0o600)
  const words = [
    ...['up', '--mcp', resolve(options.text('mcp') ?? DEFAULT_MCP_FILE), '--port', '0'],
    ...['--store', place.store, '--state', state, '--tenant', place.tenant],
  ]
  const [, command = ''] = process.argv
  const child = spawn(process.execPath, [...process.execArgv, command, ...words], {
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let exit: number | null = null
  child.once('exit', (code) => {
    exit = code ?? -1
  })
  child.unref()
  for (let waited = 0; waited < START_MS; waited += LOOK_MS) {
    const running = await findRunningServer(place).catch(() => null)
    if (running !== null) return running
    if (exit !== null) break
    await new Promise((done) => setTimeout(done, LOOK_MS))
  }
  throw new CliFailure({
    code: 'SERVER_NOT_STARTED',
    summary: 'no server runs on this store, and none could be started',
    why: readEnd(logFile),
    fix: 'start it with `rubicon up`, and look at what it says',
  })
}

function readEnd(file: string): string {
  const text = readFileSync(file, 'utf8').slice(-TOLD_CHARACTERS)
  return shorten(text.trim() === '' ? 'it wrote nothing' : text.trim(), TOLD_CHARACTERS)
}
