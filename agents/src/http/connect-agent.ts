/** An agent that connects to a runtime over HTTP, in Node or in a browser. */

import { POLICY_SCHEMA_VERSION } from 'rubicon-kernel/proposal'
import type { Topology } from 'rubicon-kernel/topology'
import type { AgentConnection, ConnectionState, OwnThing } from '../agent/agent-connection.ts'
import { AgentError, toAgentError } from '../agent/agent-error.ts'
import type { AgentFlow } from '../agent/agent-flow.ts'
import type { AgentKey } from '../agent-key.ts'
import type { ClientAnswer } from '../call.ts'
import type { EntryEvent, EventFilters } from '../events.ts'
import type { ActAsked, GetPolicySchemaReply } from '../generated.ts'
import type { FlowReply } from '../model/flow-model.ts'
import { sleepMs } from '../sleep-ms.ts'
import { AgentWire } from './agent-wire.ts'
import { awaitSettled, createHttpFlow, readVerdict } from './http-flow.ts'
import { createMcpConnection, type McpConnection } from './mcp-connection.ts'
import { OpenedFlows } from './opened-flows.ts'

/** Which agent connects to which runtime, and by which key. */
export type ConnectOptions = {
  /** Of the runtime, such as `http://127.0.0.1:7420`. */
  readonly url: string
  /** As an operator registered it. */
  readonly agent: string
  /** One of its registered keys. */
  readonly key: AgentKey
  /** The version of the policy schema that the agent was written for; the one of this package when nobody says. */
  readonly version?: string
  /** What it can serve beside plain flows. */
  readonly topologies?: readonly Topology[]
  /** Ends the other sessions of the same key: those that a process left behind, or that another one uses. */
  readonly endOthers?: boolean
  /** As the runtime is set up; of a server with several, the one that the agent belongs to. */
  readonly tenant?: string
  /** As the runtime is set up; what is signed for one counts at no other. */
  readonly audience?: string
  /** In place of the global one. */
  readonly fetch?: typeof fetch
  /** By which it signs; that of this machine when nobody says. */
  readonly clock?: { now(): number }
  /** How it waits before it tries again. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Told of safe mode, of its end, and of the end of the connection. */
  readonly onState?: (state: ConnectionState) => void
  /** Told of what went wrong in a handler, or while listening; the console when nobody says. */
  readonly onError?: (error: unknown) => void
}

/** What only the network has. */
export interface HttpAgentConnection extends AgentConnection {
  /** How a proposal is written and which kinds there are, as the runtime said at the last handshake. */
  readonly schema: GetPolicySchemaReply | null
  /** Every entry of the ledger about flows of the agent, as it is written. */
  followEntries(handler: (entry: EntryEvent) => void, filters?: EventFilters): void
  /** The MCP servers behind the runtime, as clients of the agent are shown them. */
  readonly mcp: McpConnection
}

/** Resolves after the first handshake: `state` says whether the agent may propose. */
export async function connectAgent(options: ConnectOptions): Promise<HttpAgentConnection> {
  const { agent, version = POLICY_SCHEMA_VERSION, topologies, clock = Date } = options
  const { endOthers = false } = options
  const served = topologies === undefined ? {} : { topologies }
  const { tenant = 'default', audience = 'rubicon', onError = reportToConsole } = options
  const ended = new AbortController()
  const url = options.url.replace(/\/$/, '')
  const wire = new AgentWire({
    url,
    key: options.key,
    place: { tenant, audience },
    headers: options.tenant === undefined ? {} : { 'rubicon-tenant': tenant },
    terms: { agent, schema_version: version, end_others: endOthers, ...served },
    now: () => clock.now(),
    wait: options.wait ?? sleepMs,
    onState: (state) => {
      if (state.kind === 'ended') ended.abort()
      options.onState?.(state)
    },
    ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
  })
  await wire.start()
  return createConnection(wire, agent, { ...options, url, onError, ended: ended.signal })
}

type ListenPlace = Pick<ConnectOptions, 'url' | 'fetch'> & {
  readonly onError: (error: unknown) => void
  /** Whoever has ended hears nothing more. */
  readonly ended: AbortSignal
}

function createConnection(wire: AgentWire, agent: string, place: ListenPlace): HttpAgentConnection {
  const resume = async (dfid: string, patience?: () => AbortSignal): Promise<AgentFlow> => {
    const asked = { params: { dfid }, body: {} }
    const context = await wire.perform((client) => {
      return client.refreshContext({ ...asked, ...(patience && { signal: patience() }) })
    })
    return createHttpFlow(wire, { dfid, context })
  }
  const opened = new OpenedFlows(wire, agent, resume, place)
  place.ended.addEventListener('abort', () => opened.stop())
  return {
    agent,
    get state() {
      return wire.state
    },
    get schema() {
      return wire.schema
    },
    async open(body) {
      const opening = wire.askOnce((client, key) => client.openFlow({ body, key }))
      return createHttpFlow(wire, await opened.track(opening.then(unwrapAnswer)))
    },
    resume: (dfid) => resume(dfid),
    async act(given, { waitMs, signal } = {}) {
      const query = waitMs === undefined ? {} : { query: { wait_ms: `${waitMs}` } }
      const body = parseAction(given)
      const acting = wire.askOnce((client, key) => client.act({ body, key, ...query }), signal)
      return opened.track(acting.then(readVerdict))
    },
    settled: (dfid, options) => awaitSettled(wire, dfid, options),
    generate: (dfid, body, options = {}) => {
      const asked = { params: { dfid }, body, ...options }
      return wire.perform(() => wire.call<FlowReply>('POST', '/v1/flows/{dfid}/generations', asked))
    },
    handleFlows: (handler) => opened.handle(handler),
    followEntries: (handler, filters) => opened.listen(handler, filters),
    mcp: createMcpConnection(wire),
    ...createOwnThings(wire, agent),
    close: () => wire.end(),
  }
}

function createOwnThings(wire: AgentWire, id: string): Pick<AgentConnection, OwnThing> {
  const createKey = (): string => crypto.randomUUID()
  return {
    setTimer: (name, body) =>
      wire.perform((client) => client.setTimer({ params: { id, name }, body, key: createKey() })),
    async listTimers() {
      return (await wire.perform((client) => client.listTimers({ params: { id } }))).timers
    },
    async dropTimer(name) {
      await wire.perform((client) => client.dropTimer({ params: { id, name } }))
    },
    putDocument: (name, body) =>
      wire.perform((client) => client.putDocument({ params: { id, name }, body })),
    async dropDocument(name) {
      await wire.perform((client) => client.dropDocument({ params: { id, name } }))
    },
    async loadState() {
      const { state } = await wire.perform((client) => client.getAgentState({ params: { id } }))
      return parseState(state)
    },
    saveState: (value, version) =>
      wire.perform((client) =>
        client.putAgentState({ params: { id }, body: { value, version }, key: createKey() }),
      ),
    async retire(justification) {
      const body = { to: 'RETIRED', justification } as const
      await wire.perform((client) => client.moveAgent({ params: { id }, body, key: createKey() }))
    },
  }
}

function unwrapAnswer<Body>(answer: ClientAnswer<Body>): Body {
  if (answer.ok) return answer.body
  throw toAgentError(answer.problem)
}

function parseAction(body: object): ActAsked['body'] {
  return body as ActAsked['body']
}

function parseState(state: unknown): Awaited<ReturnType<AgentConnection['loadState']>> {
  return state as Awaited<ReturnType<AgentConnection['loadState']>>
}

/** Without its message, which may hold what the agent was shown. */
function reportToConsole(error: unknown): void {
  const said = error instanceof AgentError ? `${error.code}: ${error.fix}` : nameError(error)
  console.error(`rubicon-agents: a flow was not handled: ${said}`)
}

function nameError(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
