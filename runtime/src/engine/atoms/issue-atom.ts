/**
 * Before an agent thinks a decision out, the kernel settles what is known of it already: who may, on what authority,
 * about which kinds, by what capability. What every such call costs is reserved with it, for a minute.
 *
 * 1. An atom is on the record before anybody has it: entry, record and reservation are one unit.
 * 2. It is issued on the authority that its unit guards: what an entry of that authority could change, it names by number.
 * 3. The row of the flow moves on with it, so that two that begin together do not each find room for one.
 */
import {
  ATOM_LASTS_MS,
  type AtomBody,
  type AtomPayload,
  type Authority,
  type AuthorityFacts,
  type Budget,
  buildAtom,
  COVERED_STAGES,
  type Contract,
  computeLargestCallCost,
  type DeployedContract,
  err,
  type Failure,
  findPinnedContract,
  formatInstant,
  judgeAtomKind,
  LIMITS,
  ok,
  parseInstant,
  REASONS,
  type Refusal,
  type Result,
  type SignedAtom,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { FlowRow, Guard, Unit, Write } from '../../ports/store.ts'
import { findStoppedDelegation, loadDelegatedWrits } from '../authority/delegation.ts'
import { mayBegin } from '../authority/rules/held-standing.ts'
import { loadWritChain } from '../authority/writ-chain.ts'
import { buildFlowGrammar } from '../context/flow-grammar.ts'
import { loadOpen } from '../context/load-open.ts'
import type { Context } from '../engine-context.ts'
import { buildWritFacts, computeAgentStatus, toContractFact, toFlowFact } from '../judge/gather.ts'
import { reserveWindow } from '../rows/agent-window.ts'
import { reserve } from '../rows/budget-counters.ts'
import { loadBudgetFailure } from '../rows/budget-refusal.ts'
import { buildContentionFailure } from '../rows/contention.ts'
import { moveFlow } from '../rows/flow-row.ts'
import { mintId, mintSalt } from '../rows/identity.ts'
import { toMaintenanceCounter } from '../rows/maintenance.ts'
import { signText } from '../rows/sign.ts'
import { toDueKey } from './return-atoms.ts'

/** What an atom is asked for. */
export type AtomRequest = {
  /** What may be decided about; without it everything that contract, writ and registry admit. */
  readonly policy_kinds?: readonly string[]
}

export async function issueAtom(
  context: Context,
  dfid: string,
  request: AtomRequest = {},
): Promise<Result<SignedAtom, Failure>> {
  if (!(await mayBegin(context))) return err(toFailure({ code: 'RULES_NOT_IN_FORCE', details: {} }))
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const loaded = await loadOpen(context, dfid, 'ACTIVE')
    if (!loaded.ok) return loaded
    const issued = await tryIssue(context, loaded.value, request)
    if (issued !== null) return issued
  }
  return err(buildContentionFailure('the flow'))
}

type Standing = {
  readonly authority: Authority
  readonly deployed: DeployedContract | undefined
  readonly chain: readonly Writ[]
  readonly facts: Omit<AuthorityFacts, 'capability'>
}

/** Null: the flow or the authority moved meanwhile. */
async function tryIssue(
  context: Context,
  flow: FlowRow,
  request: AtomRequest,
): Promise<Result<SignedAtom, Failure> | null> {
  const standing = await loadStanding(context, flow)
  const kinds = judgeKinds(context, standing, flow, request)
  if (!kinds.ok) return kinds
  const { authority, chain, deployed, facts } = standing
  const [writ] = chain
  if (writ === undefined || deployed === undefined || facts.contract === null)
    return err(toFailure({ code: 'WRIT_MISSING', details: {} }))
  const body: AtomBody = {
    dfid: flow.dfid,
    agent_id: flow.agent_id,
    nonce: mintId(context),
    policy_kinds: kinds.value.map(({ kind }) => kind),
    contract_hash: deployed.hash,
    capability_hashes: Object.fromEntries(kinds.value.map(({ kind, hash }) => [kind, hash])),
    writ_id: writ.id,
    grammar_hash: await hashFlowGrammar(context, flow, kinds.value),
    snapshot_id: flow.snapshot_id,
    mission_context_hash: facts.contract.mission_hash,
    rules_hash: context.book.hash,
    authority_seq: authority.seq,
    reserved_cost: computeLargestCallCost(kinds.value.map(({ cost }) => cost)),
    covers: COVERED_STAGES,
    issued_at: facts.now,
    expires_at: formatInstant((parseInstant(facts.now) ?? 0) + ATOM_LASTS_MS),
  }
  const atom = await signAtom(context, body)
  const unit = buildUnit(context, { flow, writ, contract: deployed.contract }, atom)
  const outcome = await context.store.commit(unit)
  if (outcome.ok) return ok(atom)
  const { failed } = outcome
  if (failed.kind !== 'counter') return null
  if (failed.id === toIssuedCounter(flow)) return err(full)
  return err(await loadBudgetFailure(context.store, failed, SHORT))
}

async function loadStanding(context: Context, flow: FlowRow): Promise<Standing> {
  const { store, tenant, audience } = context
  const { now, authority_seq } = await store.readNow(flow.trajectory)
  const authority = await context.authorities.loadCurrent(authority_seq)
  const deployed = findPinnedContract(authority, flow.agent_id, flow.contract_hash)
  const chain = await loadWritChain(context, flow, undefined)
  const stopped = findStoppedDelegation(authority, await loadDelegatedWrits(context, flow, chain))
  const maintenance = (await store.readCounter(toMaintenanceCounter(flow.agent_id))) > 0
  const status = computeAgentStatus(authority, flow, stopped?.status === 'SUSPENDED')
  const facts = {
    agent: { maintenance, status },
    audience,
    contract: deployed === undefined ? null : toContractFact(deployed, context),
    flow: toFlowFact(flow, authority, stopped?.status === 'RETIRED' ? stopped.writ.id : null),
    now,
    tenant,
    writs: await buildWritFacts(context, chain, authority),
  }
  return { authority, deployed, chain, facts }
}

type IssuedKind = {
  readonly kind: string
  readonly hash: `sha256:${string}`
  readonly cost: Budget
}

/** Of kinds that are asked for by name none may be refused; of all others those that are not. */
function judgeKinds(
  { book }: Context,
  { deployed, chain, facts }: Standing,
  flow: FlowRow,
  { policy_kinds: named }: AtomRequest,
): Result<readonly IssuedKind[], Failure> {
  const contract = deployed?.contract ?? null
  const asked = [...new Set(named ?? contract?.permissions.policy_kinds ?? [])].sort()
  const found: IssuedKind[] = []
  let first: Refusal | null = null
  for (const kind of asked) {
    const law = book.rules.capability(kind)
    const capability = law === undefined ? null : { kind, hash: law.hash }
    const judged = judgeAtomKind({
      facts: { value: { ...facts, capability } },
      proposal: { agent_id: flow.agent_id, policy_kind: kind },
      contract,
      writs: chain,
      rules: book.rules,
    })
    if (judged.ok && law !== undefined) found.push({ kind, hash: law.hash, cost: judged.cost })
    else if (!judged.ok) first ??= judged.refusal
  }
  const isRefused = found.length === 0 || (named !== undefined && first !== null)
  return isRefused ? err(toFailure(first ?? { code: 'RBAC_DENIED', details: {} })) : ok(found)
}

/** Null: no grammar can be made of them, and what they take is left to the stages. */
async function hashFlowGrammar(
  context: Context,
  flow: FlowRow,
  issued: readonly IssuedKind[],
): Promise<string | null> {
  const built = await buildFlowGrammar(context, flow, { kinds: issued.map(({ kind }) => kind) })
  return built.ok ? built.value.hash : null
}

async function signAtom(context: Context, body: AtomBody): Promise<SignedAtom> {
  const atom = buildAtom(body, context.sha256)
  const kernel_signature = await signText(context, 'kernel', 'atom', toCanonicalText(atom))
  return { ...atom, kernel_signature }
}

type Issue = { readonly flow: FlowRow; readonly writ: Writ; readonly contract: Contract }

function buildUnit(context: Context, { flow, writ, contract }: Issue, atom: SignedAtom): Unit {
  const { dfid, version, trajectory } = flow
  const { atom_id, reserved_cost, issued_at, expires_at, authority_seq } = atom
  const issued = { id: toIssuedCounter(flow), by: 1 }
  const budget = reserve(writ, reserved_cost)
  const window = reserveWindow(contract, issued_at, reserved_cost)
  const payload: AtomPayload = { salt: mintSalt(context), source: 'kernel', finding: 'atom', atom }
  const guards: readonly Guard[] = [
    { kind: 'engine_epoch', epoch: context.store.epoch },
    { kind: 'flow_version', dfid, version },
    { kind: 'authority_seq', seq: authority_seq },
    { kind: 'before', at: expires_at },
    { kind: 'counter', ...issued, limit: LIMITS.proposalsPerFlow },
    ...budget.guards,
    ...window.guards,
  ]
  const text = toCanonicalText(payload)
  const due = { dfid, atom_id }
  const writes: readonly Write[] = [
    { kind: 'append', trajectory, entry: 'evidence', dfid, payload: text },
    // To be about to decide is no decision: the watchdog counts from the last one.
    { kind: 'put_flow', flow: moveFlow(flow, [], flow.updated_at) },
    { kind: 'count', ...issued },
    ...budget.writes,
    ...window.writes,
    { kind: 'put_record', record: 'atom', group: dfid, key: atom_id, body: { atom, ended: null } },
    {
      kind: 'put_record',
      record: 'atom_due',
      group: 'due',
      key: toDueKey(expires_at, due),
      body: due,
    },
  ]
  return { guards, writes }
}

function toIssuedCounter({ dfid }: FlowRow): string {
  return `${dfid} atoms`
}

function toFailure({ code, details }: Refusal): Failure {
  const { means, why, fix } = REASONS[code]
  return { code, summary: `no atom is issued: ${means}`, why, fix, meta: details }
}

const SHORT = {
  summary: 'what one such call costs is more than is left',
  fix: 'use an atom that was issued before, or wait until it has expired',
}

const full: Failure = {
  code: 'FLOW_FULL',
  summary: `${LIMITS.proposalsPerFlow} atoms were issued in the flow, and no more are`,
  fix: 'open another flow',
}
