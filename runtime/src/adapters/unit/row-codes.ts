/**
 * Rows that follow from no entry carry a code (`records.code`, `counters.code`).
 *
 * R1 a code covers tenant, table, key, version and what the row says: no row can stand in for another.
 * R2 a record of a vouched kind whose code does not fit is absent, and is told: a fact is no fact, a session
 *    nobody's. Where absence would allow something, it is refused (`STORE_DIVERGED`).
 * R3 a counter whose code does not fit is refused: absent, it would count from nothing again.
 * R4 a list has as many rows as were asked for, if there are: what is absent ends no list early.
 *
 * Boundary: a row that is gone, or that was put back with the code it had then, shows no wrong code.
 */
import type { RecordKind, RecordRef, StoredRecord } from '../../ports/record.ts'
import type { RowMac, RowVouching } from '../../ports/row-mac.ts'
import { StoreDiverged } from '../../ports/store-diverged.ts'
import { parseRecord, type Row } from './parse-row.ts'

/** `absent`, `refused`: what a row with a wrong code is. `unvouched`: it has none. */
type Vouching = 'absent' | 'refused' | 'unvouched'

const VOUCHED: Readonly<Record<RecordKind, Vouching>> = {
  session: 'absent',
  session_token: 'absent',
  person_session: 'absent',
  person_identity: 'absent',
  observation: 'absent',
  agent_state: 'absent',
  note: 'absent',
  artifact: 'absent',
  artifact_chunk: 'absent',
  timer: 'absent',
  // The fold of a flow misses a request that waits, and half a job that is open.
  escalation: 'absent',
  dirty_flow: 'absent',
  finding: 'absent',
  // Words of a colleague that nobody said would be shown to whoever decides.
  escalation_comments: 'absent',
  // Absent, State is read when a flow opens, and a change counts as the first.
  state_snapshot: 'absent',
  last_wake: 'absent',
  // Absent, somebody is asked once more.
  approved_capability: 'absent',
  unlinked_identity: 'refused',
  agent_stop: 'refused',
  spoken_paths: 'refused',
  escalation_budget: 'refused',
  silence: 'refused',
  settled_effect: 'refused',
  instance: 'refused',
  spawned_instance: 'refused',
  spawned_child: 'refused',
  audit_cursor: 'refused',
  // What monitors have seen: one that was moved on would stop nobody any more.
  monitor_cursor: 'refused',
  monitor_samples: 'refused',
  lock: 'refused',
  // Whose proposals exclude one another.
  event: 'refused',
  // Whatever it says, the event itself says whether it may go.
  event_due: 'unvouched',
  // Gone, it is as if nothing had been proposed.
  bid: 'absent',
  admitted_tokens: 'refused',
  // Absent, the payloads that it names are missing, which is found where they are read.
  archive: 'absent',
  // Gone, what it reserves would be free.
  generation: 'refused',
  // Gone, what it reserves would be free; open again, it could be used twice.
  atom: 'refused',
  // Whatever it says, the atom itself says what is to be done.
  atom_due: 'unvouched',
  // Compared with the entry that confirms it.
  clock: 'unvouched',
  // Its hashes stand in an entry, and it is held against them before anybody reads it.
  generation_text: 'unvouched',
  // Shown to agents, whose proposals are judged whatever they have read.
  memory: 'unvouched',
  // Made again from what they are an index of, or only shown to people.
  noted_flow: 'unvouched',
  conversation: 'unvouched',
  artifact_word: 'unvouched',
  artifact_totals: 'unvouched',
  leaf_block: 'unvouched',
  notice: 'unvouched',
  // A name to look under; what is found there has a code.
  signed_in: 'unvouched',
  // Written by hand, it would have what happens told to somebody else.
  channel: 'absent',
  // Whoever could change these could as well drop them, and nobody would be told.
  channel_standing: 'unvouched',
  channel_notice: 'unvouched',
  escalation_claim: 'unvouched',
  // It saves work and decides nothing.
  flow_claim: 'unvouched',
  // A hint: whoever hears it looks into the store.
  bus_letter: 'unvouched',
  // Gone, a captured handshake opens a session that nobody without the key can use.
  handshake_nonce: 'unvouched',
  // One that was written by hand refuses a request; one that is gone shows no wrong code either.
  request_nonce: 'unvouched',
  http_reply: 'unvouched',
  http_reply_due: 'unvouched',
}

/** Counters of agents. Those of a writ are named after it, and compared with a fold of its flow. */
const AGENT_COUNTER = /^(?:(?:window|waits|rejected|dirty|spawned) |rejections:)/

/** How many distrusted rows are told once only; then each is told again. */
const MOST_TOLD = 1024

export class RowCodes {
  readonly #tenant: string
  readonly #mac: RowMac | undefined
  readonly #distrusted: (problem: StoreDiverged) => void
  readonly #told: Set<string> = new Set()

  constructor(tenant: string, { rowMac, distrusted = () => {} }: RowVouching) {
    this.#tenant = tenant
    this.#mac = rowMac
    this.#distrusted = distrusted
  }

  /** Null: a record of this kind has none, or nobody vouches for rows here. */
  recordCode(row: RecordRef & { readonly version: number }, body: string): string | null {
    if (VOUCHED[row.record] === 'unvouched') return null
    return this.#mac?.code(this.#recordText(row, body)) ?? null
  }

  computeCounterCode(id: string, used: number): string | null {
    if (!AGENT_COUNTER.test(id)) return null
    return this.#mac?.code(this.#formatCounterText(id, used)) ?? null
  }

  /** Undefined: it is not believed. Throws where it is refused. */
  record<K extends RecordKind>(row: Row): StoredRecord<K> | undefined {
    return this.isRecord(row) ? parseRecord<K>(row) : undefined
  }

  isRecord(row: Row): boolean {
    const { record, grp, key, version, body, code } = row as RecordRow
    const vouching = VOUCHED[record]
    if (this.#mac === undefined || vouching === 'unvouched') return true
    const text = this.#recordText({ record, group: grp, key, version }, body)
    if (code !== null && this.#mac.isCode(text, code)) return true
    const problem = new StoreDiverged(
      `record \`${record} ${grp} ${key}\``,
      'this runtime did not write it',
    )
    this.#tell(text, problem)
    if (vouching === 'refused') throw problem
    return false
  }

  /** `row`: undefined where there is none. */
  parseCounter(id: string, row: Row | undefined): number {
    if (row === undefined) return 0
    const { used, code } = row as CounterRow
    if (this.#mac === undefined || !AGENT_COUNTER.test(id)) return used
    const text = this.#formatCounterText(id, used)
    if (code !== null && this.#mac.isCode(text, code)) return used
    const problem = new StoreDiverged(`counter \`${id}\``, 'this runtime did not write it')
    this.#tell(text, problem)
    throw problem
  }

  #recordText(row: RecordRef & { readonly version: number }, body: string): string {
    const { record, group, key, version } = row
    return `${JSON.stringify([this.#tenant, 'records', record, group, key, version])}${body}`
  }

  #formatCounterText(id: string, used: number): string {
    return JSON.stringify([this.#tenant, 'counters', id, used])
  }

  #tell(text: string, problem: StoreDiverged): void {
    if (this.#told.has(text)) return
    if (this.#told.size >= MOST_TOLD) this.#told.clear()
    this.#told.add(text)
    this.#distrusted(problem)
  }
}

type RecordRow = {
  readonly record: RecordKind
  readonly grp: string
  readonly key: string
  readonly version: number
  readonly body: string
  readonly code: string | null
}
type CounterRow = { readonly used: number; readonly code: string | null }
