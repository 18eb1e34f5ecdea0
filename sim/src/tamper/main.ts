/**
 * Tampers with every entry of many ledgers and asks both verifiers. A case is missed when a verifier
 * finds nothing; its place is wrong when the first finding is elsewhere than it must be.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCrypto, parseTrust, verifyAny } from 'rubicon-verifier'
import { Rng } from '../rng.ts'
import {
  cutTail,
  rehash,
  removeEntry,
  replaceByte,
  swapEntries,
  type TamperCase,
  type TamperKind,
} from './cases.ts'
import { makeLedger } from './ledgers.ts'
import { askOracle, type Judged, type OracleFinding } from './oracle.ts'

const ENTRIES_PER_LEDGER = 50
const OTHERS: readonly ((lines: readonly string[], rng: Rng) => TamperCase)[] = [
  removeEntry,
  swapEntries,
  rehash,
  cutTail,
]

export type TamperReport = {
  readonly cases: Readonly<Record<TamperKind, number>>
  readonly missed: { readonly rubicon: number; readonly oracle: number }
  readonly wrong_place: number
  /** Untouched ledgers that were not found good. */
  readonly false_alarms: number
  /** Of ledgers re-signed with other keys: refused under `--trust`, by both verifiers. */
  readonly resigned: { readonly cases: number; readonly accepted: number }
  readonly examples: readonly string[]
}

export async function runTamperProof(options: {
  readonly entries: number
  /** Cases of each other kind. */
  readonly others?: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<TamperReport> {
  const rng = new Rng(options.seed ?? 1)
  const others = options.others ?? 200
  const ledgers = Math.ceil(options.entries / ENTRIES_PER_LEDGER)
  const tally = new Tally()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-tamper-cases-'))
  try {
    let left = options.entries
    let made = 0
    let first: readonly string[] | null = null
    for (let index = 0; left > 0; index++) {
      const lines = await makeLedger(rng, Math.min(ENTRIES_PER_LEDGER, left + 4))
      const size = Math.min(lines.length - 1, left)
      left -= size
      const cases: TamperCase[] = []
      for (let leaf = 0; leaf < size; leaf++) cases.push(replaceByte(lines, leaf, rng))
      const share = Math.ceil((others - made) / Math.max(1, ledgers - index))
      made += share
      for (const make of OTHERS) for (let i = 0; i < share; i++) cases.push(make(lines, rng))
      await judgeLedger(folder, lines, cases, tally)
      if (first === null) first = lines
      else if (index <= 5) await judgeResigned(folder, first, lines, tally)
      options.progress?.(options.entries - left, options.entries)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tally.report()
}

/** A file per case; both verifiers read the files. */
async function judgeLedger(
  folder: string,
  lines: readonly string[],
  cases: readonly TamperCase[],
  tally: Tally,
): Promise<void> {
  const good = Buffer.from(lines.map((line) => `${line}\n`).join(''))
  const here = join(folder, 'batch')
  mkdirSync(here)
  const files = [good, ...cases.map(({ bytes }) => bytes)].map((bytes, index) => {
    const path = join(here, `${index}.ndjson`)
    writeFileSync(path, bytes)
    return { path, bytes }
  })
  writeFileSync(join(here, 'list'), files.map(({ path }) => path).join('\n'))
  const oracle = askOracle(['--list', join(here, 'list'), '--json'])
  const ours = files.map(({ bytes }): Judged => verifyAny(bytes, nodeCrypto))
  const theirs = await oracle
  for (const [index, judged] of ours.entries()) {
    const other = theirs[index] ?? { ok: true, findings: [] }
    const tampered = cases[index - 1]
    if (tampered === undefined) tally.recordUntouched(judged, other)
    else tally.recordTampered(tampered, judged, other)
  }
  rmSync(here, { recursive: true })
}

async function judgeResigned(
  folder: string,
  trusted: readonly string[],
  lines: readonly string[],
  tally: Tally,
): Promise<void> {
  const header = JSON.parse(trusted[0] ?? '{}') as {
    keys: { purpose: string; public_key: string }[]
  }
  const key = header.keys.find(({ purpose }) => purpose === 'operator')?.public_key ?? ''
  const trust = parseTrust(key, nodeCrypto.sha256)
  if (!trust.ok) throw new Error(trust.error.summary)
  const text = lines.map((line) => `${line}\n`).join('')
  const file = join(folder, 'resigned.ndjson')
  const keyFile = join(folder, 'key')
  writeFileSync(file, text)
  writeFileSync(keyFile, key)
  const ours = verifyAny(text, nodeCrypto, { trust: trust.value })
  const [theirs] = await askOracle([file, '--trust', keyFile, '--json'])
  tally.recordResigned(ours, theirs ?? { ok: true, findings: [] })
}

class Tally {
  readonly #cases: Record<TamperKind, number> = {
    byte: 0,
    remove: 0,
    reorder: 0,
    rehash: 0,
    tail: 0,
  }
  readonly #missed = { rubicon: 0, oracle: 0 }
  readonly #resigned = { cases: 0, accepted: 0 }
  #wrongPlace = 0
  #falseAlarms = 0
  readonly #examples: string[] = []

  recordUntouched(ours: Judged, theirs: Judged): void {
    if (ours.ok && theirs.ok) return
    this.#falseAlarms += 1
    this.#addExample('an untouched ledger', ours, theirs)
  }

  recordTampered(tampered: TamperCase, ours: Judged, theirs: Judged): void {
    this.#cases[tampered.kind] += 1
    if (ours.ok) this.#missed.rubicon += 1
    if (theirs.ok) this.#missed.oracle += 1
    const right = [ours, theirs].every(({ findings }) => isRightPlace(tampered, findings))
    if (!right) this.#wrongPlace += 1
    if (!right || ours.ok || theirs.ok)
      this.#addExample(tampered.kind, ours, theirs, tampered.places)
  }

  recordResigned(ours: Judged, theirs: Judged): void {
    this.#resigned.cases += 1
    if (ours.ok || theirs.ok) this.#resigned.accepted += 1
  }

  report(): TamperReport {
    return {
      cases: this.#cases,
      missed: this.#missed,
      wrong_place: this.#wrongPlace,
      false_alarms: this.#falseAlarms,
      resigned: this.#resigned,
      examples: this.#examples,
    }
  }

  #addExample(what: string, ours: Judged, theirs: Judged, places: TamperCase['places'] = []): void {
    if (this.#examples.length >= 5) return
    const formatFindings = ({ findings }: Judged): string => JSON.stringify(findings.slice(0, 2))
    this.#examples.push(
      `${what} at ${places.slice(0, 3).join()}: ${formatFindings(ours)} / ${formatFindings(theirs)}`,
    )
  }
}

/** Re-hashing and a cut tail must lead to the checkpoint; the rest to the first place by leaf. */
function isRightPlace({ kind, places }: TamperCase, findings: readonly OracleFinding[]): boolean {
  if (kind === 'rehash') return findings.some(({ code }) => code === 'CHECKPOINT_ROOT')
  if (kind === 'tail') return findings.some(({ code }) => code === 'CHECKPOINT_SIZE')
  const first = findings[0]
  return first !== undefined && places.includes(first.leaf)
}
