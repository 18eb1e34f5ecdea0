/**
 * Somebody holds the database of a runtime that stands still, and no key. One change a case, then the
 * runtime is started again on it with its keys and goes on. A change is found at the start, at the first
 * use of what was changed, or by both verifiers in what is exported; what is neither found nor known to
 * change nothing is missed. What was changed in the ledger may never be signed anew.
 *
 * I18: whatever is not signed for is found.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { openStore } from '../../../../runtime/src/compose.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import type { StoreName } from '../../race/place.ts'
import { Rng } from '../../rng.ts'
import { askOracle } from '../oracle.ts'
import { applyChange, type Change, type Earlier } from './changes.ts'
import { findChangedRows, readTable } from './diff.ts'
import { type Copy, createPostgresGround, createSqliteGround, type Ground } from './ground.ts'
import { type Excuse, findExcuse } from './harmless.ts'
import type { Row } from './holder.ts'
import { goOn, isAlarm, MovedClock, openSite, type Played, playSite } from './site.ts'
import { type AtRestReport, AtRestTally } from './tally.ts'
import { listAllChanges, listChangedTables } from './targets.ts'
import { collectUses, type Used } from './use.ts'

/** Bound by what a statement may return. */
const EVERY = 2_147_483_647

/** How many stores are played; each case changes a copy of one. */
const SITES = 3
/** Flows that make a ledger longer than one tile. */
const FILLING = 70

export async function runStoreTamperProof(options: {
  readonly cases: number
  readonly store: StoreName
  readonly seed?: number
  /** A sample: one small store, and changes so far apart in the list of all. */
  readonly stride?: number
  /** Only these parts of the store. */
  readonly parts?: readonly string[]
  readonly progress?: (done: number, of: number) => void
}): Promise<AtRestReport> {
  const rng = new Rng(options.seed ?? 1)
  const ground = options.store === 'postgres' ? await createPostgresGround() : createSqliteGround()
  const tally = new AtRestTally()
  try {
    const sites: Site[] = []
    const { stride = 1 } = options
    const isSample = stride > 1
    const filling = isSample ? 0 : FILLING
    for (let i = 0; i < (isSample ? 1 : SITES); i++)
      sites.push(await makeSite(ground, rng.fork(), filling, i % 2 === 0))
    for (const site of sites) await tryUntouched(site, ground, tally)
    const { parts } = options
    const changes = listAllChanges(options.store).filter(
      ({ target }) => parts?.includes(target.name) ?? true,
    )
    let next = 0
    for (let done = 0; done < options.cases; ) {
      const change = changes[(next * stride) % changes.length]
      const site = sites[Math.floor(next / changes.length + next) % sites.length]
      next += 1
      if (change === undefined || site === undefined) break
      if (await tryChange(site, change, ground, rng.fork(), tally)) done += 1
      options.progress?.(done, options.cases)
      if (next > options.cases * 20) break
    }
  } finally {
    await ground.close()
  }
  return tally.report()
}

type Site = {
  readonly copy: Copy
  /** The rows of the same store in the middle of its day. */
  readonly earlier: Earlier
  readonly played: Played
  /** The ids of all leaves, in order. */
  readonly ids: readonly string[]
}

/** `clean`: it was stopped; else it is found as a process left it that ended without a word. */
async function makeSite(ground: Ground, rng: Rng, filling: number, clean: boolean): Promise<Site> {
  const first = await ground.createFresh()
  const earlier = new Map<string, readonly Row[]>()
  const { played, runtime } = await playSite(first.place, rng, filling, async () => {
    const holder = first.holder()
    for (const table of listChangedTables(ground.store))
      earlier.set(table, await holder.rows(`SELECT * FROM ${table}`))
    holder.close()
  })
  await runtime.store.integrate()
  const ids = await runtime.store.listLeafIds(0, EVERY)
  // A database that is in use cannot be copied.
  const copy = clean || ground.store === 'postgres' ? first : await ground.copy(first)
  await runtime.close()
  return { copy, earlier, played, ids }
}

async function tryUntouched(site: Site, ground: Ground, tally: AtRestTally): Promise<void> {
  const copy = await ground.copy(site.copy)
  const seen = await startAgain(copy, site, { flows: [], reads: [] })
  const findings = await askVerifiers(copy)
  if (seen.start !== null || seen.use.length > 0 || findings.some((found) => found))
    tally.recordFalseAlarm(JSON.stringify([seen, findings]))
  await copy.remove()
}

/** False: there was nothing to change. */
async function tryChange(
  site: Site,
  change: Change,
  ground: Ground,
  rng: Rng,
  tally: AtRestTally,
): Promise<boolean> {
  const copy = await ground.copy(site.copy)
  try {
    const done = await changeCopy(copy, site.earlier, change, rng)
    if (done === null) return false
    const { what, used, excuse } = done
    const seen = await startAgain(copy, site, used)
    if (await isSignedOver(copy, site)) tally.recordSignedOver(what)
    if (seen.start !== null) tally.recordFound(change, 'start')
    else if (seen.use.length > 0) tally.recordFound(change, 'use')
    // What a verifier shows afterwards takes no effect back.
    else if (!seen.isTwice && (await askVerifiers(copy)).every((found) => found))
      tally.recordFound(change, 'verifiers')
    else tally.recordUnseen(change, what, excuse, seen.rest)
    return true
  } finally {
    await copy.remove()
  }
}

type Tampered = { readonly what: string; readonly used: Used; readonly excuse: Excuse | null }

/** Why it need not be found is decided here, before anybody looks. */
async function changeCopy(
  copy: Copy,
  earlier: Earlier,
  change: Change,
  rng: Rng,
): Promise<Tampered | null> {
  const holder = copy.holder()
  const { table } = change.target
  try {
    const guard = await holder.removeGuards()
    const before = await readTable(table, holder)
    const what = await applyChange(change, holder, earlier, rng)
    const after = await readTable(table, holder)
    await guard()
    if (what === null) return null
    const rows = findChangedRows(table, before, after)
    const ended = await holder.rows("SELECT dfid FROM flows WHERE state IN ('CLOSED', 'ABORTED')")
    const endedFlows = new Set(ended.map(({ dfid }) => String(dfid)))
    const excuse = findExcuse({ change, rows, before, after, endedFlows })
    return { what, excuse, used: await collectUses(rows, holder) }
  } catch (error) {
    // The database itself refuses some: a key that is there already, a number below zero, a text for one.
    if (/constraint|unique|UNIQUE|CHECK|cannot store|invalid input/.test(String(error))) return null
    throw error
  } finally {
    holder.close()
  }
}

type Seen = {
  readonly start: string | null
  readonly use: readonly string[]
  /** An effect happened twice. */
  readonly isTwice: boolean
  /** What else was odd. */
  readonly rest: readonly string[]
}

async function startAgain(copy: Copy, { played }: Site, used: Used): Promise<Seen> {
  const told: string[] = []
  const clock = new MovedClock(played.ahead)
  const outside = played.outside.copy()
  let runtime: Awaited<ReturnType<typeof openSite>>
  try {
    runtime = await openSite(copy.place, outside, clock, (line) => void told.push(line))
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? error)
    return isAlarm(code)
      ? { start: code, use: [], isTwice: false, rest: [] }
      : { start: null, use: [], isTwice: false, rest: [`start: ${String(error)}`] }
  }
  const { alarms, errors, others } = await goOn(runtime, played, clock, used)
  const odd = [...errors, ...others]
  const twice = outside.twice > 0 ? [`${outside.twice} effects twice`] : []
  await runtime.close().catch((error: unknown) => void odd.push(`close: ${String(error)}`))
  const said = told.filter((line) => line.includes('STORE_DIVERGED'))
  const isTwice = outside.twice > 0
  return { start: null, use: [...alarms, ...said], isTwice, rest: [...twice, ...odd] }
}

/** Whether anything newer than the change vouches for a ledger that is not the one that was written. */
async function isSignedOver({ place }: Copy, { ids }: Site): Promise<boolean> {
  const store = await openStore(place.store, 'default', undefined, 'read').catch(() => null)
  if (store === null) return false
  try {
    const checkpoint = await store.readCheckpoint()
    const now = await store.listLeafIds(0, EVERY)
    const isChanged = ids.some((id, leaf) => now[leaf] !== id)
    return isChanged && checkpoint !== null && checkpoint.size > ids.length
  } catch {
    return false
  } finally {
    await store.close()
  }
}

/** Ours, and the one that was written from the specification. What cannot be exported is found. */
async function askVerifiers({ place }: Copy): Promise<readonly boolean[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-at-rest-ledger-'))
  const lines: string[] = []
  try {
    const store = await openStore(place.store, 'default', undefined, 'read')
    try {
      const done = await exportLedger(store, (line) => void lines.push(line))
      if (!done.ok) return [true, true]
    } finally {
      await store.close()
    }
    const file = join(folder, 'ledger.ndjson')
    writeFileSync(file, lines.join(''))
    const ours = verifyAny(lines.join(''), nodeCrypto)
    const [theirs] = await askOracle([file, '--json'])
    return [!ours.ok, theirs?.ok === false]
  } catch {
    return [true, true]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
