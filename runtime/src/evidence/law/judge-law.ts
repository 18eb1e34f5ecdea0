/**
 * The law depth of verification: every recorded decision is compiled again from its facts, under the
 * contract, the writs and the rules that the ledger records, and must come out as it was recorded.
 *
 * What it shows: the kernel that signed applied the law to the facts that it wrote down. Whether those
 * facts were so is for the fold (budgets, claims, approvals) and for the owners of the facts. What only
 * code elsewhere can say is taken as recorded, and counted by the hash of that code.
 */
import {
  AUTHORITY,
  addressed,
  canonicalText,
  compile,
  type Entry,
  err,
  foldAuthority,
  type JsonObject,
  type JsonValue,
  NO_AUTHORITY,
  ok,
  type PolicyPayload,
  parseProposal,
  pinnedContract,
  type Result,
  type Sha256,
  type Verdict,
  type Writ,
  type WritFact,
} from 'rubicon-kernel'
import { type RecordedDecision, recordedDecision } from './recorded-decision.ts'
import { RecordedLaw } from './recorded-law.ts'
import { spokenWords } from './spoken-words.ts'

/** At most so many are listed; the rest is counted. */
const LISTED = 1_000

export type LawFinding = {
  readonly leaf: number
  readonly trajectory: string
  readonly seq: number
  readonly code: 'LAW_MISMATCH'
  readonly detail: string
}

export type LawReport = {
  readonly ok: boolean
  /** Decisions that were judged again. */
  readonly decisions: number
  readonly findings: readonly LawFinding[]
  readonly left_off: number
  /** Decisions that stand on a writ which was erased. That it may be is for the verifiers. */
  readonly erased: number
  /** Decisions that cannot be judged here, by why. One is enough for the report not to be ok. */
  readonly unjudged: Readonly<Record<string, number>>
  /** Decisions in which the answers of this code were taken as recorded. */
  readonly on_the_word_of: Readonly<Record<string, number>>
}

/** An entry in the order of the tree, its payload read. */
export type JudgedEntry = Pick<Entry, 'id' | 'envelope'> & { readonly payload: JsonObject | null }

/** The writ of an id; its nonce names the flow that it stands in. */
export type WritOf = (fact: WritFact) => Writ | undefined

export class LawJudge {
  readonly #sha256: Sha256
  readonly #law: RecordedLaw
  readonly #findings: LawFinding[] = []
  readonly #unjudged = new Map<string, number>()
  readonly #words = new Map<string, number>()
  /** Flows whose writ was erased with them. */
  readonly #erasedFlows = new Set<string>()
  #authority = NO_AUTHORITY
  #decisions = 0
  #erased = 0
  #found = 0

  constructor(sha256: Sha256) {
    this.#sha256 = sha256
    this.#law = new RecordedLaw(sha256)
  }

  /** Entries come in the order of the tree, authority among them. */
  see(leaf: number, entry: JudgedEntry, writOf: WritOf): void {
    const { envelope, payload } = entry
    // What was erased has nothing that could be judged.
    if (payload === null) {
      if (envelope.kind === 'writ') this.#erasedFlows.add(envelope.dfid ?? '')
      return
    }
    if (envelope.trajectory === AUTHORITY) this.#seeAuthority(entry, payload)
    const decision = recordedDecision(envelope.kind, payload)
    if (decision === null) return
    const writs = decision.facts.writs.map(writOf)
    if (this.#standsOnErased(decision, writs)) {
      this.#erased += 1
      return
    }
    const problem = this.#judge(decision, writs)
    if (!problem.ok) {
      count(this.#unjudged, problem.error)
      return
    }
    this.#decisions += 1
    for (const word of this.#law.wordsTakenOf(decision.facts)) count(this.#words, word)
    if (problem.value === null) return
    this.#found += 1
    const { trajectory, seq } = envelope
    if (this.#found <= LISTED)
      this.#findings.push({ leaf, trajectory, seq, code: 'LAW_MISMATCH', detail: problem.value })
  }

  report(): LawReport {
    return {
      ok: this.#found === 0 && this.#unjudged.size === 0,
      decisions: this.#decisions,
      findings: this.#findings,
      left_off: this.#found - this.#findings.length,
      erased: this.#erased,
      unjudged: Object.fromEntries(this.#unjudged),
      on_the_word_of: Object.fromEntries(this.#words),
    }
  }

  #seeAuthority({ id, envelope }: JudgedEntry, payload: JsonObject): void {
    this.#authority = foldAuthority(this.#authority, [
      { id, envelope, payload: canonicalText(payload) },
    ])
    if (envelope.kind !== 'policy') return
    const { body } = payload as unknown as PolicyPayload
    if (!('action' in body)) this.#law.addRules(body)
    else if (body.action === 'capability')
      this.#law.addCapability(body.capability, body.capability_hash)
  }

  /**
   * A writ may be gone with the flow above its own, whose writ its own names as its parent, or with the
   * flow that chose to take something back. Any other that is missing is none that was erased.
   */
  #standsOnErased(
    { facts, said }: RecordedDecision,
    writs: readonly (Writ | undefined)[],
  ): boolean {
    const index = writs.indexOf(undefined)
    const missing = facts.writs[index]
    if (missing === undefined || !this.#erasedFlows.has(missing.nonce)) return false
    if (index > 0) return writs[index - 1]?.body.parent === missing.id
    return said.kind === 'staged' && said.intent.compensation?.dfid === missing.nonce
  }

  /** What is wrong, in words; null: it is as the law says. Err: why it cannot be judged. */
  #judge(
    decision: RecordedDecision,
    found: readonly (Writ | undefined)[],
  ): Result<string | null, string> {
    const { facts, proposal: document, trace } = decision
    const proposal = parseProposal(document)
    if (!proposal.ok) return ok('a proposal that cannot be read was judged')
    const writs = found.filter((writ) => writ !== undefined)
    if (writs.length < found.length) return err('a writ that it stands on is missing')
    const words = spokenWords(trace, this.#law.costOfCall(facts))
    const rules = this.#law.rulesOf(facts, words)
    if (!rules.ok) return rules
    const hash = facts.contract?.hash
    const pinned =
      hash === undefined ? undefined : pinnedContract(this.#authority, facts.flow.agent_id, hash)
    const verdict = compile({
      facts: addressed('facts', facts, this.#sha256),
      proposal: proposal.value,
      document: addressed('proposal', document, this.#sha256),
      contract: pinned?.contract ?? null,
      writs,
      rules: rules.value,
    })
    return ok(difference(decision, verdict))
  }
}

function difference({ said, trace }: RecordedDecision, verdict: Verdict): string | null {
  const lawful = wordsOf(verdict)
  switch (said.kind) {
    case 'moved':
      return verdict.kind === 'staged' ? null : `it was let pass; the law says ${lawful}`
    case 'staged':
      if (verdict.kind !== 'staged') return `it was let pass; the law says ${lawful}`
      // What takes an effect back carries the decision that chose so.
      if (said.intent.compensation !== undefined) return otherTrace(trace, verdict)
      if (said.intent.intent_id === verdict.intent.intent_id) return null
      return otherTrace(trace, verdict) ?? otherIntent(said.intent, verdict.intent)
    case 'suspended':
      if (verdict.kind !== 'suspended' || verdict.code !== said.code)
        return `${said.code} was asked; the law says ${lawful}`
      if (verdict.intent_digest !== said.intent_digest) return 'it was asked about another intent'
      return otherTrace(trace, verdict)
    case 'rejected':
      if (verdict.kind !== 'rejected' || verdict.code !== said.code || verdict.stage !== said.stage)
        return `it was refused as ${said.code} at ${said.stage}; the law says ${lawful}`
      return otherTrace(trace, verdict)
  }
}

function wordsOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'staged':
      return 'that it passes'
    case 'repeated':
      return 'that it was decided before'
    case 'suspended':
      return `that somebody is asked (${verdict.code})`
    case 'rejected':
      return `${verdict.code} at ${verdict.stage}`
  }
}

function otherTrace(trace: RecordedDecision['trace'], verdict: Verdict): string | null {
  const text = (value: unknown): string => canonicalText(value as JsonValue)
  if (text(trace) === text(verdict.trace)) return null
  const at = verdict.trace.findIndex((line, index) => text(line) !== text(trace[index] ?? null))
  return `stage ${verdict.trace[at]?.stage ?? 'emission'} says something else`
}

function otherIntent(recorded: object, lawful: object): string {
  const text = (value: unknown): string => canonicalText((value ?? null) as JsonValue)
  const [mine, theirs] = [Object.entries(lawful), new Map(Object.entries(recorded))]
  const names = mine.filter(([name, value]) => text(theirs.get(name)) !== text(value))
  return `the law gives another intent: ${names.map(([name]) => name).join(', ')}`
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
