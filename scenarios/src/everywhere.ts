/**
 * The same scenario on every store, and with its agents and people at the other end of a wire: what was decided, and what it
 * left behind, must not depend on it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { playScenario } from '../../server/src/demo/play.ts'
import type { Line, ListedScenario, Scenario, StageStore } from '../../server/src/demo/stage.ts'
import type { Places } from './everywhere-places.ts'

export const STAGE_STORES: readonly StageStore[] = ['memory', 'sqlite', 'postgres']

/** Over the wire it plays on the store that people begin with. */
const HTTP_STORE: StageStore = 'sqlite'

/** Many times as long as any of them takes. */
const LONGEST_MS = 120_000

/** What a run came to; `error`: it broke. */
export type PlayedRun = {
  readonly verdicts: readonly string[]
  /** What it left behind; see `hashWorld`. */
  readonly world: string
  readonly effects: string
  /** Every line is what it should be, and the ledger holds. */
  readonly expected: boolean
  readonly error?: string
}

export type PlayedEverywhere = {
  readonly name: string
  readonly stores: Readonly<Partial<Record<StageStore, PlayedRun>>>
  readonly http?: PlayedRun
  readonly equal: boolean
}

export type Wanted = { readonly stores: readonly StageStore[]; readonly http: boolean }

/** `tell` hears of each run when it has ended. */
export async function playEverywhere(
  { name, load }: Pick<ListedScenario, 'name' | 'load'>,
  places: Places,
  wanted: Wanted,
  tell: (where: string, run: PlayedRun) => void = () => {},
): Promise<PlayedEverywhere> {
  const scenario = await load()
  const stores: Partial<Record<StageStore, PlayedRun>> = {}
  for (const store of wanted.stores) {
    const run = await playOn(scenario, places, store, false)
    stores[store] = run
    tell(store, run)
  }
  const runs = Object.values(stores)
  if (!wanted.http) return { name, stores, equal: isOneOutcome(runs) }
  const http = await playOn(scenario, places, HTTP_STORE, true)
  tell('http', http)
  return { name, stores, http, equal: isOneOutcome(runs, http) }
}

/** All as expected, with the same lines and the same world; over the wire with the same lines and effects. */
export function isOneOutcome(runs: readonly PlayedRun[], http?: PlayedRun): boolean {
  const [first] = runs
  if (first?.expected !== true) return false
  const wanted = [...runs, ...(http === undefined ? [] : [{ ...http, world: first.world }])]
  return wanted.every((run) => isDeepStrictEqual(run, first))
}

async function playOn(
  scenario: Scenario,
  places: Places,
  store: StageStore,
  http: boolean,
): Promise<PlayedRun> {
  const { giveBack, ...place } = await places.makePlace(store)
  const folder = mkdtempSync(join(tmpdir(), `rubicon-${scenario.name}-`))
  try {
    const played = playScenario(scenario, { ...place, folder, http })
    const { lines, asked, left, expected } = await Promise.race([played, failAfter(LONGEST_MS)])
    // What nobody asked over the wire was not played over it.
    const isPlayed = !http || asked > 0
    return { verdicts: lines.flatMap(toVerdict), ...left, expected: expected && isPlayed }
  } catch (error) {
    const said = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { verdicts: [], world: '', effects: '', expected: false, error: said }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await giveBack()
  }
}

/** Whatever hangs is a finding, and keeps nothing else from being played. */
async function failAfter(ms: number): Promise<never> {
  await setTimeout(ms, undefined, { ref: false })
  throw new Error(`it has not ended after ${ms / 1000} seconds`)
}

/** As `demo` prints it. What is only said besides is no verdict. */
function toVerdict(line: Line): readonly string[] {
  switch (line.kind) {
    case 'decision':
      return [[line.outcome, line.reason_code ?? [], line.summary].flat().join(' ')]
    case 'check':
      return [`${line.expected ? 'so' : 'NOT SO'}: ${line.summary}`]
    case 'info':
      return []
  }
}
