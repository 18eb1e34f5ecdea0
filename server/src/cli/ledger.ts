/** `rubicon ledger …`: the record itself. */
import { executeAsReader } from './as-reader.ts'
import type { CommandCall } from './call.ts'
import { formatEntryView } from './entry-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { unwrap } from './failure.ts'
import { ALL_ROWS, collectRows } from './list-pages.ts'
import { executeWithEngine } from './open.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

const LISTED = 100

export async function showLedger(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const [named] = args
  if (named === undefined) return showHeads(call)
  const { trajectory, seq } = parseEntryPlace(named)
  const from = String(options.count('from', seq ?? 0))
  const limit = options.count('limit', seq === null ? LISTED : 1, 1)
  const params = { id: trajectory }
  const { rows: entries, next } = await executeAsReader(call, (client) =>
    collectRows(limit, async (query) => {
      const answer = await client.listTrajectoryEntries({ params, query: { from, ...query } })
      const page = unwrapAnswer(answer, TRAJECTORY_FIXES)
      return { rows: page.entries, next: page.next }
    }),
  )
  for (const entry of entries) out.line(formatEntryView(entry))
  const last = entries.at(-1)
  if (last !== undefined && next !== null && seq === null)
    out.note(`${SYMBOLS.info} there are more: --from ${last.seq + 1}`)
  out.data({ entries, next })
  return EXIT.done
}

/** `main/5`, as entries are named wherever one is shown, is that entry alone. */
function parseEntryPlace(text: string): {
  readonly trajectory: string
  readonly seq: number | null
} {
  const [, trajectory = text, seq] = /^(.+)\/([0-9]{1,15})$/.exec(text) ?? []
  return { trajectory, seq: seq === undefined ? null : Number(seq) }
}

const TRAJECTORY_FIXES = { TRAJECTORY_UNKNOWN: 'see `rubicon ledger show`' }

async function showHeads(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { listed, checkpoint } = await executeAsReader(call, async (client) => ({
    listed: await collectRows(ALL_ROWS, async (query) => {
      const page = unwrapAnswer(await client.listTrajectories({ query }))
      return { rows: page.trajectories, next: page.next }
    }),
    checkpoint: await client.getCheckpoint(),
  }))
  const { rows: trajectories, next } = listed
  const rows = trajectories.map(({ trajectory, entries, at, head }) => [
    trajectory,
    String(entries),
    at,
    head,
  ])
  for (const line of formatTable([['TRAJECTORY', 'ENTRIES', 'LAST', 'HEAD'], ...rows]))
    out.line(line)
  const entries = trajectories.reduce((sum, one) => sum + one.entries, 0)
  const signed = checkpoint.ok ? `covers ${checkpoint.body.size}` : 'none'
  out.line(`${entries} entries, checkpoint ${signed}`)
  out.data({ trajectories, next })
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
  out.line(`  the ledger continues as epoch ${epoch}`)
  out.data(body)
  return EXIT.done
}
