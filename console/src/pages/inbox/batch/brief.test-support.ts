/** A brief of a small purchase, as the server sends it. */
import type { EscalationBrief } from 'rubicon-agents/client'

export function brief(id: string, change: Partial<EscalationBrief> = {}): EscalationBrief {
  return {
    id,
    kind: 'proposal',
    dfid: id,
    agent_id: 'buyer',
    step_id: '1',
    attempt: 1,
    impact: 'LOW_IMPACT',
    impact_reasons: [],
    exposure: { measure: 'usd', value: '10', threshold: '100' },
    reversible: true,
    queue: 'approval',
    channel: 'operator',
    needs: 1,
    approvers: [],
    requested_at: '2026-01-01T00:00:00.000Z',
    not_before: '2026-01-01T00:00:00.000Z',
    expires_at: '2026-01-01T01:00:00.000Z',
    now: '2026-01-01T00:10:00.000Z',
    state: 'open',
    ended: null,
    claimed: null,
    comments: [],
    action: 'PURCHASE',
    object: id,
    summary: null,
    effect: null,
    outlook: { kind: 'runs' },
    why: [],
    measures: {},
    facts: [],
    claims: {
      trigger: '',
      justification: null,
      confidence: null,
      explanation: null,
      asks: null,
    },
    budgets: [],
    asked_this_hour: null,
    before: { overridden: 0, modified: 0, aborted: 0, expired: 0, median_ms: null },
    acknowledge: null,
    binds: {
      intent_digest: `digest ${id}`,
      shown_snapshot: 'snapshot',
      shown_facts: 'facts',
      facts_digest: null,
      rules_hash: 'rules',
      lifts: ['limit'],
    },
    decisions: [],
    may: { OVERRIDE: null, MODIFY: null, ABORT: null },
    abort_ends_agent: false,
    schema: null,
    ...change,
  }
}

/** With what it reads of the account, and what it would make of it. */
export function spending(id: string, before: string | null, after: string): EscalationBrief {
  const own = brief(id)
  const value = before === null ? null : { spent: before }
  return {
    ...own,
    binds: { ...own.binds, shown_facts: `facts ${before}` },
    facts: [
      {
        layer: 'world',
        name: 'account/purchases',
        source: 'ledger',
        label: 'trusted',
        observed_at: null,
        version: '1',
        was: value,
        is: value,
        moved: false,
      },
    ],
    effect: {
      changes: [{ subject: 'purchases', field: 'spent', before, after, unit: 'USD' }],
      holds: [],
      params: {},
    },
  }
}
