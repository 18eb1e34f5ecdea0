/** Starts a server once and says what it offers. Its credentials are given from memory: nothing is written for it. */
import { err, ok, type Result, type Sha256 } from 'rubicon-kernel'
import { parseMcpConfig } from '../config/mcp-file.ts'
import { compareTools } from '../lock/compare-tools.ts'
import type { NamedTexts, ServerConfig } from '../upstream/server-config.ts'
import { type FilledTexts, Upstream } from '../upstream/upstream.ts'
import type { Bounds, SetUpServer } from './build-contract.ts'
import { findBounds } from './find-bounds.ts'
import { proposeTool } from './propose-tool.ts'
import type { TakenServer } from './take-server.ts'
import { findTemplate } from './templates/find-template.ts'

export type InspectedServer = SetUpServer & {
  /** Tools that cannot be governed, and why. Clients do not see them. */
  readonly refused: readonly { readonly tool: string; readonly why: string }[]
}

export type InspectOptions = {
  readonly bounds: Bounds
  readonly withSinks: boolean
  readonly sha256: Sha256
}

/** Err: why it cannot be taken over. */
export async function inspectServer(
  taken: TakenServer,
  options: InspectOptions,
): Promise<Result<InspectedServer, string>> {
  const config = readConfig(taken)
  if (!config.ok) return config
  const server = new Upstream(taken.name, config.value, {
    readTexts: async (one) => readHeldTexts(one, taken.secrets),
  })
  try {
    await server.listTools()
    const servers = new Map([[taken.name, server]])
    const compared = await compareTools(servers, { tools: [] }, options.sha256)
    const definitions = compared.flatMap(({ state, found }) =>
      state === 'new' && found !== undefined ? [found] : [],
    )
    const template = findTemplate(definitions)
    const bounds = findBounds(config.value, template, options.bounds)
    const isBounded = ({ bound }: { readonly bound: keyof Bounds }): boolean =>
      bounds[bound] !== undefined
    const tools = definitions.map((definition) =>
      proposeTool(taken.name, definition, { ...options, template, isBounded }),
    )
    const refused = compared.flatMap(({ state, tool, why = '' }) =>
      state === 'refused' ? [{ tool, why }] : [],
    )
    return ok({ name: taken.name, template, bounds, tools, refused })
  } catch (cause) {
    return err(`it cannot be started: ${server.describe(cause)}`)
  } finally {
    await server.close()
  }
}

/** As the MCP file would be read, so that what is written later is what was tried. */
function readConfig({ name, entry, secrets }: TakenServer): Result<ServerConfig, string> {
  const parsed = parseMcpConfig({
    agent: 'setup',
    servers: { [name]: entry },
    secrets: Object.fromEntries([...secrets.keys()].map((one) => [one, { from: { file: '/' } }])),
  })
  const config = parsed.ok ? parsed.value.servers.get(name) : undefined
  if (config !== undefined) return ok(config)
  const [problem] = parsed.ok ? [] : parsed.error
  return err(
    problem === undefined
      ? 'it cannot be read'
      : `\`${problem.path.slice(2).join('.')}\` ${problem.detail}`,
  )
}

const PLACE_OF_SECRET = '{secret}'

function readHeldTexts(config: ServerConfig, secrets: ReadonlyMap<string, string>): FilledTexts {
  const named: NamedTexts = config.kind === 'program' ? config.env : config.headers
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(named))
    texts[name] =
      typeof value === 'string'
        ? value
        : (value.format ?? PLACE_OF_SECRET)
            .split(PLACE_OF_SECRET)
            .join(secrets.get(value.secret) ?? '')
  return { texts, secrets: [...secrets.values()] }
}
