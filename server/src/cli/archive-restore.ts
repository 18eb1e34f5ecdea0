/** `rubicon archive restore FILE`: payloads come back into the store. Without `--apply` it only says which. */
import type { Engine } from 'rubicon-runtime/engine'
import { restoreFlow, updateLeafIndex } from 'rubicon-runtime/engine/archive'
import { formatAmount } from '../demo/amount.ts'
import { assertOwnTenant, explainLock } from './archive.ts'
import { openArchive, type ReadArchive } from './archive-file.ts'
import { createReadingEngine } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { executeWithEngine } from './open.ts'
import { SYMBOLS } from './output.ts'
import { createVerbProgress } from './progress.ts'

export type RestoreReport = {
  readonly file: string
  readonly archive: string
  readonly applied: boolean
  readonly flows: number
  readonly payloads: number
  /** Flows of the file that the store has not archived in it. */
  readonly kept: number
}

export async function restoreArchive(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const archive = openArchive(getArgument(call, 0, 'FILE'))
  try {
    assertOwnTenant(archive, call.place.tenant)
    const report = options.hasFlag('apply')
      ? await executeWithEngine(call, (engine) => restore(call, engine, archive)).catch(explainLock)
      : await planRestoring(call, archive)
    show(call, report)
    out.data(report)
    return EXIT.done
  } finally {
    archive.close()
  }
}

async function planRestoring(call: CommandCall, archive: ReadArchive): Promise<RestoreReport> {
  const reading = await createReadingEngine(call.place)
  const found = { flows: 0, payloads: 0, kept: 0 }
  try {
    const { store } = reading.engine.context
    for (const dfid of archive.dfids()) {
      const note = await store.readRecord('archive', 'flows', dfid)
      if (note?.body.body.archive !== archive.digest) found.kept += 1
      else {
        found.flows += 1
        found.payloads += note.body.body.leaves.length
      }
    }
  } finally {
    await reading.close()
  }
  return buildReport(archive, false, found)
}

async function restore(
  call: CommandCall,
  { context }: Engine,
  archive: ReadArchive,
): Promise<RestoreReport> {
  await context.store.integrate()
  const progress = createVerbProgress(call)('flows')
  const found = { flows: 0, payloads: 0, kept: 0 }
  const leaves = new Set<number>()
  for (const dfid of archive.dfids()) {
    const flow = archive.readFlow(dfid)
    if (flow === undefined) continue
    const restored = unwrap(await restoreFlow(context, archive.digest, flow))
    if ('kept' in restored) found.kept += 1
    else {
      found.flows += 1
      found.payloads += restored.payloads
      for (const leaf of flow.payloads.keys()) leaves.add(leaf)
    }
    progress.tell(found.flows + found.kept, null)
  }
  await updateLeafIndex(context.store, leaves)
  progress.end()
  return buildReport(archive, true, found)
}

/** A file that no flow is archived in was changed, or is another store's. */
function buildReport(
  { path, digest }: ReadArchive,
  applied: boolean,
  found: Pick<RestoreReport, 'flows' | 'payloads' | 'kept'>,
): RestoreReport {
  if (found.flows > 0) return { file: path, archive: digest, applied, ...found }
  throw new CliFailure({
    code: 'ARCHIVE_FOREIGN',
    summary: `no flow of this store is archived in \`${path}\``,
    why: 'the file was changed, is that of another store, or all of it was put back before',
    fix: '`rubicon archive list` names the archives of the store by their SHA-256',
  })
}

function show({ out }: CommandCall, report: RestoreReport): void {
  const { file, applied, flows, payloads, kept } = report
  const what = `${formatAmount(flows)} flows, ${formatAmount(payloads)} payloads`
  if (applied) out.line(`${out.symbol(SYMBOLS.allowed)} put back: ${what}`)
  else out.line(`would put back ${what}`)
  if (kept > 0) out.line(`  ${formatAmount(kept)} flows of the file are not archived in it`)
  if (applied) out.note(`${SYMBOLS.info} ${file} still holds what was put back`)
  else out.note(`${SYMBOLS.info} nothing was written; --apply does it`)
}
