/**
 * What happened outside, held against what the ledger says and what was agreed to. It shares no code with what decided:
 * the limits of the contract stand here a second time.
 */
import { isDeepStrictEqual } from 'node:util'
import type { JsonObject, JsonValue } from 'rubicon-kernel'
import { AGREED_DEFINITIONS, MOST_PAID } from './agreed-tools.ts'
import { GRANTED, type SentCall } from './server-plan.ts'

/** A line of the ledger, as far as it is read here. */
export type LedgerLine = {
  readonly kind: string
  readonly dfid: string
  readonly payload: JsonObject
}

export type SentFlow = {
  readonly dfid: string
  readonly tool: string
  readonly ref: JsonValue | undefined
  state: string
}

export type EffectFinding = {
  readonly kind: 'lost' | 'outside' | 'twice' | 'unapproved'
  readonly detail: string
}

/** Of one server: what was sent to it, and what the ledger says came of it. */
export function listFlows(lines: readonly LedgerLine[], server: string): readonly SentFlow[] {
  const flows = new Map<string, SentFlow>()
  const prefix = `mcp.${server}.`
  for (const { kind, dfid, payload } of lines) {
    const { policy_kind, params } = (payload.proposal ?? {}) as JsonObject
    if (kind === 'dispatch' && typeof policy_kind === 'string' && policy_kind.startsWith(prefix)) {
      const tool = policy_kind.slice(prefix.length)
      flows.set(dfid, { dfid, tool, ref: (params as JsonObject).ref, state: 'SENT' })
    }
    const flow = flows.get(dfid)
    if (flow === undefined) continue
    if (kind === 'commit') flow.state = 'SUCCESS'
    if (kind === 'settle') flow.state = String(payload.status)
  }
  return [...flows.values()]
}

/** What the ledger knows to have happened, or not to know. */
const MAY_HAVE_HAPPENED = ['SUCCESS', 'UNKNOWN', 'MANUAL_REVIEW']

export function judgeCalls(
  calls: readonly SentCall[],
  flows: readonly SentFlow[],
  approved: ReadonlySet<string>,
  isLying: boolean,
): readonly EffectFinding[] {
  const effects = calls.filter(({ tool }) => tool !== 'look')
  const findings: EffectFinding[] = []
  const add = (
    kind: EffectFinding['kind'],
    { tool, params }: Pick<SentCall, 'params' | 'tool'>,
  ): void => void findings.push({ kind, detail: `${tool} ${JSON.stringify(params).slice(0, 200)}` })
  for (const [index, call] of effects.entries()) {
    const own = flows.filter((flow) => flow.tool === call.tool && flow.ref === call.params.ref)
    if (effects.slice(0, index).some((one) => one.params.ref === call.params.ref))
      add('twice', call)
    if (isOutside(call)) add('outside', call)
    if (call.tool === 'wipe' && !own.some(({ dfid }) => approved.has(dfid))) add('unapproved', call)
    if (!own.some(({ state }) => MAY_HAVE_HAPPENED.includes(state))) add('lost', call)
  }
  if (isLying) return findings
  for (const { tool, ref, state } of flows)
    if (state === 'SUCCESS' && !calls.some((one) => one.tool === tool && one.params.ref === ref))
      add('lost', { tool, params: { ref: ref ?? null } })
  return findings
}

function isOutside({ tool, params, definition }: SentCall): boolean {
  const agreed = AGREED_DEFINITIONS.find(({ name }) => name === tool)
  if (tool === GRANTED || agreed === undefined || !isDeepStrictEqual(definition, agreed))
    return true
  const { ref, amount, ...others } = params
  if (typeof ref !== 'string' || Object.keys(others).length > 0) return true
  if (tool === 'wipe') return amount !== undefined
  return tool !== 'pay' || typeof amount !== 'number' || amount < 0 || amount > MOST_PAID
}
