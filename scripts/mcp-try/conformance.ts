/**
 * The parts of the conformance suite that fit a gateway. Of its scenarios for servers, those that ask for tools, resources
 * or prompts of fixed names do not: names are a server's, and here stand under its name. Of those for clients, the ones
 * about authorisation and elicitation do not: the gateway is given its credentials, and refuses to be asked.
 */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ProgramPlace, runProgram } from './run-program.ts'
import type { McpTarget } from './target.ts'

const SUITE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js'
const CLIENT = fileURLToPath(new URL('./conformance-client.ts', import.meta.url))

const FOR_SERVERS = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']
const FOR_CLIENTS = ['initialize', 'tools_call']

export type ConformanceReport = {
  readonly side: 'client' | 'server'
  readonly scenario: string
  /** Null: the suite is content. */
  readonly problem: string | null
}

/** The gateway as a server, at its door over HTTP. */
export async function tryServerScenarios(
  folder: string,
  door: McpTarget & { readonly kind: 'address' },
  env: ProgramPlace['env'],
): Promise<readonly ConformanceReport[]> {
  const forwarded = await forward(door)
  const reports: ConformanceReport[] = []
  for (const scenario of FOR_SERVERS) {
    const words = ['server', '--url', forwarded.url, '--scenario', scenario]
    reports.push({ side: 'server', scenario, problem: await askSuite(folder, words, env) })
  }
  forwarded.close()
  return reports
}

/** The gateway as a client, with the suite's server behind it. */
export async function tryClientScenarios(
  folder: string,
  env: ProgramPlace['env'],
): Promise<readonly ConformanceReport[]> {
  const reports: ConformanceReport[] = []
  for (const scenario of FOR_CLIENTS) {
    const command = [process.execPath, CLIENT, folder].join(' ')
    const words = ['client', '--command', command, '--scenario', scenario, '--timeout', '110000']
    reports.push({ side: 'client', scenario, problem: await askSuite(folder, words, env) })
  }
  return reports
}

const TOLD_CHARACTERS = 2_000

async function askSuite(
  folder: string,
  words: readonly string[],
  env: ProgramPlace['env'],
): Promise<string | null> {
  const place = { cwd: folder, env }
  const ran = await runProgram(process.execPath, [join(folder, SUITE), ...words], place)
  return ran.status === 0 ? null : `${ran.stdout}${ran.stderr}`.slice(-TOLD_CHARACTERS)
}

type Forwarder = { readonly url: string; close(): void }

/** The suite sends no token, and takes this for the server. A host or an origin of others goes through as it is. */
async function forward({ url, headers }: McpTarget & { kind: 'address' }): Promise<Forwarder> {
  const { hostname, port, pathname } = new URL(url)
  const server = createServer((asked, answer) => {
    const { host: named = '', origin: from } = asked.headers
    const own = `${hostname}:${port}`
    const host = isLocal(named) ? own : named
    const origin = from !== undefined && isLocal(new URL(from).host) ? `http://${own}` : from
    const sent = request(
      {
        ...{ hostname, port, path: pathname, method: asked.method },
        headers: {
          ...asked.headers,
          ...headers,
          host,
          ...(origin === undefined ? {} : { origin }),
        },
      },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    sent.on('error', () => answer.destroy())
    asked.pipe(sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${at.port}/mcp`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isLocal(authority: string): boolean {
  return /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(authority)
}
