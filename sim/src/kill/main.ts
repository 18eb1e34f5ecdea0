/**
 * Kills a real runtime, again and again, at every named place and at random moments, and then asks
 * what is left: nothing that was told may be lost, no effect may have happened twice, and what was
 * open must settle.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { FAILPOINTS, type Failpoint } from '../../../runtime/src/ports/failpoint.ts'
import { findCanaries } from '../canary.ts'
import { Rng } from '../rng.ts'
import { checkStore } from './check.ts'
import type { ChildLine, DecisionTold, Orders, Told, ToProvider } from './protocol.ts'
import { KillProvider } from './provider.ts'

export type KillOptions = {
  readonly kills: number
  readonly seed?: number
  readonly progress?: (done: number, of: number) => void
}

export type KillReport = {
  readonly kills: number
  /** How many kills landed at each place; `anywhere` at random moments. */
  readonly by_failpoint: Readonly<Record<string, number>>
  readonly acknowledged: number
  readonly lost: number
  readonly second_effects: number
  readonly unsettled: number
  /** Places where the process was to die and never did, also when it was tried again: the story does not come there. */
  readonly missed: readonly string[]
  /** Anything else that the auditor found in the ledger, and lives that ended by themselves. */
  readonly findings: readonly string[]
  readonly effects: number
  readonly entries: number
}

type Life = { readonly at: Failpoint | 'anywhere' | null; readonly failed: string | null }

/** A place that is not reached for this long will not be: then the kill comes anyway. */
const PATIENCE_MS = 5000
/** A start loads everything anew, on a machine that may do other things; what was killed before it did nothing. */
const START_MS = 120_000
const WORKER = new URL('./worker.ts', import.meta.url)
/** At random moments. */
const MORE_KILLS = 12
/** So often a place is tried again where the process died before it came there. */
const TRIES_AGAIN = 2

export async function runKillProof({
  kills,
  seed = 1,
  progress,
}: KillOptions): Promise<KillReport> {
  const rng = new Rng(seed)
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-kill-'))
  const provider = new KillProvider(rng.fork())
  // In another order for every seed, so that a few kills are a sample.
  const places = FAILPOINTS.map((point) => ({ point, at: rng.drawUint32() }))
    .sort((a, b) => a.at - b.at)
    .map(({ point }) => point)
  const told: (Told | DecisionTold)[] = []
  const by_failpoint: Record<string, number> = {}
  const findings: string[] = []
  const planned = new Set<Failpoint>()
  const playLife = async (stopAt: Orders['stopAt']): Promise<void> => {
    if (stopAt !== null) planned.add(stopAt.point)
    const orders = { folder, stopAt, load: true, life: rng.drawUint32() }
    const life = await runLife(orders, rng, provider, told)
    if (life.failed !== null) findings.push(life.failed)
    if (life.at !== null) by_failpoint[life.at] = (by_failpoint[life.at] ?? 0) + 1
  }
  const listMissed = (): readonly Failpoint[] =>
    [...planned].filter((point) => by_failpoint[point] === undefined)
  try {
    // Where each died before anything was told, nothing could be lost: more follow.
    const isShown = (): boolean => told.length > 0 && provider.applied.size > 0
    for (let kill = 0; kill < kills || (!isShown() && kill < kills + MORE_KILLS); kill++) {
      progress?.(Math.min(kill, kills), kills)
      await playLife(kill < kills ? plan(rng, kill, places) : null)
    }
    // A few kills are a sample, which dies where it happens to get.
    const isSample = kills < FAILPOINTS.length
    for (let again = 0; again < TRIES_AGAIN && !isSample; again++)
      for (const point of listMissed()) await playLife({ point, hit: 1 })
    const missed = listMissed()
    if (!isSample) findings.push(...missed.map((point) => `${point} was not reached`))
    provider.troubled = false
    const last = await runLife({ folder, stopAt: null, load: false, life: 0 }, rng, provider, told)
    if (last.failed !== null) findings.push(last.failed)
    const checked = await checkStore(join(folder, 'store', 'rubicon.db'), told)
    for (const { invariant, detail } of checked.findings) findings.push(`${invariant} ${detail}`)
    findings.push(...checked.lost.slice(0, 10), ...findCanariesOutside(folder))
    return {
      kills: Object.values(by_failpoint).reduce((sum, times) => sum + times, 0),
      by_failpoint,
      acknowledged: told.length,
      lost: checked.lost.length,
      second_effects: provider.countSecondEffects(),
      unsettled: checked.unsettled,
      missed,
      findings,
      effects: provider.applied.size,
      entries: checked.entries,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What was planted may stand in the store, and in no other file. */
function findCanariesOutside(folder: string): readonly string[] {
  // What is compiled holds our own source, where canaries are made.
  const kept = ['store', 'code']
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((file) => {
    const path = join(file.parentPath, file.name)
    const [top = ''] = relative(folder, path).split(sep)
    if (!file.isFile() || kept.includes(top)) return []
    return findCanaries(readFileSync(path, 'latin1')).map(
      (field) => `${field} stands in ${file.name}`,
    )
  })
}

/** Every place in turn, early or late; every sixth kill comes at a random moment. */
function plan(rng: Rng, kill: number, places: readonly Failpoint[]): Orders['stopAt'] {
  if (kill % 6 === 5) return null
  const point = places[(kill - Math.floor(kill / 6)) % places.length]
  if (point === undefined) return null
  return { point, hit: rng.drawBetween(1, getReachFrequency(point)) }
}

const RARE: Readonly<Record<string, number>> = {
  recover: 1,
  reconcile: 1,
  resend: 1,
  compensate: 1,
  monitor: 1,
  audit: 2,
  generate: 4,
  guard: 3,
  arbitrate: 3,
  authority: 3,
  checkpoint: 3,
  escalate: 5,
  decide: 5,
  release: 5,
  notice: 5,
}

/** How often a life of a second reaches a place, more or less. */
function getReachFrequency(point: Failpoint): number {
  const [part = ''] = point.split('.')
  return RARE[part] ?? 200
}

/** One life of the runtime, until it is killed or has settled everything. */
function runLife(
  orders: Orders,
  rng: Rng,
  provider: KillProvider,
  told: (Told | DecisionTold)[],
): Promise<Life> {
  const child = fork(WORKER, [JSON.stringify(orders)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // The same code again and again: a start is then mostly the store's. Who is killed leaves nothing compiled.
    env: { NODE_COMPILE_CACHE: join(orders.folder, 'code'), ...process.env },
  })
  let at: Life['at'] = null
  let failed: string | null = null
  let timer: NodeJS.Timeout | undefined
  const kill = (where: Failpoint | 'anywhere'): void => {
    at ??= where
    child.kill('SIGKILL')
  }
  const killLater = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(() => kill('anywhere'), ms)
  }
  if (orders.load) killLater(START_MS)
  child.on('message', (message) => {
    provider.receive(message as ToProvider, (answer) => {
      if (child.connected) child.send(answer, () => {})
    })
  })
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (text) => {
    const line = JSON.parse(text) as ChildLine
    switch (line.said) {
      case 'told':
      case 'decided':
        told.push(line)
        break
      case 'reached':
        kill(line.point)
        break
      case 'ready':
        if (orders.load) killLater(isOver(orders) ? rng.drawBetween(5, 700) : PATIENCE_MS)
        break
      case 'failed':
        failed = line.why
        break
      case 'settled':
        break
    }
  })
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer)
      if (orders.load && at === null) failed ??= `it ended by itself with ${code}`
      // What is late at the provider arrives before the next life asks for it, or while it does.
      resolve({ at, failed })
    })
  })
}

/** Nowhere to stop, or at a place that only a start can reach. */
function isOver({ stopAt }: Orders): boolean {
  return stopAt === null || stopAt.point === 'recover.before_settle'
}
