/** The agent and the tools of `bench stream`: a desk that buys, pays out and holds, within limits of all forms. */
import assert from 'node:assert/strict'
import {
  buildGrammar,
  buildManifestLaw,
  type CapabilityDescription,
  type CapabilityLaw,
  type Contract,
  describeManifest,
  type Grammar,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseManifest,
} from 'rubicon-kernel'
import { checkLimits } from '../../kernel/src/contract/limit-check.ts'
import { checkResourceScopes } from '../../kernel/src/contract/resource-scope.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { compileSchema, type Validate } from '../../runtime/src/capabilities/schema.ts'
import { matchesRegex as regex } from '../../runtime/src/policies/regex.ts'

const PRICE: JsonValue = '61234.55'
const KINDS = ['BUY', 'PAY_OUT', 'HOLD'] as const

const CONTRACT: JsonObject = {
  agent_id: 'desk',
  version: '1.0.0',
  owner: 'desk@example.com',
  effective_from: '2026-01-01',
  mission: 'Keep the position inside its bounds.',
  permissions: {
    policy_kinds: KINDS,
    resources: {
      instruments: { allow: ['BTC-USD', 'ETH-USD', 'SOL-USD'], applies_to: ['BUY'] },
      accounts: { allow: ['ops', 'tax', 'payroll-*'], applies_to: ['PAY_OUT'] },
    },
    limits: [
      { id: 'order_value', kind: 'range', measure: 'value_usd', max: '25000', applies_to: ['BUY'] },
      { id: 'size', kind: 'range', field: '/quantity', min: '0.001', applies_to: ['BUY'] },
      {
        id: 'payout',
        kind: 'range',
        field: '/amount',
        min: '1',
        max: '1999.99',
        applies_to: ['PAY_OUT'],
      },
      { id: 'not_tax', kind: 'set', field: '/account', denied: ['tax'], applies_to: ['PAY_OUT'] },
    ],
  },
}

const TOOLS: readonly JsonObject[] = [
  buildTool('BUY', {
    properties: {
      instrument: { type: 'string', maxLength: 16 },
      quantity: { type: 'string', pattern: '^[0-9]{1,9}(\\.[0-9]{1,8})?$' },
      side: { enum: ['limit', 'market'] },
      ticks: { type: 'integer', minimum: -25, maximum: 1_250 },
      note: { type: 'string', maxLength: 24 },
    },
    required: ['instrument', 'quantity', 'side'],
    measures: { value_usd: { mul: [{ param: '/quantity' }, { fact: 'price.btc' }] } },
    scopes: { instruments: '/instrument' },
  }),
  buildTool('PAY_OUT', {
    properties: {
      account: { enum: ['ops', 'tax', 'payroll-1', 'payroll-2', 'private'] },
      amount: { type: 'string' },
      tags: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 8 }, maxItems: 3 },
    },
    required: ['account', 'amount'],
    measures: {},
    scopes: { accounts: '/account' },
  }),
  buildTool('HOLD', {
    properties: {
      minutes: { type: 'integer', minimum: 1, maximum: 90 },
      calm: { type: 'boolean' },
    },
    required: ['minutes'],
    measures: {},
    scopes: {},
  }),
]

function buildTool(kind: string, parts: JsonObject): JsonObject {
  const { properties = {}, required = [], measures = {}, scopes = {} } = parts
  return {
    ...{ manifest: 'rubicon/tool/1', kind, version: '1', summary: kind, measures, scopes },
    params: { type: 'object', properties, required, additionalProperties: false },
    ...{ effect: 'unsafe', reversible: false, risk: 'medium' },
    executor: { command: { argv: ['/usr/bin/true'], applied: [0] } },
  }
}

type StreamTool = {
  readonly description: CapabilityDescription
  readonly law: Pick<CapabilityLaw, 'measures'>
  readonly validate: Validate
}

export type StreamLaw = {
  buildGrammar(): Grammar
  /** What the stages say of it that a grammar claims to cover; none: it is inside. */
  listRefusals(kind: string, params: JsonObject): readonly string[]
}

export function createStreamLaw(): StreamLaw {
  const parsed = parseContract(CONTRACT)
  assert.ok(parsed.ok, JSON.stringify(parsed))
  const contract = parsed.value
  const tools = new Map(TOOLS.map(registerTool).map((tool) => [tool.description.kind, tool]))
  return {
    buildGrammar() {
      const grammar = buildGrammar({
        ...{ contract, kinds: KINDS, sha256, regex },
        describe: (kind) => tools.get(kind)?.description,
        facts: (path) => (path === 'price.btc' ? PRICE : undefined),
      })
      assert.ok(grammar.ok, JSON.stringify(grammar))
      return grammar.value
    },
    listRefusals: (kind, params) => listRefusals(contract, tools.get(kind), params),
  }
}

function registerTool(document: JsonObject): StreamTool {
  const manifest = parseManifest(document)
  assert.ok(manifest.ok, JSON.stringify(manifest))
  const validate = compileSchema(manifest.value.params)
  assert.ok(validate.ok)
  return {
    description: describeManifest(manifest.value, sha256),
    law: buildManifestLaw(manifest.value),
    validate: validate.value,
  }
}

function listRefusals(
  contract: Contract,
  tool: StreamTool | undefined,
  params: JsonObject,
): readonly string[] {
  if (tool === undefined) return ['CAPABILITY_UNKNOWN']
  const { description, law, validate } = tool
  const by = { source: 'exchange', label: 'trusted', observed_at: '', version: '1' } as const
  const view = {
    now: '2026-01-01T00:00:00.000Z',
    state: (path: string) => (path === 'price.btc' ? { path, value: PRICE, ...by } : undefined),
    world: () => undefined,
  }
  const about = { contract, policyKind: description.kind, params, regex }
  const measures = law.measures(params, view)
  return [
    ...validate(params).map(({ path, detail }) => `ARGUMENTS_INVALID ${path} ${detail}`),
    ...checkResourceScopes({
      ...about,
      writs: [{ scopes: [{ kind: '*' }] }],
      scopes: description.scopes,
    }).map(({ code }) => code),
    ...checkLimits({ ...about, measures, state: () => undefined }).map(
      ({ refusal }) => refusal.code,
    ),
  ]
}
