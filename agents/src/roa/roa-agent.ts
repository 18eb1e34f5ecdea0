/**
 * An agent that decides in four stages: it explains what it sees, makes a policy of it, checks that against its
 * contract, and only then emits it. Extend it with how your agent sees and chooses.
 *
 * R1 nothing is sent before the self-check has passed: neither the proposal nor the explanation.
 * R2 a refusal is handed to the next call of `policy`, with its reason and what would help, as long as the runtime
 *    lets the agent revise. It stops where the answer is final, where the flow is over, and after `attempts`.
 * R3 the self-check is a heuristic: without it the runtime gives every verdict that it gives with it.
 */
import type { WorkingContext } from 'rubicon-kernel/context'
import { type AgentAnswer, isRevisable, isWaiting } from '../agent/agent-answer.ts'
import type { AgentFlow, AgentProposal, ExplainResult, SettledWait } from '../agent/agent-flow.ts'
import { ContractViolation, checkProposal, EscalationRequired } from './self-check.ts'

/** Why an attempt came to nothing, for the next one. */
export type RoaFeedback = {
  /** What was wanted. */
  readonly proposal: AgentProposal
  /** Why it came to nothing. */
  readonly code: string
  /** The same, in words. */
  readonly summary: string
  /** What would help. */
  readonly fix: string
  /** Null: its own check stopped it, and nothing was sent. */
  readonly answer: AgentAnswer | null
}

/** What came of a decision. */
export type RoaDecision =
  /** The runtime has answered, and the last word is its. */
  | {
      readonly kind: 'answered'
      /** What the runtime answered last. */
      readonly answer: AgentAnswer
      /** What came of the attempts before, the last one last. */
      readonly refused: readonly RoaFeedback[]
    }
  /** It is not the agent's to decide: a person was asked, and the proposal was not sent. */
  | {
      readonly kind: 'escalated'
      /** Why a person was asked. */
      readonly reason: string
      /** What became of the question; with `settled`, what the person said. */
      readonly answer: AgentAnswer
      /** What came of the attempts before, the last one last. */
      readonly refused: readonly RoaFeedback[]
    }
  /** The agent wants nothing, or nothing that passes its own check: nothing was sent the last time. */
  | {
      readonly kind: 'held'
      /** What came of the attempts before, the last one last. */
      readonly refused: readonly RoaFeedback[]
    }

/** How often, and how long. */
export type DecideOptions = {
  /** Proposals at most; as many as the contract lets be refused when nobody says. */
  readonly attempts?: number
  /** Waits for people and effects, until it is known what came of it. */
  readonly settled?: SettledWait
  /** How it waits where the runtime says "later". */
  readonly wait?: (ms: number) => Promise<void>
}

/** Longer than this it is not waited for another attempt. */
const WAIT_MOST_MS = 60_000

/** The base of agents that explain, choose, check themselves and emit. */
export abstract class RoaAgent<Explanation extends ExplainResult = ExplainResult> {
  /** What it sees, in its own words, and what it takes from it. */
  abstract explain(context: WorkingContext): Explanation | Promise<Explanation>

  /** What it wants done; null: nothing. `refused` has what came of the attempts before, the last one last. */
  abstract policy(
    explanation: Explanation,
    context: WorkingContext,
    refused: readonly RoaFeedback[],
  ): AgentProposal | null | Promise<AgentProposal | null>

  /** Throws `ContractViolation` or `EscalationRequired` at what should not be sent. */
  selfCheck(proposal: AgentProposal, context: WorkingContext): void | Promise<void> {
    checkProposal(proposal, context)
  }

  /** Explain, policy, self-check, emit; again after what the agent may revise. */
  async decide(flow: AgentFlow, options: DecideOptions = {}): Promise<RoaDecision> {
    const { max_intent_retries } = flow.context.constraints.safety_rules
    const { attempts = max_intent_retries, settled, wait = sleepMs } = options
    const refused: RoaFeedback[] = []
    for (let attempt = 0; attempt < attempts; attempt++) {
      const explanation = await this.explain(flow.context)
      const proposal = await this.policy(explanation, flow.context, refused)
      if (proposal === null) return { kind: 'held', refused }
      const stopped = await this.#check(proposal, flow.context)
      if (stopped instanceof ContractViolation) {
        refused.push(toOwnFeedback(proposal, stopped))
        continue
      }
      if (stopped !== null) return escalate(flow, stopped, refused, settled)
      const first = await emit(flow, explanation, proposal)
      const answer = settled !== undefined && isWaiting(first) ? await flow.settled(settled) : first
      if (!isRevisable(answer)) return { kind: 'answered', answer, refused }
      const { reason_code: code, feedback } = answer
      refused.push({ proposal, code, summary: feedback.summary, fix: feedback.fix, answer })
      const isLast = attempt === attempts - 1
      if (isLast) return { kind: 'answered', answer, refused }
      if (feedback.transient) await wait(Math.min(feedback.retry_after_ms ?? 0, WAIT_MOST_MS))
    }
    return { kind: 'held', refused }
  }

  async #check(
    proposal: AgentProposal,
    context: WorkingContext,
  ): Promise<ContractViolation | EscalationRequired | null> {
    try {
      await this.selfCheck(proposal, context)
      return null
    } catch (error) {
      if (error instanceof ContractViolation || error instanceof EscalationRequired) return error
      throw error
    }
  }
}

async function emit(
  flow: AgentFlow,
  { narrative, identified_signals, risks }: ExplainResult,
  proposal: AgentProposal,
): Promise<AgentAnswer> {
  const { explain_ref } = await flow.explain({
    narrative,
    ...(identified_signals === undefined ? {} : { identified_signals }),
    ...(risks === undefined ? {} : { risks }),
  })
  return flow.propose({ explain_ref, ...proposal })
}

async function escalate(
  flow: AgentFlow,
  { reason }: EscalationRequired,
  refused: readonly RoaFeedback[],
  settled?: SettledWait,
): Promise<RoaDecision> {
  const asked = await flow.escalate(reason)
  if (asked.outcome !== 'ACCEPTED' && asked.outcome !== 'REPEATED')
    return { kind: 'answered', answer: asked, refused }
  const answer = settled === undefined ? asked : await flow.settled(settled)
  return { kind: 'escalated', reason, answer, refused }
}

function toOwnFeedback(
  proposal: AgentProposal,
  { code, message: summary, fix }: ContractViolation,
): RoaFeedback {
  return { proposal, code, summary, fix, answer: null }
}

function sleepMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
