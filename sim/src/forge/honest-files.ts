/** Ledgers in which nobody may find anything: of every scenario, of storms, and made for it. */
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RubiconError } from '../../../runtime/src/compose.ts'
import { SCENARIOS } from '../../../scenarios/src/index.ts'
import { type Played, playScenario } from '../../../server/src/demo/play.ts'
import type { Rng } from '../rng.ts'
import { makeHonestLedger } from './honest-ledger.ts'
import { createStormLedger } from './storm-ledger.ts'

export type HonestKind = 'scenario' | 'storm' | 'made'
export type HonestFile = { readonly kind: HonestKind; readonly name: string; readonly file: string }

export type HonestWanted = {
  /** So many scenarios of `rubicon demo`, in the order of its list. */
  readonly scenarios: number
  /** So many seeds of the storm. */
  readonly storms: number
}

const MADE_FLOWS = 250

/** A file is there until the next is asked for. */
export async function* generateHonestFiles(
  folder: string,
  { scenarios, storms }: HonestWanted,
): AsyncGenerator<HonestFile> {
  for (const { name, load } of SCENARIOS.slice(0, scenarios)) {
    const played = await playScenario(await load()).catch(ignoreMissingServer)
    if (played === null) continue
    if (!played.expected) throw new Error(`scenario ${name} does not end as expected`)
    const { file } = played.ledger
    yield { kind: 'scenario', name, file }
    rmSync(dirname(file), { recursive: true, force: true })
  }
  const file = join(folder, 'honest.ndjson')
  for (let index = 1; index <= storms; index++) {
    const { seed, text } = await createStormLedger(index)
    writeFileSync(file, text)
    yield { kind: 'storm', name: `seed ${seed}`, file }
  }
}

export async function makeHonestFile(folder: string, rng: Rng): Promise<HonestFile> {
  const file = join(folder, 'honest.ndjson')
  const { ledger, signer } = await makeHonestLedger(rng, MADE_FLOWS)
  writeFileSync(file, await ledger.seal(signer))
  return { kind: 'made', name: 'ledger', file }
}

/** The one thing that a machine may lack. */
function ignoreMissingServer(error: unknown): Played | null {
  if (error instanceof RubiconError && error.code === 'POSTGRES_MISSING') return null
  throw error
}
