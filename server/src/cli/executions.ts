/**
 * `rubicon executions list`: effects on the outside, and flows that did half of their job; what
 * somebody must look at comes first.
 */
import { EXECUTION_STATUSES, type ExecutionStatus } from 'rubicon-kernel'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { collectRows } from './list-pages.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'

const LISTED = 50

export async function listExecutions(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const statuses = options.getTexts('status').map(parseExecutionStatus)
  const status = statuses.length === 0 ? undefined : statuses.join(',')
  const limit = options.count('limit', LISTED, 1)
  const [{ rows: found }, { rows: dirty }] = await executeAsReader(call, async (client) => [
    await collectRows(limit, async (query) => {
      const page = unwrapAnswer(await client.listExecutions({ query: { status, ...query } }))
      return { rows: page.executions, next: page.next }
    }),
    await collectRows(limit, async (query) => {
      const page = unwrapAnswer(await client.listDirtyFlows({ query }))
      return { rows: page.flows, next: page.next }
    }),
  ])
  const executions = found.toSorted(
    (a, b) => EXECUTION_STATUSES.indexOf(a.status) - EXECUTION_STATUSES.indexOf(b.status),
  )
  const rows = executions.map((row) => [
    row.dfid,
    row.step_id,
    row.policy_kind,
    row.status,
    String(row.sends),
    row.next_at ?? row.settled_at ?? '-',
    row.reason_code ?? '',
  ])
  const head = ['DFID', 'STEP', 'KIND', 'STATUS', 'SENDS', 'NEXT OR SETTLED', 'REASON']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (executions.length === 0)
    out.note(
      `${SYMBOLS.info} ${statuses.length === 0 ? 'nothing was sent yet' : 'none is in this state'}`,
    )
  for (const { dfid, agent_id, standing, since } of dirty)
    out.line(`${SYMBOLS.waiting} ${dfid} of ${agent_id} is DIRTY since ${since}: ${standing}`)
  out.data({ executions, dirty })
  return EXIT.done
}

function parseExecutionStatus(text: string): ExecutionStatus {
  const status = EXECUTION_STATUSES.find((known) => known === text.toUpperCase())
  if (status !== undefined) return status
  throw createUsageFailure(
    `\`${text}\` is not a status of effects`,
    `use one of ${EXECUTION_STATUSES.join(', ')}`,
  )
}
