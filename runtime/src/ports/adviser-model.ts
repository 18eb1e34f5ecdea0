/**
 * How a soft guard or an auditor asks a model: through the runtime, on a budget of the adviser's own, and on the
 * record of the flow that it is asked about. An agent that spends takes nothing from it.
 */
import { toBudgetUnits } from 'rubicon-kernel'
import type { ModelProvider, ModelReply, ModelRequest } from './model.ts'

/** What an adviser may spend in each window of time, over all agents. */
export type AdviserBudget = {
  /** How long a window is, in seconds. */
  readonly window_s: number
  /** In each window, as a decimal. */
  readonly tokens: string
  /** Without it money is not bounded, and a model needs no price. */
  readonly usd?: string
  /**
   * What questions about one agent may take of it, in per cent; a class and its instances are one. So whoever
   * proposes much leaves something for the others. Left out: 25.
   */
  readonly agent_share_pct?: number
}

/** What one agent may take of a budget that does not say. */
export const USUAL_SHARE_PCT = 25

/** Why it bounds nothing; null: it does. */
export function findAdviserBudgetProblem(budget: AdviserBudget): string | null {
  const { window_s, tokens, usd, agent_share_pct: share = USUAL_SHARE_PCT } = budget
  if (!Number.isSafeInteger(window_s) || window_s < 1) return '`window_s` is no number of seconds'
  if (toBudgetUnits('tokens', tokens) === undefined) return '`tokens` is no amount'
  if (usd !== undefined && toBudgetUnits('usd', usd) === undefined) return '`usd` is no amount'
  const isInside = Number.isSafeInteger(share) && share >= 1 && share <= 100
  return isInside ? null : '`agent_share_pct` is no whole per cent from 1 to 100'
}

/** One request, whom it goes to, and what it is paid from. */
export type ModelQuestion = {
  /** Whom it goes to. */
  readonly provider: ModelProvider
  /** What is asked. */
  readonly request: ModelRequest
  /** What it is paid from. */
  readonly budget: AdviserBudget
  /** Left out: as long as any model may take. */
  readonly timeoutMs?: number
}

/** What came of a question. */
export type AskedModel =
  | {
      readonly kind: 'replied'
      /** What the model said. */
      readonly reply: ModelReply
    }
  | {
      readonly kind: 'failed'
      /** Why there is no reply. */
      readonly reason_code: string
      /** It may be answered later: the provider is down, or the budget of the window is used up. */
      readonly passing: boolean
    }

/** Asks a model for a guard or an auditor. It never rejects: what goes wrong is `failed`. */
export type AskModel = (question: ModelQuestion) => Promise<AskedModel>
