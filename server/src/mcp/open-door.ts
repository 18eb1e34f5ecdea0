/** The gateway of a process, for its server: what people are shown of it, and the door for clients over HTTP. */
import { connectInProcess } from 'rubicon-agents'
import { assert, err, formatInstant, ok, shorten, toMcpKind } from 'rubicon-kernel'
import {
  compareTools,
  createFront,
  createHttpFront,
  type DriftedTool,
  type Gateway,
  type HttpFront,
  hideInAddress,
  hideSecretArguments,
  isToolClassName,
  loadLock,
  nameDayConversation,
  TOOL_CLASSES,
  type ToolLock,
  type Upstream,
} from 'rubicon-mcp'
import type { Runtime } from 'rubicon-runtime/compose'
import type { McpDoor, McpServerView } from '../http/schemas/mcp-door.ts'
import { getMcpTokensPath, openMcpTokens } from '../people/mcp-tokens.ts'
import { approveInLock, keepApprovals } from './approve-tool.ts'
import { toConsolePath } from './console-path.ts'
import { listForAgent } from './list-for-agent.ts'
import { describeTool } from './tool-states.ts'

export type OpenDoor = {
  readonly door: McpDoor
  /** A tool that was found to be another one when it was called. */
  tellDrift(drifted: DriftedTool): void
  close(): Promise<void>
}

export type DoorPlace = {
  readonly gateway: Gateway
  /** What the rules of this process are made of. */
  readonly held: ToolLock
  readonly file: string
  readonly lockFile: string
}

/** Whoever looks at the tools of all servers waits so long for one of them. */
const LOOK = { waitMs: 10_000 }

const SHOWN_LINES = 20
const SHOWN_CHARACTERS = 400

export function openDoor(runtime: Runtime, place: DoorPlace): OpenDoor {
  const { gateway, held, file, lockFile } = place
  const { engine, report } = runtime
  const { sha256, clock, tenant } = engine.context
  const tokens = openMcpTokens(getMcpTokensPath(runtime.place.stateDirectory), tenant, sha256)
  const fronts = new Map<string, HttpFront>()
  const getFront = (agent: string): HttpFront => {
    const known = fronts.get(agent) ?? createAgentFront(runtime, gateway, agent)
    fronts.set(agent, known)
    return known
  }
  const stop = gateway.behind.follow((notice) => {
    if (notice.kind !== 'changed') return
    for (const front of fronts.values()) front.tellChanged(notice.list)
  })
  const tellDrift = ({ server, tool, found }: DriftedTool): void => {
    const drift = { agent_id: gateway.agent, kind: toMcpKind(server, tool), found }
    engine.oversight.tellToolDrift(drift).catch((error: unknown) => {
      report(`rubicon: nobody could be told that ${drift.kind} has changed: ${String(error)}`)
    })
  }
  const door: McpDoor = {
    tokens,
    file,
    agent: gateway.agent,
    listServers: () => [...gateway.servers.values()].map(describeServer),
    async listTools() {
      const lock = await loadLock(lockFile)
      if (!lock.ok) return lock
      const compared = await compareTools(gateway.servers, lock.value, sha256, LOOK)
      return ok(compared.map((one) => describeTool(one, lock.value, held, sha256)))
    },
    async approve({ server, tool, pin, class: named, by, reason, mayWrite }) {
      if (named !== undefined && !isToolClassName(named))
        return err({ code: 'MCP_TOOL_UNKNOWN', summary: `\`${named}\` is no class of tools` })
      const said = named === undefined ? undefined : TOOL_CLASSES[named]
      const note = { by, at: formatInstant(clock.now()), reason }
      const asked = { server, tools: [tool], class: said, note, pin, mayWrite }
      const done = await approveInLock({ gateway, lockFile, sha256 }, asked)
      if (!done.ok) return done
      const [row] = done.value
      assert(row !== undefined, 'the tool that was named is approved')
      if (!(await keepApprovals(engine, done.value, by)))
        report(`rubicon: the approval of ${row.kind} could not be kept: the next start asks for it`)
      const { kind, was, effect } = row
      return ok({ kind, was, effect, lock: lockFile, in_use: 'after the next start' })
    },
    answer: (agent, request, body) => getFront(agent).answer(request, body),
  }
  return {
    door,
    tellDrift,
    async close() {
      stop()
      for (const front of fronts.values()) await front.close()
    },
  }
}

function createAgentFront(runtime: Runtime, gateway: Gateway, agent: string): HttpFront {
  const connection = connectInProcess(runtime, { agent })
  const { clock } = runtime.engine.context
  const list: Gateway['behind']['list'] = (name) => listForAgent(gateway, runtime, name, agent)
  return createHttpFront(
    (origin) =>
      createFront({
        agent: connection,
        tools: () => gateway.tools,
        behind: { ...gateway.behind, list },
        isLasting: false,
        nameConversation: () => nameDayConversation(formatInstant(clock.now())),
        showFlow: (dfid, attempt) => `${origin}${toConsolePath(dfid, attempt)}`,
      }),
    (error) =>
      runtime.report(
        `rubicon: an MCP client of ${agent}: ${shorten(error.message, SHOWN_CHARACTERS)}`,
      ),
  )
}

function describeServer(upstream: Upstream): McpServerView {
  const { name, config, status, restarts, errors, redaction } = upstream
  const lines = redaction.redactText(errors.text).split('\n')
  return {
    server: name,
    kind: config.kind,
    at: redaction.redactText(describePlace(config)),
    era: config.era,
    status,
    restarts,
    errors: lines
      .filter((line) => line.trim() !== '')
      .slice(-SHOWN_LINES)
      .map((line) => shorten(line, SHOWN_CHARACTERS)),
  }
}

/** What it was given in secret is replaced besides: somebody may have written it into an argument, too. */
function describePlace(config: Upstream['config']): string {
  if (config.kind === 'address') return hideInAddress(config.url)
  return shorten(hideSecretArguments(config.argv).join(' '), SHOWN_CHARACTERS)
}
