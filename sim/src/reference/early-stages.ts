/**
 * Stages 0 to 7, from the design documents. In each the first check that does not hold decides;
 * a null is a pass.
 */
import type {
  CapabilityLaw,
  CompileInput,
  KeyFact,
  ReasonCode,
  SignatureFact,
  Writ,
} from 'rubicon-kernel'
import { canonicaliseJson, deriveAddress, hashText } from './canonical.ts'
import { isDepthAllowed, isInside, isKindMatch } from './delegation.ts'
import { parseTime, toMinorUnits } from './exact.ts'

type Said = ReasonCode | null

const HORIZON_MS = 24 * 60 * 60 * 1000
const LONGEST_CHAIN = 8
/** Ours is 1.5: everything up to it, and any patch. */
const SPOKEN = /^1(\.[0-5](\.(0|[1-9]\d{0,3}))?)?$/
export const RESERVED: readonly string[] = [
  'SPAWN_CHILD',
  'SPAWN_INSTANCE',
  'RESOLVE_ESCALATION',
  'COMPENSATE',
  'ESCALATE',
  'RETIRE',
  'HALT',
]
const MOST_PROPOSALS = 1_000
/** Asking for a person and stopping need nobody's leave. */
const FREE: readonly string[] = ['ESCALATE', 'RETIRE']

export function repeat({ facts, proposal, rules }: CompileInput): Said | 'repeat' {
  const { flow, auth, claim } = facts.value
  const agent = flow.agent_id
  if (proposal.dfid !== flow.dfid || proposal.agent_id !== agent) return 'IDENTITY_MISMATCH'
  if (auth.kind === 'session' && auth.agent_id !== agent) return 'IDENTITY_MISMATCH'
  if (claim === null) {
    if (flow.state !== (facts.value.approval ? 'ESCALATED' : 'ACTIVE')) return 'FLOW_NOT_OPEN'
    if (!facts.value.approval && facts.value.attempt > MOST_PROPOSALS) return 'FLOW_FULL'
    // Only a person puts a proposal in the place of another.
    const forged = proposal.supersedes !== undefined && auth.kind !== 'approval'
    return forged ? 'IDENTITY_MISMATCH' : null
  }
  // An outcome is told only to whom it concerns, and stage 2 does not run any more.
  if (auth.kind === 'signature' && findSpeakerProblem(auth.signature, agent) !== null)
    return 'IDENTITY_MISMATCH'
  if (auth.kind === 'session' && findSessionProblem(auth.key, agent) !== null)
    return 'IDENTITY_MISMATCH'
  const bound = { params: proposal.params, policy_kind: proposal.policy_kind }
  if (claim.params_fingerprint !== hashText(canonicaliseJson(bound), rules.sha256))
    return 'STEP_PARAMS_MISMATCH'
  return ['SUCCESS', 'FAILED', 'ABANDONED'].includes(claim.status) ? 'repeat' : 'STEP_IN_FLIGHT'
}

/** A session is worth what the key is worth that opened it. */
function findSessionProblem(key: KeyFact | null, agent: string): Said {
  return key === null || (key.purpose === 'agent' && key.subject === agent) ? null : 'KEY_PURPOSE'
}

function findSpeakerProblem(signature: SignatureFact, agent: string): Said {
  if (!signature.valid) return 'PROPOSAL_SIGNATURE_INVALID'
  return signature.purpose === 'agent' && signature.subject === agent ? null : 'KEY_PURPOSE'
}

/** What would judge it, and what would act, are what an operator has had recorded. */
function isUnrecorded({ facts }: CompileInput): boolean {
  const { rules_hash, capability: used, in_force } = facts.value
  const isRecorded = (hash: string, list: readonly string[]): boolean => list.includes(hash)
  if (!isRecorded(rules_hash, in_force.rules)) return true
  return used !== null && !isRecorded(used.hash, in_force.capability)
}

export function checkKind(input: CompileInput): Said {
  const { proposal, rules } = input
  if (isUnrecorded(input)) return 'RULES_NOT_IN_FORCE'
  if (!SPOKEN.test(proposal.schema_version ?? '1')) return 'SCHEMA_VERSION_UNSUPPORTED'
  const { policy_kind: asked } = proposal
  const handless = RESERVED.includes(asked) && rules.capability(asked) === undefined
  return handless ? 'KIND_UNSUPPORTED' : null
}

export function checkSignature({ facts, proposal, contract, writs, rules }: CompileInput): Said {
  const { auth, writs: known } = facts.value
  if (auth.kind === 'session' && contract?.safety_rules.requires_signature)
    return 'SIGNATURE_REQUIRED'
  const unproven =
    auth.kind === 'signature'
      ? findSpeakerProblem(auth.signature, proposal.agent_id)
      : auth.kind === 'session'
        ? findSessionProblem(auth.key, proposal.agent_id)
        : null
  if (unproven !== null) return unproven
  if (writs.length === 0 || known.length !== writs.length) return 'WRIT_MISSING'
  if (proposal.writ_id !== undefined && proposal.writ_id !== writs[0]?.id) return 'WRIT_MISSING'
  for (const [place, writ] of writs.entries()) {
    const fact = known[place]
    if (fact?.id !== writ.id || deriveAddress('writ', writ.body, rules.sha256) !== writ.id)
      return 'WRIT_ID_MISMATCH'
    if (!fact.signature.valid || fact.signature.key_id !== writ.body.issuer_key)
      return 'WRIT_SIGNATURE_INVALID'
    const problem = findSignerProblem(writ, fact.signature, writs[place + 1])
    if (problem !== null) return problem
  }
  return null
}

function findSignerProblem({ body }: Writ, signed: SignatureFact, parent: Writ | undefined): Said {
  if (signed.purpose === null || body.parent !== parent?.id) return 'WRIT_UNTRUSTED_ISSUER'
  if (parent === undefined) return signed.purpose === 'issuer' ? null : 'KEY_PURPOSE'
  if (body.issuer_key !== parent.body.subject_key) return 'WRIT_UNTRUSTED_ISSUER'
  const own = signed.purpose === 'agent' && signed.subject === parent.body.subject
  return own || signed.purpose === 'issuer' ? null : 'KEY_PURPOSE'
}

export function checkWindow({ facts, proposal, contract, writs }: CompileInput): Said {
  const now = parseTime(facts.value.now) ?? Number.POSITIVE_INFINITY
  for (const { body } of writs) {
    const opens = parseTime(body.window.not_before)
    if (opens === null || now < opens) return 'WRIT_NOT_YET_VALID'
    const closes = parseTime(body.window.expires_at)
    if (closes === null || now >= closes) return 'WRIT_EXPIRED'
  }
  if (contract !== null) {
    const from = parseTime(contract.effective_from)
    if (from === null || now < from) return 'CONTRACT_NOT_EFFECTIVE'
    const until = contract.effective_until
    if (until !== undefined && !(now < (parseTime(until) ?? 0))) return 'CONTRACT_NOT_EFFECTIVE'
  }
  const { approval } = facts.value
  if (approval) return now < (parseTime(approval.valid_until) ?? 0) ? null : 'APPROVAL_EXPIRED'
  if (proposal.valid_until === undefined) return null
  const deadline = parseTime(proposal.valid_until) ?? 0
  if (now >= deadline) return 'TTL_EXPIRED'
  return deadline - now > HORIZON_MS ? 'TTL_TOO_FAR' : null
}

const STOPPED: Readonly<Record<string, ReasonCode>> = {
  INITIALIZING: 'AGENT_NOT_ACTIVE',
  SUSPENDED: 'AGENT_SUSPENDED',
  RETIRED: 'AGENT_RETIRED',
}

export function checkScope({ facts, proposal, contract, writs }: CompileInput): Said {
  const { agent, contract: deployed, writs: known, tenant, audience } = facts.value
  if (contract === null || contract.agent_id !== proposal.agent_id) return 'AGENT_UNKNOWN'
  if (agent.status === null) return 'AGENT_UNKNOWN'
  if (agent.status !== 'ACTIVE') return STOPPED[agent.status] ?? 'AGENT_UNKNOWN'
  const asked = proposal.policy_kind
  if (agent.maintenance && ![...FREE, 'COMPENSATE'].includes(asked)) return 'AGENT_MAINTENANCE'
  if (deployed === null || deployed.revoked) return 'CONTRACT_REVOKED'
  // Its flow is over with the flow's own writ, whichever the proposal names.
  if (facts.value.flow.revoked_writ !== null) return 'WRIT_REVOKED'
  if (known.some((writ) => writ.revoked)) return 'WRIT_REVOKED'
  if (writs.length > LONGEST_CHAIN) return 'DELEGATION_DEPTH'
  for (const [place, { body }] of writs.entries()) {
    if (body.tenant !== tenant) return 'TENANT_MISMATCH'
    if (body.audience !== audience) return 'WRIT_AUDIENCE'
    if (place === 0 && body.subject !== proposal.agent_id) return 'WRIT_SUBJECT'
    const parent = writs[place + 1]
    if (parent !== undefined && !isDepthAllowed(body, parent)) return 'DELEGATION_DEPTH'
    if (parent !== undefined && !isInside(body, parent)) return 'DELEGATION_WIDENS'
  }
  if (contract.authority === 'OBSERVE') return 'AUTHORITY_OBSERVE_ONLY'
  if (contract.permissions.forbidden_kinds.includes(asked)) return 'KIND_FORBIDDEN'
  if (FREE.includes(asked)) return null
  if (!contract.permissions.policy_kinds.includes(asked)) return 'RBAC_DENIED'
  const covered = writs.every(({ body }) => body.scopes.some((one) => isKindMatch(one.kind, asked)))
  return covered ? null : 'WRIT_SCOPE'
}

export function checkCapability({ facts, proposal, writs, rules }: CompileInput): Said {
  const law = rules.capability(proposal.policy_kind)
  if (law === undefined || facts.value.capability?.hash !== law.hash) return 'CAPABILITY_UNKNOWN'
  const { effect, world_only, reversible } = law.description
  const allowed = writs.every(({ body: { effect_ceiling: ceiling } }) => {
    if (effect === 'read') return ceiling.read
    return ceiling.write && (world_only || ceiling.external) && (reversible || ceiling.irreversible)
  })
  if (!allowed) return 'EFFECT_CEILING'
  return facts.value.flow.trajectory === 'main' || isGoneWithBranch(law) ? null : 'BRANCH_EFFECT'
}

/** Nobody outside of a branch can notice that it was done there. */
function isGoneWithBranch({ description }: CapabilityLaw): boolean {
  const { kind: named, effect, world_only, branches } = description
  if (RESERVED.includes(named)) return !FOR_EVERYBODY.includes(named)
  return effect === 'read' || world_only || branches === 'world'
}

/** What they come to holds in every trajectory. */
const FOR_EVERYBODY: readonly string[] = ['SPAWN_INSTANCE', 'RESOLVE_ESCALATION']

export type Units = ReadonlyMap<string, bigint>

/** One call, and what the capability always costs; null where that cannot be counted. */
export function sum(...costs: readonly Readonly<Record<string, unknown>>[]): Units | null {
  const total = new Map<string, bigint>([['calls', 1n]])
  for (const cost of costs) {
    for (const [measure, amount] of Object.entries(cost)) {
      const units = toMinorUnits(measure, amount)
      if (units === null) return null
      total.set(measure, (total.get(measure) ?? 0n) + units)
    }
  }
  return total
}

/** Only what the leaf itself was granted counts, and every row of it, whether it is asked or not. */
export function isAffordable({ facts, writs }: CompileInput, cost: Units): boolean {
  const rows = facts.value.budgets.filter((row) => row.writ === writs[0]?.id)
  const asked = new Map([...rows.map((row) => [row.measure, 0n] as const), ...cost])
  return [...asked].every(([measure, units]) => {
    const own = rows.filter((row) => row.measure === measure)
    if (own.length === 0) return units === 0n
    return own.every((row) => {
      const [granted, used] = [toMinorUnits(measure, row.granted), toMinorUnits(measure, row.used)]
      return granted !== null && used !== null && used + units <= granted
    })
  })
}

/** What the agent's contract allows in a window of time, all its flows together. */
export function isInWindow({ facts, contract }: CompileInput, cost: Units): boolean {
  const rule = Object.entries(contract?.safety_rules.budget_per_agent ?? {})
  const used = new Map(Object.entries(facts.value.agent_window?.used ?? {}))
  return rule.every(([measure, amount]) => {
    if (measure === 'window_s') return true
    const [most, spent] = [toMinorUnits(measure, amount), toMinorUnits(measure, used.get(measure))]
    return most !== null && spent !== null && spent + (cost.get(measure) ?? 0n) <= most
  })
}

export function checkBudget(input: CompileInput): Said {
  const law = input.rules.capability(input.proposal.policy_kind)
  const cost = sum(law?.description.cost ?? {})
  const fits = cost !== null && isAffordable(input, cost) && isInWindow(input, cost)
  return fits ? null : 'BUDGET_EXCEEDED'
}
