/** What people send as text and nobody has put in force: read and judged beside the deciding thread. */
import type { Contract, Failure, JsonObject, Monitor, PolicyAnswer, Result } from 'rubicon-kernel'
import type { CedarInput, CedarPolicy, UnknownName } from 'rubicon-runtime/policies'

export type Draft =
  | { readonly kind: 'contract'; readonly text: string }
  | { readonly kind: 'monitor'; readonly text: string }
  /** Its rules. */
  | { readonly kind: 'policy'; readonly policy: DraftPolicy }
  /** Its rules, and the names in it that nothing has. */
  | {
      readonly kind: 'names'
      readonly policy: DraftPolicy
      readonly known: readonly DraftCapability[]
    }
  /** What it says to a proposal. */
  | { readonly kind: 'answer'; readonly policy: DraftPolicy; readonly input: CedarInput }

/** In Cedar. */
export type DraftPolicy = { readonly name: string; readonly text: string }

/** What a rule can speak of, as data. */
export type DraftCapability = {
  readonly kind: string
  readonly measures: readonly string[]
  readonly params: JsonObject
}

/** A policy that can be read: its rules, and what it names that is not there. */
export type CheckedNames = {
  readonly rules: DraftRules
  readonly unknown: readonly UnknownName[]
}

export type DraftKind = Draft['kind']

/** A policy without the hand that judges. */
export type DraftRules = Omit<CedarPolicy, 'evaluate' | 'steps'>

/** What is found of each kind, or why it is refused. */
export type DraftFound = {
  readonly contract: Result<Contract, Failure>
  readonly monitor: Result<Monitor, Failure>
  readonly policy: Result<DraftRules, Failure>
  readonly names: Result<CheckedNames, Failure>
  readonly answer: Result<PolicyAnswer, Failure>
}

/** How much time of a core one request may take, however many drafts it asks about. */
export type DraftBudget = { leftMs: number }

export function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
