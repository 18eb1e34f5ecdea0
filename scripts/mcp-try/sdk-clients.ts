/** The official client libraries, loaded from the folder into which they were installed. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from 'rubicon-kernel'
import type { McpTarget, TriedClient, TriedSession } from './target.ts'

/** What both lines of the library have in common. */
type LibraryClient = {
  connect(transport: object): Promise<void>
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>
  callTool(params: object): Promise<object>
  close(): Promise<void>
}

type Library = {
  readonly name: string
  readonly createClient: () => LibraryClient
  readonly createTransport: (target: McpTarget) => object
}

export async function loadLibraryClients(folder: string): Promise<readonly TriedClient[]> {
  const load = createLoader(folder)
  const first = await loadFirstLine(load)
  const second = await loadSecondLine(load)
  return [first, ...second].map(toTriedClient)
}

type Loader = (specifier: string) => Promise<Record<string, new (...args: unknown[]) => object>>

function createLoader(folder: string): Loader {
  const require = createRequire(join(folder, 'package.json'))
  return (specifier) => import(pathToFileURL(require.resolve(specifier)).href)
}

const IDENTITY = { name: 'mcp-try', version: '1' }

async function loadFirstLine(load: Loader): Promise<Library> {
  const { Client } = await load('@modelcontextprotocol/sdk/client/index.js')
  const stdio = await load('@modelcontextprotocol/sdk/client/stdio.js')
  const http = await load('@modelcontextprotocol/sdk/client/streamableHttp.js')
  return {
    name: 'sdk-v1',
    createClient: () => createFrom<LibraryClient>(Client, IDENTITY),
    createTransport: (target) =>
      createTransport(target, stdio.StdioClientTransport, http.StreamableHTTPClientTransport),
  }
}

/** Twice: as it is by default, and as it is asked to speak the newer protocol where the other side does. */
async function loadSecondLine(load: Loader): Promise<readonly Library[]> {
  const { Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client')
  const { StdioClientTransport } = await load('@modelcontextprotocol/client/stdio')
  return (['legacy', 'auto'] as const).map((mode) => ({
    name: mode === 'legacy' ? 'sdk-v2' : 'sdk-v2-modern',
    createClient: () =>
      createFrom<LibraryClient>(Client, IDENTITY, { versionNegotiation: { mode } }),
    createTransport: (target) =>
      createTransport(target, StdioClientTransport, StreamableHTTPClientTransport),
  }))
}

type Constructor = new (...args: unknown[]) => object

function createFrom<Made extends object>(made: Constructor | undefined, ...args: unknown[]): Made {
  if (made === undefined) throw new Error('the library does not have what it had')
  return new made(...args) as Made
}

function createTransport(
  target: McpTarget,
  Program: Constructor | undefined,
  Address: Constructor | undefined,
): object {
  if (target.kind === 'address')
    return createFrom(Address, new URL(target.url), { requestInit: { headers: target.headers } })
  const { command, args, env } = target
  return createFrom(Program, { command, args: [...args], env: { ...env }, stderr: 'ignore' })
}

function toTriedClient({ name, createClient, createTransport: reach }: Library): TriedClient {
  return {
    name,
    async connect(target): Promise<TriedSession> {
      const client = createClient()
      await client.connect(reach(target))
      return {
        listTools: async () => (await client.listTools()).tools.map((tool) => tool.name),
        call: ({ name: tool, args, meta }) =>
          toAnswer(() =>
            client.callTool({
              ...{ name: tool, arguments: args },
              ...(meta === undefined ? {} : { _meta: meta }),
            }),
          ),
        close: () => client.close(),
      }
    },
  }
}

async function toAnswer(call: () => Promise<object>): Promise<JsonObject> {
  try {
    return JSON.parse(JSON.stringify(await call()))
  } catch (cause) {
    return { error: cause instanceof Error ? cause.message : String(cause) }
  }
}
