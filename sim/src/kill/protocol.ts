/** What parent and child say to each other: the parent is the provider, the child is the runtime. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import type { Failpoint } from '../../../runtime/src/ports/failpoint.ts'

export type Orders = {
  /** The folder with the store and the keys. */
  readonly folder: string
  /** Where to stand still, and at which time it is reached. */
  readonly stopAt: { readonly point: Failpoint; readonly hit: number } | null
  /** False: nothing new is proposed; what is left is settled. */
  readonly load: boolean
  readonly life: number
}

export type KillKind = 'LOOKUP' | 'PAY' | 'ORDER' | 'WIRE'
/** What the provider is asked to do: one of these, or to take one back. */
export type SentKind = KillKind | 'UNDO' | 'CANCEL'

export type ToProvider = {
  readonly id: number
  readonly op: 'send' | 'probe'
  readonly kind: SentKind
  readonly key: string
  readonly params: JsonObject
}

export type FromProvider = {
  readonly id: number
  readonly answer:
    | { readonly kind: 'done'; readonly result: JsonValue }
    | { readonly kind: 'refused'; readonly transient: boolean }
    | { readonly kind: 'absent' }
}

/** Lines that the child prints. Each is written before anything else happens. */
export type ChildLine =
  | { readonly said: 'ready' }
  | { readonly said: 'reached'; readonly point: Failpoint }
  | { readonly said: 'settled'; readonly open: number }
  | { readonly said: 'failed'; readonly why: string }
  | Told
  | DecisionTold

/** Somebody was told that his decision counts. */
export type DecisionTold = {
  readonly said: 'decided'
  readonly request: string
  readonly approver: string
  readonly word: string
}

export type Told = {
  readonly said: 'told'
  readonly dfid: string
  readonly outcome: string
  readonly trace_id: string
  readonly status: string | null
  readonly reason_code: string | null
}
