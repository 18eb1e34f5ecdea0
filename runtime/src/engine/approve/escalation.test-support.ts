/** A refunds bot that must ask above 500, and people who decide. */
import assert from 'node:assert/strict'
import {
  type Answer,
  buildOverride,
  type EscalationDecision,
  type Failure,
  type JsonObject,
  type Result,
} from 'rubicon-kernel'
import type { Flow, RuntimeOptions } from '../../compose.ts'
import { exampleCapability } from '../../evidence/example.test-support.ts'
import type { Capability } from '../../ports/capability.ts'
import type { Engine } from '../engine.ts'
import { AGENT, type FlowStage, flowStage, refund } from '../flow/flow-stage.test-support.ts'
import type { PersonDeciding } from './approver.ts'
import type { DecidedBy, DecidedEscalation } from './decide.ts'
import type { EscalationView } from './list.ts'
import type { ModificationView } from './modification.ts'

export const ANN: PersonDeciding = { kind: 'person', principal: 'ann@example.com' }
export const BOB: PersonDeciding = { kind: 'person', principal: 'bob@example.com' }
export const OWNER: PersonDeciding = { kind: 'person', principal: 'Jane.Doe@example.com' }

export const LIMITS_OF_BOT: readonly JsonObject[] = [
  { id: 'alone', kind: 'range', measure: 'amount', max: '500.00', on_breach: 'escalate' },
  { id: 'ever', kind: 'range', measure: 'amount', max: '9000.00' },
]

export type Desk = FlowStage & {
  readonly sent: readonly string[]
  /** Opens a flow and asks for a refund of so much. */
  ask(
    amount: string,
    more?: JsonObject,
    shown?: { readonly state?: readonly string[] },
  ): Promise<{ readonly flow: Flow; readonly answer: Answer }>
  /** The one request that waits. */
  waiting(): Promise<EscalationView>
  /** What is judged of a MODIFY into another amount. */
  judge(amount: string, by?: string): Promise<ModificationView>
  decide(
    change?: Partial<EscalationDecision>,
    by?: DecidedBy,
    id?: string,
  ): Promise<Result<DecidedEscalation, Failure>>
}

export type DeskOptions = RuntimeOptions & {
  readonly contract?: JsonObject
  readonly capability?: Partial<Capability>
  /** It says neither how much is at stake nor that it can be taken back. */
  readonly unrated?: boolean
}

/** Above 2,000 a refund is HIGH_IMPACT. */
export async function desk(options: DeskOptions = {}): Promise<Desk> {
  const { contract = {}, capability = {}, unrated = false, ...rest } = options
  const sent: string[] = []
  const example = exampleCapability(() => {})
  const { reversible: _, ...silent } = example
  const rated = { ...example, exposure: { measure: 'amount', threshold: '2000.00' } }
  const stage = await flowStage({
    capabilities: [
      {
        ...(unrated ? silent : rated),
        execute(intent, io) {
          sent.push(String(intent.params.amount))
          return example.execute(intent, io)
        },
        ...capability,
      },
    ],
    people: ['ann@example.com', 'bob@example.com', 'cyd'],
    ...rest,
  })
  await stage.deploy({
    permissions: { policy_kinds: ['REFUND'], limits: LIMITS_OF_BOT },
    ...contract,
  })
  let orders = 0
  return {
    ...stage,
    sent,
    async ask(amount, more = {}, shown = {}) {
      orders += 1
      // Requests are told apart in the order of time.
      await stage.clock.advance(1)
      const flow = await stage
        .runtime()
        .open({ agent: AGENT, trigger: `ticket ${orders}`, ...shown })
      const proposal = refund(amount)
      const params = { order: `o-${orders}`, amount }
      return { flow, answer: await flow.propose({ ...proposal, params, ...more }) }
    },
    async waiting() {
      const [one, ...more] = await stage.engine().oversight.escalations()
      assert.equal(more.length, 0, 'one waits')
      return (
        (await stage.engine().oversight.escalation(one?.id ?? '')) ?? assert.fail('nothing waits')
      )
    },
    async decide(change = {}, by = ANN, id) {
      const engine = stage.engine()
      const first =
        id ?? (await engine.oversight.escalations())[0]?.id ?? assert.fail('nothing waits')
      const { request } =
        (await engine.oversight.escalation(first)) ?? assert.fail(`no request ${first}`)
      const decision = decisionFor(stage, request, change)
      const said = await asJudged(engine, first, decision, change, by)
      return engine.oversight.decideEscalation(first, said, by)
    },
    async judge(amount, by = 'ann@example.com') {
      const id = (await stage.engine().oversight.escalations())[0]?.id ?? ''
      const params = { order: `o-${orders}`, amount }
      const judged = await stage.engine().oversight.judgeModification(
        id,
        { params },
        {
          kind: 'person',
          principal: by,
        },
      )
      assert.ok(judged.ok, JSON.stringify(judged))
      return judged.value
    },
  }
}

/** With the judgement of a MODIFY, as whoever decides on one has asked for it; unless it says one. */
async function asJudged(
  { oversight }: Engine,
  id: string,
  decision: EscalationDecision,
  change: Partial<EscalationDecision>,
  by: DecidedBy,
): Promise<EscalationDecision> {
  const { modified } = decision
  if (modified === undefined || by.kind === 'agent' || 'modification' in change) return decision
  const judged = await oversight.judgeModification(id, modified, by)
  if (!judged.ok || judged.value.digest === null) return decision
  const { digest, impact, acknowledge } = judged.value
  const typed = acknowledge === null ? {} : { acknowledgement: acknowledge }
  return { ...decision, modification: digest, acknowledged_impact: impact, ...typed, ...change }
}

/** An approval of everything that the request asks, for the next minute. */
export function decisionFor(
  { clock }: Pick<FlowStage, 'clock'>,
  request: EscalationView['request'],
  change: Partial<EscalationDecision> = {},
): EscalationDecision {
  const terms = { until: clock.now() + 60_000, justification: 'the customer is owed it' }
  return { ...buildOverride(request, terms), ...change }
}

export function codeOf(result: Result<unknown, Failure>): string {
  return result.ok ? 'ok' : result.error.code
}

/** The last entry of that kind, and what stands in a member of an entry. */
export async function lastOf(stage: FlowStage, dfid: string, kind: string): Promise<JsonObject> {
  const entries = await stage.entries(dfid)
  const [, payload] = entries.findLast(([one]) => one === kind) ?? assert.fail(`no ${kind}`)
  return payload
}

export function inside(payload: JsonObject, name: string): JsonObject {
  return payload[name] as JsonObject
}
