/**
 * A capability, as far as the law reads it: data that is hashed, and pure functions.
 *
 * The hands (execute, probe, compensate) live in the runtime; nothing here can reach outside.
 */
import type { Address } from '../canonical/address.ts'
import type { JsonObject, JsonValue } from '../canonical/json-value.ts'
import type { Accepts } from '../fact/accept.ts'
import type { FactLabel } from '../fact/label.ts'
import type { StateFact } from '../fact/state-fact.ts'
import type { JitField } from '../jit/envelope.ts'
import type { ToolManifest } from '../manifest/tool-manifest.ts'
import type { ResourceClaim } from '../proposal/proposal.ts'
import type { WorldFact } from '../world/world-fact.ts'
import type { EffectClass, RiskClass } from './effect-class.ts'

/** A capability as it is hashed and recorded. */
export type CapabilityDescription = {
  /** By which proposals and contracts name it. */
  readonly kind: string
  /** Raised with every change. */
  readonly version: string
  /** What it does, in a line. */
  readonly summary: string
  /** What a second call with the same key does. */
  readonly effect: EffectClass
  /** It can be taken back. */
  readonly reversible: boolean
  /** It lowers exposure, so it passes when a drawdown limit stops everything else. */
  readonly reducing: boolean
  /** How bad it can be. */
  readonly risk: RiskClass
  /** It changes World only: no effect leaves the process. */
  readonly world_only: boolean
  /** On a branch it changes World alone, whatever it does in `main`; absent: on a branch it is refused. */
  readonly branches?: 'world'
  /** JSON Schema 2020-12. */
  readonly params: JsonObject
  /** JSON Schema 2020-12. */
  readonly result?: JsonObject
  /** Names of what it computes for limits. */
  readonly measures: readonly string[]
  /** The measure that says how much is at stake, and from where on that is much. */
  readonly exposure?: { readonly measure: string; readonly threshold: string }
  /** Contract resource set → the pointer to the parameter that must lie in it. */
  readonly scopes: Readonly<Record<string, string>>
  /** Names that `jit` may give: what it can be asked to hold unmoved; absent: none. */
  readonly jit_fields?: readonly string[]
  /** It acts on no resource, amount or value that a contract could bound. */
  readonly touches?: 'none'
  /** Pointer to a parameter → labels that its ground must carry. */
  readonly sinks: Readonly<Record<string, readonly FactLabel[]>>
  /** Paths on which facts below `operator` are read; absent: none. */
  readonly accepts?: Accepts
  /** What every call costs, whatever its parameters. */
  readonly cost: Readonly<Record<string, string>>
  /** How the provider takes the key, and for how long it remembers it. */
  readonly idempotency?: { readonly carrier: string; readonly window_s: number }
  /** What it can do about an effect of its own that must not stand; absent: nothing. */
  readonly compensations?: readonly string[]
  /** How it is found out whether an effect happened. */
  readonly probe?: {
    /** Where the provider does not know it, it did not happen. */
    readonly absence_authoritative: boolean
    /** How late an effect may still arrive. */
    readonly max_late_arrival_s: number
  }
  /**
   * Where the code came from: a pinned file, functions passed inline (hash of their text), or no code at all but
   * the manifest below (its address).
   */
  readonly source: { readonly kind: 'file' | 'inline' | 'manifest'; readonly hash: string }
  /** All that the law of a tool without code is computed from. */
  readonly manifest?: ToolManifest
}

/** What a pure function of a capability may see besides the parameters. */
export type FactView = {
  /** When it is decided. */
  readonly now: string
  /** A fact of State that `reads` names; undefined: there is none that counts. */
  state(path: string): StateFact | undefined
  /** A resource of World that `reads` names. */
  world(kind: string, id: string): WorldFact | undefined
}

/** What an action needs to hold. Without a capacity, whoever holds it holds all of it. */
export type ResourceNeed = ResourceClaim & {
  /** How much of it there is in all; absent: one holds it at a time. */
  readonly capacity?: string
}

export type ArgumentProblem = { readonly path: string; readonly detail: string }

export type CapabilityLaw = {
  readonly description: CapabilityDescription
  readonly hash: Address
  validate(params: JsonObject): readonly ArgumentProblem[]
  /** State paths and World resources that the other functions will ask for. */
  reads(params: JsonObject): {
    readonly state: readonly string[]
    readonly world: readonly { readonly kind: string; readonly id: string }[]
  }
  /** Values that limits are checked on. A missing fact is `undefined`, which refuses. */
  measures(params: JsonObject, view: FactView): Readonly<Record<string, JsonValue | undefined>>
  resources(params: JsonObject, view: FactView): readonly ResourceNeed[]
  /** Name → a value in State that must not have moved since the agent was shown it. */
  jit(params: JsonObject): Readonly<Record<string, JitField>>
  /** Cost that depends on the parameters, on top of `description.cost`. */
  cost(params: JsonObject, view: FactView): Readonly<Record<string, string>>
  /** Null when it may go ahead, else what is missing. */
  precondition(params: JsonObject, view: FactView): string | null
}
