/** `rubicon flows list|cancel`: decision flows, newest first. */
import { FLOW_STATES, type FlowState, type FlowTag } from 'rubicon-kernel'
import { FLOW_TAGS } from '../http/schemas/flow.ts'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { confirm } from './confirm.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { collectRows } from './list-pages.ts'
import { formatTable, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { resolveDfidArgument } from './whole-id.ts'

const LISTED = 50

export async function listFlows(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const states = options.getTexts('in').map(parseFlowState)
  const agent = options.text('agent')
  const given = options.text('tag')
  const tag = given === undefined ? undefined : parseFlowTag(given)
  const conversation = options.text('conversation')
  if (conversation !== undefined && agent === undefined)
    throw createUsageFailure('a conversation is one of an agent', 'add `--agent AGENT`')
  const state = states.length === 0 ? undefined : states.join(',')
  const wanted = {
    ...{ agent, tag, conversation, state },
    ...{ reason: options.text('reason')?.toUpperCase(), kind: options.text('kind') },
  }
  const limit = options.count('limit', LISTED, 1)
  const { rows: flows, next } = await executeAsReader(call, (client) =>
    collectRows(limit, async (query) => {
      const page = unwrapAnswer(await client.listFlows({ query: { ...wanted, ...query } }))
      return { rows: page.flows, next: page.next }
    }),
  )
  const rows = flows.map((flow) => [
    flow.dfid,
    flow.agent_id,
    [flow.state, ...flow.tags].join(' '),
    flow.reason ?? '',
    String(flow.attempts),
    flow.opened_at,
    flow.trigger,
  ])
  const head = ['DFID', 'AGENT', 'STATE', 'LAST REASON', 'PROPOSALS', 'OPENED', 'TRIGGER']
  for (const line of formatTable([head, ...rows])) out.line(line)
  if (flows.length === 0)
    out.note(`${SYMBOLS.info} none in this store; a flow begins when an agent opens it`)
  if (next !== null) out.note(`${SYMBOLS.info} there are more: --limit N`)
  out.data({ flows, next })
  return EXIT.done
}

function parseFlowState(text: string): FlowState {
  const state = FLOW_STATES.find((known) => known === text.toUpperCase())
  if (state !== undefined) return state
  throw createUsageFailure(
    `\`${text}\` is not a state of flows`,
    `use one of ${FLOW_STATES.join(', ')}`,
  )
}

function parseFlowTag(text: string): FlowTag {
  const tag = FLOW_TAGS.find((known) => known === text.toUpperCase())
  if (tag !== undefined) return tag
  throw createUsageFailure(
    `\`${text}\` is not a tag of flows`,
    `use one of ${FLOW_TAGS.join(', ')}`,
  )
}

export async function cancel(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const dfid = await resolveDfidArgument(call)
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, { what: `cancelling flow \`${dfid}\` ends it`, name: dfid })
  const cancelled = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.cancelFlow({ params: { dfid }, body: { reason } })),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${dfid} cancelled`)
  out.data(cancelled)
  return EXIT.done
}
