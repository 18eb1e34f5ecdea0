/**
 * `rubicon sim forge`: a forger with the runtime's keys makes ledgers that break the law, one way each.
 * Whoever must find a way and does not has missed it; whoever finds anything in an honest ledger has
 * raised a false alarm.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { judgeFile } from '../../../runtime/src/evidence/law/judge-ledger.ts'
import { Rng } from '../rng.ts'
import { askOracle } from '../tamper/oracle.ts'
import { DISORDERLY } from './disorderly.ts'
import type { Forgery } from './forgery.ts'
import { makeHonestLedger } from './honest-ledger.ts'
import { LAWLESS } from './lawless.ts'

export const FORGERIES: readonly Forgery[] = [...DISORDERLY, ...LAWLESS]

const FLOWS_PER_LEDGER = 8
/** Forgeries that are made of one honest ledger. */
const CASES_PER_LEDGER = FORGERIES.length

type Class = { cases: number; missed: number }

export type ForgeReport = {
  readonly cases: number
  readonly by_class: Readonly<Record<string, Class>>
  /** By who should have found it. */
  readonly missed: { readonly rubicon: number; readonly oracle: number; readonly law: number }
  readonly honest: { readonly decisions: number; readonly false_alarms: number }
  readonly examples: readonly string[]
}

export async function simForge(options: {
  readonly cases: number
  /** Decisions of honest ledgers that are judged besides. */
  readonly honest?: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}): Promise<ForgeReport> {
  const { cases, honest = 0, seed = 1, progress = () => {} } = options
  const rng = new Rng(seed)
  const tally = new Tally()
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-forge-cases-'))
  try {
    for (let done = 0; done < cases; done += CASES_PER_LEDGER) {
      const wanted = FORGERIES.slice(0, cases - done)
      await judgeForgeries(folder, wanted, rng, tally)
      progress(Math.min(cases, done + CASES_PER_LEDGER), cases)
    }
    while (tally.decisions < honest) await judgeHonest(folder, rng, tally)
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
    const found: Found = {
      rubicon: codesOf(verifyAny(texts[index] ?? '', nodeCrypto)),
      oracle: codesOf(oracle[index] ?? { findings: [] }),
      law: codesOf(judgeFile(file, sha256)),
    }
    const forgery = forgeries[index - 1]
    if (forgery === undefined) tally.honest(0, found)
    else tally.forged(forgery, found)
  }
}

const HONEST_FLOWS = 250

async function judgeHonest(folder: string, rng: Rng, tally: Tally): Promise<void> {
  const { ledger, signer } = await makeHonestLedger(rng, HONEST_FLOWS)
  const file = join(folder, 'honest.ndjson')
  const text = await ledger.seal(signer)
  writeFileSync(file, text)
  const law = judgeFile(file, sha256)
  const [oracle = { findings: [] }] = await askOracle([file, '--json'])
  const rubicon = codesOf(verifyAny(text, nodeCrypto))
  tally.honest(law.decisions, { rubicon, oracle: codesOf(oracle), law: codesOf(law) })
}

type Found = Readonly<Record<'rubicon' | 'oracle' | 'law', readonly string[]>>

function codesOf({
  findings,
}: {
  readonly findings: readonly { readonly code: string }[]
}): string[] {
  return findings.map(({ code }) => code)
}

class Tally {
  readonly #classes = new Map<string, Class>()
  readonly #missed = { rubicon: 0, oracle: 0, law: 0 }
  readonly #examples: string[] = []
  #cases = 0
  #falseAlarms = 0
  decisions = 0

  forged({ name, detectors }: Forgery, found: Found): void {
    this.#cases += 1
    const entry = this.#classes.get(name) ?? { cases: 0, missed: 0 }
    this.#classes.set(name, entry)
    entry.cases += 1
    const asked = detectors.flatMap((one) => (one === 'law' ? ['law'] : ['rubicon', 'oracle']))
    const silent = (['rubicon', 'oracle', 'law'] as const).filter((who) => {
      return asked.includes(who) && found[who].length === 0
    })
    for (const who of silent) this.#missed[who] += 1
    if (silent.length === 0) return
    entry.missed += 1
    this.#example(`${name}: missed by ${silent.join(', ')}`)
  }

  honest(decisions: number, found: Found): void {
    this.decisions += decisions
    const alarms = Object.entries(found).filter(([, codes]) => codes.length > 0)
    if (alarms.length === 0) return
    this.#falseAlarms += 1
    this.#example(`honest: ${alarms.map(([who, codes]) => `${who} ${codes.join()}`).join('; ')}`)
  }

  report(): ForgeReport {
    return {
      cases: this.#cases,
      by_class: Object.fromEntries(this.#classes),
      missed: this.#missed,
      honest: { decisions: this.decisions, false_alarms: this.#falseAlarms },
      examples: this.#examples,
    }
  }

  #example(text: string): void {
    if (this.#examples.length < 20) this.#examples.push(text)
  }
}
