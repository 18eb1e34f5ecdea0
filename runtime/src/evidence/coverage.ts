/**
 * Which rules spoke while decisions were judged again, so that whoever writes one sees what it is for,
 * and which never were for anything. Told from traces alone.
 */
import {
  type Contract,
  isApplicable,
  type Limit,
  type Policy,
  type PolicyTraceLine,
  type Verdict,
} from 'rubicon-kernel'

export type RuleCoverage = {
  /** Null: it is a limit of the contract. */
  readonly policy: string | null
  readonly rule: string
  /** Where it begins in the text of its policy. */
  readonly line: number | null
  /** Decisions in which it was asked; of these, in which it was among what decided, and in which it erred. */
  readonly evaluated: number
  readonly determined: number
  readonly erred: number
}

type Tally = { -readonly [Name in keyof RuleCoverage]: RuleCoverage[Name] }

/** Counts for every rule that was there to be asked, those that never were included. */
export class Coverage {
  /** By policy, then by rule. */
  readonly #policies = new Map<string, readonly Tally[]>()
  readonly #limits: readonly { readonly limit: Limit; readonly tally: Tally }[]
  readonly #agent: string | null

  constructor(policies: readonly Policy[], contract: Contract | null) {
    for (const policy of policies) this.#policies.set(policy.name, createTallies(policy))
    this.#agent = contract?.agent_id ?? null
    this.#limits = (contract?.permissions.limits ?? []).map((limit) => {
      return { limit, tally: createTally(null, limit.id, null) }
    })
  }

  add(agent: string, policyKind: string, { trace }: Verdict): void {
    for (const { stage, policies = [], refusals = [], triggers = [] } of trace) {
      for (const line of policies) this.#addPolicy(line)
      if (stage !== 'preconditions' || agent !== this.#agent) continue
      const breached = new Set([...refusals, ...triggers].map(({ details }) => details.limit))
      this.#addLimits(policyKind, breached)
    }
  }

  listRules(): readonly RuleCoverage[] {
    return [...[...this.#policies.values()].flat(), ...this.#limits.map(({ tally }) => tally)]
  }

  #addPolicy({ policy, said, determining, erroring }: PolicyTraceLine): void {
    const tallies = this.#policies.get(policy) ?? []
    const known = new Set(tallies.map(({ rule }) => rule))
    // One that could not be asked at all: none of its rules was.
    const isWhole = erroring.some(({ rule }) => !known.has(rule))
    for (const tally of tallies) {
      tally.evaluated += 1
      const spoke = tally.rule === policy && tally.line === null
      if (isWhole || erroring.some(({ rule }) => rule === tally.rule)) tally.erred += 1
      else if (spoke ? said !== 'nothing' : determining.includes(tally.rule)) tally.determined += 1
    }
  }

  #addLimits(policyKind: string, breached: ReadonlySet<unknown>): void {
    for (const { limit, tally } of this.#limits) {
      if (!isApplicable(limit.applies_to, policyKind)) continue
      tally.evaluated += 1
      if (breached.has(limit.id)) tally.determined += 1
    }
  }
}

/** What is code has no rules that we know of: it is one, by its own name. */
function createTallies({ name, source, rules }: Policy): readonly Tally[] {
  const isText = source.kind === 'file' && source.language === 'cedar' && rules !== undefined
  if (!isText) return [createTally(name, name, null)]
  return rules.map(({ id, line }) => createTally(name, id, line))
}

function createTally(policy: string | null, rule: string, line: number | null): Tally {
  return { policy, rule, line, evaluated: 0, determined: 0, erred: 0 }
}
