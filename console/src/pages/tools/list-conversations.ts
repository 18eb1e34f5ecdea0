import type { FlowSummary } from 'rubicon-agents/client'

export type ConversationRow = {
  readonly conversation: string
  readonly calls: number
  /** For a person. */
  readonly waiting: number
  /** When its newest call was opened. */
  readonly latest: string
}

type Listed = Pick<FlowSummary, 'conversation' | 'opened_at' | 'state'>

/** `flows`: newest first, as are the conversations. Flows of no conversation are left out. */
export function listConversations(flows: readonly Listed[]): readonly ConversationRow[] {
  const rows = new Map<string, ConversationRow>()
  for (const { conversation, opened_at, state } of flows) {
    if (conversation === null) continue
    const row = rows.get(conversation) ?? { conversation, calls: 0, waiting: 0, latest: opened_at }
    const waiting = row.waiting + (state === 'ESCALATED' ? 1 : 0)
    rows.set(conversation, { ...row, calls: row.calls + 1, waiting })
  }
  return [...rows.values()]
}
