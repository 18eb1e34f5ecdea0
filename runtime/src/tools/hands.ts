/**
 * What carries out the executors of tools that are data. `toCapability` asks it for the effect, for what the
 * probe says and for what a compensation does; it is the only part of a manifest tool that leaves the process.
 *
 * H1 `NotApplied` is thrown only where the executor definitively did nothing; anything else that is thrown
 *    leaves the effect UNKNOWN. A probe that throws, `NotApplied` too, has found nothing out.
 * H2 An answer is given only for a status (HTTP) or exit code (command) listed in `applied`.
 * H3 Expressions and templates of an executor read the parameters and nothing else.
 */
import type { JsonObject, JsonValue, ManifestExecutor } from 'rubicon-kernel'
import type { EffectIo } from '../ports/capability.ts'

/** An executor that reaches outside: `world` needs no hands. */
export type OutsideExecutor = Exclude<ManifestExecutor, { readonly world: true }>

export type ManifestCall = {
  /** The tool's kind, by which the operator's lists name it. */
  readonly kind: string
  /** For whom: of what runs at the same time, each agent has a share, and is told how far it is. */
  readonly agent_id: string
  readonly params: JsonObject
  readonly purpose: 'effect' | 'probe' | 'compensation'
}

export type ManifestAnswer = {
  /** HTTP status or exit code. */
  readonly status: number
  /** What stands at the executor's `result`, or all of it; null where there is nothing. */
  readonly result: JsonValue
  /** What the provider says of the call, kept with the outcome: a request id. No secret. */
  readonly receipt?: JsonValue
}

export interface ManifestHands {
  execute(executor: OutsideExecutor, call: ManifestCall, io: EffectIo): Promise<ManifestAnswer>
}
