/**
 * I3: chains are contiguous, every entry stands where its kind may, hashes recompute, checkpoints sign
 * the tree that there is.
 */
import type { BranchPayload, Entry } from 'rubicon-kernel'
import { computeAddress, toCanonicalJson } from './bytes.ts'
import type { Replayed } from './replay.ts'
import type { Line, Report } from './report.ts'
import { Tree } from './tree.ts'

/** What stands in the authority trajectory, and nowhere else. */
const AUTHORITY_KINDS: readonly string[] = [
  'key',
  'contract',
  'lifecycle',
  'revocation',
  'policy',
  'anchor',
  'source',
  'person',
]

type Raw = Entry & { readonly leaf: number }

export class Chains {
  readonly tree: Tree = new Tree()
  readonly #heads = new Map<
    string,
    { readonly seq: number; readonly id: string; readonly at: string }
  >()
  /** By place. */
  readonly #ids = new Map<string, string>()
  readonly #report: Report
  readonly #thorough: boolean
  #signed = 0

  constructor(report: Report, thorough: boolean) {
    this.#report = report
    this.#thorough = thorough
  }

  add(entry: Raw): Line | null {
    const { id, envelope, payload, leaf } = entry
    const { trajectory, seq, parent, at, kind } = envelope
    const reportProblem = (detail: string): void =>
      this.#report('I3', `${trajectory}/${seq}: ${detail}`)
    const head = this.#heads.get(trajectory)
    if (seq !== (head?.seq ?? -1) + 1) reportProblem(`seq follows ${head?.seq ?? 'nothing'}`)
    const before = kind === 'branch' ? this.#findFork(entry) : (head?.id ?? null)
    if (parent !== before) reportProblem('parent is not the entry before')
    if (head !== undefined && at < head.at) reportProblem('time runs backwards')
    const isFirst = kind === 'root' || kind === 'branch'
    if ((head === undefined) !== isFirst) reportProblem('the first entry alone is a root')
    if (kind !== 'root' && AUTHORITY_KINDS.includes(kind) !== (trajectory === 'authority'))
      reportProblem(`a ${kind} does not stand there`)
    if (leaf !== this.tree.size) reportProblem(`leaf ${leaf} is not the next of ${this.tree.size}`)
    if (payload === null) {
      reportProblem('the payload is missing')
      return null
    }
    if (computeAddress('entry', toCanonicalJson(envelope)) !== id)
      reportProblem('the id does not fit')
    if (computeAddress('payload', payload) !== envelope.payload_hash)
      reportProblem('the payload does not fit')
    const parsed: unknown = JSON.parse(payload)
    if (this.#thorough && toCanonicalJson(parsed) !== payload)
      reportProblem('the payload is not canonical')
    this.tree.add(id)
    this.#heads.set(trajectory, { seq, id, at })
    this.#ids.set(`${trajectory}/${seq}`, id)
    const { dfid, authority_seq: authoritySeq } = envelope
    return { id, leaf, trajectory, seq, kind, at, dfid, authoritySeq, payload: parsed }
  }

  /** The entry that a branch starts from, as it stands in the ledger; undefined: there is none. */
  #findFork({ payload }: Raw): string | undefined {
    const { source } = JSON.parse(payload ?? '') as BranchPayload
    const id = this.#ids.get(`${source.trajectory}/${source.seq}`)
    return id === source.id ? id : undefined
  }

  auditCheckpoint(note: string): void {
    const [, size = '', root = ''] = note.split('\n')
    const count = Number(size)
    if (!(count <= this.tree.size))
      this.#report('I3', `a checkpoint signs ${size} leaves of ${this.tree.size}`)
    else if (this.tree.computeRoot(count).toString('base64') !== root)
      this.#report('I3', `the root of ${size} leaves is another`)
    if (count < this.#signed)
      this.#report('I3', `a checkpoint shrank from ${this.#signed} to ${size}`)
    this.#signed = Math.max(this.#signed, count)
  }

  /** What the store holds at the end is what became durable. */
  finish({ entries, heads }: Pick<Replayed, 'entries' | 'heads'>): void {
    if (entries.length !== this.tree.size)
      this.#report('I4', `${entries.length} entries are left of ${this.tree.size}`)
    for (const { trajectory, seq, id } of heads) {
      const known = this.#heads.get(trajectory)
      if (known?.seq !== seq || known.id !== id)
        this.#report('I3', `the head of ${trajectory} is another`)
    }
  }
}
