/** `rubicon escalations list|show`: what waits for somebody to decide, and what it is about. */
import {
  describeObject,
  isObject,
  type JsonObject,
  type JsonValue,
  listAskedChannels,
  toCanonicalText,
} from 'rubicon-kernel'
import {
  type EscalationSummary,
  type EscalationView,
  listEscalations,
  parseEscalationAction,
  showEscalation,
} from 'rubicon-runtime/engine/approve'
import { SnapshotCache } from 'rubicon-runtime/engine/ledger'
import {
  ESCALATION_STATES,
  type EscalationState,
  loadEscalation,
} from 'rubicon-runtime/engine/rows'
import type { Store } from 'rubicon-runtime/ports'
import { type CommandCall, createUsageFailure, getArgument } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'
import { formatWholeText } from './shell/value-text.ts'
import { resolveRequestId } from './whole-id.ts'

const LISTED = 50

export async function listRequests({ options, place, out }: CommandCall): Promise<ExitCode> {
  const state = parseEscalationState(options.text('in') ?? 'open')
  const agent_id = options.text('agent')
  const limit = options.count('limit', LISTED, 1)
  const filter = { state, limit, ...(agent_id === undefined ? {} : { agent_id }) }
  const [escalations, asked] = await readFromStore(place, async (store) => {
    const found = await listEscalations({ store }, filter)
    return [found, await Promise.all(found.map((one) => readRequestSummary(store, one)))] as const
  })
  const rows = escalations.map((one, index) => [
    one.id,
    asked[index] ?? '',
    one.agent_id,
    one.reason_code,
    one.impact ?? '-',
    one.channels.join(', '),
    one.ended ?? one.expires_at ?? '-',
  ])
  const head = ['ID', 'WHAT', 'AGENT', 'REASON', 'IMPACT', 'ASKED', 'ENDED OR EXPIRES']
  for (const line of formatTable([head, ...rows], out.width)) out.line(line)
  if (escalations.length === 0) out.note(`${SYMBOLS.info} nothing waits for anybody`)
  out.data({ escalations })
  return EXIT.done
}

/** The action and its first parameters; of a request about no action, what kind it is. */
async function readRequestSummary(
  store: Store,
  { id, kind, state }: EscalationSummary,
): Promise<string> {
  const stored = await loadEscalation({ store }, state, id)
  const { action, params } = stored === null ? NO_ACTION : parseEscalationAction(stored.body)
  return action === null ? kind : `${action} ${describeObject({}, params)}`.trimEnd()
}

const NO_ACTION: ReturnType<typeof parseEscalationAction> = { action: null, params: {} }

function parseEscalationState(text: string): EscalationState {
  const state = ESCALATION_STATES.find((known) => known === text)
  if (state !== undefined) return state
  throw createUsageFailure(
    `\`${text}\` is not a state of requests`,
    `use one of ${ESCALATION_STATES.join(', ')}`,
  )
}

export async function showRequest(call: CommandCall): Promise<ExitCode> {
  const { place, out } = call
  const id = getArgument(call, 0, 'ID')
  const shown = await readFromStore(place, (store) => loadRequest(store, id))
  describe(out, shown)
  out.data(shown)
  return EXIT.done
}

export async function loadRequest(store: Store, given: string): Promise<EscalationView> {
  const id = await resolveRequestId(store, given)
  const shown = await showEscalation({ store, snapshots: new SnapshotCache(store) }, id)
  if (shown !== null) return shown
  throw new CliFailure({
    code: 'ESCALATION_UNKNOWN',
    summary: `there is no request \`${id}\``,
    fix: 'see `rubicon escalations list`',
  })
}

/** What the kernel knows first, and what the agent says last: they are never mixed. */
export function describe(out: Output, view: EscalationView): void {
  const { request, proposal, state, ended, shown } = view
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
