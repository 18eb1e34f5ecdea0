import type { NoticeKind } from './channel.ts'

/** What happened; the agent is named behind it. */
export const NOTICE_WORDS: Readonly<Record<NoticeKind, string>> = {
  escalation: 'a request waits for approval',
  expiry: 'a request expired without a decision',
  suspension: 'an agent was suspended',
  dirty_flow: 'half of a job is done',
  needs_review: 'an action was flagged for review',
  manual_review: 'the outcome of an action is unknown and must be settled',
  drift: 'the world moved too far under a decision',
  adviser_budget: 'an adviser has used up its budget',
  tool_drift: 'a tool is not the one that was approved',
}
