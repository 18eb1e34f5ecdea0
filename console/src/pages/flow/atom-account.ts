/** Atoms of a flow: what was settled before the agent thought, what it was used for, and what was asked again. */
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { parseObject } from './entry-payload.ts'
import type { Attempt, FlowEntry } from './story-parts.ts'

export type AtomAccount = {
  readonly entry: FlowEntry
  readonly atom_id: string
  readonly policy_kinds: readonly string[]
  readonly covers: readonly string[]
  readonly issued_at: string | null
  readonly expires_at: string | null
  readonly reserved: readonly (readonly [measure: string, amount: string])[]
  /** What it stands on, by name. */
  readonly grounds: readonly (readonly [name: string, value: string])[]
  readonly uses: readonly AtomUse[]
}

/** An attempt that named the atom. */
export type AtomUse = {
  readonly attempt: number
  readonly outcome: Attempt['outcome']
  /** Null: the atom was good. */
  readonly code: string | null
  readonly checks: readonly AtomCheck[]
}

/** A stage that the atom has settled a part of. */
export type AtomCheck = {
  readonly stage: string
  /** `settled`: that part was not asked again; `asked again`: for these reasons; `not reached`: it was refused before. */
  readonly said: 'settled' | 'asked again' | 'not reached'
  readonly because: readonly string[]
}

export function listAtoms(
  entries: readonly FlowEntry[],
  attempts: readonly Attempt[],
): readonly AtomAccount[] {
  return entries.flatMap((entry) => {
    const { finding, atom } = parseObject(entry.payload)
    if (entry.kind !== 'evidence' || finding !== 'atom' || atom === undefined) return []
    return [readAtom(entry, parseObject(atom), attempts)]
  })
}

function readAtom(
  entry: FlowEntry,
  atom: Partial<JsonObject>,
  attempts: readonly Attempt[],
): AtomAccount {
  const atom_id = toText(atom.atom_id)
  const covers = listTexts(atom.covers)
  return {
    entry,
    atom_id,
    policy_kinds: listTexts(atom.policy_kinds),
    covers,
    issued_at: toTextOrNull(atom.issued_at),
    expires_at: toTextOrNull(atom.expires_at),
    reserved: Object.entries(parseObject(atom.reserved_cost)).map(([measure, amount]) => {
      return [measure, toText(amount)]
    }),
    grounds: GROUNDS.flatMap(([name, member]) => {
      const value = atom[member]
      return value === undefined || value === null ? [] : [[name, toText(value)] as const]
    }),
    uses: attempts
      .filter(({ proposal }) => parseObject(proposal).atom_id === atom_id)
      .map((attempt) => readUse(atom, covers, attempt)),
  }
}

const GROUNDS: readonly (readonly [name: string, member: string])[] = [
  ['contract', 'contract_hash'],
  ['writ', 'writ_id'],
  ['rules', 'rules_hash'],
  ['snapshot', 'snapshot_id'],
  ['grammar', 'grammar_hash'],
  ['authority up to entry', 'authority_seq'],
]

function readUse(
  atom: Partial<JsonObject>,
  covers: readonly string[],
  { attempt, outcome, trace, facts, proposal }: Attempt,
): AtomUse {
  const line = trace.find(({ stage }) => stage === 'atom')
  const [refusal] = line?.refusals ?? []
  const moved = listMoved(atom, parseObject(facts), parseObject(proposal).policy_kind)
  const checks = covers.map((stage): AtomCheck => {
    const said = trace.find((one) => one.stage === stage)
    if (said === undefined) return { stage, said: 'not reached', because: [] }
    if (said.covered === true) return { stage, said: 'settled', because: [] }
    // At the release of what was approved no atom is looked at.
    const because = line === undefined ? ['it was judged again as approved'] : moved
    return { stage, said: 'asked again', because }
  })
  return { attempt, outcome, code: refusal?.code ?? null, checks }
}

/** What the atom stood on and is otherwise at the decision. */
function listMoved(
  atom: Partial<JsonObject>,
  { rules_hash, authority_seq, flow, contract, capability }: Partial<JsonObject>,
  kind: JsonValue | undefined,
): readonly string[] {
  const tool = parseObject(atom.capability_hashes)[toText(kind)]
  const pairs: readonly (readonly [string, JsonValue | undefined, JsonValue | undefined])[] = [
    ['other rules are in force', atom.rules_hash, rules_hash],
    ['authority was changed since', atom.authority_seq, authority_seq],
    ['the flow was shown something newer', atom.snapshot_id, parseObject(flow).snapshot_id],
    ['the mission is another', atom.mission_context_hash, parseObject(contract).mission_hash],
    ['the tool is another', tool, parseObject(capability).hash],
  ]
  return pairs.filter(([, then, now]) => then !== now).map(([why]) => why)
}

function listTexts(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((one) => toText(one)) : []
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null)
}

function toTextOrNull(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
