/** `rubicon escalations list|show`: what waits for somebody to decide, and what it is about. */
import type { Client } from 'rubicon-agents/client'
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listAskedChannels,
  toCanonicalText,
} from 'rubicon-kernel'
import type { EscalationView } from 'rubicon-runtime/engine/approve'
import { ESCALATION_STATES, type EscalationState } from 'rubicon-runtime/engine/rows'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { collectRows } from './list-pages.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { unwrapAnswer } from './server-answer.ts'
import { formatWholeText } from './shell/value-text.ts'
import { resolveRequestId } from './whole-id.ts'

const LISTED = 50

export async function listRequests(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const state = parseEscalationState(options.text('in') ?? 'open')
  const wanted = { state, agent: options.text('agent') }
  const limit = options.count('limit', LISTED, 1)
  const { rows: escalations, next } = await executeAsReader(call, (client) =>
    collectRows(limit, async (query) => {
      const page = unwrapAnswer(await client.listEscalations({ query: { ...wanted, ...query } }))
      return { rows: page.escalations, next: page.next }
    }),
  )
  const rows = escalations.map((one) => [
    one.id,
    one.what,
    one.agent_id,
    one.reason_code,
    one.impact ?? '-',
    one.channels.join(', '),
    one.ended ?? one.expires_at ?? '-',
  ])
  const head = ['ID', 'WHAT', 'AGENT', 'REASON', 'IMPACT', 'ASKED', 'ENDED OR EXPIRES']
  for (const line of formatTable([head, ...rows], out.width)) out.line(line)
  if (escalations.length === 0) out.note(`${SYMBOLS.info} no request waits for a decision`)
  if (next !== null) out.note(`${SYMBOLS.info} there are more: --limit N`)
  out.data({ escalations, next })
  return EXIT.done
}

function parseEscalationState(text: string): EscalationState {
  const state = ESCALATION_STATES.find((known) => known === text)
  if (state !== undefined) return state
  throw createUsageFailure(
    `\`${text}\` is not a state of requests`,
    `use one of ${ESCALATION_STATES.join(', ')}`,
  )
}

export async function showRequest(call: CommandCall): Promise<ExitCode> {
  const { out } = call
  const given = getArgument(call, 0, 'ID')
  const shown = await executeAsReader(call, async (client) =>
    readRequest(client, await resolveRequestId(client, given)),
  )
  describe(out, shown)
  out.data(shown)
  return EXIT.done
}

export async function readRequest(client: Client, id: string): Promise<EscalationView> {
  return parseRequest(unwrapAnswer(await client.getEscalation({ params: { id } })))
}

/** As the schema of its route says: the types of the wire are wider than ours. */
function parseRequest(body: unknown): EscalationView {
  return body as EscalationView
}

/** What the kernel knows first, and what the agent says last: they are never mixed. */
export function describe(out: Output, view: EscalationView): void {
  const { request, proposal, state, ended, shown, comments } = view
  out.line(`${request.id}  ${ended?.as ?? state}`)
  out.line(`  agent    ${request.agent_id}, flow ${request.dfid}`)
  out.line(`  impact   ${[request.impact, ...request.impact_reasons].join(' ')}`)
  for (const { id, code, details } of request.triggers)
    out.line(`  asks     ${id}: ${code} ${formatShortValue(details)}`)
  const asked = listAskedChannels(request).map(escapeText).join(', ')
  out.line(`  asked    ${asked}, until ${request.expires_at}`)
  out.line(`  digest   ${request.intent_digest}`)
  for (const { path, value, label } of shown.state)
    out.line(`  saw      ${path} = ${formatShortValue(value)} (${label})`)
  for (const { at, by, text } of comments)
    out.line(`  comment  ${at} ${escapeText(by)}: ${formatShortValue(text)}`)
  if (proposal !== null) describeProposal(out, proposal)
}

/** What would run is shown whole, a line for each part; what is said for it stands apart, and may be cut. */
function describeProposal(out: Output, proposal: JsonValue): void {
  const { policy_kind = null, params = null, justification, ...rest } = toObject(proposal)
  out.line(`  proposes ${formatWholeText(policy_kind)}`)
  for (const [name, value] of Object.entries(toObject(params)))
    out.line(`  sends    ${formatWholeText(name)} ${formatWholeText(value)}`)
  for (const [name, value] of Object.entries(rest))
    if (!KNOWN.has(name)) out.line(`  with     ${formatWholeText(name)} ${formatWholeText(value)}`)
  if (justification === undefined) return
  out.line('  what the agent says; it decides nothing')
  out.line(`  │ because ${formatShortValue(justification)}`)
}

/** As it was sent, and read before it was kept. */
function toObject(value: JsonValue): JsonObject {
  return isObject(value) ? value : {}
}

/** Stands above, or is of no use to whoever reads it. */
const KNOWN: ReadonlySet<string> = new Set([
  'agent_id',
  'dfid',
  'context_ref',
  'mission_context_hash',
  'signature',
])

const SHOWN = 400

function formatShortValue(value: JsonValue): string {
  const text = toCanonicalText(value)
  return escapeText(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
}
