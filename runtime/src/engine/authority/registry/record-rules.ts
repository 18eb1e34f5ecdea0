/**
 * Records the rules that a process holds, with an operator's signature, where nobody has to agree
 * (the first rules, a newer version of the software) or somebody has, to the change or to each capability in it. Otherwise nothing is recorded,
 * and what is held is not in force.
 */
import {
  type Authority,
  type CapabilityRecord,
  collectPolicyTexts,
  compareRules,
  computeRulesStanding,
  err,
  type Failure,
  formatInstant,
  hashAcceptance,
  isStandingAt,
  isUpgradeAlone,
  LIMITS,
  ok,
  type RecordedRules,
  type Result,
  type RulesBody,
  type RulesChange,
} from 'rubicon-kernel'
import type { RulesAcceptance } from '../../deps.ts'
import { signDocument } from '../../rows/sign.ts'
import { toHeldRules } from '../rules/held-standing.ts'
import {
  appendAuthority,
  buildAuthorityChange,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'
import { buildUsedApprovals, isApprovedAlone } from './approved-capabilities.ts'

/** Accepts whatever a process holds, where no other process can work with the store. */
export const ANY_IN_DEVELOPMENT = 'any-in-development'

/** What a process holds against what is recorded. */
export type RulesState = {
  readonly kind: 'in_force' | 'not_in_force'
  /** In force only until then, since something else has taken its place. */
  readonly until: string | null
  readonly held: string
  readonly recorded: string | null
  readonly changes: readonly RulesChange[]
  /** What a yes to these changes is given as; null: there is nothing to agree to. */
  readonly acceptance: string | null
}

export async function recordRules(
  registrar: Registrar,
  agreed: string | RulesAcceptance | undefined = registrar.acceptRules,
): Promise<Result<RulesState, Failure>> {
  const accept = typeof agreed === 'string' ? { hash: agreed } : agreed
  const { book, store } = registrar
  if (store.shared && book.rules.policies.some(({ source }) => source.kind === 'unpinned'))
    return err(unpinned)
  if (store.shared && accept?.hash === ANY_IN_DEVELOPMENT) return err(anyOfMany)
  if ((accept?.previousForMs ?? 0) > LIMITS.rulesOverlapMostMs) return err(overlong)
  const done = await appendAuthority(registrar, async ({ rules }) => {
    const agreed = findAgreedOverlap(registrar, rules, accept)
    const previousForMs = agreed ?? (await findApprovedOverlap(registrar, rules))
    if (previousForMs === null) return buildAuthorityChange()
    const entries = await signRulesEntries(registrar, rules, previousForMs)
    const kinds = listNewRecords(registrar, rules).map(({ capability }) => capability.kind)
    return ok({ entries, beside: buildUsedApprovals(kinds), value: undefined })
  })
  return done.ok ? ok(computeRulesState(registrar, await registrar.authorities.loadLatest())) : done
}

/** Anybody may look. */
export function computeRulesState(
  { book, sha256, clock }: Pick<Registrar, 'book' | 'sha256' | 'clock'>,
  { rules }: Pick<Authority, 'rules'>,
): RulesState {
  const held = toHeldRules(book)
  const standing = computeRulesStanding(rules, held)
  const isRecorded = standing.kind === 'in_force' && standing.until === null
  const counts = isStandingAt(standing, formatInstant(clock.now()))
  return {
    kind: counts ? 'in_force' : 'not_in_force',
    until: counts && standing.kind === 'in_force' ? standing.until : null,
    held: held.hash,
    recorded: rules?.law.hash ?? null,
    changes: compareRules(rules, held),
    acceptance: isRecorded ? null : hashAcceptance(rules, held, sha256),
  }
}

/** How long what is replaced goes on counting. Null: there is nothing to record, or nobody agreed. */
function findAgreedOverlap(
  { book, sha256, signer }: Registrar,
  recorded: RecordedRules | null,
  accept: RulesAcceptance | undefined,
): number | null {
  const held = toHeldRules(book)
  const standing = computeRulesStanding(recorded, held)
  if (standing.kind === 'in_force' && standing.until === null) return null
  if (recorded === null) return 0
  if (signer.publicKey('operator') === null) return null
  const accepted = [ANY_IN_DEVELOPMENT, hashAcceptance(recorded, held, sha256)]
  if (accept !== undefined && accepted.includes(accept.hash)) return accept.previousForMs ?? 0
  // Held rules that still count were replaced on purpose: a restart does not bring them back.
  if (standing.kind === 'in_force') return null
  return isUpgradeAlone(recorded, held) ? LIMITS.rulesOverlapMs : null
}

/** The same, where each difference was approved before; what is replaced ends with it. */
async function findApprovedOverlap(
  { book, store, signer }: Registrar,
  recorded: RecordedRules | null,
): Promise<number | null> {
  const held = toHeldRules(book)
  if (recorded === null || signer.publicKey('operator') === null) return null
  if (computeRulesStanding(recorded, held).kind === 'in_force') return null
  return (await isApprovedAlone(store, recorded, held)) ? 0 : null
}

/** The rules with what is new beside them; where the rules stay, each capability on its own. */
async function signRulesEntries(
  registrar: Registrar,
  recorded: RecordedRules | null,
  previousForMs: number,
): Promise<readonly SignedEntry[]> {
  const { book, clock } = registrar
  const until = formatInstant(clock.now() + previousForMs)
  const previous = previousForMs > 0 ? { previous_until: until } : {}
  const records = listNewRecords(registrar, recorded)
  const rules: RulesBody = {
    rules_hash: book.hash,
    rules: book.ruleSet,
    capabilities: records,
    texts: collectPolicyTexts(book.rules.policies),
    ...previous,
  }
  const bodies =
    recorded?.law.hash === book.hash
      ? records.map((record) => ({ action: 'capability', ...record, ...previous }))
      : [rules]
  const entries: SignedEntry[] = []
  for (const body of bodies) {
    const signature = await signDocument(registrar, 'operator', 'policy', body)
    entries.push({ kind: 'policy', payload: { body, signature } })
  }
  return entries
}

function listNewRecords(
  { book }: Pick<Registrar, 'book'>,
  recorded: RecordedRules | null,
): readonly CapabilityRecord[] {
  return book
    .capabilities()
    .filter(({ law }) => recorded?.hashes.get(law.description.kind)?.hash !== law.hash)
    .map(({ law }) => ({ capability: law.description, capability_hash: law.hash }))
}

const overlong: Failure = {
  code: 'RULES_OVERLAP',
  summary: `the previous rules may stay in force for ${LIMITS.rulesOverlapMostMs / 3_600_000} hours at most`,
  why: 'two sets of rules are in force together only while processes are replaced',
  fix: 'name a shorter time',
}

const anyOfMany: Failure = {
  code: 'RULES_ANY_SHARED',
  summary: '`any-in-development` accepts any rules, and the store is shared with other processes',
  why: 'every start would replace the rules that the others decide by',
  fix: 'agree to one change by the hash that is printed for it',
}

const unpinned: Failure = {
  code: 'POLICY_UNPINNED',
  summary: 'a policy is passed as code, and the store is shared with other processes',
  why: 'nobody could tell whether two processes hold the same function',
  fix: 'put the policy into a `.cedar` or TypeScript file, which is pinned by its hash',
}
