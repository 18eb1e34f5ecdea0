/**
 * `rubicon bench tools`: what an expression of a tool manifest costs, what the largest one that parses costs, and
 * how long it takes to load tools that are data.
 */
import { type Expression, evaluateExpression, type JsonObject, parseManifest } from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { toCapability } from '../../runtime/src/capabilities/from-manifest.ts'
import { registerCapability } from '../../runtime/src/capabilities/register.ts'
import { computePercentile, roundFigure } from './measure.ts'

export type ToolsReport = {
  /** By what the expression does; the median of one evaluation. */
  readonly expression_us: Readonly<Record<string, number>>
  /** The largest sum that parses, over as many elements as there may be. */
  readonly largest_ms: number
  readonly tools: number
  /** Parsing and registering all of them. */
  readonly load_ms: number
}

const AT_ONCE = 1_000
const ROUNDS = 200
const TOOLS = 100

const PARAMS: JsonObject = {
  amount: '1250.75',
  item: 'tea',
  lines: Array.from({ length: 10 }, (_, i) => ({ price: `${i}.25`, count: i })),
  many: Array.from({ length: 1_024 }, (_, i) => ({ price: `${i}.25` })),
}

const EXPRESSIONS: Readonly<Record<string, Expression>> = {
  parameter: { param: '/amount' },
  product: { mul: [{ param: '/amount' }, { fact: 'price.{/item}' }] },
  choice: {
    if: [
      {
        and: [
          { lt: [{ param: '/amount' }, { const: '5000' }] },
          { in: [{ param: '/item' }, ['tea']] },
        ],
      },
      { round: { mul: [{ param: '/amount' }, { const: '1.19' }] }, digits: 2 },
      { const: '0' },
    ],
  },
  sum_of_ten: { sum: { mul: [{ item: '/price' }, { item: '/count' }] }, of: '/lines/*' },
}

const LARGEST: Expression = {
  sum: { add: Array.from({ length: 126 }, (): Expression => ({ item: '/price' })) },
  of: '/many/*',
}

export function runToolsBench(): ToolsReport {
  const figures = Object.entries(EXPRESSIONS).map(([name, expression]) => {
    return [name, measure(expression, AT_ONCE, ROUNDS) * 1_000] as const
  })
  return {
    expression_us: Object.fromEntries(figures.map(([name, us]) => [name, roundFigure(us)])),
    largest_ms: roundFigure(measure(LARGEST, 1, 20)),
    tools: TOOLS,
    load_ms: roundFigure(measureLoad()),
  }
}

/** The median of one, in milliseconds. */
function measure(expression: Expression, atOnce: number, rounds: number): number {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now()
    for (let i = 0; i < atOnce; i += 1) {
      const value = evaluateExpression(expression, { params: PARAMS, state: () => '4.2' })
      if (!value.ok) throw new Error('a measured expression has a value')
    }
    times.push((performance.now() - started) / atOnce)
  }
  return computePercentile(times, 0.5)
}

function measureLoad(): number {
  const started = performance.now()
  for (let i = 0; i < TOOLS; i += 1) {
    const manifest = parseManifest(buildManifest(`TOOL_${i}`))
    if (!manifest.ok) throw new Error(manifest.error.summary)
    const execute = (): never => {
      throw new Error('nothing is executed')
    }
    const registered = registerCapability(toCapability(manifest.value, { execute }), sha256)
    if (!registered.ok) throw new Error(registered.error.summary)
  }
  return performance.now() - started
}

function buildManifest(kind: string): JsonObject {
  return {
    manifest: 'rubicon/tool/1',
    kind,
    version: '1',
    summary: 'pays an order back',
    params: {
      type: 'object',
      properties: { order: { type: 'string' }, amount: { type: 'string', description: kind } },
      required: ['order', 'amount'],
      additionalProperties: false,
    },
    effect: 'keyed',
    reversible: false,
    risk: 'medium',
    measures: { usd: { mul: [{ param: '/amount' }, { fact: 'fx.{/order}' }] } },
    exposure: { measure: 'usd', threshold: '500' },
    scopes: { orders: '/order' },
    resources: [{ id: 'order:{/order}' }],
    precondition: [
      { require: { le: [{ param: '/amount' }, { fact: 'paid.{/order}' }] }, else: 'too much' },
    ],
    idempotency: { carrier: 'Idempotency-Key', window_s: 3_600 },
    executor: {
      http: {
        method: 'POST',
        url: 'https://pay.example/refunds/{/order}',
        headers: { Authorization: { secret: 'pay', format: 'Bearer {secret}' } },
        body: { amount: { $: { param: '/amount' } } },
        idempotency_header: 'Idempotency-Key',
        applied: [200, 201],
      },
    },
  }
}
