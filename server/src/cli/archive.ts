/**
 * `rubicon archive create FILE --before TIME`: payloads of flows that ended long ago go into a file, and out of the store.
 *
 * 1. Without `--apply` nothing is written: it says what would go, and what stays and why.
 * 2. The file is there, synced and read again before the first payload leaves the store. Each flow goes in one unit.
 * 3. Where the file is there already, a run before this one was stopped: it goes on with what is still in the store.
 */
import { formatInstant, parseDuration, parseInstant } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import {
  type ArchivableFlow,
  type ArchivedPayload,
  ArchiveJudge,
  archiveFlow,
  finishErasure,
  iterateEndedFlows,
  type KeptBy,
  prepareArchiving,
} from 'rubicon-runtime/engine/archive'
import { StoreError } from 'rubicon-runtime/ports'
import { formatAmount } from '../demo/amount.ts'
import { assertNothingErased, describeErased } from './archive-erased.ts'
import {
  ensureArchiveSynced,
  isThere,
  openArchive,
  type ReadArchive,
  removeDrafts,
  type WritingStep,
  writeArchive,
} from './archive-file.ts'
import { createReadingEngine } from './as-reader.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { executeWithEngine } from './open.ts'
import { SYMBOLS } from './output.ts'
import { createVerbProgress } from './progress.ts'

/** How many flows stay, by what keeps them. */
export type KeptFlows = Readonly<Partial<Record<KeptBy, number>>>

export type ArchiveReport = {
  readonly file: string
  /** The digest of the file; null: nothing was written. */
  readonly archive: string | null
  readonly applied: boolean
  readonly before: string
  readonly flows: number
  readonly payloads: number
  /** Of the payloads, as text. */
  readonly bytes: number
  readonly kept: KeptFlows
}

export async function createArchive(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const path = getArgument(call, 0, 'FILE')
  const before = parseBefore(options.getRequired('before', '--before TIME'))
  const report = options.hasFlag('apply')
    ? await moveFlows(call, path, before)
    : await planFlows(call, path, before)
  showArchiving(call, report)
  out.data(report)
  return EXIT.done
}

/** A time, a date, or so long ago. */
function parseBefore(given: string): number {
  const ago = parseDuration(given)
  const before = ago === undefined ? parseInstant(given) : Date.now() - ago
  if (before !== undefined) return before
  throw createUsageFailure(
    `\`${given}\` is not a time`,
    'give a date (2026-01-31), a time (2026-01-31T09:30:00Z), or how long ago (90d)',
  )
}

async function planFlows(call: CommandCall, path: string, before: number): Promise<ArchiveReport> {
  const reading = await createReadingEngine(call.place)
  try {
    const tally = new Tally(call)
    for await (const _ of tally.iterate(reading.engine, before));
    return tally.report({ file: path, archive: null, applied: false, before })
  } finally {
    await reading.close()
  }
}

/** `reach`: for tests that stop it there; `moved` after each flow. */
export async function moveFlows(
  call: CommandCall,
  path: string,
  before: number,
  reach: (step: WritingStep | 'moved') => void = () => {},
): Promise<ArchiveReport> {
  return executeWithEngine(call, async (engine) => {
    const { store } = engine.context
    await prepareArchiving(engine.context)
    const tally = new Tally(call)
    if (isThere(path)) {
      removeDrafts(path)
      call.out.note(`${SYMBOLS.info} ${path} is there: going on with what it holds`)
    } else await writeArchive(path, store.tenant, tally.iterate(engine, before), reach)
    if (!isThere(path)) return tally.report({ file: path, archive: null, applied: true, before })
    const archive = openArchive(path)
    try {
      assertOwnTenant(archive, store.tenant)
      await assertNothingErased(archive, store)
      // A run that was killed may have named the file and not have synced its folder.
      ensureArchiveSynced(path)
      const moved = await moveHeldFlows(call, engine, archive, before, reach)
      // Beside servers a flow can be erased while others are moved.
      const erased = moved.countKept('erased')
      if (erased > 0) call.out.note(`${SYMBOLS.waiting} ${describeErased(erased)}`)
      const left = await finishErasure(store)
      if (left !== null)
        call.out.note(
          `${SYMBOLS.waiting} pieces may still be in the file of the store: ${left.why}`,
        )
      moved.takeKept(tally)
      return moved.report({ file: path, archive: archive.digest, applied: true, before })
    } finally {
      archive.close()
    }
  }).catch(explainLock)
}

async function moveHeldFlows(
  call: CommandCall,
  engine: Engine,
  archive: ReadArchive,
  before: number,
  reach: (step: 'moved') => void,
): Promise<Tally> {
  const { context } = engine
  const judge = await ArchiveJudge.create(context, before)
  const tally = new Tally(call)
  const progress = createVerbProgress(call)('flows')
  const named = { archive: archive.digest, file: archive.name }
  let done = 0
  for (const dfid of archive.dfids()) {
    const flow = archive.readFlow(dfid)
    if (flow === undefined) continue
    const moved = unwrap(await archiveFlow(context, judge, named, flow))
    if ('kept' in moved) tally.addKept(moved.kept)
    else tally.addMoved(flow.payloads.values())
    reach('moved')
    done += 1
    progress.tell(done, null)
  }
  progress.end()
  return tally
}

/** What goes, what stays, and what was done of it. */
class Tally {
  readonly #call: CommandCall
  #flows = 0
  #payloads = 0
  #bytes = 0
  readonly #kept = new Map<KeptBy, number>()

  constructor(call: CommandCall) {
    this.#call = call
  }

  /** The flows that can go; each is counted, and so is what stays. */
  async *iterate({ context }: Engine, before: number): AsyncGenerator<ArchivableFlow> {
    const judge = await ArchiveJudge.create(context, before)
    const progress = createVerbProgress(this.#call)('flows looked at')
    let looked = 0
    for await (const flow of iterateEndedFlows(context)) {
      looked += 1
      progress.tell(looked, null)
      const judged = await judge.judge(flow)
      if ('kept' in judged) this.addKept(judged.kept)
      else {
        this.addMoved(judged.entries)
        yield judged
      }
    }
    progress.end()
  }

  addKept(by: KeptBy): void {
    this.#kept.set(by, this.countKept(by) + 1)
  }

  countKept(by: KeptBy): number {
    return this.#kept.get(by) ?? 0
  }

  takeKept(other: Tally): void {
    for (const [by, count] of other.#kept) this.#kept.set(by, this.countKept(by) + count)
  }

  addMoved(payloads: Iterable<ArchivedPayload>): void {
    this.#flows += 1
    for (const { payload, text } of payloads) {
      this.#payloads += 1
      for (const said of [payload, text?.request, text?.response])
        this.#bytes += Buffer.byteLength(said ?? '')
    }
  }

  report(
    about: Pick<ArchiveReport, 'file' | 'archive' | 'applied'> & { readonly before: number },
  ): ArchiveReport {
    return {
      ...about,
      before: formatInstant(about.before),
      flows: this.#flows,
      payloads: this.#payloads,
      bytes: this.#bytes,
      kept: Object.fromEntries(this.#kept),
    }
  }
}

const STAYS: Readonly<Record<KeptBy, string>> = {
  archived: 'archived already',
  erased: 'erased',
  open: 'have not ended, wait or are uncertain, or belong with one that is',
  young: 'ended later',
  counted: 'count in a window or on a writ that is open',
  unseen: 'have not been seen by every monitor and auditor',
  differs: 'are not what the file says of them',
}

function showArchiving({ out }: CommandCall, report: ArchiveReport): void {
  const { file, archive, applied, before, flows, payloads, bytes, kept } = report
  const what = `${formatAmount(flows)} flows that ended before ${before}, ${formatAmount(payloads)} payloads, ${formatAmount(bytes)} bytes`
  if (!applied) out.line(`would archive ${what}`)
  else if (flows === 0) out.line(`${out.symbol(SYMBOLS.info)} nothing was archived`)
  else out.line(`${out.symbol(SYMBOLS.allowed)} archived in ${file}: ${what}`)
  for (const [by, count] of Object.entries(kept))
    out.line(`  ${formatAmount(count)} stay: ${STAYS[by as KeptBy]}`)
  if (archive !== null) {
    out.line(`  ${archive}`)
    out.note(`${SYMBOLS.info} keep the file: only with it can these flows be checked or put back`)
  }
  if (applied && flows === 0 && archive !== null)
    out.note(`${SYMBOLS.info} a file is written once: give another name for what ended since`)
  if (!applied && flows > 0) out.note(`${SYMBOLS.info} nothing was written; --apply does it`)
}

export function assertOwnTenant({ path, tenant }: ReadArchive, own: string): void {
  if (tenant === own) return
  throw new CliFailure({
    code: 'ARCHIVE_FOREIGN',
    summary: `\`${path}\` is an archive of tenant \`${tenant}\``,
    fix: 'check --tenant and the file',
  })
}

/** A server that runs holds a SQLite store; nobody else moves payloads of it. */
export function explainLock(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'STORE_LOCKED') throw error
  const fix = 'stop the server first: payloads are moved while nobody else writes to the store'
  throw new StoreError(error.code, error.message, fix, error)
}
