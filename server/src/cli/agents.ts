/** `rubicon agents list|show`: who is registered, what they may do, and in which state they are. */
import type { AgentBudget, AgentDetail, Client, FlowSummary, Occasion } from 'rubicon-agents/client'
import { formatAgentStatus } from './agent-status.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { ALL_ROWS, collectRows } from './list-pages.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { formatFigure, formatValue } from './shell/value-text.ts'

const RECENT_FLOWS = '10'

export async function listAgents(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const { rows: agents, next } = await executeAsReader(call, (client) =>
    collectRows(ALL_ROWS, async (query) => {
      const page = unwrapAnswer(await client.listAgents({ query }))
      return { rows: page.agents, next: page.next }
    }),
  )
  const rows = agents.map((agent) => [
    agent.agent_id,
    formatAgentStatus(agent),
    agent.version ?? '-',
    agent.owner ?? '-',
    agent.instance_of ?? '-',
    agent.problems === 0 ? '' : String(agent.problems),
  ])
  const head = ['AGENT', 'STATUS', 'VERSION', 'OWNER', 'CLASS', 'PROBLEMS']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (agents.length === 0) out.note(`${SYMBOLS.info} none yet: \`rubicon contract deploy FILE\``)
  out.data({ agents, next })
  return EXIT.done
}

export async function showAgent(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const id = getArgument(call, 0, 'AGENT')
  const { shown, versions, flows } = await executeAsReader(call, (client) => readAgent(client, id))
  out.line(`${shown.agent_id}  ${formatAgentStatus(shown)}`)
  out.line(`  owner    ${escapeText(shown.owner ?? '-')}`)
  out.line(`  mission  ${escapeText(shown.mission ?? '-')}`)
  if (shown.instance_of !== null) out.line(`  class    ${shown.instance_of}`)
  if (shown.occasion !== null) out.line(`  until    ${describeOccasion(shown.occasion)}`)
  if (shown.parent_agent !== null) out.line(`  parent   ${shown.parent_agent}`)
  for (const line of describeStanding(shown)) out.line(line)
  for (const { version, seq, revoked } of versions)
    out.line(`  version  ${version} at authority/${seq}${revoked ? ', revoked' : ''}`)
  for (const { agent_id, status } of shown.instances) out.line(`  instance ${agent_id} ${status}`)
  for (const { dfid, state, trigger } of flows)
    out.line(`  flow     ${dfid} ${state} ${escapeText(trigger)}`)
  for (const { summary, fix } of shown.problems)
    out.line(`${out.symbol(SYMBOLS.waiting)} ${escapeText(summary)}: ${escapeText(fix)}`)
  out.data(shown)
  return EXIT.done
}

/** Since when it is where it is and why, what it may do, and what it has used of that. */
function describeStanding({ state, sentences, budgets, verdicts }: AgentDetail): readonly string[] {
  const counted = Object.entries(verdicts.outcomes).map(([word, count]) => `${count} ${word}`)
  return [
    ...(state === null
      ? []
      : [
          `  since    ${state.at} by ${formatValue(state.by)}: ${formatValue(state.justification)}`,
        ]),
    ...sentences.map(({ text }) => `  law      ${formatValue(text)}`),
    ...budgets.map(formatBudget),
    ...(counted.length === 0 ? [] : [`  verdicts ${escapeText(counted.join(', '))}`]),
  ]
}

function formatBudget({ of, measure, spent, limit, dfid, resets_at }: AgentBudget): string {
  const used = `${formatFigure(spent)} of ${formatFigure(limit)}`
  const whose = of === 'window' ? `of all its flows until ${resets_at}` : (dfid ?? '')
  return `  budget   ${formatValue(measure)} ${used} ${whose}`.trimEnd()
}

type ShownAgent = {
  readonly shown: AgentDetail
  /** In the order of their deployment. */
  readonly versions: readonly Version[]
  readonly flows: readonly FlowSummary[]
}

type Version = { readonly version: string; readonly seq: number; readonly revoked: boolean }

async function readAgent(client: Client, id: string): Promise<ShownAgent> {
  const shown = unwrapAnswer(await client.getAgent({ params: { id } }))
  // An agent may have had none.
  const contract = await client.getContract({ params: { agent_id: id } })
  const query = { agent: id, limit: RECENT_FLOWS }
  const { flows } = unwrapAnswer(await client.listFlows({ query }))
  return { shown, versions: contract.ok ? contract.body.versions.toReversed() : [], flows }
}

function describeOccasion({ spawner, until, ends_at }: Occasion): string {
  const end = 'flow' in until ? `flow ${until.flow} has ended, at the latest ${ends_at}` : ends_at
  return `${end}, spawned by ${spawner}`
}
