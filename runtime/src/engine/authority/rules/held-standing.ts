/**
 * Whether what this process holds is in force: compared once for each recording, not once for each
 * decision. The comparison is the kernel's; time is compared by whoever asks.
 */
import {
  type Authority,
  compareRules,
  computeRulesStanding,
  type ExecutionIntent,
  findCountingEnd,
  formatInstant,
  type HeldRules,
  isBlocking,
  isStandingAt,
  type JsonObject,
  type RecordedRules,
  type RulesStanding,
} from 'rubicon-kernel'
import type { Clock } from '../../../ports/clock.ts'
import type { Guard } from '../../../ports/store.ts'
import type { RuleBook } from '../../deps.ts'
import type { AuthorityCache } from '../authority-cache.ts'

export function toHeldRules(book: RuleBook): HeldRules {
  const capabilities = book.capabilities().map(({ law }) => ({
    kind: law.description.kind,
    hash: law.hash,
  }))
  return { hash: book.hash, rules: book.ruleSet, capabilities }
}

export class HeldStanding {
  readonly held: HeldRules
  #recorded: RecordedRules | null = null
  #standing: RulesStanding = { kind: 'not_in_force' }

  constructor(book: RuleBook) {
    this.held = toHeldRules(book)
  }

  getStanding({ rules }: Pick<Authority, 'rules'>): RulesStanding {
    if (rules !== this.#recorded) {
      this.#standing = computeRulesStanding(rules, this.held)
      this.#recorded = rules
    }
    return this.#standing
  }

  /** For whoever was refused: what is held, what is recorded, and where they differ. */
  describeDifference({ rules }: Pick<Authority, 'rules'>): JsonObject {
    const changes = compareRules(rules, this.held).filter(isBlocking).slice(0, NAMES_TOLD)
    const capabilities = changes
      .filter(({ what }) => what === 'capability')
      .map(({ name, from = null, to = null }) => ({ kind: name, held: to, in_force: from }))
    return {
      held: this.held.hash,
      in_force: rules?.law.hash ?? null,
      differs: changes.map(({ what, name }) => `${what} ${name}`),
      ...(capabilities.length === 0 ? {} : { capabilities }),
    }
  }
}

/** Names of what differs that are told with a refusal; all of them are in `rubicon rules`. */
const NAMES_TOLD = 8

type Beginning = {
  readonly authorities: AuthorityCache
  readonly standing: HeldStanding
  readonly clock: Clock
}

/** May this process begin anything now? */
export async function mayBegin({ authorities, standing, clock }: Beginning): Promise<boolean> {
  const authority = await authorities.loadLatest()
  return isStandingAt(standing.getStanding(authority), formatInstant(clock.now()))
}

/** What counts only until a time must be durable before it. */
export function buildRulesGuards(
  { standing }: Pick<Beginning, 'standing'>,
  authority: Authority,
  { rules_hash, policy_kind, capability_hash }: ExecutionIntent,
): readonly Guard[] {
  const { rules } = authority
  const here = standing.getStanding(authority)
  const ends = [
    here.kind === 'in_force' ? here.until : null,
    findCountingEnd(rules?.law, rules_hash),
    findCountingEnd(rules?.hashes.get(policy_kind), capability_hash),
  ]
  return ends.flatMap((at) => (typeof at === 'string' ? [{ kind: 'before', at } as const] : []))
}
