/** What servers behind say without being asked, as far as clients in front are told of it. */
import { computeAddress, type JsonObject, type JsonValue, type Sha256 } from 'rubicon-kernel'

export const LIST_NAMES = ['prompts', 'resources', 'tools'] as const

export type ListName = (typeof LIST_NAMES)[number]

/** `agent`: whose call it is about; nobody else is told. */
export type ServerNotice =
  | { readonly kind: 'changed'; readonly list: ListName }
  | ({ readonly kind: 'progress'; readonly agent: string; readonly call: string } & CallProgress)
  | ({ readonly kind: 'log'; readonly agent: string; readonly server: string } & ServerLog)

export type CallProgress = {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export type LogLevel =
  | 'alert'
  | 'critical'
  | 'debug'
  | 'emergency'
  | 'error'
  | 'info'
  | 'notice'
  | 'warning'

export type ServerLog = {
  readonly level: LogLevel
  readonly logger?: string
  readonly data: JsonValue
}

/**
 * The same for whoever calls and whoever carries out, who share no id of a call: the same call twice at the same time is
 * one call, so that the progress of it is that of both.
 */
export function computeCallKey(kind: string, params: JsonObject, sha256: Sha256): string {
  return computeAddress('mcp-call', { kind, params }, sha256)
}
