/**
 * I26, of atoms.
 *
 * A1 an atom stands on the record before anybody has it: in its flow, for its agent, contract and writ, about kinds that the
 *    contract grants, on the authority of that place, for a minute, under the kernel's key and its own address.
 * A2 it is used by one intent, in its flow, for one of its kinds, before its end.
 * A3 what a stage was not asked, because the atom had settled it, is true where the intent stands: nothing that the atom
 *    stands on has changed, and a second reading of the law finds no fault in it.
 * A4 nobody decides without one where the rules ask for one.
 * A5 when all is settled, nothing holds a part of a budget any more.
 */
import type {
  AtomPayload,
  Contract,
  DecisionRecord,
  KeyPayload,
  SignedAtom,
  WritPayload,
} from 'rubicon-kernel'
import type { AskedClasses } from './asked-class.ts'
import { computeAddress, toCanonicalJson } from './bytes.ts'
import { type FirstDecision, findFirstDecision } from './decided.ts'
import type { Line, Report } from './report.ts'
import { isSignedBy, type VerifySignature } from './signed.ts'

const LASTS_MS = 60_000
const COVERED: readonly string[] = ['signature', 'scope', 'capability']
/** Nobody has to grant them. */
const FREE: readonly string[] = ['ESCALATE', 'RETIRE']

type Flow = NonNullable<WritPayload['flow']> & { readonly writ: string }

/** What the law says to a decision that nothing was settled of before; null: it lets it pass. */
export type AskWithoutAtom = (record: DecisionRecord) => string | null

export type AtomOptions = {
  readonly classes: AskedClasses
  readonly findContract: (hash: string) => Contract | undefined
  readonly verify: VerifySignature
  readonly ask: AskWithoutAtom
}

/** As the store holds it. */
export type StoredAtom = { readonly body: { readonly atom: SignedAtom; readonly ended: unknown } }

export class AuditedAtoms {
  readonly #report: Report
  readonly #options: AtomOptions
  readonly #flows = new Map<string, Flow>()
  /** Public keys of the kernel, by name. */
  readonly #keys = new Map<string, string>()
  readonly #issued = new Map<string, SignedAtom>()
  /** By atom: the intent that used it. */
  readonly #used = new Map<string, string>()
  /** Of the last entry of authority. */
  #seq = -1

  constructor(report: Report, options: AtomOptions) {
    this.#report = report
    this.#options = options
  }

  add(line: Line): void {
    const { kind, payload } = line
    if (line.trajectory === 'authority') this.#seq = line.seq
    if (kind === 'key') this.#addKey(payload as KeyPayload)
    if (kind === 'writ') {
      const { writ, flow } = payload as WritPayload
      if (flow !== undefined) this.#flows.set(flow.dfid, { ...flow, writ: writ.id })
    }
    if (kind === 'evidence' && 'atom' in (payload as object))
      this.#auditIssue(line, (payload as AtomPayload).atom)
    const decided = findFirstDecision(line)
    if (decided !== null) this.#auditDecision(line, decided)
  }

  /** Somebody was given it. */
  auditGiven({ atom_id, dfid }: SignedAtom): void {
    if (!this.#issued.has(atom_id))
      this.#report('I26', `an atom of ${dfid} was given out, and is not on the record`)
  }

  #addKey({ body }: KeyPayload): void {
    if (body.purpose !== 'kernel') return
    if (body.action === 'add') this.#keys.set(body.key_id, body.public_key)
    else this.#keys.delete(body.key_id)
  }

  #auditIssue(line: Line, atom: SignedAtom): void {
    const reportProblem = (detail: string): void =>
      this.#report('I26', `${line.trajectory}/${line.seq} issues an atom: ${detail}`)
    const { kernel_signature, ...unsigned } = atom
    const { atom_id, ...body } = unsigned
    const flow = this.#flows.get(atom.dfid)
    if (this.#issued.has(atom_id)) reportProblem('it was issued before')
    this.#issued.set(atom_id, atom)
    if (computeAddress('atom', toCanonicalJson(body)) !== atom_id)
      reportProblem('it is not its address')
    const key = this.#keys.get(kernel_signature.key_id)
    const signed = { document: unsigned, sig: kernel_signature.sig, type: 'atom' }
    if (key === undefined || !isSignedBy(this.#options.verify, key, signed))
      reportProblem('the kernel did not sign it')
    const isOwn =
      line.dfid === atom.dfid &&
      flow?.agent_id === atom.agent_id &&
      flow.contract.hash === atom.contract_hash &&
      flow.writ === atom.writ_id
    if (!isOwn) reportProblem('it is about another flow, agent, contract or writ')
    if (atom.authority_seq !== this.#seq)
      reportProblem(`it stands on authority ${atom.authority_seq} of ${this.#seq}`)
    if (Date.parse(atom.expires_at) - Date.parse(atom.issued_at) !== LASTS_MS)
      reportProblem('it does not last a minute')
    if (line.at >= atom.expires_at) reportProblem('it has ended')
    const { policy_kinds: granted = [] } =
      this.#options.findContract(atom.contract_hash)?.permissions ?? {}
    for (const kind of atom.policy_kinds)
      if (!granted.includes(kind) && !FREE.includes(kind))
        reportProblem(`its contract does not grant ${kind}`)
  }

  #auditDecision(line: Line, decided: FirstDecision): void {
    const { intent, proposal, trace } = decided
    const reportProblem = (detail: string): void =>
      this.#report('I26', `${line.trajectory}/${line.seq} decides ${intent.step_id}: ${detail}`)
    const covered = trace.filter((one) => one.covered === true).map(({ stage }) => stage)
    const { atom_id: id } = intent
    if (intent.approval === undefined && id !== proposal.atom_id)
      reportProblem('its intent names another atom than its proposal')
    if (id === undefined) {
      if (covered.length > 0) reportProblem('stages are covered, and by no atom')
      if (this.#isAskedForOne(decided)) reportProblem('the rules ask for an atom, and it has none')
      return
    }
    const atom = this.#issued.get(id)
    if (atom === undefined) {
      reportProblem('its atom was never issued')
      return
    }
    const before = this.#used.get(id)
    if (before !== undefined && before !== intent.intent_id)
      reportProblem('its atom was used before')
    this.#used.set(id, intent.intent_id)
    const isFor =
      atom.dfid === intent.dfid &&
      atom.agent_id === intent.agent_id &&
      atom.contract_hash === intent.contract_hash &&
      atom.writ_id === intent.writ_id &&
      atom.policy_kinds.includes(intent.policy_kind)
    if (!isFor) reportProblem('its atom was issued for something else')
    if (line.at >= atom.expires_at) reportProblem(`its atom ended at ${atom.expires_at}`)
    if (covered.some((stage) => !COVERED.includes(stage)))
      reportProblem('a stage is covered that no atom settles')
    if (covered.length > 0) this.#auditCovered(line, atom, decided, reportProblem)
  }

  #auditCovered(
    line: Line,
    atom: SignedAtom,
    { intent, facts }: FirstDecision,
    reportProblem: (detail: string) => void,
  ): void {
    const { policy_kind: kind, capability_hash, rules_hash, snapshot_id } = intent
    if (atom.rules_hash !== rules_hash) reportProblem('covered, and the rules are others')
    if (atom.snapshot_id !== snapshot_id) reportProblem('covered, and it was shown something else')
    if (atom.capability_hashes[kind] !== capability_hash)
      reportProblem('covered, and something else carries it out')
    if (atom.authority_seq !== this.#seq || facts.authority_seq !== this.#seq)
      reportProblem(`covered by authority ${atom.authority_seq}, and it is ${this.#seq}`)
    const said = this.#options.ask(line.payload as DecisionRecord)
    if (said !== null) reportProblem(`covered, and the law says ${said}`)
  }

  #isAskedForOne({ intent, facts, isPersons }: FirstDecision): boolean {
    const { rules_hash: rules, agent_id, contract_hash, policy_kind: kind } = intent
    const { instance_of } = this.#options.findContract(contract_hash) ?? {}
    const agents = instance_of === undefined ? [agent_id] : [agent_id, instance_of]
    const topic = facts.flow.event?.topic ?? null
    // What was approved is not held to the minute of the atom that it was proposed under.
    const isApproved = isPersons || intent.approval !== undefined
    return !isApproved && this.#options.classes.find({ rules, agents, kind, topic }) === 'SDS'
  }

  /** `stored`: what the store knows of atoms in the end. */
  finish(stored: readonly StoredAtom[]): void {
    for (const { body } of stored) {
      const { atom_id, dfid } = body.atom
      const word = this.#used.has(atom_id) ? 'used' : 'returned'
      // Where it was approved, the intent took its place and does not name it.
      if (body.ended === null) this.#report('I26', `an atom of ${dfid} still holds its cost`)
      else if (word === 'used' && body.ended !== 'used')
        this.#report('I26', `an atom of ${dfid} was used, and counts as ${String(body.ended)}`)
    }
  }
}
