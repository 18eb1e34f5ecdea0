/**
 * Instances: agents that the runtime makes for one occasion, under the contract of their class or
 * less, and ends when the occasion is over. The runtime signs for them.
 */
import {
  type Address,
  AUTHORITY,
  type Authority,
  buildInstanceContract,
  type Contract,
  checkJson,
  type DeployedContract,
  encodeUtf8,
  err,
  type Failure,
  findContractTurn,
  findCurrentContract,
  formatInstant,
  hashContract,
  type InstanceProblem,
  isInstance,
  isObject,
  type JsonObject,
  LIMITS,
  type Occasion,
  ok,
  parseInstant,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import type { Write } from '../../../ports/store.ts'
import { buildRegistryUnavailableFailure } from '../../rows/registry-unavailable.ts'
import { signDocument } from '../../rows/sign.ts'
import {
  type AuthorityChange,
  appendAuthority,
  type Registrar,
  type SignedEntry,
} from './append-authority.ts'
import { checkHierarchy } from './deploy.ts'
import { moveAgent, signLifecycleEntry } from './lifecycle.ts'
import { buildNoContractFailure } from './no-contract.ts'
import { checkAgentStatus } from './stopped-agent.ts'

export type SpawnRequest = {
  /** The agent whose contract is narrowed. */
  readonly class: string
  readonly instance: string
  /** A merge patch on the contract of the class. */
  readonly narrowing?: JsonObject
  /** To whom it escalates: the parent of its class, or the class itself. */
  readonly parent?: string
  /** Spawned by an agent's proposal: by whom, and what ends it. Its contract ends with it. */
  readonly occasion?: Occasion
  /** What else has to hold, asked on the authority that the instance is made under. */
  readonly admit?: (authority: Authority, now: string) => Promise<Failure | null>
  /** Written in the same unit. */
  readonly beside?: readonly Write[]
}

export type Spawned = {
  readonly agent_id: string
  readonly instance_of: string
  readonly version: string
  readonly contract_hash: Address
  readonly unchanged: boolean
}

/** The same instance again changes nothing, so that a lost answer can be asked for once more. */
export async function spawnInstance(
  registrar: Registrar,
  request: SpawnRequest,
): Promise<Result<Spawned, Failure>> {
  const done = await appendAuthority(registrar, (authority) => {
    return decideSpawn(registrar, request, authority)
  })
  if (!done.ok) return done
  const { value: contract, appended } = done.value
  return ok({
    agent_id: contract.agent_id,
    instance_of: request.class,
    version: contract.version,
    contract_hash: hashContract(contract, registrar.sha256),
    unchanged: appended === 0,
  })
}

/** What makes an instance under that authority, before any of it is written. */
export async function decideSpawn(
  registrar: Registrar,
  request: SpawnRequest,
  authority: Authority,
): Promise<Result<AuthorityChange<Contract>, Failure>> {
  const { now } = await registrar.store.readNow(AUTHORITY)
  const ofClass = findClass(registrar, authority, request.class, now)
  if (!ofClass.ok) return ofClass
  const contract = narrowContract(ofClass.value, request)
  if (!contract.ok) return contract
  const value = contract.value
  const hash = hashContract(value, registrar.sha256)
  const known = authority.contracts.get(request.instance)
  // An agent finds what its own step made by that step; any other instance is not its to have made.
  const isSame = request.occasion === undefined && known?.some((one) => one.hash === hash)
  if (isSame === true) return ok({ entries: [], value })
  const problem =
    checkInstanceAdmission(authority, value, now) ?? (await request.admit?.(authority, now)) ?? null
  if (problem !== null) return err(problem)
  const { occasion, beside = [] } = request
  const body = {
    action: 'spawn',
    contract: value,
    contract_hash: hash,
    of: ofClass.value.hash,
    ...(occasion === undefined ? {} : { occasion }),
  }
  const entries = await signBirthEntries(registrar, authority, value.agent_id, body)
  if (!entries.ok) return entries
  const before = findContractTurn([...authority.contracts.values()].flat(), now)
  return ok({ entries: entries.value, beside, before, value })
}

/** Spawned, born and active in one unit: nobody has to shake hands for what the runtime made. */
async function signBirthEntries(
  deps: Registrar,
  authority: Authority,
  agent_id: string,
  body: { readonly contract: Contract },
): Promise<Result<readonly SignedEntry[], Failure>> {
  const signature = await signDocument(deps, 'kernel', 'contract', body)
  const born = await signLifecycleEntry(deps, authority, {
    agent_id,
    to: 'INITIALIZING',
    actor: 'runtime',
    justification: `an instance of ${body.contract.instance_of}`,
    instance: true,
  })
  if (!born.ok) return born
  const active = await signLifecycleEntry(deps, authority, {
    agent_id,
    from: 'INITIALIZING',
    to: 'ACTIVE',
    actor: 'registry',
    justification: 'spawned',
  })
  if (!active.ok) return active
  return ok([{ kind: 'contract', payload: { body, signature } }, born.value, active.value])
}

function findClass(
  { authorities }: Registrar,
  authority: Authority,
  agent: string,
  now: string,
): Result<DeployedContract, Failure> {
  if (authorities.degraded)
    return err(buildRegistryUnavailableFailure('nothing new is registered until it answers'))
  const deployed = findCurrentContract(authority, agent, now)
  if (deployed === undefined) return err(buildNoContractFailure(authority, agent, now))
  const stopped = checkAgentStatus(authority, agent)
  return stopped === null ? ok(deployed) : err(stopped)
}

function narrowContract(
  { contract }: DeployedContract,
  { instance, narrowing = {}, parent, occasion }: SpawnRequest,
): Result<Contract, Failure> {
  const read = checkJson(narrowing)
  if (!read.ok || !isObject(read.value))
    return err(buildContractInvalidFailure(instance, 'the narrowing is not a JSON object'))
  const made = buildInstanceContract(contract, {
    agent_id: instance,
    narrowing: occasion === undefined ? read.value : limitNarrowing(read.value, contract, occasion),
    ...(parent === undefined ? {} : { parent_agent: parent }),
  })
  if (!made.ok) return err(toInstanceFailure(instance, contract.agent_id, made.error))
  // Everybody's contracts are kept in memory, also of those that have ended.
  if (encodeUtf8(toCanonicalText(made.value)).length > LIMITS.instanceContractBytes)
    return err(
      buildContractInvalidFailure(
        instance,
        `it has more than ${LIMITS.instanceContractBytes} bytes`,
      ),
    )
  return occasion !== undefined && isOutliving(made.value, occasion)
    ? err(buildEndlessFailure(instance))
    : made
}

/** The contract itself ends no later than the occasion, so that nothing passes before it is retired. */
function limitNarrowing(
  narrowing: JsonObject,
  ofClass: Contract,
  { ends_at }: Occasion,
): JsonObject {
  // In a merge patch null removes: what was asked is then the end of the class, not none.
  const asked = narrowing.effective_until ?? ofClass.effective_until
  const own = typeof asked === 'string' ? parseInstant(asked) : undefined
  // What is no time is left for the parser to refuse.
  if (asked !== undefined && own === undefined) return narrowing
  const ends = Math.min(parseInstant(ends_at) ?? 0, own ?? Number.POSITIVE_INFINITY)
  return { ...narrowing, effective_until: formatInstant(ends) }
}

/** Asked of the contract as it would be signed, however it came about. */
function isOutliving({ effective_until }: Contract, { ends_at }: Occasion): boolean {
  return effective_until === undefined || effective_until > ends_at
}

function buildEndlessFailure(instance: string): Failure {
  return {
    code: 'INSTANCE_UNTIL',
    summary: `the contract of \`${instance}\` would outlive its occasion`,
    fix: 'name an `effective_until` that is not later than `until`, or none',
  }
}

function toInstanceFailure(instance: string, ofClass: string, problem: InstanceProblem): Failure {
  if (problem.code === 'CONTRACT_INVALID') {
    const problems = problem.problems.map(({ path, detail }) => `${path.join('.')}: ${detail}`)
    return buildContractInvalidFailure(instance, problems.join('; '))
  }
  return {
    code: 'INSTANCE_WIDENS',
    summary: `\`${instance}\` goes beyond \`${ofClass}\`: ${problem.dimensions.join(', ')}`,
    why: 'the runtime signs the contracts of instances, and none that grants more than the class has',
    fix: 'narrow these, or have the class deployed with them',
    meta: { dimensions: problem.dimensions },
  }
}

function buildContractInvalidFailure(instance: string, why: string): Failure {
  return {
    code: 'CONTRACT_INVALID',
    summary: `the contract of \`${instance}\` cannot be accepted`,
    why,
    fix: 'correct the narrowing',
  }
}

function checkInstanceAdmission(
  authority: Authority,
  contract: Contract,
  now: string,
): Failure | null {
  const { agent_id, instance_of } = contract
  if (authority.statuses.has(agent_id))
    return {
      code: 'AGENT_EXISTS',
      summary: `there is another agent \`${agent_id}\``,
      why: 'a name is used once, even after the agent that had it has ended',
      fix: 'give the instance a name of its own',
    }
  if (countLiveInstances(authority, instance_of) >= LIMITS.instancesPerClass)
    return {
      code: 'INSTANCE_LIMIT',
      summary: `\`${instance_of}\` has ${LIMITS.instancesPerClass} instances already`,
      fix: 'end those whose occasion is over',
    }
  return checkHierarchy(authority, contract, now)
}

function countLiveInstances(
  { contracts, statuses }: Authority,
  ofClass: string | undefined,
): number {
  let live = 0
  for (const [agent, [first]] of contracts)
    if (first?.contract.instance_of === ofClass && statuses.get(agent) !== 'RETIRED') live += 1
  return live
}

/** Only the runtime ends an instance by itself, and only an instance. */
export async function endInstance(
  registrar: Registrar,
  agent_id: string,
  why: string,
): Promise<Result<void, Failure>> {
  if (!isInstance(await registrar.authorities.loadLatest(), agent_id))
    return err({
      code: 'LIFECYCLE_REFUSED',
      summary: `\`${agent_id}\` is not an instance`,
      why: 'a class agent is retired by itself or by an operator',
      fix: 'retire it: `rubicon agents retire AGENT --reason TEXT`',
    })
  const move = { agent_id, to: 'RETIRED', actor: 'runtime', justification: why } as const
  return moveAgent(registrar, move)
}
