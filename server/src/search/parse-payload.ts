import type { JsonObject, JsonValue } from 'rubicon-kernel'

/** As far as one of the kinds of entries has these members, and the search index reads them. */
export type EntryPayload = {
  readonly reason_code?: string
  readonly domain_code?: string
  readonly received?: string
  readonly proposal?: JsonValue
  readonly facts?: { readonly now?: string }
  readonly trace?: readonly { readonly measures?: Readonly<Record<string, JsonValue>> }[]
  readonly intent?: { readonly step_id?: string; readonly compensation?: JsonObject }
  readonly request?: {
    readonly id: string
    readonly reason_code: string
    readonly domain_code?: string
  }
  readonly observations?: JsonValue
  readonly narrative?: string
  readonly source?: string
  readonly finding?: string
  readonly details?: JsonObject
  readonly flow?: { readonly agent_id?: string; readonly trigger?: string }
  readonly body?: PayloadBody
}

type PayloadBody = CapabilityPart & {
  readonly action?: string
  readonly agent_id?: string
  readonly actor?: string
  readonly from?: string | null
  readonly to?: string
  readonly by?: string
  readonly approver?: string
  readonly decision?: string
  readonly justification?: JsonValue
  readonly reason?: JsonValue
  readonly dfid?: string
  readonly target?: string
  readonly id?: string
  readonly name?: string
  readonly key_id?: string
  readonly purpose?: string
  readonly subject?: string
  readonly rules_hash?: string
  readonly contract?: { readonly agent_id?: string; readonly version?: string }
  readonly monitor?: { readonly name?: string }
  readonly capabilities?: readonly CapabilityPart[]
}

type CapabilityPart = {
  readonly capability?: {
    readonly kind: string
    readonly scopes?: Readonly<Record<string, string>>
    readonly params?: JsonObject
    readonly exposure?: { readonly measure?: string }
  }
}

/** Our own store's payloads are canonical JSON, and of the shape of their kind. */
export function parseEntryPayload(payload: string): EntryPayload {
  return JSON.parse(payload) as EntryPayload
}
