/** The capability of the differential test. */
import {
  type CapabilityDescription,
  type CapabilityLaw,
  computeAddress,
  type Decimal,
  formatDecimal,
  type JsonValue,
  type Sha256,
  toDecimal,
} from 'rubicon-kernel'
import type { Open } from './case-parts.ts'

export const DESCRIPTION: CapabilityDescription = {
  kind: 'BUY',
  version: '1',
  summary: 'buys',
  effect: 'keyed',
  reversible: false,
  reducing: false,
  risk: 'high',
  world_only: false,
  params: { type: 'object' },
  measures: ['order_value_usd', 'quantity'],
  scopes: { instruments: '/instrument' },
  jit_fields: ['price'],
  sinks: { '/account': ['trusted', 'operator'] },
  cost: { usd: '0.01' },
  source: { kind: 'inline', hash: 'sha256:code' },
}

const NAMES = ['instrument', 'quantity', 'account', 'payee', 'payees', 'venue', 'payee.account']

function getFirstText(value: JsonValue | undefined): string {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' ? one : ''
}

function formatProduct(a: Decimal, b: Decimal): string {
  return formatDecimal({ digits: a.digits * b.digits, scale: a.scale + b.scale })
}

function parseOptionalDecimal(value: JsonValue | undefined): Decimal | undefined {
  return value === undefined ? undefined : toDecimal(value)
}

const USUAL: Omit<CapabilityLaw, 'description' | 'hash'> = {
  validate(params) {
    const unknown = Object.keys(params).filter((name) => !NAMES.includes(name))
    const wrong = parseOptionalDecimal(params.quantity) === undefined ? ['quantity'] : []
    return [...unknown, ...wrong].map((name) => ({ path: `/${name}`, detail: 'is wrong' }))
  },
  reads: () => ({ state: [], world: [] }),
  measures(params, view): Record<string, JsonValue | undefined> {
    const quantity = parseOptionalDecimal(params.quantity)
    const price = parseOptionalDecimal(
      view.state(`market.price.${getFirstText(params.instrument)}`)?.value,
    )
    if (quantity === undefined) return {}
    const value = price === undefined ? undefined : formatProduct(quantity, price)
    return { quantity: formatDecimal(quantity), order_value_usd: value }
  },
  resources: (params) => [
    { id: `position:${getFirstText(params.instrument)}`, amount: '1' },
    { id: 'account:ACC-1', amount: '1' },
  ],
  jit: (params) => ({
    price: { path: `market.price.${getFirstText(params.instrument)}`, kind: 'telemetry' },
  }),
  cost(params): Record<string, string> {
    const quantity = parseOptionalDecimal(params.quantity)
    return { volume: quantity === undefined ? 'unknown' : formatDecimal(quantity) }
  },
  precondition(params, view) {
    const position = view.world('position', getFirstText(params.instrument))
    return position?.retracted === true ? 'the position is closed' : null
  },
}

const hashes = new Map<string, CapabilityLaw['hash']>()

export function createLaw(
  open: Open<CapabilityDescription>,
  change: Partial<CapabilityLaw>,
  sha256: Sha256,
): CapabilityLaw {
  const description: CapabilityDescription = open
  const text = JSON.stringify(open)
  const hash = hashes.get(text) ?? computeAddress('capability', open, sha256)
  if (hashes.size < 10_000) hashes.set(text, hash)
  return { ...USUAL, description, hash, ...change }
}
