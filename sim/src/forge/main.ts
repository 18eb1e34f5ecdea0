/**
 * `rubicon sim forge`: a forger with the runtime's keys makes ledgers that break the law, one way each.
 * Whoever must find a way and does not has missed it; whoever finds anything in an honest ledger has
 * raised a false alarm.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { judgeFile } from '../../../runtime/src/evidence/law/judge-ledger.ts'
import { Rng } from '../rng.ts'
import { askOracle } from '../tamper/oracle.ts'
import { makeAtomsLedger } from './atoms-ledger.ts'
import { makeDeskLedger } from './desk-ledger.ts'
import { DISORDERLY } from './disorderly.ts'
import { makeEventsLedger } from './events-ledger.ts'
import type { Detector, Forgery, LedgerName } from './forgery.ts'
import { makeHalfJobsLedger } from './half-jobs-ledger.ts'
import { HALF_UNDONE } from './half-undone.ts'
import {
  generateHonestFiles,
  type HonestFile,
  type HonestWanted,
  makeHonestFile,
} from './honest-files.ts'
import { type HonestLedger, makeHonestLedger } from './honest-ledger.ts'
import { INVENTED } from './invented.ts'
import { LAWLESS } from './lawless.ts'
import { MISLED } from './misled.ts'
import { PREEMPTED } from './preempted.ts'
import { makeProofsLedger } from './proofs-ledger.ts'
import { RESENT } from './resent.ts'
import { STOPPED } from './stopped.ts'
import { type ForgeReport, ForgeTally } from './tally.ts'
import { UNAPPROVED } from './unapproved.ts'
import { UNPROVEN } from './unproven.ts'
import { UNSETTLED } from './unsettled.ts'

export const FORGERIES: readonly Forgery[] = [
  ...DISORDERLY,
  ...LAWLESS,
  ...UNAPPROVED,
  ...MISLED,
  ...RESENT,
  ...STOPPED,
  ...INVENTED,
  ...HALF_UNDONE,
  ...UNPROVEN,
  ...PREEMPTED,
  ...UNSETTLED,
]

const FLOWS_PER_LEDGER = 8
const MAKERS: Readonly<Record<LedgerName, (rng: Rng) => Promise<HonestLedger>>> = {
  payments: (rng) => makeHonestLedger(rng, FLOWS_PER_LEDGER),
  desk: makeDeskLedger,
  'half jobs': makeHalfJobsLedger,
  proofs: makeProofsLedger,
  events: makeEventsLedger,
  atoms: makeAtomsLedger,
}
/** Forgeries that are made of one honest ledger of each name. */
const CASES_PER_LEDGER = FORGERIES.length

type ForgeOptions = Partial<HonestWanted> & {
  readonly cases: number
  /** Decisions of honest ledgers that are judged besides, at least. */
  readonly honest?: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}

export async function runForgeProof(options: ForgeOptions): Promise<ForgeReport> {
  const { cases, seed = 1, progress = () => {} } = options
  const rng = new Rng(seed)
  const tally = new ForgeTally()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-forge-cases-'))
  try {
    for (let done = 0; done < cases; done += CASES_PER_LEDGER) {
      const wanted = FORGERIES.slice(0, cases - done)
      for (const name of Object.keys(MAKERS) as LedgerName[]) {
        const made = wanted.filter(({ of }) => of === name)
        if (made.length > 0) await judgeForgeries(folder, name, made, rng, tally)
      }
      progress(Math.min(cases, done + CASES_PER_LEDGER), cases)
    }
    await judgeHonest(folder, options, rng, tally)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return tally.report()
}

async function judgeForgeries(
  folder: string,
  name: LedgerName,
  forgeries: readonly Forgery[],
  rng: Rng,
  tally: ForgeTally,
): Promise<void> {
  const { ledger, signer } = await MAKERS[name](rng)
  const cases: Case[] = [{ forgery: null, text: await ledger.copy().seal(signer) }]
  for (const forgery of forgeries) {
    const forged = ledger.copy()
    forgery.forge(forged, rng)
    cases.push({ forgery, text: await forged.seal(signer) })
  }
  const files = cases.map(({ text }, index) => {
    const path = join(folder, `${index}.ndjson`)
    writeFileSync(path, text)
    return path
  })
  const oracle = await askSecond(folder, files, cases)
  for (const [index, one] of cases.entries()) {
    const file = files[index] ?? ''
    const law = isAsked(one, 'law') ? judgeFile(file, sha256) : null
    const rubicon = isAsked(one, 'verifiers') ? listCodes(verifyAny(one.text, nodeCrypto)) : []
    const found = { rubicon, oracle: oracle.get(file) ?? [], law: listCodes(law ?? NOTHING) }
    if (one.forgery !== null) tally.recordForgery(one.forgery, found)
    else if (law !== null)
      tally.recordHonestFile({ kind: 'made', name }, law.decisions, addUnjudged(found, law))
  }
}

type Case = { readonly forgery: Forgery | null; readonly text: string }

/** Whoever need not find it is not asked; of an honest ledger everybody is. */
function isAsked({ forgery }: Case, detector: Detector): boolean {
  return forgery === null || forgery.detectors.includes(detector)
}

/** The codes that the second verifier finds, by file. */
async function askSecond(
  folder: string,
  files: readonly string[],
  cases: readonly Case[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = files.filter((_, index) => isAsked(cases[index] ?? EVERYBODY, 'verifiers'))
  const list = join(folder, 'list')
  writeFileSync(list, asked.join('\n'))
  const judged = await askOracle(['--list', list, '--signatures', 'all', '--json'])
  return new Map(asked.map((file, index) => [file, listCodes(judged[index] ?? NOTHING)]))
}

const EVERYBODY: Case = { forgery: null, text: '' }
const NOTHING: Findings = { findings: [] }

/** Every scenario and every storm that is wanted, and as many decisions besides as are still missing. */
async function judgeHonest(
  folder: string,
  { scenarios = 0, storms = 0, honest = 0 }: ForgeOptions,
  rng: Rng,
  tally: ForgeTally,
): Promise<void> {
  for await (const one of generateHonestFiles(folder, { scenarios, storms }))
    await judgeOne(one, tally)
  while (tally.decisions < honest) await judgeOne(await makeHonestFile(folder, rng), tally)
}

async function judgeOne(one: HonestFile, tally: ForgeTally): Promise<void> {
  const law = judgeFile(one.file, sha256)
  const [oracle = NOTHING] = await askOracle([one.file, '--json'])
  const rubicon = listCodes(verifyAny(readFileSync(one.file), nodeCrypto))
  const found = { rubicon, oracle: listCodes(oracle), law: listCodes(law) }
  tally.recordHonestFile(one, law.decisions, addUnjudged(found, law))
}

type Findings = { readonly findings: readonly { readonly code: string }[] }

function listCodes({ findings }: Findings): string[] {
  return findings.map(({ code }) => code)
}

/** Of an honest ledger there is nothing that the law cannot judge. */
function addUnjudged<F extends { readonly law: readonly string[] }>(
  found: F,
  { unjudged }: ReturnType<typeof judgeFile>,
): F {
  return { ...found, law: [...found.law, ...Object.keys(unjudged)] }
}
