/** `rubicon flows show DFID`: what happened, and why. */
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { formatEntryView, formatToolError, listWhys } from './entry-text.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { formatBudgetLine } from './flow-budget.ts'
import { SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { resolveDfid } from './whole-id.ts'

export async function showFlow(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const given = getArgument(call, 0, 'DFID')
  const shown = await executeAsReader(call, async (client) => {
    const dfid = await resolveDfid(client, given)
    return unwrapAnswer(await client.getFlow({ params: { dfid } }))
  })
  const { flow, budget, entries, executions, children, flags, archive, conversation, withheld } =
    shown
  out.line(`${flow.dfid}  ${[flow.state, ...flow.tags].join(' ')}`)
  out.line(`  agent    ${flow.agent_id}`)
  out.line(`  trigger  ${escapeText(flow.trigger)}`)
  if (conversation !== null) out.line(`  conversation ${conversation}`)
  if (flow.parent_dfid !== null) out.line(`  parent   ${flow.parent_dfid}`)
  if (archive !== null) out.line(`  archived in ${escapeText(archive.file)}, ${archive.archive}`)
  for (const child of children)
    out.line(`  child    ${child.dfid} ${child.agent_id} ${child.state}`)
  for (const { kind, by, why, reviewed } of flags)
    out.line(`  flagged  by ${kind} ${by}: ${escapeText(why)}${reviewed ? ' (reviewed)' : ''}`)
  for (const line of budget) out.line(`  used     ${formatBudgetLine(line)}`)
  for (const entry of entries) {
    out.line(`  ${formatEntryView(entry, withheld > 0 ? 'too long to be shown here' : undefined)}`)
    for (const why of listWhys(entry)) out.line(`    why    ${escapeText(why)}`)
  }
  for (const { step_id, status, sends, reason_code, result } of executions) {
    const said = `${status} after ${sends} sends ${reason_code ?? ''}`.trimEnd()
    out.line(`  effect   ${step_id} ${said}${formatToolError(result)}`)
  }
  if (withheld > 0)
    out.note(
      `${SYMBOLS.info} the text of ${withheld} entries and effects is left out, since the flow is too long: \`rubicon ledger show PLACE\``,
    )
  out.data(shown)
  return EXIT.done
}
