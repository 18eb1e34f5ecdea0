/**
 * The law depth of verification: every recorded decision is compiled again from its facts, under the
 * contract, the writs and the rules that the ledger records, and must come out as it was recorded; what
 * is sent some time later, too.
 *
 * What it shows: the kernel that signed applied the law to the facts that it wrote down. Whether those
 * facts were so is for the fold (budgets, claims, approvals) and for the owners of the facts. What only
 * code elsewhere can say is taken as recorded, and counted by the hash of that code. Tools that are data have no
 * such code: what they said is computed again from their manifests.
 */
import {
  type Address,
  AUTHORITY,
  type CompileInput,
  compile,
  type Entry,
  err,
  type Facts,
  findPinnedContract,
  foldAuthority,
  type JsonObject,
  type JsonValue,
  NO_AUTHORITY,
  ok,
  parseProposal,
  type Result,
  type Sha256,
  type Trace,
  toAddressed,
  toCanonicalText,
  type Writ,
  type WritFact,
} from 'rubicon-kernel'
import { describeDifference } from './compare-verdict.ts'
import { findCommitProblem } from './judge-commit.ts'
import { sendProblem } from './judge-send.ts'
import { type OpenEffect, OpenEffects } from './open-effects.ts'
import { parsePolicy } from './parse-payload.ts'
import { parseDecision, type RecordedDecision } from './recorded-decision.ts'
import { RecordedLaw } from './recorded-law.ts'
import { parseSend, type RecordedSend } from './recorded-send.ts'
import { extractSpokenWords } from './spoken-words.ts'

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
  /** What was sent some time after its decision, and judged as it was then. */
  readonly sends: number
  readonly findings: readonly LawFinding[]
  readonly left_off: number
  /** Decisions that stand on a writ which was erased. That it may be is for the verifiers. */
  readonly erased: number
  /** Decisions that cannot be judged here, by why. One is enough for the report not to be ok. */
  readonly unjudged: Readonly<Record<string, number>>
  /** Decisions in which the answers of this code were taken as recorded. */
  readonly on_the_word_of: Readonly<Record<string, number>>
  /** Decisions in which a tool's answers were computed again, by the hash of its manifest. */
  readonly by_manifest: Readonly<Record<string, number>>
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
  readonly #manifests = new Map<string, number>()
  readonly #open = new OpenEffects()
  /** Flows whose writ was erased with them. */
  readonly #erasedFlows = new Set<string>()
  #authority = NO_AUTHORITY
  #decisions = 0
  #sends = 0
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
    const decision = parseDecision(envelope.kind, payload)
    if (decision !== null) {
      const judged = this.#judgeWithWrits(toJudgedDecision(decision), writOf, (writs) =>
        this.#judge(decision, writs),
      )
      if (judged !== null) this.#decisions += 1
      this.#recordFinding(leaf, entry, judged)
    }
    const send = parseSend(envelope.kind, payload)
    const known = send === null ? undefined : this.#open.get(send.intent_id)
    // That something was sent which nobody had decided is for the verifiers.
    if (send !== null && known !== undefined) {
      const judged = this.#judgeWithWrits(toJudgedSend(send, known), writOf, (writs) =>
        this.#judgeSend(send, known, writs),
      )
      if (judged !== null) this.#sends += 1
      this.#recordFinding(leaf, entry, judged)
    }
    if (envelope.kind === 'commit') this.#recordFinding(leaf, entry, this.#judgeCommit(payload))
    this.#open.see(entry)
  }

  /** Null: nothing can be computed of it here. That somebody else's code did it is counted with its decision. */
  #judgeCommit(payload: JsonObject): { readonly problem: string | null } | null {
    const known = this.#open.get(String(payload.intent_id) as Address)
    const manifest =
      known === undefined
        ? undefined
        : this.#law.findDescription(known.intent.capability_hash)?.manifest
    if (known === undefined || manifest === undefined) return null
    const judged = catchUnreadable(() => ok(findCommitProblem(payload, known, manifest)))
    return judged?.ok === true ? { problem: judged.value } : null
  }

  /** Null: it could not be judged, and that is counted. */
  #judgeWithWrits(
    about: Judged,
    writOf: WritOf,
    judge: (writs: readonly (Writ | undefined)[]) => Result<string | null, string>,
  ): { readonly problem: string | null } | null {
    const { facts } = about
    const judged = catchUnreadable(() => {
      const writs = facts.writs.map(writOf)
      return this.#isOnErasedWrit(about, writs) ? null : judge(writs)
    })
    if (judged === null) this.#erased += 1
    else if (!judged.ok) count(this.#unjudged, judged.error)
    else {
      for (const word of this.#law.listTakenWords(facts)) count(this.#words, word)
      const manifest = this.#law.findManifestHash(facts)
      if (manifest !== null) count(this.#manifests, manifest)
      return { problem: judged.value }
    }
    return null
  }

  #recordFinding(
    leaf: number,
    { envelope: { trajectory, seq } }: JudgedEntry,
    judged: { readonly problem: string | null } | null,
  ): void {
    const detail = judged?.problem ?? null
    if (detail === null) return
    this.#found += 1
    if (this.#found <= LISTED)
      this.#findings.push({ leaf, trajectory, seq, code: 'LAW_MISMATCH', detail })
  }

  report(): LawReport {
    return {
      ok: this.#found === 0 && this.#unjudged.size === 0,
      decisions: this.#decisions,
      sends: this.#sends,
      findings: this.#findings,
      left_off: this.#found - this.#findings.length,
      erased: this.#erased,
      unjudged: Object.fromEntries(this.#unjudged),
      on_the_word_of: Object.fromEntries(this.#words),
      by_manifest: Object.fromEntries(this.#manifests),
    }
  }

  #seeAuthority({ id, envelope }: JudgedEntry, payload: JsonObject): void {
    this.#authority = foldAuthority(this.#authority, [
      { id, envelope, payload: toCanonicalText(payload) },
    ])
    if (envelope.kind !== 'policy') return
    const { body } = parsePolicy(payload)
    if (!('action' in body)) this.#law.addRules(body)
    else if (body.action === 'capability')
      this.#law.addCapability(body.capability, body.capability_hash)
  }

  /**
   * A writ may be gone with the flow above its own, whose writ its own names as its parent, or with the
   * flow that chose to take something back. Any other that is missing is none that was erased.
   */
  #isOnErasedWrit({ facts, chooser }: Judged, writs: readonly (Writ | undefined)[]): boolean {
    const index = writs.indexOf(undefined)
    const missing = facts.writs[index]
    if (missing === undefined || !this.#erasedFlows.has(missing.nonce)) return false
    if (index > 0) return writs[index - 1]?.body.parent === missing.id
    return chooser === missing.nonce
  }

  /** What is wrong, in words; null: it is as the law says. Err: why it cannot be judged. */
  #judge(
    decision: RecordedDecision,
    found: readonly (Writ | undefined)[],
  ): Result<string | null, string> {
    const { facts, proposal, trace } = decision
    const input = this.#buildInput(facts, proposal, trace, found)
    if (!input.ok) return input
    return ok(input.value === null ? UNREAD : describeDifference(decision, compile(input.value)))
  }

  #judgeSend(
    send: RecordedSend,
    known: OpenEffect,
    found: readonly (Writ | undefined)[],
  ): Result<string | null, string> {
    const { facts, again } = send
    const input = this.#buildInput(facts, known.proposal, again?.trace ?? known.trace, found)
    if (!input.ok) return input
    const description = this.#law.findDescription(known.intent.capability_hash)
    return ok(input.value === null ? UNREAD : sendProblem(send, known, input.value, description))
  }

  /** What is judged; null: it is about no proposal. Err: why it cannot be judged. */
  #buildInput(
    facts: Facts,
    document: JsonValue,
    trace: Trace,
    found: readonly (Writ | undefined)[],
  ): Result<CompileInput | null, string> {
    const proposal = parseProposal(document)
    if (!proposal.ok) return ok(null)
    const writs = found.filter((writ) => writ !== undefined)
    if (writs.length < found.length) return err('a writ that it stands on is missing')
    const words = extractSpokenWords(trace, this.#law.computeCallCost(facts))
    const rules = this.#law.findRules(facts, words)
    if (!rules.ok) return rules
    const hash = facts.contract?.hash
    const pinned =
      hash === undefined
        ? undefined
        : findPinnedContract(this.#authority, facts.flow.agent_id, hash)
    return ok({
      facts: toAddressed('facts', facts, this.#sha256),
      proposal: proposal.value,
      document: toAddressed('proposal', document, this.#sha256),
      contract: pinned?.contract ?? null,
      writs,
      rules: rules.value,
    })
  }
}

/** `chooser`: the flow that chose so, of what takes back. */
type Judged = { readonly facts: Facts; readonly chooser: string | undefined }

function toJudgedDecision({ facts, said }: RecordedDecision): Judged {
  const chooser = said.kind === 'staged' ? said.intent.compensation?.dfid : undefined
  return { facts, chooser }
}

function toJudgedSend({ facts }: RecordedSend, { intent }: OpenEffect): Judged {
  return { facts, chooser: intent.compensation?.dfid }
}

const UNREAD = 'a proposal that cannot be read was judged'

/** Of facts only the hash was checked. What cannot be read was never judged by a kernel. */
function catchUnreadable(
  judge: () => Result<string | null, string> | null,
): Result<string | null, string> | null {
  try {
    return judge()
  } catch {
    return ok('what it was judged on cannot be read')
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
