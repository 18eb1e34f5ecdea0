/**
 * Purchases above 1,000 are asked for: up to 2,000 by the agent above, beyond that by a person, who
 * approves, changes or ends them. Whoever asks people too often is stopped.
 */
import {
  type Answer,
  buildOverride,
  type Contract,
  type EscalationDecision,
  type EscalationRequest,
  type Failure,
  isObject,
  type JsonValue,
  LIMITS,
  type Result,
} from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'
import type { DecidedEscalation } from 'rubicon-runtime/engine/approve'
import type { Capability, Clock } from 'rubicon-runtime/ports'
import { formatAmount } from '../../server/src/demo/amount.ts'
import { buildContract } from '../../server/src/demo/contract.ts'
import { createMovableClock, type Scenario, type Stage } from '../../server/src/demo/stage.ts'

export const BUYER = 'purchase_agent'
const LEAD = 'budget_lead'
const ANN = 'ann@example.com'
const OWNER = 'jane.doe@example.com'

export const scenario: Scenario = { name: 'escalation', play }

async function play(stage: Stage): Promise<void> {
  const bought: string[] = []
  const clock = createMovableClock()
  const runtime = await stage.openRuntime({
    capabilities: [createPurchaseCapability(bought)],
    people: [ANN],
    background: false,
    clock,
  })
  for (const contract of purchaseContracts()) await runtime.deploy(contract)
  await playLeadApproval(stage, runtime, clock)
  await playOverride(stage, runtime, clock)
  await playModification(stage, runtime, clock)
  await playAbort(stage, runtime, clock)
  await playBudgetExhaustion(stage, runtime)
  const all = bought.join(', ')
  stage.check(`what was bought: ${all}`, all === '1500, 5000, 3000')
  await stage.close(runtime)
}

/** The lead, and the agent below it. */
export function purchaseContracts(): readonly Contract[] {
  const alone = { id: 'alone', measure: 'usd', max: '1000', on_breach: 'escalate' }
  const ever = { id: 'ever', measure: 'usd', max: '10000' }
  return [
    buildContract(LEAD, ['PURCHASE', 'RESOLVE_ESCALATION'], {
      permissions: { limits: [{ id: 'own', measure: 'usd', max: '2000' }] },
    }),
    buildContract(BUYER, ['PURCHASE'], {
      parent_agent: LEAD,
      permissions: { limits: [alone, ever] },
    }),
  ]
}

/** A parent is woken with what it is asked, as the first fact of its State. */
function parseAsked(value: JsonValue | undefined): EscalationRequest {
  return (value as unknown as { readonly request: EscalationRequest }).request
}

async function playLeadApproval(stage: Stage, runtime: Runtime, clock: Clock): Promise<void> {
  const answered = Promise.withResolvers<Answer>()
  runtime.on(LEAD, async (flow) => {
    const request = parseAsked(flow.context.state[0]?.value)
    answered.resolve(await flow.resolveEscalation(request.id, approveNow(request, clock)))
  })
  const { flow, answer } = await ask(runtime, '1500')
  stage.recordDecision(
    'PURCHASE 1,500',
    answer,
    CEILING,
    `${describeBreach(answer)}; the lead is asked`,
  )
  stage.check('that is a delegation', answer.disposition === 'delegation')
  stage.recordDecision(
    'the lead allows it: its own limit is 2,000',
    await answered.promise,
    ACCEPTED,
  )
  stage.check('it was carried out', (await runtime.store.readFlow(flow.dfid))?.state === 'CLOSED')
}

async function playOverride(
  stage: Stage,
  runtime: Runtime,
  clock: Clock & { ahead(ms: number): void },
): Promise<void> {
  const { answer } = await ask(runtime, '5000')
  stage.recordDecision(
    'PURCHASE 5,000',
    answer,
    CEILING,
    'HIGH_IMPACT; a person is asked, not the lead',
  )
  stage.check('that is an alert', answer.disposition === 'alert')
  const { request } = await readWaitingRequest(runtime)
  stage.check('the impact is HIGH_IMPACT', request.impact === 'HIGH_IMPACT')
  const decide = (change: Partial<EscalationDecision> = {}, by = ANN) =>
    runtime.engine.oversight.decideEscalation(
      request.id,
      { ...approveNow(request, clock), ...change },
      { kind: 'person', principal: by },
    )
  stage.recordAnswer('OVERRIDE at once', await decide(), expectRejection('DECISION_TOO_FAST'))
  clock.ahead(LIMITS.highImpactDwellMs)
  stage.recordAnswer(
    'OVERRIDE by the owner',
    await decide({}, OWNER),
    expectRejection('SELF_APPROVAL'),
  )
  const more = { lifts: ['limit:alone', 'limit:ever'] }
  stage.recordAnswer(
    'OVERRIDE of a limit beside',
    await decide(more),
    expectRejection('LIFT_UNKNOWN'),
  )
  stage.recordAnswer('OVERRIDE', await decide(), ACCEPTED, 'it lifts its trigger, and nothing else')
  stage.recordAnswer(
    'OVERRIDE, again',
    await decide(),
    expectRejection('ESCALATION_DECIDED'),
    'single use',
  )
}

async function playModification(
  stage: Stage,
  runtime: Runtime,
  clock: Clock & { ahead(ms: number): void },
): Promise<void> {
  const { answer } = await ask(runtime, '4000')
  stage.recordDecision('PURCHASE 4,000', answer, CEILING)
  const modified = { params: { usd: '3000' } }
  const { oversight } = runtime.engine
  const { request } = await readWaitingRequest(runtime)
  const judged = await oversight.judgeModification(request.id, modified, {
    kind: 'person',
    principal: ANN,
  })
  if (!judged.ok) throw new Error(judged.error.summary)
  const { digest, impact, acknowledge } = judged.value
  stage.check('3,000 instead is judged first: HIGH_IMPACT as well', impact === 'HIGH_IMPACT')
  clock.ahead(LIMITS.highImpactDwellMs)
  const decided = await decideNext(runtime, clock, {
    decision: 'MODIFY',
    modified,
    modification: digest ?? '',
    acknowledgement: acknowledge ?? '',
  })
  stage.recordAnswer('MODIFY: 3,000 instead', decided, ACCEPTED)
  const ran = decided.ok && decided.value.answer?.outcome === 'ACCEPTED'
  stage.check('what the person wrote went through every stage', ran)
}

async function playAbort(stage: Stage, runtime: Runtime, clock: Clock): Promise<void> {
  const { flow, answer } = await ask(runtime, '6000')
  stage.recordDecision('PURCHASE 6,000', answer, CEILING)
  stage.recordAnswer('ABORT', await decideNext(runtime, clock, { decision: 'ABORT' }), ACCEPTED)
  const state = (await runtime.store.readFlow(flow.dfid))?.state
  stage.check('the flow is aborted, the agent goes on', state === 'ABORTED')
}

async function playBudgetExhaustion(stage: Stage, runtime: Runtime): Promise<void> {
  const small = await runtime.open({ agent: BUYER, trigger: 'something small is wanted' })
  const { flow, answer } = await ask(runtime, '7000')
  const wanted = { outcome: 'EXHAUSTED', reason_code: 'ESCALATION_BUDGET_EXHAUSTED' } as const
  stage.recordDecision('PURCHASE 7,000, the fourth exception within the hour', answer, wanted)
  stage.check('the flow is aborted', (await runtime.store.readFlow(flow.dfid))?.state === 'ABORTED')
  const later = await small.propose({ policy_kind: 'PURCHASE', params: { usd: '20' } })
  stage.recordDecision(
    'PURCHASE 20',
    later,
    expectRejection('AGENT_SUSPENDED'),
    'only a person lifts it',
  )
}

const ACCEPTED = { outcome: 'ACCEPTED' } as const
const CEILING = { outcome: 'ESCALATED', reason_code: 'AUTHORITY_CEILING' } as const

function expectRejection(reason_code: string): {
  readonly outcome: 'REJECTED'
  readonly reason_code: string
} {
  return { outcome: 'REJECTED', reason_code }
}

async function ask(
  runtime: Runtime,
  usd: string,
): Promise<{ readonly flow: Flow; readonly answer: Answer }> {
  const flow = await runtime.open({ agent: BUYER, trigger: `something for ${usd} is wanted` })
  return { flow, answer: await flow.propose({ policy_kind: 'PURCHASE', params: { usd } }) }
}

async function readWaitingRequest(
  runtime: Runtime,
): Promise<{ readonly request: EscalationRequest }> {
  const [first] = await runtime.engine.oversight.escalations()
  const view = await runtime.engine.oversight.escalation(first?.id ?? '')
  if (view === null) throw new Error('nothing waits')
  return view
}

async function decideNext(
  runtime: Runtime,
  clock: Clock,
  change: Partial<EscalationDecision>,
): Promise<Result<DecidedEscalation, Failure>> {
  const { request } = await readWaitingRequest(runtime)
  const decision = { ...approveNow(request, clock), ...change }
  const by = { kind: 'person', principal: ANN } as const
  return runtime.engine.oversight.decideEscalation(request.id, decision, by)
}

function approveNow(request: EscalationRequest, clock: Clock): EscalationDecision {
  return buildOverride(request, {
    until: clock.now() + 60_000,
    justification: 'it is needed, and the money is there',
  })
}

function describeBreach({ feedback }: Answer): string {
  const { checked, value, max } = feedback?.details ?? {}
  return `${checked} is ${formatAmount(value)}, the limit ${formatAmount(max)}`
}

/** What was bought so far stands in World, so that whoever is asked sees what it comes to. */
export function createPurchaseCapability(bought: string[]): Capability {
  return {
    kind: 'PURCHASE',
    summary: 'buy something for so many dollars',
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
    exposure: { measure: 'usd', threshold: '2500' },
    reads: () => ({ world: [ACCOUNT] }),
    preview({ usd }, view) {
      const before = parseSpent(view.world(ACCOUNT.kind, ACCOUNT.id)?.value)
      const after = String(BigInt(before) + BigInt(String(usd)))
      return [{ subject: 'purchases', field: 'spent', before, after, unit: 'USD' }]
    },
    execute({ params }) {
      const usd = String(params.usd)
      bought.push(usd)
      const first = { op: 'create', ...ACCOUNT, value: { spent: usd } } as const
      const more = { op: 'increment', ...ACCOUNT, field: 'spent', by: usd } as const
      return { receipt: `order-${bought.length}`, delta: [bought.length === 1 ? first : more] }
    },
  }
}

const ACCOUNT = { kind: 'account', id: 'purchases' } as const

function parseSpent(value: JsonValue | undefined): string {
  return isObject(value) && typeof value.spent === 'string' ? value.spent : '0'
}
