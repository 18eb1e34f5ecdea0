import {
  buildOverride,
  type EscalationDecision,
  type EscalationRequest,
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  formatInstant,
  type JsonObject,
  type JsonValue,
  LIMITS,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { type Capability, NotApplied, type Runtime } from 'rubicon-runtime'
import {
  derivePrivateKey,
  signNow,
  toRawPublicKey,
} from '../../../runtime/src/adapters/system/ed25519.ts'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import {
  buildKeyRegistration,
  registerKey,
  retireKey,
} from '../../../runtime/src/engine/authority/keys.ts'
import { buildContract } from '../../../server/src/demo/contract.ts'
import { createMovableClock } from '../../../server/src/demo/stage.ts'
import type { Rng } from '../rng.ts'
import type { HonestLedger } from './honest-ledger.ts'
import { recordLedger } from './record-ledger.ts'

export const BUYER = 'buyer'
export const CLERK = 'clerk'
export const LEAD = 'lead'
export const ANN = 'ann@example.com'
/** An agent whose owner may approve everything. */
export const SOLO = 'solo'
/** How long its requests wait. */
export const SOLO_WINDOW_S = 7_200
export const OWNER = 'jane.doe@example.com'
const BOB = 'bob@example.com'
/** Who had a key for approving, and has none any more. */
export const CYD = 'cyd@example.com'

const DESK = { budget_per_flow: { calls: '6', usd: '20000' } }

const CONTRACTS = [
  buildContract(LEAD, ['PURCHASE', 'RESOLVE_ESCALATION', 'SPAWN_INSTANCE'], {
    permissions: { limits: [{ id: 'own', measure: 'usd', max: '2000' }] },
    safety_rules: DESK,
  }),
  buildContract(CLERK, ['PURCHASE', 'SHIP'], {
    parent_agent: LEAD,
    permissions: {
      limits: [
        {
          id: 'alone',
          measure: 'usd',
          max: '1000',
          on_breach: 'escalate',
          applies_to: ['PURCHASE'],
        },
      ],
    },
    safety_rules: DESK,
  }),
  buildContract(BUYER, ['PURCHASE'], {
    permissions: {
      limits: [
        { id: 'alone', measure: 'usd', max: '1000', on_breach: 'escalate' },
        { id: 'ever', measure: 'usd', max: '10000' },
      ],
    },
    safety_rules: {
      approvers: { needs: 1, of: [ANN] },
      budget_per_flow: { calls: '6', usd: '20000' },
      budget_per_agent: { window_s: 2_678_400, usd: '40000' },
    },
  }),
  buildContract(SOLO, ['PURCHASE'], {
    permissions: {
      limits: [{ id: 'alone', measure: 'usd', max: '1000', on_breach: 'escalate' }],
    },
    safety_rules: { ...DESK, self_approval: 'allowed', approval_window_s: SOLO_WINDOW_S },
  }),
]

const PURCHASE: Capability = {
  kind: 'PURCHASE',
  effect: 'keyed',
  risk: 'medium',
  reversible: true,
  idempotency: { carrier: 'header', window_s: 86_400 },
  params: {
    type: 'object',
    properties: { usd: { type: 'string', pattern: '^[0-9]{1,9}$' } },
    required: ['usd'],
    additionalProperties: false,
  },
  measures: { usd: ({ usd }) => usd },
  costOf: ({ usd }) => ({ usd: String(usd) }),
  exposure: { measure: 'usd', threshold: '2500' },
  execute: ({ params }) => ({ result: params.usd ?? null }),
}

/** The first send of each is not applied, or lost. */
function createShippingCapability(): Capability {
  const sent = new Set<string>()
  return {
    kind: 'SHIP',
    effect: 'keyed',
    risk: 'low',
    reversible: true,
    idempotency: { carrier: 'header', window_s: 86_400 },
    params: {
      type: 'object',
      properties: { parcel: { type: 'string' }, first: { enum: ['busy', 'lost'] } },
      required: ['parcel', 'first'],
      additionalProperties: false,
    },
    execute({ params: { parcel, first } }) {
      const isFirst = !sent.has(String(parcel))
      sent.add(String(parcel))
      if (isFirst && first === 'busy') throw new NotApplied('busy', { transient: true })
      if (isFirst) throw new Error('connection reset')
      return { result: 'shipped' }
    },
  }
}

type Clock = ReturnType<typeof createMovableClock>
type Desk = { readonly runtime: Runtime; readonly clock: Clock }

export function makeDeskLedger(rng: Rng): Promise<HonestLedger> {
  const clock = createMovableClock()
  const capabilities = [PURCHASE, createShippingCapability()]
  const options = {
    clock,
    capabilities,
    people: [ANN, BOB, CYD, OWNER],
    executors: 'separate',
  } as const
  return recordLedger(rng, options, async (runtime) => {
    for (const contract of CONTRACTS) await runtime.deploy(contract)
    for (const name of [ANN, BOB, CYD, OWNER]) await giveKey(runtime, name)
    await work({ runtime, clock }, rng)
  })
}

async function work(desk: Desk, rng: Rng): Promise<void> {
  const { runtime, clock } = desk
  await buy(desk, BUYER, String(3000 + rng.drawBelow(2000)))
  clock.ahead(LIMITS.highImpactDwellMs)
  await decide(desk, {})
  await buy(desk, BUYER, String(5000 + rng.drawBelow(2000)))
  await modify(desk, String(2600 + rng.drawBelow(1000)))
  await buy(desk, CLERK, String(3000 + rng.drawBelow(2000)))
  clock.ahead(LIMITS.highImpactDwellMs)
  await decide(desk, {})
  await buy(desk, SOLO, String(3000 + rng.drawBelow(2000)))
  clock.ahead(LIMITS.highImpactDwellMs)
  await decide(desk, {}, OWNER)
  await spawnSecondClerk(desk)
  await playLeadDecision(desk)
  const steps = await runtime.open({ agent: BUYER, trigger: 'two things', steps: 'many' })
  for (const step_id of ['step-1', 'step-2']) {
    await steps.propose({ policy_kind: 'PURCHASE', step_id, params: { usd: '200' } })
    await runtime.engine.context.inFlight.awaitDrained()
  }
  for (const first of rng.drawChance(0.5) ? ['busy', 'lost'] : ['lost', 'busy']) {
    const flow = await runtime.open({ agent: CLERK, trigger: 'a parcel' })
    await flow.propose({ policy_kind: 'SHIP', params: { parcel: `${rng.drawBelow(1e6)}`, first } })
    await runtime.engine.context.inFlight.awaitDrained()
    clock.ahead(5_000)
    await runtime.engine.reconcile()
    await runtime.engine.context.inFlight.awaitDrained()
  }
}

/** That of somebody who left has ended. */
async function giveKey({ engine: { context } }: Runtime, name: string): Promise<void> {
  const key = derivePrivateKey(sha256(encodeUtf8(`approver ${name}`)))
  const public_key = encodeBase64(toRawPublicKey(key))
  const core = { purpose: 'approver', subject: name, public_key } as const
  const body = buildKeyRegistration(context, core)
  if (!body.ok) throw new Error(body.error.summary)
  const text = encodeUtf8(toCanonicalText(body.value as JsonObject))
  const possession = encodeBase64(signNow(key, encodePreAuth(toPayloadType('key'), text)))
  const registered = await registerKey(context, { ...core, possession })
  if (!registered.ok) throw new Error(registered.error.summary)
  if (name === CYD) await retireKey(context, registered.value.key_id)
}

async function buy({ runtime }: Desk, agent: string, usd: string): Promise<void> {
  const flow = await runtime.open({ agent, trigger: `something for ${usd}` })
  await flow.propose({ policy_kind: 'PURCHASE', params: { usd } })
}

async function spawnSecondClerk({ runtime, clock }: Desk): Promise<void> {
  const flow = await runtime.open({ agent: LEAD, trigger: 'too much to do' })
  const until = { at: formatInstant(clock.now() + 3_600_000) }
  const params = { class: CLERK, instance_id: 'clerk-2', until }
  await flow.propose({ policy_kind: 'SPAWN_INSTANCE', params })
  await runtime.engine.context.inFlight.awaitDrained()
}

/** A parent is woken with what it is asked, as the first fact of its State. */
function parseAsked(value: JsonValue | undefined): EscalationRequest {
  return (value as unknown as { readonly request: EscalationRequest }).request
}

async function playLeadDecision(desk: Desk): Promise<void> {
  const { runtime, clock } = desk
  const answered = Promise.withResolvers<unknown>()
  runtime.on(LEAD, async (flow) => {
    const request = parseAsked(flow.context.state[0]?.value)
    answered.resolve(await flow.resolveEscalation(request.id, approveNow(request, clock)))
  })
  await buy(desk, CLERK, '1500')
  await answered.promise
}

async function readWaitingRequest({ runtime }: Desk): Promise<EscalationRequest> {
  const [first] = await runtime.engine.oversight.escalations()
  const view = await runtime.engine.oversight.escalation(first?.id ?? '')
  if (view === null) throw new Error('nothing waits')
  return view.request
}

async function modify(desk: Desk, usd: string): Promise<void> {
  const request = await readWaitingRequest(desk)
  const modified = { params: { usd } }
  const by = { kind: 'person', principal: ANN } as const
  const { oversight } = desk.runtime.engine
  const judged = await oversight.judgeModification(request.id, modified, by)
  if (!judged.ok) throw new Error(judged.error.summary)
  const { digest, acknowledge } = judged.value
  desk.clock.ahead(LIMITS.highImpactDwellMs)
  const words = { modification: digest ?? '', acknowledgement: acknowledge ?? '' }
  await decide(desk, { decision: 'MODIFY', modified, ...words })
}

async function decide(
  desk: Desk,
  change: Partial<EscalationDecision>,
  principal = ANN,
): Promise<void> {
  const request = await readWaitingRequest(desk)
  const decision = { ...approveNow(request, desk.clock), ...change }
  const by = { kind: 'person', principal } as const
  const { oversight } = desk.runtime.engine
  const decided = await oversight.decideEscalation(request.id, decision, by)
  if (!decided.ok) throw new Error(decided.error.summary)
}

function approveNow(request: EscalationRequest, clock: Clock): EscalationDecision {
  return buildOverride(request, {
    until: clock.now() + 60_000,
    justification: 'it is needed, and the money is there',
  })
}
