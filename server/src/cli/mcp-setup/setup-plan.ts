/** What `rubicon mcp init` would do, from one look at the client and at its servers. Nothing is written here. */
import { dirname, join, resolve } from 'node:path'
import { isIdentifier } from 'rubicon-kernel'
import {
  type Bounds,
  buildFiles,
  GATEWAY_NAME,
  type InspectedServer,
  inspectServer,
  isBoundName,
  rewriteClient,
  type SetUpFiles,
  type TakenServer,
  takeServer,
} from 'rubicon-mcp'
import { resolveStateDirectory } from 'rubicon-runtime/compose'
import { nodeCrypto } from 'rubicon-verifier'
import { type CommandCall, createUsageFailure } from '../call.ts'
import { DEFAULT_MCP_FILE, findLockFile } from '../mcp-place.ts'
import { buildGatewayCommand } from './gateway-command.ts'
import { findSetupSource, type SetupSource } from './setup-source.ts'

export type LeftServer = {
  readonly was: string
  readonly why: string
  /** Somebody said that it stays with the client. */
  readonly agreed: boolean
}

export type SetupPlan = {
  readonly source: SetupSource
  readonly agent: string
  readonly owner: string
  readonly selfApproval: boolean
  readonly state: string
  readonly taken: readonly TakenServer[]
  readonly servers: readonly InspectedServer[]
  readonly left: readonly LeftServer[]
  readonly files: Readonly<
    Record<keyof SetUpFiles, { readonly path: string; readonly text: string }>
  >
  readonly secrets: ReadonlyMap<string, { readonly path: string; readonly value: string }>
  /** Where settings are written for a client that has none; null: nowhere. */
  readonly settings: string | null
  /** The client's file as it will be. */
  readonly rewritten: string
}

const DEFAULT_AGENT = 'desk'
/** Who the console and the command line take the one person at this machine for. */
const DEFAULT_OWNER = 'operator'

export async function planSetup(call: CommandCall): Promise<SetupPlan> {
  const { options, place } = call
  const source = findSetupSource(call)
  const agent = options.text('agent') ?? DEFAULT_AGENT
  if (!isIdentifier(agent))
    throw createUsageFailure(`\`${agent}\` is no name of an agent`, 'correct `--agent`')
  const owner = options.text('owner') ?? DEFAULT_OWNER
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  const { taken, servers, left } = await lookAtServers(call, source)
  const findSecretFile = (name: string): string => join(state, 'mcp-secrets', agent, name)
  const effectiveFrom = new Date().toISOString().slice(0, 10)
  const selfApproval = !options.hasFlag('secondPerson')
  const texts = buildFiles(taken, servers, {
    ...{ agent, owner, effectiveFrom, selfApproval, findSecretFile },
  })
  const mcp = resolve(options.text('mcp') ?? DEFAULT_MCP_FILE)
  const paths = {
    mcp,
    lock: resolve(findLockFile(options)),
    contract: join(dirname(mcp), `${agent}.yaml`),
  }
  return {
    ...{ source, agent, owner, selfApproval, state, taken, servers, left },
    files: {
      mcp: { path: paths.mcp, text: texts.mcp },
      lock: { path: paths.lock, text: texts.lock },
      contract: { path: paths.contract, text: texts.contract },
    },
    secrets: new Map(
      taken.flatMap((one) =>
        [...one.secrets].map(([name, value]) => [name, { path: findSecretFile(name), value }]),
      ),
    ),
    settings: findSettings(call, source),
    rewritten: rewriteClient(
      source.parsed,
      new Set(taken.map(({ was }) => was)),
      buildGatewayCommand(call, mcp, state),
    ),
  }
}

function findSettings({ options }: CommandCall, { client }: SetupSource): string | null {
  const file = options.text('client')
  if (file === undefined) return null
  if (client === null) return resolve(file)
  throw createUsageFailure(
    '`--client` is for a server that is typed',
    'leave it out: the settings of the client are changed',
  )
}

type Looked = Pick<SetupPlan, 'left' | 'servers' | 'taken'>

async function lookAtServers(call: CommandCall, { parsed, folder }: SetupSource): Promise<Looked> {
  const { options, streams } = call
  const without = new Set(options.getTexts('without'))
  const unknown = [...without].find((name) => !parsed.servers.some((one) => one.name === name))
  if (unknown !== undefined)
    throw createUsageFailure(`the client has no server \`${unknown}\``, 'correct `--without`')
  const taken: TakenServer[] = []
  const left: LeftServer[] = []
  const names = new Set<string>()
  const home = streams.env.HOME ?? ''
  const from = { folder, home, env: streams.env, path: streams.env.PATH ?? process.env.PATH }
  for (const server of parsed.servers) {
    if (without.has(server.name)) {
      if (server.name === GATEWAY_NAME)
        throw createUsageFailure('the gateway itself would be called `rubicon`', 'rename it')
      left.push({ was: server.name, why: 'it was left out', agreed: true })
      continue
    }
    const one = takeServer(server, { ...from, names })
    if (!one.ok) left.push({ was: server.name, why: one.error, agreed: false })
    else {
      taken.push(one.value)
      names.add(one.value.name)
    }
  }
  const bounds = parseBounds(options.getTexts('bound'))
  const withSinks = options.hasFlag('sinks')
  const { sha256 } = nodeCrypto
  const looked = await Promise.all(
    taken.map(async (one) => ({
      one,
      inspected: await inspectServer(one, { bounds, withSinks, sha256 }),
    })),
  )
  const servers: InspectedServer[] = []
  const reached: TakenServer[] = []
  for (const { one, inspected } of looked)
    if (inspected.ok) {
      servers.push(inspected.value)
      reached.push(one)
    } else left.push({ was: one.was, why: inspected.error, agreed: false })
  return { taken: reached, servers, left }
}

/** `hosts=example.com` */
function parseBounds(words: readonly string[]): Bounds {
  const bounds: Record<string, string[]> = {}
  for (const word of words) {
    const [name = '', ...rest] = word.split('=')
    const value = rest.join('=')
    if (!isBoundName(name) || value === '')
      throw createUsageFailure(
        `\`--bound ${word}\` says nothing`,
        'write `hosts=example.com`; also branches, folders, owners, repositories, tables',
      )
    bounds[name] = [...(bounds[name] ?? []), name === 'folders' ? resolve(value) : value]
  }
  return bounds
}
