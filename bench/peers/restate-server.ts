/**
 * A Restate server as a child process, in a folder of its own, spoken to through its sockets:
 * nothing of it listens on the network, and it does not outlive this process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The default of 24 spreads a small load over 24 logs: half as fast on two cores. */
export const PARTITIONS = 1

const NODE_NAME = 'peer'
const START_MS = 20_000
const RETRY_MS = 100
const LOG_CHARACTERS = 2_000

export type RestateServer = {
  invoke(path: string, body: unknown): Promise<string>
  stop(): void
}

export async function startRestate(input: {
  readonly lanes: number
  /** Where the handlers are served. */
  readonly service: string
}): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-restate-'))
  const server = spawnServer(folder)
  let log = ''
  server.stderr?.on('data', (data) => {
    log = `${log}${data}`.slice(-LOG_CHARACTERS)
  })
  const stop = (): void => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.on('exit', stop)
  process.on('SIGTERM', () => process.exit(1))
  const agent = new Agent({ keepAlive: true, maxSockets: input.lanes })
  const createDoor = (name: string, path: string): Door => ({
    agent,
    path,
    socketPath: join(folder, NODE_NAME, `${name}.sock`),
  })
  const register = (): Promise<unknown> =>
    sendRequest(createDoor('admin', '/deployments'), { uri: input.service })
  const deadline = performance.now() + START_MS
  for (
    let refused = await catchFailure(register);
    refused !== null;
    refused = await catchFailure(register)
  ) {
    if (server.exitCode !== null) throw new Error(`the server left: ${log}`)
    if (performance.now() > deadline) throw new Error(`the server does not start: ${refused}`)
    await pause(RETRY_MS)
  }
  return { invoke: (path, body) => sendRequest(createDoor('ingress', path), body), stop }
}

function spawnServer(folder: string): ChildProcess {
  const binary = `@restatedev/restate-server-${process.platform}-${process.arch}`
  const program = fileURLToPath(import.meta.resolve(`${binary}/bin/restate-server`))
  const flags = {
    'base-dir': folder,
    'node-name': NODE_NAME,
    'listen-mode': 'unix',
    'default-num-partitions': String(PARTITIONS),
    'log-filter': 'error',
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  return spawn(program, ['--no-logo', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // What it spills goes with its folder.
    env: { ...process.env, RESTATE_DISABLE_TELEMETRY: 'true', TMPDIR: folder },
  })
}

/** Why it failed; null when it did not. */
async function catchFailure(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    return String(error)
  }
}

type Door = { readonly agent: Agent; readonly socketPath: string; readonly path: string }

function sendRequest(door: Door, body: unknown): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const sent = request({ ...door, method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode = 0 } = response
        if (statusCode >= 200 && statusCode < 300) resolve(text)
        else reject(new Error(`\`${door.path}\` answered ${statusCode}: ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
