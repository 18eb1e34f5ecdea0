/** `flows`, `flow`, `executions` and `settle`. */
import { randomUUID } from 'node:crypto'
import { EXECUTION_STATUSES, FLOW_STATES, type JsonValue } from 'rubicon-kernel'
import { createMissingFailure, createUsageFailure } from '../call.ts'
import { formatEntry, summariseEntry } from '../entry-text.ts'
import { escapeText } from '../escape-text.ts'
import { formatTable, type Output, SYMBOLS } from '../output.ts'
import type { CommandResult, ShellCommand } from './command.ts'
import { unwrapServerAnswer } from './link.ts'
import { resolveDfidAtServer } from './meant.ts'
import { answerTo, confirmName, type ShellSession } from './session.ts'
import type { Typed } from './typed.ts'
import { formatValue } from './value-text.ts'

const LISTED = '30'
const STATES: readonly string[] = FLOW_STATES
const STATUSES: readonly string[] = EXECUTION_STATUSES
const OUTCOMES = ['applied', 'not_applied', 'abandon'] as const
type Outcome = (typeof OUTCOMES)[number]

export const FLOW_COMMANDS: readonly ShellCommand[] = [
  {
    name: 'flows',
    args: '[STATE] [AGENT]',
    summary: 'decision flows, newest first',
    words: STATES,
    about: ['agent'],
    run: listFlows,
  },
  {
    name: 'flow',
    args: 'DFID',
    about: ['flow'],
    summary: 'a flow from trigger to outcome',
    run: showFlow,
  },
  {
    name: 'executions',
    args: '[STATUS]',
    summary: 'effects on the outside; MANUAL_REVIEW waits for somebody',
    words: STATUSES,
    run: listExecutions,
  },
  {
    name: 'settle',
    args: 'DFID:STEP|DFID',
    summary: 'say what became of an effect under review, or of a dirty flow',
    options: ['outcome', 'evidence', 'reason'],
    flags: ['yes'],
    words: OUTCOMES,
    about: ['effect', 'flow'],
    run: settle,
  },
]

async function listFlows(
  { link, out, seen }: ShellSession,
  { args }: Typed,
): Promise<CommandResult> {
  const state = args.find((word) => STATES.includes(word.toUpperCase()))?.toUpperCase()
  const agent = args.find((word) => !STATES.includes(word.toUpperCase()))
  const query = { state, agent, limit: LISTED }
  const body = unwrapServerAnswer(await link.client.listFlows({ query }))
  const rows = body.flows.map((flow) => {
    seen.add('flow', flow.dfid)
    seen.add('agent', flow.agent_id)
    const standing = [flow.state, ...flow.tags].join(' ')
    return [flow.dfid, flow.agent_id, standing, flow.opened_at, flow.trigger]
  })
  list(out, ['DFID', 'AGENT', 'STATE', 'OPENED', 'TRIGGER'], rows, body.next)
  return { data: body }
}

async function showFlow(session: ShellSession, { args }: Typed): Promise<CommandResult> {
  const { link, out, seen } = session
  const dfid = await resolveDfidAtServer(session, args[0] ?? throwMissing('DFID'))
  const body = unwrapServerAnswer(await link.client.getFlow({ params: { dfid } }))
  const { flow, entries, executions, children } = body
  seen.add('flow', flow.dfid, ...children.map((child) => child.dfid))
  seen.add('agent', flow.agent_id)
  out.line(`${out.paint('bold', flow.dfid)}  ${[flow.state, ...flow.tags].join(' ')}`)
  out.line(`  agent    ${escapeText(flow.agent_id)}`)
  out.line(`  trigger  ${formatValue(flow.trigger)}`)
  for (const { trajectory, seq, kind, at, payload } of entries) {
    const summary = summariseEntry(kind, parsePayload(payload))
    out.line(formatEntry({ trajectory, seq, at, kind, summary }))
  }
  for (const row of executions) {
    seen.add('effect', `${row.dfid}:${row.step_id}`)
    out.line(
      `  effect   ${escapeText(row.step_id)} ${row.status} ${row.reason_code ?? ''}`.trimEnd(),
    )
  }
  for (const child of children)
    out.line(`  child    ${child.dfid} ${escapeText(child.agent_id)} ${child.state}`)
  return { data: body }
}

/** The server's payloads are JSON. */
function parsePayload(payload: unknown): JsonValue {
  return payload as JsonValue
}

async function listExecutions(
  { link, out, seen }: ShellSession,
  { args }: Typed,
): Promise<CommandResult> {
  const status = args[0]?.toUpperCase()
  const body = unwrapServerAnswer(
    await link.client.listExecutions({ query: { status, limit: LISTED } }),
  )
  const rows = body.executions.map((row) => {
    const id = `${row.dfid}:${row.step_id}`
    seen.add('effect', id)
    seen.add('flow', row.dfid)
    const when = row.next_at ?? row.settled_at ?? '-'
    return [id, row.policy_kind, row.status, String(row.sends), when, row.reason_code ?? '']
  })
  list(out, ['ID', 'KIND', 'STATUS', 'SENDS', 'NEXT OR SETTLED', 'REASON'], rows, body.next)
  return { data: body }
}

/** On the word of a person: what was found, and where, is signed and recorded. */
async function settle(session: ShellSession, typed: Typed): Promise<CommandResult> {
  const { link, out } = session
  const [beginning = '', ...step] = (typed.args[0] ?? throwMissing('ID')).split(':')
  const id = [await resolveDfidAtServer(session, beginning), ...step].join(':')
  const given = await answerTo(session, typed, 'outcome', {
    prompt: `  outcome (${OUTCOMES.join(', ')}): `,
  })
  const outcome = parseOutcome(given)
  const found = await answerTo(session, typed, 'evidence', {
    prompt: '  what was found, and where: ',
  })
  const justification = await answerTo(session, typed, 'reason', { prompt: '  reason: ' })
  await confirmName(session, typed, id)
  const body = { outcome, evidence: { found }, justification }
  const key = randomUUID()
  if (id.includes(':')) {
    const settled = unwrapServerAnswer(
      await link.client.resolveExecution({ params: { id }, body, key }),
    )
    out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(id)} ${settled.status}`)
    return { data: settled }
  }
  const settled = unwrapServerAnswer(
    await link.client.resolveFlow({ params: { dfid: id }, body, key }),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(id)} ${settled.standing}`)
  return { data: settled }
}

function parseOutcome(text: string): Outcome {
  const outcome = OUTCOMES.find((known) => known === text)
  if (outcome !== undefined) return outcome
  throw createUsageFailure(`\`${text}\` is no outcome`, `use one of ${OUTCOMES.join(', ')}`)
}

export function list(
  out: Output,
  head: readonly string[],
  rows: readonly (readonly string[])[],
  next: string | null,
): void {
  for (const line of formatTable([head, ...rows], out.width)) out.line(line)
  if (rows.length === 0) out.note(`${SYMBOLS.info} none`)
  if (next !== null) out.note(`${SYMBOLS.info} there are more`)
}

export function throwMissing(name: string): never {
  throw createMissingFailure(name)
}
