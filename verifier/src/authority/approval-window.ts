/** How long a request of a flow waits, by the contract that the flow is pinned to. */
import {
  getApprovalWindowMs,
  isObject,
  type JsonObject,
  type JsonValue,
  LIMITS,
} from 'rubicon-kernel'
import type { AuthorityState } from './authority-state.ts'

/** In milliseconds. */
export type AnswerWindow = { readonly least: number; readonly most: number }

/** Where the contract is not there it may have said anything that a contract can say. */
export function findAnswerWindow(
  { flows, contracts }: Pick<AuthorityState, 'flows' | 'contracts'>,
  dfid: string,
): AnswerWindow {
  const flow = flows.get(dfid)
  const deployed = flow === undefined ? undefined : contracts.get(flow.agent, flow.contract)
  if (deployed === undefined) return LIMITS.approvalWindowMs
  const window = readWindow(deployed.contract)
  return { least: window, most: window }
}

/** What stands here need not be a contract, since only its hash was checked: what none can say, counts as not said. */
function readWindow({ safety_rules: rules = null }: JsonObject): number {
  const said = isObject(rules) ? rules.approval_window_s : undefined
  return getApprovalWindowMs(isWindow(said) ? { approval_window_s: said } : {})
}

function isWindow(said: JsonValue | undefined): said is number {
  if (typeof said !== 'number' || !Number.isSafeInteger(said)) return false
  const { least, most } = LIMITS.approvalWindowMs
  return said * 1000 >= least && said * 1000 <= most
}
