/**
 * Is every atom one that could be issued, and is what was decided under one inside it? An atom is remembered until it
 * has ended: whoever names it later names none.
 *
 * That the kernel signed it, and that its address is its own, is looked at where signatures are.
 */
import {
  type AcceptedPayload,
  ATOM_LASTS_MS,
  COVERED_STAGES,
  type Contract,
  computeAtomId,
  findForeignMember,
  isListingNeeded,
  isObject,
  parseInstant,
  type Sha256,
  type SignedAtom,
  type Trace,
  toAtomBody,
  toUnsignedAtom,
} from 'rubicon-kernel'
import type { OpenedFlow } from '../compact-records/flow-rows.ts'
import { copyText } from '../compact-records/own-text.ts'

export type Atoms = {
  /** Where it was issued; `at`: of the entry, `seq`: of the last authority entry before it. */
  readonly issue: (atom: SignedAtom, issued: Issued) => readonly string[]
  /** Where an intent first stands. */
  readonly use: (payload: AcceptedPayload) => readonly string[]
}

export type Issued = {
  readonly dfid: string
  readonly at: string
  readonly seq: number
  /** Undefined: it was left out, or erased. */
  readonly flow: OpenedFlow | undefined
  readonly contract: Contract | undefined
}

/** How many are remembered before those that have ended are looked for. */
const MANY = 1_024

export function createAtoms(sha256: Sha256): Atoms {
  /** By address; null: it was used. */
  const atoms = new Map<string, Known>()
  return {
    issue(atom, issued) {
      if (atoms.size >= MANY) forgetEnded(atoms, issued.at)
      const found = findIssueProblems(atom, issued)
      const known = atoms.get(atom.atom_id)
      atoms.set(copyText(atom.atom_id), known ?? { atom: copyAtom(atom), isUsed: false })
      return known === undefined ? found : [...found, 'it was issued before']
    },
    use: (payload) => findUseProblems(atoms, payload, sha256),
  }
}

type Known = { readonly atom: SignedAtom; readonly isUsed: boolean }

function forgetEnded(atoms: Map<string, Known>, at: string): void {
  for (const [id, { atom }] of atoms) if (atom.expires_at <= at) atoms.delete(id)
}

/** Not a part of the line that it was read from. */
function copyAtom(atom: SignedAtom): SignedAtom {
  return JSON.parse(JSON.stringify(atom)) as SignedAtom
}

function findIssueProblems(
  atom: SignedAtom,
  { dfid, at, seq, flow, contract }: Issued,
): readonly string[] {
  const found: string[] = []
  if (atom.dfid !== dfid) found.push('it is an atom of another flow')
  if (flow !== undefined) {
    const isOwn =
      atom.agent_id === flow.agent &&
      atom.contract_hash === flow.contract &&
      atom.writ_id === flow.writ
    if (!isOwn) found.push('its agent, contract or writ is not that of its flow')
  }
  if (contract !== undefined && isWider(atom, contract))
    found.push('it is for kinds that its contract does not grant')
  const lasts = (parseInstant(atom.expires_at) ?? 0) - (parseInstant(atom.issued_at) ?? 0)
  if (lasts <= 0 || lasts > ATOM_LASTS_MS) found.push('it lasts for longer than atoms do')
  if (atom.issued_at > at) found.push('it was issued after it was written')
  if (atom.authority_seq > seq) found.push('it was issued on authority that was not there')
  return found
}

function isWider({ policy_kinds, covers }: SignedAtom, { permissions }: Contract): boolean {
  const { policy_kinds: granted, forbidden_kinds: forbidden } = permissions
  // Asking for a person and stopping are granted by no contract, and an atom may be asked for them by name.
  const isGranted = (kind: string): boolean => !isListingNeeded(kind) || granted.includes(kind)
  const isCoverable = covers.every((stage) => COVERED_STAGES.includes(stage))
  return (
    !isCoverable ||
    policy_kinds.length === 0 ||
    policy_kinds.some((kind) => !isGranted(kind) || forbidden.includes(kind))
  )
}

function findUseProblems(
  atoms: Map<string, Known>,
  { intent, proposal, facts, trace }: AcceptedPayload,
  sha256: Sha256,
): readonly string[] {
  const named = isObject(proposal) ? proposal.atom_id : undefined
  // What was approved is not held to the minute that passed while somebody thought about it.
  const wanted = intent.approval === undefined ? named : undefined
  if (intent.atom_id !== wanted) return ['it names another atom than its proposal']
  const covered = listCovered(trace)
  if (intent.atom_id === undefined)
    return covered.length === 0 ? [] : ['a stage of it is covered by no atom']
  const known = atoms.get(intent.atom_id)
  if (known === undefined) return ['its atom was never issued, or had ended']
  const { atom, isUsed } = known
  atoms.set(copyText(intent.atom_id), { atom, isUsed: true })
  const found = isUsed ? ['its atom was used before'] : []
  const foreign = findForeignMember(atom, intent)
  if (foreign !== null) found.push(`its atom was issued for another decision: \`${foreign}\``)
  if (intent.staged_at >= atom.expires_at || intent.staged_at < atom.issued_at)
    found.push('it was decided outside of the time of its atom')
  const shown = facts?.atom?.atom
  const isShown =
    shown !== undefined &&
    shown.atom_id === atom.atom_id &&
    computeAtomId(toAtomBody(toUnsignedAtom(shown)), sha256) === atom.atom_id
  if (!isShown) found.push('it was judged on another atom')
  const isCurrent =
    atom.rules_hash === intent.rules_hash &&
    atom.authority_seq === facts?.authority_seq &&
    atom.snapshot_id === intent.snapshot_id &&
    atom.capability_hashes[intent.policy_kind] === intent.capability_hash
  const isInside = covered.every((stage) => atom.covers.some((one) => one === stage))
  if (covered.length > 0 && !(isCurrent && isInside))
    found.push('a stage of it is covered by an atom that was issued on something else')
  return found
}

function listCovered(trace: Trace | undefined): readonly string[] {
  return (trace ?? []).flatMap((line) =>
    isObject(line) && line.covered !== undefined ? [String(line.stage)] : [],
  )
}
