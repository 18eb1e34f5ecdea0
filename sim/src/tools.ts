/**
 * Tools that are data, in the storm: one that is carried out over HTTP, by hands that reach the simulated provider, and
 * one whose effect is a change to World. Their law is that of their manifests, and the same for every seed.
 */
import { type JsonObject, parseManifest, type ToolManifest } from 'rubicon-kernel'
import { toCapability } from '../../runtime/src/capabilities/from-manifest.ts'
import { type Capability, NotApplied } from '../../runtime/src/ports/capability.ts'
import type { ManifestHands } from '../../runtime/src/tools/hands.ts'
import { createCanary } from './canary.ts'
import type { SimProcess } from './process.ts'
import { type Provider, WINDOW_S } from './provider.ts'
import type { Rng } from './rng.ts'

const AMOUNT = { type: 'string', pattern: '^[0-9]{1,6}$' }
const NAME = { type: 'string', minLength: 1, maxLength: 64 }

const COMMON = {
  manifest: 'rubicon/tool/1',
  version: '1',
  reversible: true,
  risk: 'low',
} as const

const TIP: JsonObject = {
  ...COMMON,
  kind: 'TIP',
  summary: 'pays a little, over HTTP',
  params: toClosedSchema({ to: NAME, amount: AMOUNT }),
  effect: 'keyed',
  measures: { amount: { param: '/amount' } },
  cost: { usd: { param: '/amount' } },
  resources: [{ id: 'till:{/to}', amount: { param: '/amount' }, capacity: { const: '60' } }],
  idempotency: { carrier: 'Idempotency-Key', window_s: WINDOW_S },
  postcondition: [
    { require: { eq: [{ result: '/ok' }, { const: true }] }, else: 'the provider says ok' },
  ],
  executor: {
    http: {
      method: 'POST',
      url: 'https://tips.example/people/{/to}',
      body: { amount: { $: { param: '/amount' } } },
      idempotency_header: 'Idempotency-Key',
      applied: [200],
      not_applied: [422, 503],
      transient: [503],
    },
  },
}

const SHELVE: JsonObject = {
  ...COMMON,
  kind: 'SHELVE',
  summary: 'writes into World where something stands',
  params: toClosedSchema({ item: NAME, place: NAME }),
  effect: 'put_if_match',
  measures: { amount: { const: '1' } },
  resources: [{ id: 'place:{/place}' }],
  delta: [
    { op: 'create', kind: 'shelved', id: '{/place}', value: { item: { $: { param: '/item' } } } },
  ],
  executor: { world: true },
}

function toClosedSchema(properties: JsonObject): JsonObject {
  const required = Object.keys(properties)
  return { type: 'object', properties, required, additionalProperties: false }
}

const MANIFESTS: readonly ToolManifest[] = [TIP, SHELVE].map((document) => {
  const parsed = parseManifest(document)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error))
  return parsed.value
})

export const TOOL_KINDS: readonly string[] = MANIFESTS.map(({ kind }) => kind)

const NO_HANDS: ManifestHands = {
  execute: async () => {
    throw new Error('these hands reach nothing')
  },
}

export const TOOLS: readonly Capability[] = MANIFESTS.map((one) => toCapability(one, NO_HANDS))

/** The same tool, carried out from this process. Undefined: the kind is none of a tool. */
export function bindTool(
  hands: { readonly process: SimProcess; readonly provider: Provider },
  kind: string,
): Capability | undefined {
  const manifest = MANIFESTS.find((one) => one.kind === kind)
  return manifest === undefined ? undefined : toCapability(manifest, createStormHands(hands))
}

/** As the HTTP executor: a status that is listed, or an error that says nothing about the effect. */
function createStormHands({
  process,
  provider,
}: {
  readonly process: SimProcess
  readonly provider: Provider
}): ManifestHands {
  return {
    async execute(_executor, { params }, { idempotencyKey: key, send }) {
      if (!process.alive) return process.waitForever()
      const answer = await process.wait(provider.request({ kind: 'TIP', key, send, params }))
      if (answer.kind === 'reset') throw new Error(`connection reset ${createCanary('error')}`)
      if (answer.kind === 'refused')
        throw new NotApplied(answer.why, { transient: answer.transient })
      return { status: 200, result: answer.result, receipt: createCanary('receipt') }
    },
  }
}

export type ToolWish = { readonly policy_kind: string; readonly params: JsonObject }

export function drawToolWish(rng: Rng): ToolWish {
  if (rng.drawChance(0.6)) {
    const params = { to: `item-${rng.drawBelow(4)}`, amount: String(rng.drawBetween(1, 30)) }
    return { policy_kind: 'TIP', params }
  }
  // Few enough that two want the same place.
  const params = { item: `item-${rng.drawBelow(4)}`, place: `place-${rng.drawBelow(20)}` }
  return { policy_kind: 'SHELVE', params }
}
