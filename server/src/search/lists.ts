/** The lists that are searched: the columns of each, as data. */
import type { FilterSort } from './filter.ts'

export const LIST_NAMES = ['flows', 'executions', 'escalations', 'entries'] as const
export type ListName = (typeof LIST_NAMES)[number]

export type ListShape = {
  readonly table: string
  /** What names a row, and orders those that are alike. */
  readonly key: string
  /** The same as columns, which an index has in order. */
  readonly keys: readonly string[]
  /** What `since` and `until` are about. */
  readonly time: string
  /** The row of `words` that a row is found by. */
  readonly words: string
  /** The same where it is one of few (`asked-words.ts`); null: no index has it. */
  readonly fewWords: string | null
  readonly sorts: Readonly<Record<string, string>>
  readonly order: FilterSort
  /** Orders of what an erased flow has lost, while its row is still in the list. */
  readonly erased: readonly string[]
  /** Members of the query that are columns: any of their words, with commas between them. */
  readonly columns: readonly string[]
  /** Members beside those of every list that only the index answers. */
  readonly searched: readonly string[]
  /** Members that the list has nothing for, and what to use in their place. */
  readonly refused: Readonly<Record<string, string>>
  /** What its rows are counted by; null: the outcomes of verdicts. */
  readonly counted: string | null
}

export const LISTS: Readonly<Record<ListName, ListShape>> = {
  flows: {
    table: 'flow',
    key: 'dfid',
    keys: ['dfid'],
    // When somebody asked for it: the moment in its dfid.
    time: 'dfid',
    words: 'id',
    fewWords: 'id IN (SELECT wanted FROM temp.asked)',
    sorts: {
      opened: 'dfid',
      updated: 'updated_at',
      agent: 'agent',
      kind: 'kind',
      amount: 'amount',
      reason: 'reason',
      state: 'state',
      attempts: 'attempts',
    },
    order: { column: 'opened', descending: true },
    erased: ['kind', 'reason'],
    columns: ['state', 'parent'],
    searched: [],
    refused: {},
    counted: null,
  },
  executions: {
    table: 'execution',
    key: "dfid || ':' || step_id",
    keys: ['dfid', 'step_id'],
    time: 'at',
    words: 'flow',
    fewWords: null,
    sorts: {
      opened: "dfid || ':' || step_id",
      dispatched: 'at',
      agent: 'agent',
      kind: 'kind',
      amount: 'amount',
      reason: 'reason',
      status: 'status',
    },
    order: { column: 'opened', descending: true },
    erased: [],
    columns: ['status', 'dfid'],
    searched: ['since', 'until', 'tag'],
    refused: { outcome: 'an effect has a `status`' },
    counted: 'status',
  },
  escalations: {
    table: 'escalation',
    key: 'id',
    keys: ['id'],
    time: 'at',
    words: 'flow',
    fewWords: null,
    sorts: {
      requested: 'at',
      expires: 'expires_at',
      agent: 'agent',
      kind: 'kind',
      amount: 'amount',
      reason: 'reason',
      impact: 'impact',
    },
    order: { column: 'requested', descending: false },
    erased: ['kind'],
    columns: ['state', 'impact', 'queue', 'ended'],
    searched: ['since', 'until', 'tag'],
    refused: { outcome: 'a request has a `state`, and `ended`' },
    counted: 'state',
  },
  entries: {
    table: 'entry',
    key: 'leaf',
    keys: ['leaf'],
    time: 'at',
    words: 'coalesce(flow, -1 - leaf)',
    fewWords: `(flow IN (SELECT wanted FROM temp.asked WHERE wanted >= 0)
      OR leaf IN (SELECT -1 - wanted FROM temp.asked WHERE wanted < 0))`,
    sorts: { leaf: 'leaf', kind: 'kind', agent: 'agent', reason: 'reason' },
    order: { column: 'leaf', descending: true },
    erased: ['reason'],
    columns: [],
    searched: ['since', 'until', 'agent', 'tag'],
    refused: {},
    counted: null,
  },
}
