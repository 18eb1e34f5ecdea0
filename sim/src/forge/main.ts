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
import { DISORDERLY } from './disorderly.ts'
import type { Forgery } from './forgery.ts'
import { type HonestFile, type HonestWanted, honestFiles, makeHonestFile } from './honest-files.ts'
import { makeHonestLedger } from './honest-ledger.ts'
import { LAWLESS } from './lawless.ts'
import { type ForgeReport, Tally } from './tally.ts'

export const FORGERIES: readonly Forgery[] = [...DISORDERLY, ...LAWLESS]

const FLOWS_PER_LEDGER = 8
/** Forgeries that are made of one honest ledger. */
const CASES_PER_LEDGER = FORGERIES.length

type ForgeOptions = Partial<HonestWanted> & {
  readonly cases: number
  /** Decisions of honest ledgers that are judged besides, at least. */
  readonly honest?: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}

export async function simForge(options: ForgeOptions): Promise<ForgeReport> {
  const { cases, seed = 1, progress = () => {} } = options
  const rng = new Rng(seed)
  const tally = new Tally()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-forge-cases-'))
  try {
    for (let done = 0; done < cases; done += CASES_PER_LEDGER) {
      const wanted = FORGERIES.slice(0, cases - done)
      await judgeForgeries(folder, wanted, rng, tally)
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
  forgeries: readonly Forgery[],
  rng: Rng,
  tally: Tally,
): Promise<void> {
  const { ledger, signer } = await makeHonestLedger(rng, FLOWS_PER_LEDGER)
  const texts = [await ledger.copy().seal(signer)]
  for (const forgery of forgeries) {
    const forged = ledger.copy()
    forgery.forge(forged, rng)
    texts.push(await forged.seal(signer))
  }
  const files = texts.map((text, index) => {
    const path = join(folder, `${index}.ndjson`)
    writeFileSync(path, text)
    return path
  })
  writeFileSync(join(folder, 'list'), files.join('\n'))
  const oracle = await askOracle(['--list', join(folder, 'list'), '--signatures', 'all', '--json'])
  for (const [index, file] of files.entries()) {
    const law = judgeFile(file, sha256)
    const found = {
      rubicon: codesOf(verifyAny(texts[index] ?? '', nodeCrypto)),
      oracle: codesOf(oracle[index] ?? { findings: [] }),
      law: codesOf(law),
    }
    const forgery = forgeries[index - 1]
    if (forgery === undefined)
      tally.honest({ kind: 'made', name: 'to forge' }, law.decisions, withUnjudged(found, law))
    else tally.forged(forgery, found)
  }
}

/** Every scenario and every storm that is wanted, and as many decisions besides as are still missing. */
async function judgeHonest(
  folder: string,
  { scenarios = 0, storms = 0, honest = 0 }: ForgeOptions,
  rng: Rng,
  tally: Tally,
): Promise<void> {
  for await (const one of honestFiles(folder, { scenarios, storms })) await judgeOne(one, tally)
  while (tally.decisions < honest) await judgeOne(await makeHonestFile(folder, rng), tally)
}

async function judgeOne(one: HonestFile, tally: Tally): Promise<void> {
  const law = judgeFile(one.file, sha256)
  const [oracle = { findings: [] }] = await askOracle([one.file, '--json'])
  const rubicon = codesOf(verifyAny(readFileSync(one.file), nodeCrypto))
  const found = { rubicon, oracle: codesOf(oracle), law: codesOf(law) }
  tally.honest(one, law.decisions, withUnjudged(found, law))
}

type Findings = { readonly findings: readonly { readonly code: string }[] }

function codesOf({ findings }: Findings): string[] {
  return findings.map(({ code }) => code)
}

/** Of an honest ledger there is nothing that the law cannot judge. */
function withUnjudged<F extends { readonly law: readonly string[] }>(
  found: F,
  { unjudged }: ReturnType<typeof judgeFile>,
): F {
  return { ...found, law: [...found.law, ...Object.keys(unjudged)] }
}
