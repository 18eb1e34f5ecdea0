/** What a server is made of. */
import type { Engine } from 'rubicon-runtime/engine'
import type { OpenId } from '../people/oidc.ts'
import type { People } from '../people/people.ts'
import type { TokenKeeper } from '../people/token-keeper.ts'
import type { Proxies } from './connections/proxies.ts'
import type { ArtifactSource } from './lookups/artifacts/artifact-texts.ts'
import type { Lookups, SearchPlace } from './lookups/lookup.ts'
import type { McpDoor } from './schemas/mcp-door.ts'
import type { McpLists } from './schemas/mcp-lists.ts'
import type { Rate } from './turns/rate-limit.ts'

/** What every tenant has of its own. */
export type TenantParts = {
  readonly engine: Engine
  readonly people: People
  /** Where lookups are answered; in this thread when nobody says. */
  readonly lookups?: Lookups
  /** What artifacts consist of, for lookups in this thread. */
  readonly artifacts?: ArtifactSource | undefined
  /** Where the search index is, for lookups in this thread; in memory when nobody says. */
  readonly search?: SearchPlace
  readonly metrics?: ServedMetrics
  /** The gateway to MCP servers, where this process has one. */
  readonly mcp?: McpDoor
  /** The MCP servers behind the gateway of this process, where it has one. */
  readonly mcpLists?: McpLists
}

export type ServerParts = TenantParts & {
  /** Ends tokens in the file of this machine, where it has one. */
  readonly tokens?: TokenKeeper
  /** Every tenant of the server, for whoever may ask in several. */
  readonly served?: readonly TenantParts[]
  /** Tenants beside this one. */
  readonly others?: readonly TenantParts[]
  /** What it is bound to. */
  readonly host: string
  /** Where people find it, if a proxy stands in front of it. */
  readonly publicUrl?: URL
  /** What stands in front of it; nothing when nobody says. */
  readonly proxies?: Proxies
  /** Who vouches for people beside their tokens. */
  readonly oidc?: OpenId
  /** Where the runtime says what went wrong inside. */
  readonly report: (line: string) => void
  readonly rate?: Rate
  readonly strangers?: Rate
  /** Requests of one principal at the same time. */
  readonly underWay?: number
  /** Connections of all, and of one address. */
  readonly connections?: number
  readonly connectionsEach?: number
  /** How long what one request tries may take, in its thread. */
  readonly draftMs?: number
  /** What is tried is read in this thread: whoever asks keeps nobody waiting but themselves. */
  readonly draftsHere?: true
  /**
   * Whoever reaches this server is the local operator, by the way they came: inside of this process, or over a Unix
   * socket that only the owner of the keys can open. Never of a server that listens on a port.
   */
  readonly local?: 'process' | 'socket'
  /** Told of what was thrown, before it is answered. */
  readonly onThrown?: (error: unknown) => void
}

export type ServedMetrics = { readonly contentType: string; render(): Promise<string> }
