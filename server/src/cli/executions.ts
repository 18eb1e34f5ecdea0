/**
 * `rubicon executions list`: effects on the outside, and flows that did half of their job; what
 * somebody must look at comes first.
 */
import { EXECUTION_STATUSES, type ExecutionStatus } from 'rubicon-kernel'
import { listDirtyFlows } from 'rubicon-runtime/engine/saga'
import { toExecutionView } from '../http/views/execution-view.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { readFromStore } from './open.ts'
import { formatTable, SYMBOLS } from './output.ts'

const LISTED = 50

export async function listExecutions({ options, place, out }: CommandCall): Promise<ExitCode> {
  const status = options.getTexts('status').map(parseExecutionStatus)
  const limit = options.count('limit', LISTED, 1)
  const [found, open] = await readFromStore(place, (store) =>
    Promise.all([
      store.listExecutions({ limit, ...(status.length === 0 ? {} : { status }) }),
      listDirtyFlows(store, '', limit),
    ]),
  )
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
      `${SYMBOLS.info} ${status.length === 0 ? 'nothing was sent yet' : 'none is in this state'}`,
    )
  const dirty = open.map(({ key: dfid, body }) => ({ dfid, ...body }))
  for (const { dfid, agent_id, standing, since } of dirty)
    out.line(`${SYMBOLS.waiting} ${dfid} of ${agent_id} is DIRTY since ${since}: ${standing}`)
  out.data({ executions: executions.map(toExecutionView), dirty })
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
