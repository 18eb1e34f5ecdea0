import {
  type Address,
  type Contract,
  type ContractBody,
  type ContractPersons,
  deriveInheritedPersons,
  findContractWidening,
  formatInstant,
  isContractNamed,
  isObject,
  type JsonObject,
  type JsonValue,
  NOBODY,
  parseContract,
  parseInstant,
  toCanonicalText,
} from 'rubicon-kernel'

export type Contracts = {
  /** Takes in a deployment or an instance, or says why it could not be one. */
  readonly add: (body: ContractBody) => string[]
  /** `agent_id@version`, or an agent_id for all its versions so far. */
  readonly revoke: (id: string) => void
  /** Why a dispatch of this agent cannot stand on the contract. */
  readonly problem: (hash: Address, agent: string) => string | undefined
  /** As it was deployed; `isReadable`: it is a contract, in the form that is stored. */
  readonly get: (
    agent: string,
    hash: string,
  ) => { readonly contract: Contract; readonly isReadable: boolean } | undefined
  /** The newest version in force at that time, of those that nobody revoked; only of that hash, where one is named. */
  readonly inForce: (
    agent: string,
    at: string,
    hash?: Address | null,
  ) => Pick<Deployed, 'hash' | 'contract'> | undefined
  /** Whether that contract of the agent has exactly these decide; undefined: it was not seen. */
  readonly names: (agent: string, hash: Address, asked: AskedPeople) => boolean | undefined
  /** Whether an agent is above another, by any of the contracts that were deployed so far. */
  readonly isAbove: (above: string, agent: string) => boolean
  /** Undefined: no contract of the agent was seen. */
  readonly isInstance: (agent: string) => boolean | undefined
  /** Of an instance. */
  readonly classOf: (agent: string) => string | undefined
}

type Deployed = {
  readonly hash: Address
  readonly contract: Contract
  readonly spawned: boolean
  readonly persons: ContractPersons
  /** Of an instance: its class, as it was when it was spawned. */
  readonly of: Deployed | null
  readonly isReadable: boolean
  revoked: boolean
}

export function createContracts(): Contracts {
  const byAgent = new Map<string, Deployed[]>()

  const find = (agent: string, hash: string): Deployed | undefined =>
    byAgent.get(agent)?.find((one) => one.hash === hash)

  const getVersions = (agent: string): Deployed[] => {
    const versions = byAgent.get(agent) ?? []
    byAgent.set(agent, versions)
    return versions
  }

  const deploy = (body: Extract<ContractBody, { readonly action: 'deploy' }>): string[] => {
    const { contract, contract_hash: hash, persons } = body
    const versions = getVersions(contract.agent_id)
    if (body.revoke_previous) for (const one of versions) one.revoked = true
    const same = versions.find((one) => one.contract.version === contract.version)
    // Deployed again it is the same contract, and stays revoked if it was.
    if (same?.hash === hash) return []
    // Of its class it would be neither a part nor stopped with it.
    const isInstance = contract.instance_of !== undefined || versions.some(({ spawned }) => spawned)
    versions.push({ ...read(hash, contract), spawned: false, of: null, revoked: false, persons })
    const found = isInstance ? ['an instance is deployed, and nobody spawned it'] : []
    if (same !== undefined) found.push(`version \`${contract.version}\` exists with other content`)
    return found
  }

  const spawn = (body: Extract<ContractBody, { readonly action: 'spawn' }>): string[] => {
    const { contract, contract_hash: hash } = body
    const of = find(contract.instance_of ?? '', body.of)
    const versions = getVersions(contract.agent_id)
    const found = versions.length === 0 ? [] : ['the name of the instance was used before']
    found.push(...findOccasionProblems(body))
    // Under a class that is not there it has no authority at all.
    const revoked = of === undefined
    const persons = of === undefined ? UNNAMED : deriveInstancePersons(of, contract)
    versions.push({ ...read(hash, contract), spawned: true, of: of ?? null, revoked, persons })
    if (of === undefined) return [...found, 'its class has no such contract']
    if (isRevoked(of)) found.push('the contract of its class is revoked')
    return [...found, ...findClassProblems(contract, of.contract)]
  }

  const revoke = (id: string): void => {
    for (const [agent, versions] of byAgent) {
      for (const one of versions) {
        if (isContractNamed(id, agent, one.contract.version)) one.revoked = true
      }
    }
  }

  const findInForce: Contracts['inForce'] = (agent, at, hash = null) => {
    return byAgent
      .get(agent)
      ?.filter((one) => hash === null || one.hash === hash)
      .findLast((one) => !isRevoked(one) && isInWindow(one.contract, at))
  }

  return {
    get: find,
    inForce: findInForce,
    add: (body) => (body.action === 'deploy' ? deploy(body) : spawn(body)),
    revoke,
    problem: (hash, agent) => findContractProblem(find(agent, hash)),
    names: (agent, hash, asked) => isNamedBy(find(agent, hash), asked),
    isAbove: (above, agent) => isAbove(byAgent, above, agent),
    isInstance: (agent) => byAgent.get(agent)?.some(({ spawned }) => spawned),
    classOf: (agent) => byAgent.get(agent)?.[0]?.contract.instance_of,
  }
}

function findContractProblem(found: Deployed | undefined): string | undefined {
  if (found === undefined) return 'its contract was not deployed for the agent'
  return isRevoked(found) ? 'its contract is revoked' : undefined
}

/** Contracts come and go while somebody is asked, so that each of them counts. */
function isAbove(
  byAgent: ReadonlyMap<string, readonly Pick<Deployed, 'contract'>[]>,
  above: string,
  agent: string,
): boolean {
  const below = new Set([agent])
  // What is added while it is gone through is gone through, too.
  for (const one of below)
    for (const { contract } of byAgent.get(one) ?? []) {
      if (contract.parent_agent === above) return true
      if (typeof contract.parent_agent === 'string') below.add(contract.parent_agent)
    }
  return false
}

function read(
  hash: Address,
  contract: Contract,
): Pick<Deployed, 'hash' | 'contract' | 'isReadable'> {
  return { hash, contract, isReadable: isStoredForm(contract) }
}

/** Who is asked, and how many of them. */
export type AskedPeople = {
  readonly needs: number
  readonly approvers: readonly string[]
  readonly persons: ContractPersons
  /** Whether one who answers for the agent may approve what has a high impact. */
  readonly self_approval?: JsonValue
}

function isNamedBy(one: Deployed | undefined, asked: AskedPeople): boolean | undefined {
  return one === undefined ? undefined : isAskedBy(one, asked)
}

/** Where the contract names approvers, no fewer and no others are asked. */
function isAskedBy({ contract, persons }: Deployed, asked: AskedPeople): boolean {
  if (toCanonicalText(persons) !== toCanonicalText(asked.persons)) return false
  if (findSafetyRule(contract, 'self_approval') !== (asked.self_approval ?? null)) return false
  const named = findApprovers(contract)
  if (named === null) return asked.needs >= 1 && asked.approvers.length === 0
  return toCanonicalText({ of: asked.approvers, needs: asked.needs }) === toCanonicalText(named)
}

const UNNAMED: ContractPersons = { owner: NOBODY, approvers: [] }

/** What stands here need not be a contract: only its hash was checked. */
function deriveInstancePersons(
  { persons, contract: ofClass }: Deployed,
  contract: Contract,
): ContractPersons {
  const toApproverRules = (
    of: readonly string[],
  ): Parameters<typeof deriveInheritedPersons>[1] => ({
    safety_rules: { approvers: { of } },
  })
  return deriveInheritedPersons(
    persons,
    toApproverRules(listApproverNames(ofClass)),
    toApproverRules(listApproverNames(contract)),
  )
}

function findApprovers(document: JsonObject): JsonObject | null {
  const approvers = findSafetyRule(document, 'approvers')
  return isObject(approvers) ? approvers : null
}

function findSafetyRule({ safety_rules: rules = null }: JsonObject, name: string): JsonValue {
  return isObject(rules) ? (rules[name] ?? null) : null
}

function listApproverNames(document: JsonObject): readonly string[] {
  const { of = null } = findApprovers(document) ?? {}
  const names: readonly JsonValue[] = Array.isArray(of) ? of : []
  return names.filter((name) => typeof name === 'string')
}

/** A revocation reaches the instances of what it names. */
function isRevoked(deployed: Deployed): boolean {
  for (let one: Deployed | null = deployed; one !== null; one = one.of) if (one.revoked) return true
  return false
}

/** An instance that an agent had made can do nothing from the end of its occasion on. */
function findOccasionProblems({
  contract: { effective_until },
  occasion,
}: Extract<ContractBody, { readonly action: 'spawn' }>): string[] {
  if (occasion === undefined) return []
  const { until, ends_at } = occasion
  const ends = effective_until !== undefined && effective_until <= ends_at
  const found = ends ? [] : ['its contract outlives its occasion']
  const isNamed = !('at' in until) || parseInstant(until.at) === parseInstant(ends_at)
  return isNamed ? found : [...found, 'its occasion ends at another time than it says']
}

/** Of what stands here only the hash was checked; a contract is stored with times that compare as text. */
function isInWindow(contract: JsonObject, at: string): boolean {
  const { effective_from: from, effective_until: until } = contract
  if (!isTime(from) || at < from) return false
  return until === undefined || (isTime(until) && at < until)
}

function isTime(value: JsonValue | undefined): value is string {
  const ms = typeof value === 'string' ? parseInstant(value) : undefined
  return ms !== undefined && formatInstant(ms) === value
}

/** What is compared is what is enforced, so both must be contracts, in the form that is stored. */
function findClassProblems(contract: Contract, ofClass: Contract): string[] {
  if (![contract, ofClass].every(isStoredForm)) return ['it cannot be compared with its class']
  const dimensions = findContractWidening(contract, ofClass)
  return dimensions.length === 0 ? [] : [`it is wider than its class: ${dimensions.join(', ')}`]
}

function isStoredForm(contract: Contract): boolean {
  const read = parseContract(contract)
  return read.ok && toCanonicalText(read.value) === toCanonicalText(contract)
}
