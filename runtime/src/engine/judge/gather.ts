/**
 * Collects every fact that compile may read, for one proposal, from one moment. What is gathered
 * here is stored with the verdict, read or not.
 */

import {
  type AgentStatus,
  type ApprovalFact,
  type AtomFact,
  type AuthFact,
  type Authority,
  type Budget,
  type CapabilityLaw,
  type CompileInput,
  type ContractFact,
  computeAtomId,
  type DeployedContract,
  type Facts,
  findAgentStatus,
  findOwner,
  findPinnedContract,
  type InForceFact,
  isKeyInUse,
  type JsonObject,
  type KeyFact,
  listCountingHashes,
  type PolicyProposal,
  resolveJitFields,
  type SeenFact,
  type SignedAtom,
  type SignedIntent,
  toAddressed,
  toAtomBody,
  toCanonicalText,
  toSignedText,
  toUnsignedAtom,
  type Writ,
  type WritFact,
} from 'rubicon-kernel'
import type { AtomRecord } from '../../ports/atom-record.ts'
import type { StoredRecord } from '../../ports/record.ts'
import type { DecisionView, FlowRow } from '../../ports/store.ts'
import { findStoppedDelegation, loadDelegatedWrits } from '../authority/delegation.ts'
import { toSignatureFact } from '../authority/writ-cache.ts'
import type { Context } from '../engine-context.ts'
import { readWindowFact } from '../rows/agent-window.ts'
import { toBudgetFacts } from '../rows/budget-counters.ts'
import { toMaintenanceCounter } from '../rows/maintenance.ts'
import { getMissionHash } from '../rows/mission.ts'
import { checkSignature } from '../rows/sign.ts'
import { gatherSaga } from '../saga/load-saga.ts'
import type { Gathered } from './gathered.ts'
import { readGuarded } from './read-guarded.ts'
import type { Received, SpokenIn } from './receive.ts'

export async function gather(
  context: Context,
  view: DecisionView,
  { proposal, document, release, session, stake }: Received,
  chain: readonly Writ[],
  speaker?: AuthFact,
  /** An intent that was accepted before: what it reserved does not count against it. */
  held?: SignedIntent,
): Promise<Gathered> {
  const approval = release?.approval ?? null
  const { book, sha256, tenant, audience } = context
  const { flow, claim, now } = view
  const authority = await context.authorities.loadCurrent(view.authority_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const law = book.rules.capability(proposal.policy_kind)
  const by = { sources: authority.sources, now }
  const outside = await readGuarded(context, flow, law, deployed, proposal, by)
  const { state, world, absent, observed, releases } = outside
  const saga = await gatherSaga(context, flow, proposal, authority)
  const stopped = findStoppedDelegation(authority, await loadDelegatedWrits(context, flow, chain))
  const writs = await buildWritFacts(context, chain, authority)
  const atom = await loadNamedAtom(context, flow, proposal)
  // What was accepted before has used its atom up.
  const open = held === undefined && atom?.body.ended === null ? atom : null
  const own = open?.body.atom
  const judged: FlowRow = stake?.waited === true ? { ...flow, state: 'ACTIVE' } : flow
  const inside = { agent_id: flow.agent_id, key_id: null }
  const spoken = { authority, proposal, document, session: session ?? inside }

  // In canonical order, in which they are written fastest.
  const facts: Facts = {
    agent: {
      maintenance: (view.counters[toMaintenanceCounter(flow.agent_id)] ?? 0) > 0,
      status: computeAgentStatus(authority, flow, stopped?.status === 'SUSPENDED'),
    },
    agent_window: await readWindowFact(context, deployed, now, held, own),
    approval,
    ...(await buildAtomFacts(context, proposal, atom, authority)),
    attempt: flow.attempts + 1,
    audience,
    auth: speaker ?? toApproverAuth(approval, proposal) ?? (await authenticate(context, spoken)),
    authority_seq: authority.seq,
    budgets: chain.slice(0, 1).flatMap((leaf) => {
      return toBudgetFacts(leaf, view.counters, selectHeld(leaf, own))
    }),
    capability: law === undefined ? null : { hash: law.hash, kind: proposal.policy_kind },
    claim:
      claim === null
        ? null
        : { params_fingerprint: claim.params_fingerprint, status: claim.status },
    contract: deployed === undefined ? null : toContractFact(deployed, context),
    flow: toFlowFact(judged, authority, stopped?.status === 'RETIRED' ? stopped.writ.id : null),
    in_force: toInForceFact(authority, proposal.policy_kind, now),
    now,
    rules_hash: book.hash,
    ...(saga.fact === undefined ? {} : { saga: saga.fact }),
    seen: await loadSeenFacts(context, authority, flow, law, proposal.params),
    state,
    tenant,
    world,
    writs,
  }
  const input: CompileInput = {
    facts: toAddressed('facts', facts, sha256),
    proposal,
    document,
    contract: deployed?.contract ?? null,
    writs: chain,
    rules: book.rules,
  }
  const read = { absent, observed, releases }
  return { view, authority, deployed, input, law, ...read, atom: open, saga: saga.guards }
}

/** What the atom holds of this writ. */
function selectHeld(writ: Writ, atom: SignedAtom | undefined): Budget {
  return atom !== undefined && atom.writ_id === writ.id ? atom.reserved_cost : {}
}

/** Null: the proposal names none, or none that was issued in its flow. */
async function loadNamedAtom(
  { store }: Context,
  { dfid }: FlowRow,
  { atom_id }: Pick<PolicyProposal, 'atom_id'>,
): Promise<StoredRecord<'atom'> | null> {
  return atom_id === undefined ? null : store.readRecord('atom', dfid, atom_id)
}

/** Empty where the proposal names none. */
async function buildAtomFacts(
  context: Context,
  { atom_id }: Pick<PolicyProposal, 'atom_id'>,
  record: StoredRecord<'atom'> | null,
  authority: Authority,
): Promise<Pick<Facts, 'atom'>> {
  if (atom_id === undefined) return {}
  return { atom: record === null ? null : await buildAtomFact(context, record.body, authority) }
}

/** A key that was compromised or retired since has no purpose any more. */
async function buildAtomFact(
  context: Context,
  { atom, ended }: AtomRecord,
  authority: Authority,
): Promise<AtomFact> {
  const { kernel_signature: signed } = atom
  const key = authority.keys.get(signed.key_id)
  const current = key !== undefined && isKeyInUse(key) ? key : undefined
  const unsigned = toUnsignedAtom(atom)
  const isAddressed = computeAtomId(toAtomBody(unsigned), context.sha256) === atom.atom_id
  const text = toCanonicalText(unsigned)
  const valid =
    isAddressed &&
    current !== undefined &&
    (await checkSignature(context, current.public_key, 'atom', text, signed.sig))
  return { atom, ended, signature: toSignatureFact(current, signed.key_id, valid) }
}

export async function buildWritFacts(
  { writs }: Context,
  chain: readonly Writ[],
  authority: Authority,
): Promise<readonly WritFact[]> {
  const facts: WritFact[] = []
  for (const writ of chain) facts.push(await writs.buildWritFact(writ, authority))
  return facts
}

/** What counts now of the rules, and of the kind that is proposed. */
function toInForceFact({ rules }: Authority, kind: string, now: string): InForceFact {
  return {
    capability: listCountingHashes(rules?.hashes.get(kind), now),
    rules: listCountingHashes(rules?.law, now),
  }
}

/** What the agent was shown of the values that must not have moved since. */
async function loadSeenFacts(
  { snapshots }: Context,
  { sources }: Authority,
  flow: FlowRow,
  law: CapabilityLaw | undefined,
  params: JsonObject,
): Promise<readonly SeenFact[]> {
  const fields = law === undefined ? {} : (resolveJitFields(law, params) ?? {})
  const paths = Object.values(fields).map(({ path }) => path)
  if (paths.length === 0) return []
  const seen = await snapshots.loadSeen(flow, paths)
  return seen.map((fact) => {
    // In an act the agent says itself what it saw of a path that a source owns: it stands for that source's value.
    const owner = fact.label === 'agent' ? findOwner(sources, fact.path) : null
    return owner?.kind === 'source' ? { ...fact, label: owner.source.label } : fact
  })
}

/** Of its agent; SUSPENDED also while nothing passes that was delegated to it. */
export function computeAgentStatus(
  authority: Authority,
  flow: FlowRow,
  isHeldUp: boolean,
): AgentStatus | null {
  const status = findAgentStatus(authority, flow.agent_id) ?? null
  return status === 'ACTIVE' && isHeldUp ? 'SUSPENDED' : status
}

/**
 * `ended`: a writ of an agent that has ended, of this flow or of the chain that is named. What waited for the others of its
 * event is judged as its flow stood when it was proposed.
 */
export function toFlowFact(
  flow: FlowRow,
  authority: Authority,
  ended: string | null,
): Facts['flow'] {
  const isOver = (id: string): boolean => id === ended || authority.revokedWrits.has(id)
  return {
    agent_id: flow.agent_id,
    dfid: flow.dfid,
    ...(flow.event === null ? {} : { event: flow.event }),
    rejections: flow.rejections,
    revoked_writ: flow.writs.find(({ id }) => isOver(id))?.id ?? null,
    snapshot_at: flow.snapshot_at,
    snapshot_id: flow.snapshot_id,
    state: flow.state,
    trajectory: flow.trajectory,
    transient_rejections: flow.transient_rejections,
  }
}

export function toContractFact(
  { contract, hash, seq, revoked }: DeployedContract,
  context: Context,
): ContractFact {
  return { hash, mission_hash: getMissionHash(contract, context.sha256), revoked, seq }
}

/** Whoever modified a proposal speaks in it; an agent cannot send one that takes another's place. */
function toApproverAuth(
  approval: ApprovalFact | null,
  { supersedes }: Pick<PolicyProposal, 'supersedes'>,
): AuthFact | undefined {
  if (approval === null || supersedes === undefined) return undefined
  const { request_id, approver } = approval
  return { kind: 'approval', request_id, approver }
}

type Spoken = Pick<Received, 'proposal' | 'document'> & {
  readonly authority: Authority
  readonly session: Pick<SpokenIn, 'agent_id' | 'key_id'>
}

async function authenticate(
  context: Context,
  { authority, proposal, document, session: { agent_id, key_id } }: Spoken,
): Promise<AuthFact> {
  const { signature } = proposal
  if (signature === undefined)
    return { agent_id, key: key_id === null ? null : toKeyFact(authority, key_id), kind: 'session' }
  const key = authority.keys.get(signature.key_id)
  const current = key?.retired_seq === undefined ? key : undefined
  const { type, text } = toSignedText(document.value as JsonObject)
  const valid =
    current !== undefined &&
    (await checkSignature(context, current.public_key, type, text, signature.sig))
  return { kind: 'signature', signature: toSignatureFact(current, signature.key_id, valid) }
}

/** Of the key of a session: like a signature of now, it counts only while the key is in use. */
function toKeyFact({ keys }: Authority, key_id: string): KeyFact {
  const key = keys.get(key_id)
  if (key === undefined || !isKeyInUse(key)) return { key_id, purpose: null, subject: null }
  return { key_id, purpose: key.purpose, subject: key.subject }
}
