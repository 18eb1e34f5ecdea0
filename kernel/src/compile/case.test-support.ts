/**
 * One complete input that is staged, and ways to make it differ in one thing.
 *
 * Patches are JSON merge patches (RFC 7396) with one addition: an object patches a list item by
 * item, named by its `path` (State), `measure` (budgets), `kind/id` (World) or position, and null
 * removes the item. Addresses, ids and facts follow from the documents; what a patch of the facts
 * says stands in the end, so `{"contract": {"hash": "sha256:0"}}` makes them disagree.
 */
import { COVERED_STAGES } from '../atom/atom.ts'
import { computeAddress } from '../canonical/address.ts'
import type { JsonObject } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import type { Contract } from '../contract/contract.ts'
import { parseContract } from '../contract/parse-contract.ts'
import type { CapabilityLaw } from '../execution/capability.ts'
import { computeParamsFingerprint } from '../execution/idempotency.ts'
import type { Policy } from '../policy/policy.ts'
import { parseProposal } from '../proposal/parse-proposal.ts'
import type { Result } from '../result.ts'
import type { TopologyRow } from '../topology/topology.ts'
import type { Writ, WritBody } from '../writ/writ.ts'
import { computeWritId } from '../writ/writ-id.ts'
import { CONTRACT, factsOf, proposalOf, sha256, WRIT } from './case-documents.test-support.ts'
import {
  CAPABILITIES,
  type CapabilityName,
  DESCRIPTION,
  POLICIES,
  type PolicyName,
  USUAL,
} from './case-law.test-support.ts'
import { patched } from './case-patch.test-support.ts'
import type { AtomFact, Facts } from './facts.ts'
import { type CompileInput, type Rules, toAddressed } from './input.ts'
import { buildRuleSet, hashRules } from './rules-hash.ts'
import type { Refusal } from './verdict.ts'

export { AGENT, CONTRACT, DFID, NOW, sha256, WRIT } from './case-documents.test-support.ts'

/** What differs from the base case. Everything but the functions in `rules` is JSON. */
export type Example = {
  readonly facts?: JsonObject
  readonly proposal?: JsonObject
  /** Null: no contract is registered for the agent. */
  readonly contract?: JsonObject | null
  /** The body of the leaf. */
  readonly writ?: JsonObject
  readonly capability?: CapabilityName
  readonly policy?: PolicyName
  /** The bodies of a chain, leaf first, each a patch of the base writ; instead of `writ`. */
  readonly writs?: readonly JsonObject[]
  /** Of the capability. */
  readonly description?: JsonObject
  readonly topologies?: readonly TopologyRow[]
  /** The proposal names an atom: one that is good, but for what is patched of its fact. */
  readonly atom?: JsonObject
}

export type CasePatch = Example & {
  readonly law?: Partial<CapabilityLaw>
  readonly policies?: readonly Policy[]
  readonly regex?: Rules['regex']
}

export function baseCase(): CompileInput {
  return withCase({})
}

export function applyExample(example: Example): CompileInput {
  return withCase(example)
}

/** The case, whose proposal must parse. */
export function withCase(patch: CasePatch): CompileInput {
  const parsed = parseCase(patch)
  if (!parsed.ok) throw new Error(`the proposal does not parse: ${JSON.stringify(parsed.error)}`)
  return parsed.value
}

/** The same, and what the parser says where the proposal is none. */
export function parseCase(patch: CasePatch): Result<CompileInput, Refusal> {
  const contract = contractOf(patch)
  const writs = chainOf(patch.writs ?? [patch.writ ?? {}])
  const law = lawOf(patch)
  const rules = rulesOf(patch, law)
  const derived = factsOf(contract, writs, law, rules.hash)
  const atom = patch.atom === undefined ? {} : atomOf(derived, patch.atom)
  const named = patch.atom === undefined ? {} : { atom_id: atomIdOf(atom) }
  const document = patched({ ...proposalOf(derived), ...named }, patch.proposal ?? {})
  const proposal = parseProposal(document)
  if (!proposal.ok) return proposal

  const { policy_kind, params } = proposal.value
  const fingerprint = computeParamsFingerprint(policy_kind, params, sha256)
  const facts = withFingerprint(patched({ ...derived, ...atom }, patch.facts ?? {}), fingerprint)
  return {
    ok: true,
    value: {
      facts: toAddressed('facts', facts as unknown as Facts, sha256),
      proposal: proposal.value,
      document: toAddressed('proposal', document, sha256),
      contract,
      writs,
      rules,
    },
  }
}

/** As the kernel issues it on the facts of the case. */
function atomOf(derived: JsonObject, patch: JsonObject): JsonObject {
  const facts = derived as unknown as Facts
  const { contract, capability, flow, writs } = facts
  const body = {
    dfid: flow.dfid,
    agent_id: flow.agent_id,
    nonce: 'atom-1',
    policy_kinds: ['BUY'],
    contract_hash: contract?.hash ?? '',
    capability_hashes: { BUY: capability?.hash ?? '' },
    writ_id: writs[0]?.id ?? '',
    grammar_hash: null,
    snapshot_id: flow.snapshot_id,
    mission_context_hash: contract?.mission_hash ?? '',
    rules_hash: facts.rules_hash,
    authority_seq: facts.authority_seq,
    reserved_cost: { calls: '1' },
    covers: [...COVERED_STAGES],
    issued_at: '2026-03-02T09:59:50.000Z',
    expires_at: '2026-03-02T10:00:50.000Z',
  }
  const whole = patched(body, isObject(patch.atom) ? patch.atom : {})
  const key = { key_id: 'key-kernel', purpose: 'kernel', subject: 'rubicon', valid: true }
  const atom = {
    ...whole,
    atom_id: computeAddress('atom', whole, sha256),
    kernel_signature: { key_id: 'key-kernel', sig: 'c2ln' },
  }
  return { atom: patched({ atom, signature: key, ended: null }, { ...patch, atom: {} }) }
}

function atomIdOf({ atom }: JsonObject): string {
  const fact = atom as unknown as AtomFact
  return fact.atom.atom_id
}

function contractOf({ contract: patch }: Example): Contract | null {
  if (patch === null) return null
  const document = patched(CONTRACT, patch ?? {})
  const parsed = parseContract(document)
  // A document that does not parse is kept as it is: a stage has to fail closed on it.
  return parsed.ok ? parsed.value : (document as unknown as Contract)
}

/** From the issuer down, because a child names its parent's id. */
function chainOf(patches: readonly JsonObject[]): readonly Writ[] {
  const chain: Writ[] = []
  for (const patch of patches.toReversed()) {
    const parent = chain[0]
    const depth = 2 - chain.length
    const link: JsonObject =
      parent === undefined
        ? {}
        : {
            parent: parent.id,
            issuer_key: parent.body.subject_key ?? 'key-nobody',
            delegation: { max_depth: Math.max(0, depth), may_delegate: depth > 0 },
          }
    const body = patched(patched(WRIT, link), patch) as unknown as WritBody
    const signature = { key_id: body.issuer_key, sig: 'c2ln' }
    chain.unshift({ id: computeWritId(body, sha256), body, signature })
  }
  return chain
}

function lawOf(patch: CasePatch): CapabilityLaw | null {
  const variant: Partial<CapabilityLaw> | null = CAPABILITIES[patch.capability ?? 'usual']
  if (variant === null) return null
  const description = patched(DESCRIPTION as unknown as JsonObject, patch.description ?? {})
  const hash = computeAddress('capability', description, sha256)
  const described = { description: description as unknown as typeof DESCRIPTION, hash }
  return { ...USUAL, ...variant, ...described, ...patch.law }
}

const hashes = new Map<readonly Policy[], Rules['hash']>()

function rulesOf(patch: CasePatch, law: CapabilityLaw | null): Rules {
  const policies: readonly Policy[] = patch.policies ?? POLICIES[patch.policy ?? 'none']
  const hash = hashes.get(policies) ?? hashRules(buildRuleSet(policies, {}, sha256), sha256)
  hashes.set(policies, hash)
  const changed: CapabilityLaw['hash'] = 'sha256:another'
  const registered =
    patch.capability === 'changed' && law !== null ? { ...law, hash: changed } : law
  return {
    hash,
    policies,
    capability: (kind) => (kind === registered?.description.kind ? registered : undefined),
    ...(patch.regex === undefined ? {} : { regex: patch.regex }),
    ...(patch.topologies === undefined ? {} : { topologies: patch.topologies }),
    sha256,
  }
}

/** A claim in a patch may leave out its fingerprint: then it is that of this proposal. */
function withFingerprint(facts: JsonObject, params_fingerprint: string): JsonObject {
  if (!isObject(facts.claim)) return { ...facts, claim: facts.claim ?? null }
  return { ...facts, claim: { params_fingerprint, ...facts.claim } }
}
