/**
 * Whose doing a refusal or a question of an instance is. What the contract of its class would have refused
 * or asked too is that of the class, in whose name it counts. What only a narrowing by somebody else refuses
 * or asks is counted for the instance alone: or whoever spawns one, narrowed to nothing, could stop the
 * class and all its other instances. A class that narrows its own instances answers for that itself.
 */
import {
  type Authority,
  checkDispatch,
  compile,
  type DeployedContract,
  findAgentClass,
  findClassContract,
  removeNarrowing,
  type Verdict,
} from 'rubicon-kernel'
import type { Gathered } from '../judge/gathered.ts'

/** Of a verdict that refuses, or asks. */
export function isNarrowing(gathered: Gathered, { kind }: Pick<Verdict, 'kind'>): boolean {
  const { authority, deployed, input } = gathered
  const ofClass = findNarrowedClass(authority, deployed)
  if (ofClass === undefined) return false
  const wider = compile(removeNarrowing(input, ofClass)).kind
  return wider === 'staged' || (kind === 'rejected' && wider === 'suspended')
}

/** Of the last look before a dispatch, which refuses. */
export function isNarrowLook(gathered: Gathered, measures: LookedAt['measures']): boolean {
  const { authority, deployed, input, law } = gathered
  const contract = findNarrowedClass(authority, deployed)
  if (contract === undefined || law === undefined) return false
  const { facts, proposal } = input
  return checkDispatch({ facts: facts.value, proposal, contract, law, measures }) === null
}

type LookedAt = Parameters<typeof checkDispatch>[0]

/** The contract of the class, of an instance that neither it nor another instance of it spawned. */
export function findNarrowedClass(
  authority: Authority,
  deployed: DeployedContract | undefined,
): DeployedContract['contract'] | undefined {
  const ofClass = findClassContract(authority, deployed)
  const { spawner = '' } = deployed?.occasion ?? {}
  const bySelf = (findAgentClass(authority, spawner) ?? spawner) === ofClass?.agent_id
  return bySelf ? undefined : ofClass
}
