/**
 * `sim mcp`: hostile servers behind the gateway and hostile clients in front of it, over and over. Servers are programs of
 * their own, clients write bytes, and what happened is what the programs wrote down outside.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Rng } from '../rng.ts'
import { MCP_TRICKS } from './all-tricks.ts'
import type { EffectFinding, LedgerLine } from './judge.ts'
import { type Desk, openDesk } from './open-desk.ts'
import { buildDeskCase, judgeCase, type PlayedCase, playCase } from './play-case.ts'
import type { McpTrick } from './trick.ts'

export type McpOptions = {
  readonly cases: number
  readonly seed: number
  /** Only these. */
  readonly tricks?: readonly string[]
  readonly progress?: (done: number, of: number) => void
}

export type McpReport = {
  readonly cases: number
  /** How many different ones were played. */
  readonly tricks: number
  readonly effects: number
  /** Effects that happened once more than they were asked for. */
  readonly twice: number
  /** Effects that a person was to be asked about, and was not. */
  readonly unapproved: number
  /** Effects that the ledger does not know of, or knows of and did not happen. */
  readonly lost: number
  /** Effects outside of the contract, or under a definition that nobody agreed to. */
  readonly outside: number
  /** Cases that came to something else than they must. */
  readonly unexpected: number
  readonly by_trick: Readonly<Record<string, number>>
  /** The first of what was found. */
  readonly findings: readonly McpFinding[]
}

export type McpFinding = {
  readonly case: number
  readonly trick: string
  readonly kind: EffectFinding['kind'] | 'unexpected'
  readonly detail: string
}

/** Each has a server and an agent of its own; a runtime that has too many becomes slow. */
const CASES_PER_DESK = 50

/** Long enough for what is not known to be looked at again. */
const LATER_MS = 300

type Numbered = { readonly number: number; readonly trick: McpTrick; readonly rng: Rng }

export async function runMcpProof(options: McpOptions): Promise<McpReport> {
  const { cases, seed, progress } = options
  const tricks = MCP_TRICKS.filter(({ name }) => options.tricks?.includes(name) ?? true)
  const found: McpFinding[] = []
  const by_trick = new Map<string, number>()
  let [effects, done] = [0, 0]
  const countPlayed = (): void => progress?.(++done, cases)
  for (let begun = 0; begun < cases; begun += CASES_PER_DESK) {
    const numbers = Array.from(
      { length: Math.min(CASES_PER_DESK, cases - begun) },
      (_, index) => begun + index,
    )
    const chosen = numbers.flatMap((number): readonly Numbered[] => {
      const trick = tricks[number % tricks.length]
      return trick === undefined ? [] : [{ number, trick, rng: new Rng(seed + number) }]
    })
    const judged = await runDesk(chosen, countPlayed)
    effects += judged.effects
    found.push(...judged.found)
    for (const { trick } of chosen) by_trick.set(trick.name, (by_trick.get(trick.name) ?? 0) + 1)
  }
  const count = (kind: McpFinding['kind']): number =>
    found.filter((finding) => finding.kind === kind).length
  return {
    ...{ cases, tricks: by_trick.size, effects },
    ...{ twice: count('twice'), unapproved: count('unapproved') },
    ...{ lost: count('lost'), outside: count('outside'), unexpected: count('unexpected') },
    by_trick: Object.fromEntries(by_trick),
    findings: found.slice(0, 20),
  }
}

async function runDesk(
  chosen: readonly Numbered[],
  countPlayed: () => void,
): Promise<{ readonly effects: number; readonly found: readonly McpFinding[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-sim-mcp-'))
  try {
    const desk = await openDesk(
      chosen.map(({ trick, rng }) => buildDeskCase(trick, rng)),
      folder,
    )
    const played = await playAll(desk, chosen, countPlayed)
    // What an engine does by itself later on: nothing of it may send an effect again.
    for (let i = 0; i < 2; i += 1) {
      await desk.runtime.engine.reconcile()
      await new Promise((resolve) => setTimeout(resolve, LATER_MS))
    }
    const lines = await readLedger(desk)
    await desk.close()
    const judged = chosen.map(({ number, trick }, index) => {
      const one = played[index] ?? { trick: trick.name, words: [], problem: 'it was not played' }
      const { effects, findings, unexpected } = judgeCase(desk, lines, index, trick, one)
      const base = { case: number, trick: trick.name }
      const also =
        unexpected === null ? [] : [{ ...base, kind: 'unexpected' as const, detail: unexpected }]
      return { effects, found: [...findings.map((finding) => ({ ...base, ...finding })), ...also] }
    })
    return {
      effects: judged.reduce((sum, one) => sum + one.effects, 0),
      found: judged.flatMap((one) => one.found),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A few at a time: most of what they do is to wait for a program to start. */
async function playAll(
  desk: Desk,
  chosen: readonly Numbered[],
  countPlayed: () => void,
): Promise<readonly PlayedCase[]> {
  const played: PlayedCase[] = []
  const waiting = [...chosen.entries()]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, { trick, rng }] = next
      played[index] = await playCase(desk, index, trick, rng)
      countPlayed()
    }
  }
  await Promise.all(Array.from({ length: 2 * availableParallelism() }, work))
  return played
}

const PAGE = 1_000

async function readLedger({ runtime }: Desk): Promise<readonly LedgerLine[]> {
  const lines: LedgerLine[] = []
  for (let from = 0; ; from += PAGE) {
    const leaves = await runtime.store.listLeaves(from, PAGE)
    for (const { envelope, payload } of leaves)
      if (payload !== null && envelope.dfid !== undefined)
        lines.push({ kind: envelope.kind, dfid: envelope.dfid, payload: JSON.parse(payload) })
    if (leaves.length < PAGE) return lines
  }
}
