/**
 * How agents and the runtime work together, and which way a decision has to take. The way is chosen by who decides and
 * about what, in the rules, and never by what is in a proposal or by what an agent says of it.
 */
import type { JsonValue } from '../canonical/json-value.ts'
import { isObject } from '../canonical/json-value.ts'
import type { Contract } from '../contract/contract.ts'
import { isPrefixMatch } from '../contract/pattern.ts'
import { err, type Failure, ok, type Result } from '../result.ts'

/** By events, by streams of decisions, by intents that carry their proof; from the least strict to the strictest. */
export const TOPOLOGIES = ['EOAM', 'SDS', 'DL_PCI'] as const
/** A form of working together that an agent can serve. */
export type Topology = (typeof TOPOLOGIES)[number]
const NAMES: readonly JsonValue[] = TOPOLOGIES

/**
 * Which decisions take which way. A row counts where its agents fit, and where it names neither topics nor kinds, or the
 * topic of the flow or the kind of the proposal is among them: nobody gets around a row that names kinds by opening a plain flow.
 */
export type TopologyRow = {
  /** The way. */
  readonly topology: Topology
  /** What the event that woke the flow is about: topics of the rules, or prefixes ending in `*`. */
  readonly topics?: readonly string[]
  /** Agents, or classes of agents; without it all of them. */
  readonly agents?: readonly string[]
  /** What is decided about. */
  readonly policy_kinds?: readonly string[]
}

/** What is looked at of a decision. */
export type DecisionClass = {
  /** The agent, and the class that it is an instance of. */
  readonly agents: readonly string[]
  readonly policy_kind: string
  /** Of the event that woke the flow; null: none did. */
  readonly topic: string | null
}

/** By which an agent is found in rows: an instance goes the way of its class. */
export function listAgentNames({
  agent_id,
  instance_of,
}: Pick<Contract, 'agent_id' | 'instance_of'>): readonly string[] {
  return instance_of === undefined ? [agent_id] : [agent_id, instance_of]
}

/** The strictest of the rows that fit; null: a plain flow. */
export function selectTopology(
  rows: readonly TopologyRow[],
  decision: DecisionClass,
): Topology | null {
  const fitting = rows.filter((row) => isRowOf(row, decision))
  return TOPOLOGIES.findLast((one) => fitting.some(({ topology }) => topology === one)) ?? null
}

function isRowOf({ agents, topics, policy_kinds }: TopologyRow, decision: DecisionClass): boolean {
  if (agents !== undefined && !decision.agents.some((name) => agents.includes(name))) return false
  if (topics === undefined && policy_kinds === undefined) return true
  const { topic, policy_kind } = decision
  const isAbout = topic !== null && topics?.some((one) => isPrefixMatch(one, topic)) === true
  return isAbout || policy_kinds?.includes(policy_kind) === true
}

/** What rows ask of an agent whatever wakes it: for everything, or for a kind that its contract lists. */
export function listAskedTopologies(
  rows: readonly TopologyRow[],
  {
    agents,
    policy_kinds,
  }: { readonly agents: readonly string[]; readonly policy_kinds: readonly string[] },
): readonly Topology[] {
  const asked = rows.filter((row) => {
    const classes = policy_kinds.map((policy_kind) => ({ agents, policy_kind, topic: null }))
    return classes.some((one) => isRowOf(row, one))
  })
  return TOPOLOGIES.filter((one) => asked.some(({ topology }) => topology === one))
}

/** Kinds that rows name and nobody knows: whoever misspells one asks for nothing. */
export function findUnknownKinds(
  rows: readonly TopologyRow[],
  known: readonly string[],
): readonly string[] {
  const named = new Set(rows.flatMap(({ policy_kinds = [] }) => policy_kinds))
  return [...named].filter((kind) => !known.includes(kind)).sort()
}

/** Rows as somebody wrote them. */
export function parseTopologies(value: JsonValue): Result<readonly TopologyRow[], Failure> {
  if (!Array.isArray(value)) return err(refuseRows('they are not a list'))
  const rows: readonly JsonValue[] = value
  for (const [index, row] of rows.entries()) {
    const problem = findRowProblem(row)
    if (problem !== null) return err(refuseRows(`row ${index + 1} ${problem}`))
  }
  // Each row was checked above.
  return ok(rows as readonly TopologyRow[])
}

const MEMBERS: readonly string[] = ['topology', 'topics', 'agents', 'policy_kinds']

function findRowProblem(row: JsonValue): string | null {
  if (!isObject(row)) return 'is not an object'
  const unknown = Object.keys(row).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) return `has \`${unknown}\`, which is unknown`
  if (row.topology === undefined || !NAMES.includes(row.topology))
    return `names no topology that is served here: ${TOPOLOGIES.join(', ')}`
  for (const name of ['topics', 'agents', 'policy_kinds'] as const)
    if (row[name] !== undefined && !isNameList(row[name]))
      return `has \`${name}\` that are not a list of names`
  return null
}

function isNameList(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string')
}

function refuseRows(why: string): Failure {
  return {
    code: 'TOPOLOGIES_INVALID',
    summary: 'the topologies cannot be read',
    why,
    fix: 'write rows such as {topology: "DL_PCI", agents: ["banker"], policy_kinds: ["PAY"]}',
  }
}
