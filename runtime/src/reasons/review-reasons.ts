/** Codes about what models and people make of a flow: opinions that could not be had, and reviews. */
import type { EngineReason } from './engine-reasons.ts'

export const REVIEW_REASONS: Readonly<Record<string, EngineReason>> = {
  ADVISER_BUDGET: {
    means: 'a soft guard or an auditor has nothing left to ask a model with',
    why: 'its budget of the window, or what it may spend on one agent, is used up; it has no opinion until then',
    fix: 'wait for the next window, or give `createModelGuard` or `createModelAuditor` a larger budget',
  },
  COMMENT_INVALID: {
    means: 'a comment on a request cannot be kept',
    why: 'it is empty, no text, or longer than 2,000 characters',
    fix: 'say it in a few sentences',
  },
  COMMENTS_FULL: {
    means: 'the request has the maximum number of comments',
    why: 'the person who decides could not read more of them',
    fix: 'decide the request, or continue the discussion elsewhere',
  },
  REVIEW_NOT_NEEDED: {
    means: 'nothing in the flow waits for a review',
    why: 'a review clears what a soft guard or a limit has flagged, and there is no such flag',
    fix: '`rubicon flows list --tag NEEDS_REVIEW` shows flows that do',
  },
  REVIEW_UNSETTLED: {
    means: 'the flow has to be settled, which a review does not do',
    why: 'an effect of it is under manual review, or it was only partly carried out',
    fix: 'settle it: `rubicon executions resolve DFID [STEP]`',
  },
  REVIEW_STALE: {
    means: 'the flow was flagged again since it was looked at',
    why: 'a review clears only the flags that the person was shown',
    fix: 'look at the flow again, then review it',
  },
}
