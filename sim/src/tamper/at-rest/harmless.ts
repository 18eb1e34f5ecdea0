/**
 * Changes that nobody finds, since nobody believes what was changed. Each has its reason: what reads it,
 * and why nothing follows from it. Whatever is not here and not found is missed.
 */
import type { Change } from './changes.ts'

type Rule = {
  readonly table: string
  /** Which parts of the store; all of the table, where it says nothing. */
  readonly targets?: readonly string[]
  readonly columns?: readonly string[]
  readonly how?: readonly Change['how'][]
  /** What was done says this. */
  readonly says?: string
  readonly because: string
}

const VALUES: readonly Change['how'][] = ['nudge', 'swap', 'older']

const RULES: readonly Rule[] = [
  {
    table: 'tiles',
    because:
      'a tile that is missing or behind a gap is made again, from ids whose tree is held against the head',
  },
  {
    table: 'checkpoints',
    because:
      'only the newest is read, and held against the ledger and its key; without it an older one is, and all are kept outside',
  },
  {
    table: 'flows',
    columns: ['version'],
    how: VALUES,
    because: 'it counts writes, and is compared only with what the same process read',
  },
  {
    table: 'executions',
    columns: ['version'],
    how: VALUES,
    because: 'it counts writes, and is compared only with what the same process read',
  },
  {
    table: 'flows',
    columns: ['opened_at', 'history', 'updated_at', 'snapshot_at'],
    because:
      'shown to people; later than its entry is found where time decides, and earlier only asks or refuses sooner',
  },
  {
    table: 'flows',
    columns: ['tags'],
    because: 'NEEDS_REVIEW and COMPENSATED are words for people: DIRTY and UNKNOWN are folded',
  },
  {
    table: 'flows',
    columns: ['state'],
    says: 'ACTIVE → CLOSED',
    because: 'an agent closes a flow without an entry: to close it is what a holder can do anyway',
  },
  {
    table: 'executions',
    columns: ['probes', 'next_at', 'settled_at', 'epoch'],
    because:
      'when an uncertain effect is looked at again, which a holder can delay: what may follow is judged anew',
  },
  {
    table: 'executions',
    columns: ['reason_code', 'details', 'result', 'receipt'],
    because: 'what is on its way, or not known yet, is told by its status alone',
  },
  {
    table: 'counters',
    targets: ['other counters'],
    because: 'it belongs to a flow that is over, or keeps noise down: nothing is allowed by it',
  },
  {
    table: 'counters',
    how: ['insert'],
    because: 'a counter of another name is asked for by nobody',
  },
  {
    table: 'records',
    targets: ['records: memory', 'records: notice'],
    because: 'memory is shown to agents and notices are sent to people: no gate reads either',
  },
  {
    table: 'records',
    targets: ['records: lock'],
    how: ['insert', 'nudge', 'swap'],
    because: 'a hold too many, or under another version, only refuses',
  },
]

export function harmlessBecause({ target, how, column }: Change, what: string): string | null {
  const rule = RULES.find(
    ({ table, targets, columns, how: ways, says = '' }) =>
      what.includes(says) &&
      table === target.table &&
      (targets?.includes(target.name) ?? true) &&
      (columns === undefined || (column !== undefined && columns.includes(column))) &&
      (ways?.includes(how) ?? true),
  )
  return rule?.because ?? null
}
