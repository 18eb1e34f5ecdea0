/** `rubicon ledger …`: the record itself. */
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { exportLedger } from 'rubicon-runtime/evidence'
import { type CommandCall, getArgument } from './call.ts'
import { formatEntry, toEntrySummaryView } from './entry-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, unwrap } from './failure.ts'
import { ensureFreshCheckpoint } from './fresh-checkpoint.ts'
import { executeWithEngine, readFromStore } from './open.ts'
import { formatTable, SYMBOLS, writeRaw } from './output.ts'
import { createVerbProgress } from './progress.ts'

const LISTED = 100

export async function showLedger(call: CommandCall): Promise<ExitCode> {
  const { args, options, place, out } = call
  const [trajectory] = args
  if (trajectory === undefined) return showHeads(call)
  const from = options.count('from', 0)
  const limit = options.count('limit', LISTED, 1)
  const entries = await readFromStore(place, async (store) =>
    (await store.listEntries(trajectory, from, limit)).map(toEntrySummaryView),
  )
  if (entries.length === 0 && from === 0)
    throw new CliFailure({
      code: 'TRAJECTORY_UNKNOWN',
      summary: `there is no trajectory \`${trajectory}\``,
      fix: 'see `rubicon ledger show`',
    })
  for (const entry of entries) out.line(formatEntry(entry))
  const last = entries.at(-1)
  if (last !== undefined && entries.length === limit)
    out.note(`${SYMBOLS.info} there may be more: --from ${last.seq + 1}`)
  out.data({ trajectory, entries })
  return EXIT.done
}

async function showHeads({ place, out }: CommandCall): Promise<ExitCode> {
  const shown = await readFromStore(place, async (store) => {
    const checkpoint = await store.readCheckpoint()
    return {
      entries: await store.countLeaves(),
      checkpoint: checkpoint === null ? null : { epoch: checkpoint.epoch, size: checkpoint.size },
      trajectories: await store.listHeads(),
    }
  })
  const rows = shown.trajectories.map(({ trajectory, seq, at, id }) => [
    trajectory,
    String(seq + 1),
    at,
    id,
  ])
  for (const line of formatTable([['TRAJECTORY', 'ENTRIES', 'LAST', 'HEAD'], ...rows]))
    out.line(line)
  const signed = shown.checkpoint === null ? 'none' : `covers ${shown.checkpoint.size}`
  out.line(`${shown.entries} entries, checkpoint ${signed}`)
  out.data(shown)
  return EXIT.done
}

export async function exportWholeLedger(call: CommandCall): Promise<ExitCode> {
  const { place, out, streams } = call
  const file = getArgument(call, 0, 'FILE')
  await ensureFreshCheckpoint(call)
  const written = createVerbProgress(call)('entries')
  const write = (to: (line: string) => void): Promise<{ readonly entries: number }> =>
    readFromStore(place, async (store) => unwrap(await exportLedger(store, to, written.tell)))
  if (file === '-') {
    await write((line) => writeRaw(streams.stdout, line))
    written.end()
    return EXIT.done
  }
  const handle = openSync(file, 'w', 0o600)
  try {
    const { entries } = await write((line) => writeFileSync(handle, line))
    written.end()
    out.line(`${out.symbol(SYMBOLS.allowed)} ${entries} entries in ${file}`)
    out.note(`${SYMBOLS.info} anyone can check it: npx rubicon verify ${file}`)
    out.data({ file, entries })
  } finally {
    closeSync(handle)
  }
  return EXIT.done
}

/** The reason is the confirmation: it is signed and stays visible for ever. */
export async function acceptLoss(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const reason = options.getRequired('reason', '--reason TEXT')
  const body = await executeWithEngine(
    call,
    async (engine) => unwrap(await engine.acceptRestore(reason)),
    {
      evenRolledBack: true,
    },
  )
  const { epoch, lost_from, lost_to } = body
  const what =
    lost_to > lost_from
      ? `entries ${lost_from} to ${lost_to - 1} are lost, accepted`
      : 'the ledger counts as it is, accepted'
  out.line(`${out.symbol(SYMBOLS.waiting)} ${what}`)
  out.line(`  the log goes on as epoch ${epoch}`)
  out.data(body)
  return EXIT.done
}
