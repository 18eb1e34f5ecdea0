/** Deploys contracts: signed by an operator, each version once. */
import {
  AUTHORITY,
  type Authority,
  type Contract,
  type ContractPersons,
  type DeployedContract,
  err,
  type Failure,
  findCurrentContract,
  findHierarchyProblem,
  hashContract,
  isInForce,
  isInstance,
  NOBODY,
  ok,
  parseInstant,
  type Result,
} from 'rubicon-kernel'
import { toRefusalFailure } from '../../rows/refusal-failure.ts'
import { buildRegistryUnavailableFailure } from '../../rows/registry-unavailable.ts'
import { signDocument } from '../../rows/sign.ts'
import { type CameBy, identifyPerson } from '../persons/person-behind.ts'
import { ensureNamedPersons, type NamedPersons } from '../persons/register-person.ts'
import {
  appendAuthority,
  buildAuthorityChange,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'
import { signLifecycleEntry } from './lifecycle.ts'
import { findUnansweredInForce, type UnansweredRule } from './unanswered-rules.ts'

export type Deployed = {
  readonly agent_id: string
  readonly version: string
  readonly contract_hash: string
  readonly unchanged: boolean
  /** Rules of it that its capabilities do not answer: what they are about is refused. */
  readonly unanswered: readonly UnansweredRule[]
}

export type DeployOptions = {
  readonly revokePrevious?: boolean
  /** Whoever has it signed, where there is somebody beside the key. */
  readonly by?: CameBy
  /** The hash of the version that it was written against, null for none; absent: whatever stands there. */
  readonly replaces?: string | null
}

/** A version is immutable; the same bytes again change nothing. No status changes but the first. */
export async function deployContract(
  registrar: Registrar,
  contract: Contract,
  { revokePrevious = false, by, replaces }: DeployOptions = {},
): Promise<Result<Deployed, Failure>> {
  const contract_hash = hashContract(contract, registrar.sha256)
  const { agent_id, version } = contract
  if (registrar.signer.publicKey('operator') === null)
    return err(buildUnsignedFailure(agent_id, version))
  const done = await appendAuthority(registrar, async (authority) => {
    const versions = authority.contracts.get(agent_id) ?? []
    const same = versions.find((deployed) => deployed.contract.version === version)
    const moved = checkReplaced(contract, contract_hash, versions, replaces)
    if (moved !== null) return err(moved)
    if (same?.hash === contract_hash) return buildAuthorityChange()
    const { now } = await registrar.store.readNow(AUTHORITY)
    const problem =
      same === undefined
        ? (checkContractAdmission(registrar, authority, contract, now) ??
          checkRevokePrevious(contract, revokePrevious, now))
        : buildImmutableFailure(contract)
    if (problem !== null) return err(problem)
    const named = await ensureContractPersons(registrar, authority, contract, by)
    if (!named.ok) return named
    const { people, persons } = named.value
    const person = by === undefined ? {} : { by: by.principal }
    const revoke_previous = revokePrevious
    const body = { action: 'deploy', contract, contract_hash, revoke_previous, persons, ...person }
    const signature = await signDocument(registrar, 'operator', 'contract', body)
    const deployed: SignedEntry = { kind: 'contract', payload: { body, signature } }
    const { beside } = people
    const value = undefined
    if (authority.statuses.has(agent_id))
      return ok({ entries: [...people.entries, deployed], beside, value })
    const born = await signLifecycleEntry(registrar, authority, {
      agent_id,
      to: 'INITIALIZING',
      actor: 'operator',
      justification: `contract ${version} deployed`,
      ...person,
    })
    if (!born.ok) return born
    return ok({ entries: [...people.entries, deployed, born.value], beside, value })
  })
  if (!done.ok) return done
  const unchanged = done.value.appended === 0
  const unanswered = findUnansweredInForce(await registrar.authorities.loadLatest(), contract)
  return ok({ agent_id, version, contract_hash, unchanged, unanswered })
}

type Named = { readonly people: NamedPersons; readonly persons: ContractPersons }

/** Whoever came by a name is registered like those that the contract names; a login is known, or nobody. */
async function ensureContractPersons(
  registrar: Registrar,
  authority: Authority,
  { owner, safety_rules }: Contract,
  by: CameBy | undefined,
): Promise<Result<Named, Failure>> {
  const of = safety_rules.approvers?.of ?? []
  const known = by === undefined ? NOBODY : await identifyPerson(registrar, authority, by)
  const isNew = by !== undefined && known === NOBODY
  if (isNew && by.login !== undefined)
    return err(toRefusalFailure({ code: 'PERSON_UNKNOWN', details: { approver: by.principal } }))
  const names = isNew ? [owner, ...of, by.principal] : [owner, ...of]
  const word = { word: 'vouched', by: by?.principal } as const
  const named = await ensureNamedPersons(registrar, authority, names, word)
  if (!named.ok) return named
  const { idOf } = named.value
  const deployer = isNew ? idOf(by.principal) : known
  return ok({
    people: named.value,
    persons: {
      owner: idOf(owner),
      approvers: of.map(idOf),
      ...(by === undefined ? {} : { deployer }),
    },
  })
}

/** Why the contract cannot be added to what is in force, or null. */
function checkContractAdmission(
  { authorities }: Registrar,
  authority: Authority,
  contract: Contract,
  now: string,
): Failure | null {
  const { agent_id, instance_of } = contract
  if (authorities.degraded)
    return buildRegistryUnavailableFailure('nothing new is registered until it answers')
  if (instance_of !== undefined || isInstance(authority, agent_id))
    return {
      code: 'CONTRACT_INVALID',
      summary: `\`${agent_id}\` is an instance`,
      why: 'instances are spawned by the runtime from the contract of their class',
      fix: 'deploy the class, and spawn the instance: `rubicon agents spawn CLASS INSTANCE`',
    }
  return checkHierarchy(authority, contract, now)
}

/** Revocation acts at once: today's version would end before this one begins. */
function checkRevokePrevious(
  { agent_id, version, effective_from }: Contract,
  revokePrevious: boolean,
  now: string,
): Failure | null {
  if (!revokePrevious || effective_from <= now) return null
  return {
    code: 'CONTRACT_NOT_EFFECTIVE',
    summary: `version ${version} of \`${agent_id}\` is in force from ${effective_from} on, so the previous ones cannot be revoked now`,
    why: 'revocation acts at once, and until then the agent would have no contract',
    fix: 'deploy it without revoking: it takes over by itself; to stop the agent until then, revoke the contract',
  }
}

/**
 * The chain above the agent, and above all those below it, with this contract in force, now and
 * whenever another version takes over. Others were checked when they came.
 */
export function checkHierarchy(
  authority: Authority,
  contract: Contract,
  now: string,
): Failure | null {
  for (const at of listTurningPoints(authority, contract, now)) {
    const failure = checkHierarchyAt(authority, contract, at)
    if (failure !== null) return failure
  }
  return null
}

/** The times, from now on, at which a contract begins or ends. */
function listTurningPoints(
  { contracts }: Authority,
  added: Contract,
  now: string,
): readonly string[] {
  const standing = [...contracts.values()].flat().filter(({ revoked }) => !revoked)
  const windows = [added, ...standing.map(({ contract }) => contract)]
  const points = windows.flatMap(({ effective_from, effective_until }) =>
    effective_until === undefined ? [effective_from] : [effective_from, effective_until],
  )
  return [now, ...new Set(points.filter((point) => point > now))]
}

function checkHierarchyAt(authority: Authority, contract: Contract, at: string): Failure | null {
  const { agent_id, parent_agent } = contract
  const isIts = isInForce(contract, parseInstant(at))
  const findParent = (agent: string): string | undefined =>
    agent === agent_id && isIts
      ? parent_agent
      : findCurrentContract(authority, agent, at)?.contract.parent_agent
  for (const agent of [agent_id, ...authority.contracts.keys()]) {
    const found = findHierarchyProblem(agent, findParent)
    if (found === null || !found.chain.includes(agent_id)) continue
    return {
      code: 'PARENT_CYCLE',
      summary: `the parents of \`${agent}\` ${found.problem === 'cycle' ? 'run in a circle' : 'are too many'}`,
      why: found.chain.join(' → '),
      fix: `name another parent_agent in the contract of \`${agent_id}\`, or none`,
    }
  }
  return null
}

/**
 * Whoever edits a contract agrees to a change of what they read. What somebody deployed or revoked meanwhile is none of
 * theirs to undo. The answer that was lost is asked for again with the same, and stands already.
 */
function checkReplaced(
  { agent_id }: Contract,
  hash: string,
  versions: readonly DeployedContract[],
  replaces: string | null | undefined,
): Failure | null {
  if (replaces === undefined) return null
  const newest = versions.findLast(({ revoked }) => !revoked)
  const found = newest?.hash ?? null
  if (found === replaces || found === hash) return null
  const stands = newest === undefined ? 'none' : newest.contract.version
  return {
    code: 'CONTRACT_REPLACED',
    summary: `the contract of \`${agent_id}\` is not the one that this was written against: the newest version is ${stands}`,
    why: 'somebody deployed or revoked a version meanwhile',
    fix: 'read what stands there now, and deploy again naming its hash in `replaces`',
    meta: { replaces, found },
  }
}

function buildUnsignedFailure(agent: string, version: string): Failure {
  return {
    code: 'CONTRACT_UNSIGNED',
    summary: `version ${version} of \`${agent}\` is not signed by an operator`,
    why: 'no operator key is held here, and agents do not register themselves',
    fix: 'deploy it where the operator key is',
  }
}

function buildImmutableFailure({ agent_id, version }: Contract): Failure {
  return {
    code: 'CONTRACT_VERSION_IMMUTABLE',
    summary: `\`${agent_id}\` has a version ${version} with other content`,
    why: 'versions are immutable: an audit relies on that',
    fix: 'raise the version',
  }
}
