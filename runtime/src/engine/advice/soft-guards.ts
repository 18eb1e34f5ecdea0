/**
 * Soft guards: guesses about meaning, made outside the kernel.
 *
 * G1 in audit mode nobody waits for a guard: it is asked once the decision is durable, and what it
 *    finds flags the flow for review.
 * G2 in strict mode nothing is dispatched unless every guard has said in time that it fits. A guard
 *    that hangs, throws or says something else refuses.
 * G3 the time that a guard takes is time in which the world moves: what it cleared is judged again.
 * G4 a guard works on a copy of its own; it cannot change what is decided.
 * G5 one agent has no more than its share of the open questions, with the instances of its class: whoever proposes
 *    much while a guard is slow is looked at less, and the others still are.
 * G6 what a guard asked a model is on the record before its answer counts, also where it came to nothing.
 */
import { assert, isObject, isReserved, LIMITS, type Refusal, type Verdict } from 'rubicon-kernel'
import type { GuardInput, SoftGuard } from '../../ports/soft-guard.ts'
import type { Write } from '../../ports/store.ts'
import type { Gathered } from '../judge/gathered.ts'
import type { Received } from '../judge/receive.ts'
import { askOutside } from '../rows/ask-outside.ts'
import { Cutoff } from '../rows/cutoff.ts'
import { type AdviceDeps, QuestionSheet } from './ask-model.ts'
import { flagFlow } from './flag.ts'
import { buildOpinionWrite, type Subject, shortenReason } from './opinion.ts'
import { parseGuardFinding } from './parse-finding.ts'
import { QuestionLog } from './question-log.ts'

/** A proposal that has passed the law. */
export type Judged = {
  readonly received: Received
  readonly gathered: Gathered
  readonly verdict: Extract<Verdict, { kind: 'staged' }>
}

/** What became of a question to one guard. */
export type GuardAnswer = {
  readonly guard: string
  readonly finding: 'aligned' | 'mismatch' | 'timeout' | 'failed' | 'stopped'
  readonly why: string
}

export class SoftGuards {
  readonly #deps: AdviceDeps
  readonly #guards: readonly SoftGuard[]
  readonly #strict: boolean
  /** What strict guards made of a proposal, by its flow and its address; the oldest make room. */
  readonly #judged = new Map<string, Refusal | 'cleared'>()
  /** With the agent that each is about; an instance counts as its class. */
  readonly #watching = new Map<Promise<void>, string>()
  readonly #cutoff = new Cutoff()
  readonly #log: QuestionLog

  constructor(deps: AdviceDeps) {
    this.#deps = deps
    this.#log = new QuestionLog(deps)
    this.#guards = deps.softGuards ?? []
    this.#strict = deps.strictSemanticBlocking ?? false
  }

  /** Before a dispatch, in strict mode. `asked`: nobody objects, and everything is to be read again. */
  async askBeforeDispatch(judged: Judged): Promise<Refusal | 'asked' | 'cleared'> {
    if (!this.#strict || isOurs(judged)) return 'cleared'
    const name = `${judged.verdict.intent.dfid} ${judged.received.document.address}`
    const known = this.#judged.get(name)
    if (known !== undefined) return known
    // The proposal is answered even while the engine stops: it is not cut off.
    const answers = await this.#ask(judged, new Cutoff())
    const against = answers.find(({ finding }) => finding !== 'aligned')
    const answer = against === undefined ? 'cleared' : toGuardRefusal(against)
    const [oldest] = this.#judged.keys()
    if (this.#judged.size >= LIMITS.proposalsInFlight && oldest !== undefined)
      this.#judged.delete(oldest)
    this.#judged.set(name, answer)
    return answer === 'cleared' ? 'asked' : answer
  }

  /** In strict mode, part of the unit that makes the decision durable: who was asked and agreed. */
  buildConsentWrites(judged: Judged): readonly Write[] {
    if (!this.#strict || isOurs(judged)) return []
    const consent = { source: 'soft_guard', finding: 'aligned', strict: true, why: '' } as const
    const subject = toSubject(judged)
    return this.#guards.map(({ name: by }) =>
      buildOpinionWrite(this.#deps, subject, { by, ...consent }),
    )
  }

  /** Once the decision is durable, in audit mode. */
  watch(judged: Judged): void {
    if (this.#strict || this.#guards.length === 0 || isOurs(judged)) return
    const agent = findClass(judged)
    if (this.#isFull(agent)) {
      this.#count('skipped')
      return
    }
    // A store that fails says so to everybody else; a flag is no part of any decision.
    const watching = this.#flagMismatch(judged)
      .catch(() => {})
      .finally(() => this.#watching.delete(watching))
    this.#watching.set(watching, agent)
  }

  #isFull(agent: string): boolean {
    if (this.#watching.size >= LIMITS.guardQuestions) return true
    const own = [...this.#watching.values()].filter((one) => one === agent)
    return own.length >= LIMITS.guardQuestions / LIMITS.agentShare
  }

  /** What was asked of a model and could not be recorded, once more. */
  flushQuestions(): Promise<void> {
    return this.#log.flush()
  }

  /** Guards that have not answered yet are not waited for. */
  async stop(): Promise<void> {
    this.#cutoff.end()
    await this.awaitSettled()
    await this.#log.flush()
  }

  /** Waits for the guards that are being asked. */
  async awaitSettled(): Promise<void> {
    while (this.#watching.size > 0) await Promise.allSettled([...this.#watching.keys()])
  }

  async #flagMismatch(judged: Judged): Promise<void> {
    const answers = await this.#ask(judged, this.#cutoff)
    const against = answers.filter(({ finding }) => finding === 'mismatch')
    if (against.length > 0) await flagFlow(this.#deps, toSubject(judged), against)
  }

  #ask(judged: Judged, cutoff: Cutoff): Promise<readonly GuardAnswer[]> {
    return Promise.all(this.#guards.map((guard) => this.#askOne(guard, judged, cutoff)))
  }

  async #askOne(guard: SoftGuard, judged: Judged, cutoff: Cutoff): Promise<GuardAnswer> {
    const { clock, telemetry } = this.#deps
    const began = clock.monotonic()
    const { agent_id, dfid } = judged.verdict.intent
    const adviser = { kind: 'soft_guard', name: guard.name } as const
    const sheet = new QuestionSheet(this.#deps, { adviser, agent_id, dfid })
    const asked = await askOutside(clock, cutoff, {
      ms: Math.min(guard.timeoutMs ?? LIMITS.guardMs, LIMITS.modelMs),
      ask: async (signal) => guard.check(buildGuardInput(judged), signal, sheet.createAsk(signal)),
      read: parseGuardFinding,
    })
    telemetry?.observe('validation_latency_ms', clock.monotonic() - began, { type: 'soft' })
    const said = asked.kind === 'said' ? asked.value : null
    const heard = said?.mismatch === true ? 'mismatch' : 'aligned'
    const finding = asked.kind === 'said' ? heard : asked.kind
    this.#count(finding)
    const questions = await sheet.listAsked()
    const opinion = asked.kind === 'said' ? heard : 'none'
    await this.#log.record({ adviser, subject: toSubject(judged), questions, opinion })
    return { guard: guard.name, finding, why: shortenReason(said?.why ?? '') }
  }

  #count(outcome: GuardAnswer['finding'] | 'skipped'): void {
    this.#deps.telemetry?.count('rubicon_soft_guard_answers_total', { outcome })
  }
}

/** What the runtime itself does for an agent, such as asking a person, is no guard's business. */
function isOurs({ received }: Judged): boolean {
  return isReserved(received.proposal.policy_kind)
}

function findClass({ gathered, verdict }: Judged): string {
  return gathered.input.contract?.instance_of ?? verdict.intent.agent_id
}

function toGuardRefusal({ guard, finding, why }: GuardAnswer): Refusal {
  return { code: 'SEMANTIC_MISMATCH', details: { guard, finding, why, strict: true } }
}

function toSubject({ verdict }: Judged): Subject & { readonly attempt: number } {
  const { dfid, trajectory, step_id, attempt, proposal_hash } = verdict.intent
  return { dfid, trajectory, step_id, attempt, proposal_hash }
}

/** Made anew for every guard. */
function buildGuardInput({ received, gathered, verdict }: Judged): GuardInput {
  const { contract } = gathered.input
  const { law, view } = gathered
  const proposal = received.document.value
  assert(contract !== null && law !== undefined, 'a staged proposal has a contract and a law')
  assert(isObject(proposal), 'a staged proposal is an object')
  const { reducing, reversible, risk } = law.description
  const measures = verdict.trace.find((line) => line.stage === 'preconditions')?.measures ?? {}
  return structuredClone({
    proposal,
    justification: received.proposal.justification ?? '',
    context: {
      agent_id: view.flow.agent_id,
      mission: contract.mission,
      trigger: view.flow.trigger,
      policy_kind: received.proposal.policy_kind,
      reducing,
      reversible,
      risk,
      measures,
    },
  })
}
