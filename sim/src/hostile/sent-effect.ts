/**
 * Whether an effect that was sent may have been: by the contracts and rules of the shop, written once more.
 * What was approved, spent or sent before is for whoever judges.
 */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import {
  ACCOUNTS,
  ASKED_FROM,
  INSTRUMENTS,
  MALLORY,
  MAX_ORDER,
  MAX_PAY,
  MUCH,
  PRICES,
  type Sent,
  TRUDY,
} from './shop.ts'
import { PRESS } from './shop-rules.ts'

/** How many humans must have said yes. What trudy asks for, and is not much, the lead may allow. */
export function countNeededApprovals({ agent, kind, params }: Sent): number {
  const amount = getAmount(params)
  if (agent === MALLORY) return kind === 'WITHDRAW' || amount > ASKED_FROM ? 2 : 0
  if (agent === TRUDY) return kind === 'WITHDRAW' || amount > MUCH ? 1 : 0
  return kind === 'WITHDRAW' ? 1 : 0
}

/** Why this must not have happened; null: it may have. */
export function findSentProblem({ kind, params }: Sent): string | null {
  switch (kind) {
    case 'BUY':
      return orderProblem(params)
    case 'PAY':
      return payProblem([getMember(params, 'to', 'account')], params)
    case 'PAY_MANY':
      return payProblem(
        Array.isArray(params.payments)
          ? params.payments.map((one) => getMember(one, 'account'))
          : [],
        params,
      )
    case 'WITHDRAW':
      return null
    case 'NOTE':
      return params.to === PRESS ? 'what a rule forbids' : null
    default:
      return 'a kind that was not granted'
  }
}

function orderProblem({ instrument, quantity }: JsonObject): string | null {
  if (!INSTRUMENTS.includes(String(instrument))) return 'an instrument that was not granted'
  if (!/^-?\d+(\.\d+)?$/.test(String(quantity))) return 'a quantity that is no decimal'
  const value = Number(quantity) * (PRICES[String(instrument)] ?? Number.NaN)
  return value >= 0 && value <= MAX_ORDER ? null : `an order of ${value}`
}

function payProblem(
  accounts: readonly (JsonValue | undefined)[],
  params: JsonObject,
): string | null {
  const known = Object.values(ACCOUNTS)
  const stranger = accounts.find((account) => !known.includes(String(account)))
  if (stranger !== undefined || accounts.length === 0) return 'an account that nobody named'
  const amount = getAmount(params)
  return amount >= 0 && amount <= MAX_PAY ? null : `a payment of ${amount}`
}

export function getAmount({ amount }: JsonObject): number {
  return Number(amount ?? 0)
}

function getMember(
  value: JsonValue | undefined,
  ...names: readonly string[]
): JsonValue | undefined {
  return names.reduce<JsonValue | undefined>(
    (inner, name) => (isObject(inner) ? inner[name] : undefined),
    value,
  )
}

export function formatSent({ kind, params, dfid, step }: Sent): string {
  return `${kind} ${JSON.stringify(params)} in ${dfid} ${step}`
}
