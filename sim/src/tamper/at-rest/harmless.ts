/**
 * Changes that are not found, each with the reason; both are decided from what the change did to the rows,
 * before anybody looked. `harmless`: nobody acts on what was changed. `out_of_reach`: somebody might, and
 * nothing that was signed says what it was; `docs/guides/deploying.md` says so. Whatever is neither and is
 * not found is missed.
 */
import type { Change } from './changes.ts'
import type { RowChange, TableRows } from './diff.ts'
import type { Row } from './holder.ts'

export type Excuse = {
  readonly as: 'harmless' | 'out_of_reach'
  readonly because: string
}

/** The rows of the table that was changed, before and after. */
export type Done = {
  readonly change: Change
  readonly rows: readonly RowChange[]
  readonly before: TableRows
  readonly after: TableRows
  readonly endedFlows: ReadonlySet<string>
}

const toHarmless = (because: string): Excuse => ({ as: 'harmless', because })
const toOutOfReach = (because: string): Excuse => ({ as: 'out_of_reach', because })

/** Null: there is none, and it has to be found. */
export function findExcuse(done: Done): Excuse | null {
  if (done.rows.length === 0) return null
  const excuses = done.rows.map((row) => findRowExcuse(row, done))
  return excuses.every((one) => one !== null) ? (excuses[0] ?? null) : null
}

function findRowExcuse(row: RowChange, done: Done): Excuse | null {
  if (row.before === null && row.after?.tenant !== 'default')
    return toHarmless('a row of a tenant that nobody has opened')
  return BY_TABLE[row.table]?.(row, done) ?? null
}

const BY_TABLE: Readonly<Record<string, (row: RowChange, done: Done) => Excuse | null>> = {
  tiles({ before, after }, done) {
    const isBehind = before === null && Number(after?.number) >= done.before.size
    return isBehind
      ? toHarmless('a tile behind the tree is replaced when the tree gets there')
      : null
  },
  checkpoints(_, { before, after }) {
    const [was, is] = [findNewestNote(before), findNewestNote(after)]
    const isSame = JSON.stringify(was) === JSON.stringify(is)
    return isSame
      ? toHarmless('only the newest checkpoint is read, and that one is as it was')
      : null
  },
  flows(row) {
    if (row.before === null || row.after === null) return null
    return findColumnsExcuse(row, FLOW_COLUMNS)
  },
  executions(row) {
    const { before, after } = row
    if (before === null || after === null) return null
    const isUnderWay = before.status === 'DISPATCHED' || before.status === 'ACCEPTED'
    const isOfEnded = before.status !== 'DISPATCHED' || Number(after.epoch) <= Number(before.epoch)
    return (
      findColumnsExcuse(row, EXECUTION_COLUMNS) ??
      (isUnderWay ? findColumnsExcuse(row, TOLD_LATER) : null) ??
      (isOfEnded ? findColumnsExcuse(row, ENGINE_COLUMN) : null)
    )
  },
  counters(row, done) {
    const id = String((row.before ?? row.after)?.id)
    if (OUTCOME_COUNTER.test(id)) return COUNTS_OUTCOMES
    if (AGENT_COUNTER.test(id)) return findCodeExcuse(row, done)
    if (row.before === null) return toHarmless('a counter of a name that nobody asks for')
    const ofEnded = done.endedFlows.has(id.slice(0, UUID_LENGTH))
    return ofEnded ? toHarmless('a counter of a flow that has ended: nothing is taken of it') : null
  },
  resources(row) {
    if (row.before === null)
      return toOutOfReach('a resource under a key that is not its own is listed, and never read')
    return row.after === null ? null : findColumnsExcuse(row, { last_entry: SHOWN })
  },
  world_nodes: ({ before }) =>
    before === null ? toHarmless('a page that no page of the World names is not read') : null,
  records(row, done) {
    const kind = String((row.before ?? row.after)?.record)
    // The ledger says of which instances there is one.
    if (kind === 'instance' && row.after === null) return null
    return kind in UNVOUCHED ? (UNVOUCHED[kind] ?? null) : findCodeExcuse(row, done)
  },
}

const COUNTS_WRITES = toHarmless(
  'it counts writes, and is compared only with what the same process read',
)
const COUNTS_OUTCOMES = toHarmless(
  'it counts outcomes, and is compared only with what the same process read before it recorded one',
)
const SHOWN = toOutOfReach('shown to people, and in no entry')

const FLOW_COLUMNS: Readonly<Record<string, Excuse>> = {
  version: COUNTS_WRITES,
  history: SHOWN,
  part: toOutOfReach('a flow is hidden from lists, or shown in another'),
  updated_at: toOutOfReach('an earlier time: what is silent is asked about sooner'),
  snapshot_at: toOutOfReach('an earlier time: what was shown is refused as stale sooner'),
  tags: toOutOfReach(
    'NEEDS_REVIEW and COMPENSATED are words for people; DIRTY and UNKNOWN are folded',
  ),
}
const EXECUTION_COLUMNS: Readonly<Record<string, Excuse>> = {
  version: COUNTS_WRITES,
  next_at: toOutOfReach('when an uncertain effect is looked at again can be delayed'),
}
const ENGINE_COLUMN: Readonly<Record<string, Excuse>> = {
  epoch: toHarmless(
    'of an engine that has ended, whichever: what it had on its way is looked into',
  ),
}
const NOT_READ = toHarmless('replaced with the outcome before anybody is told')
const TOLD_LATER: Readonly<Record<string, Excuse>> = {
  reason_code: NOT_READ,
  details: NOT_READ,
  result: NOT_READ,
  receipt: NOT_READ,
}
const UNVOUCHED: Readonly<Record<string, Excuse>> = {
  memory: toOutOfReach(
    'memory is shown to agents, whose proposals are judged whatever they have read',
  ),
  notice: toOutOfReach('notices are sent to people'),
}
const AGENT_COUNTER = /^(?:(?:window|waits|rejected|dirty|spawned|released) |rejections:)/
const OUTCOME_COUNTER = /^(?:succeeded|failed) /
const UUID_LENGTH = 36

/** A row that is gone shows no wrong code, and neither does one that is put back with the code it had. */
function findCodeExcuse({ before, after, columns }: RowChange, { change }: Done): Excuse | null {
  if (before !== null && after === null && change.how !== 'nudge' && change.how !== 'swap')
    return toOutOfReach('a row that follows from no entry is deleted')
  if (change.how === 'older' && columns.includes('code'))
    return toOutOfReach('a row that follows from no entry is put back with the code that it had')
  return null
}

function findColumnsExcuse(
  { columns }: RowChange,
  excuses: Readonly<Record<string, Excuse>>,
): Excuse | null {
  const found = columns.map((name) => excuses[name] ?? null)
  return found.length > 0 && found.every((one) => one !== null)
    ? (found.find((one) => one?.as === 'out_of_reach') ?? found[0] ?? null)
    : null
}

function findNewestNote(rows: TableRows): Row | null {
  const toNotePlace = ({ epoch, size }: Row): readonly number[] => [Number(epoch), Number(size)]
  const [newest] = [...rows.values()].sort((a, b) => {
    const [x, y] = [toNotePlace(a), toNotePlace(b)]
    return (y[0] ?? 0) - (x[0] ?? 0) || (y[1] ?? 0) - (x[1] ?? 0)
  })
  return newest ?? null
}
