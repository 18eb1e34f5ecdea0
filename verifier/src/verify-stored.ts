/**
 * Verifies the entries of a store, without making a file of them.
 *
 * `structure` asks what can be asked fast: ids, payload hashes, sequence, parents and the root, and
 * of the trajectories `authority` and `erasure` everything. Outside them no JSON is parsed: envelopes
 * are put together from their columns and payloads hashed as stored. What is deeper is asked as of a file.
 */
import { type Entry, parseCheckpoint, parseNote } from 'rubicon-kernel'
import {
  type AwayOptions,
  createAudit,
  isSkimmed,
  PROGRESS_EVERY,
  type VerifyOptions,
} from './audit.ts'
import { createAddressCheck } from './crypto/address-check.ts'
import type { AuditCrypto } from './crypto/crypto.ts'
import { checkLogHead, concludeReport } from './ledger/conclude.ts'
import { findUncoveredProblems } from './ledger/covered.ts'
import { createTree, getTrustedSize, type Tree } from './ledger/tree.ts'
import { type CheckedCheckpoint, findTreeProblems } from './ledger/verify-checkpoint.ts'
import { verifyEntries } from './ledger/verify-entry.ts'
import { type ReadEntry, readStored, toPlace } from './reading/read-entry.ts'
import { type Depth, NOWHERE, type Problem, type Report } from './report/report.ts'

/** Enough for two threads to share, little enough to hold. */
const BLOCK = 256

/**
 * How much is asked of the entries of a store, and what is trusted.
 *
 * With `isArchived` only the structure is checked: what lies in an archive can be hashed by nobody here, and whatever
 * depends on it could be anything. Where more was asked for, that is a finding.
 */
export type StoredOptions = VerifyOptions &
  AwayOptions & {
    /** The log's last checkpoint. Entries may have come after it; none may be missing. */
    readonly checkpoint?: string
    /** The newest head of the tree. What is trusted is covered by it, or by a checkpoint. */
    readonly head?: string
    /** How many entries there are, for whoever is told how far it is. */
    readonly size?: number
  }

/** `entries` of one tenant, in tree order. By default their structure. */
export function verifyStored(
  entries: Iterable<Entry>,
  crypto: AuditCrypto,
  options: StoredOptions = {},
): Report {
  const check = beginStored(crypto, options)
  check.push(entries)
  return check.end()
}

/** A verification that is fed with entries as they are read. */
export type StoredCheck = {
  /** Takes the next entries, in tree order. */
  readonly push: (entries: Iterable<Entry>) => void
  /** Says what was found. */
  readonly end: () => Report
}

/** Begins a verification of entries that are read one after the other. */
export function beginStored(crypto: AuditCrypto, options: StoredOptions = {}): StoredCheck {
  const { checkpoint: note } = options
  const wanted = options.depth ?? 'structure'
  const depth = options.isArchived === undefined ? wanted : 'structure'
  const audit = createAudit(undefined, crypto, { ...options, depth }, true)
  const covered = note === undefined ? undefined : parseNoteSize(note)
  const tree = createTree(crypto.sha256, getTrustedSize(options.trust), covered)
  const addresses = crypto.addressCheck ?? createAddressCheck(crypto.sha256)
  let tenant: string | undefined
  let block: Entry[] = []
  let asked: Asked | undefined

  const checkBlock = ({ block: entries, answers }: Asked): void => {
    tenant ??= entries[0]?.envelope.tenant
    const own = answers()
    for (const stored of entries) {
      const leaf = tree.size()
      const problems = own.get(stored)
      if (problems === undefined) audit.findings.add({ ...NOWHERE, leaf }, [CUT_OTHERWISE])
      else if (depth === 'structure' && isSkimmed(stored.envelope, stored.payload))
        audit.skim(toSkimmedEntry(stored, leaf), problems)
      else {
        const read = readStored(stored, leaf)
        audit.findings.add(toPlace(read.entry), read.problems)
        audit.check(read.entry, problems)
      }
      tree.append(stored.id)
      if (tree.size() % PROGRESS_EVERY === 0)
        options.onProgress?.(tree.size(), options.size ?? null)
    }
  }

  /** The questions of a block are asked before the one in front of it is checked. */
  const ask = (): void => {
    const before = asked
    asked = { block, answers: verifyEntries(block.filter(hasPlainColumns), addresses) }
    block = []
    if (before !== undefined) checkBlock(before)
  }

  const push = (entries: Iterable<Entry>): void => {
    for (const entry of entries) {
      block.push(entry)
      if (block.length === BLOCK) ask()
    }
  }

  const end = (): Report => {
    if (block.length > 0) ask()
    if (asked !== undefined) checkBlock(asked)
    const epoch = audit.authority.epoch()
    const { trust, head } = options
    const log = { tenant: tenant ?? '', epoch }
    const checked =
      note === undefined ? undefined : checkLogHead(audit, { checkpoint: note, ...log })
    if (checked !== undefined)
      audit.findings.add(NOWHERE, [...checked.problems, ...coverProblems(checked, tree)])
    audit.findings.add(
      NOWHERE,
      findUncoveredProblems(audit, tree, { head, checked, ...log, trust }),
    )
    audit.findings.add(NOWHERE, findAwayProblems(audit.countArchived(), wanted))
    return concludeReport(audit, checked, tree, options)
  }

  return { push, end }
}

function findAwayProblems(archived: number, wanted: Depth): readonly Problem[] {
  if (archived === 0 || wanted === 'structure') return []
  const detail = `${archived} payloads lie in an archive that is not at hand: only hashes were checked`
  return [{ code: 'ARCHIVE_MISSING', detail }]
}

type Asked = {
  readonly block: readonly Entry[]
  readonly answers: ReturnType<typeof verifyEntries>
}

function toSkimmedEntry({ id, envelope, payload }: Entry, leaf: number): ReadEntry {
  return { leaf, id, envelope, payloadText: payload, payload: null }
}

const CUT_OTHERWISE: Problem = {
  code: 'ENTRY_UNREADABLE',
  detail: 'a column holds a quote or half a surrogate pair',
}

/**
 * The id covers the text of the envelope. With a quote in a column the same text could be cut into
 * columns in two ways, and the id would stand for both.
 */
function hasPlainColumns({ id, envelope, payload }: Entry): boolean {
  const { at, dfid = '', kind, parent, payload_hash, tenant, trajectory } = envelope
  return (
    isPlain(at) &&
    isPlain(dfid) &&
    isPlain(kind) &&
    isPlain(parent ?? '') &&
    isPlain(payload_hash) &&
    isPlain(tenant) &&
    isPlain(trajectory) &&
    isPlain(id) &&
    payload?.isWellFormed() !== false
  )
}

function isPlain(column: string): boolean {
  return !column.includes('"') && column.isWellFormed()
}

function parseNoteSize(note: string): number | undefined {
  const parsed = parseNote(note)
  return parsed.ok ? parseCheckpoint(parsed.value.body)?.size : undefined
}

function coverProblems({ checkpoint }: CheckedCheckpoint, tree: Tree): readonly Problem[] {
  if (checkpoint === null) return []
  const root = tree.rootAt(checkpoint.size)
  return root === undefined
    ? findTreeProblems(checkpoint, tree.size(), tree.root())
    : findTreeProblems(checkpoint, checkpoint.size, root)
}
