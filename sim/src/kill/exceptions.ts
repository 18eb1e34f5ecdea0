/**
 * The load beyond single decisions: what people and the agent above decide, what is half done and taken
 * back, and who is stopped by a monitor.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { DecisionWord, EscalationRequest, JsonValue } from 'rubicon-kernel'
import type { Flow, Runtime } from '../../../runtime/src/compose.ts'
import { RubiconError } from '../../../runtime/src/rubicon-error.ts'
import { createCanary } from '../canary.ts'
import type { Rng } from '../rng.ts'
import { LEAD, MASONS } from './law.ts'
import type { ChildLine } from './protocol.ts'
import { playAlarm } from './rivals.ts'

export type Propose = (flow: Flow, proposal: Parameters<Flow['propose']>[0]) => Promise<void>

export type Load = {
  readonly runtime: Runtime
  readonly propose: Propose
  readonly print: (line: ChildLine) => void
  readonly fork: () => Rng
}

const PARTS = [
  'escalate',
  'decide',
  'release',
  'compensate',
  'monitor',
  'notice',
  'guard',
  'audit',
  'generate',
  'arbitrate',
]

/** A place that this load comes to, and single decisions do not. */
export function isExceptional(point = ''): boolean {
  return PARTS.some((part) => point.startsWith(`${part}.`))
}

export const PEOPLE: readonly string[] = ['ann@example.com', 'bob@example.com']
const VALID_MS = 60_000

/** Everything that goes on for ever, each in a loop of its own. */
export function createExceptionalLoad(load: Load): readonly (() => Promise<never>)[] {
  const { fork } = load
  const repeatForever = (work: (rng: Rng) => Promise<void>) => async (): Promise<never> => {
    const rng = fork()
    for (;;) await work(rng)
  }
  return [
    repeatForever((rng) => ask(load, rng, 'asker')),
    repeatForever((rng) => ask(load, rng, 'child')),
    repeatForever((rng) => decide(load, rng)),
    repeatForever(() => playWatchedAgent(load)),
    repeatForever(() => review(load)),
    repeatForever((rng) => askModel(load, rng)),
    repeatForever(() => drive(load)),
    repeatForever((rng) => playAlarm(load.runtime, rng)),
    ...MASONS.map((mason) => repeatForever((rng) => playHalfJob(load, rng, mason))),
  ]
}

/** A round of the background takes seconds under this load; what is killed here comes sooner. */
async function drive({ runtime: { engine } }: Load): Promise<void> {
  await sleep(60)
  await engine.runDue()
  await engine.oversight.sweepMonitors()
  await engine.context.advisers.round()
}

/** The agent above answers what it is asked, and takes back what is half done. */
export function handleLeadFlows(runtime: Runtime): void {
  runtime.on(LEAD, async (flow: Flow) => {
    const { trigger, state } = flow.context
    if (trigger.startsWith('compensate ')) {
      const answer = await flow.compensate(trigger.slice('compensate '.length), 'REVERT')
      if (answer.outcome !== 'ACCEPTED') await flow.close()
      return
    }
    const shown = state[0]?.value as { readonly request: EscalationRequest } | undefined
    if (shown === undefined) return
    await flow.resolveEscalation(shown.request.id, buildDecision(shown.request, 'OVERRIDE'))
  })
}

function buildDecision(request: EscalationRequest, decision: DecisionWord) {
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = request
  const bound = { decision, intent_digest, shown_snapshot, justification: createCanary('decision') }
  if (decision === 'ABORT') return { ...bound, lifts: [] }
  return {
    ...bound,
    lifts: triggers.map(({ id }) => id),
    valid_until: new Date(Date.now() + VALID_MS).toISOString(),
    acknowledged_impact: impact,
    ...(acknowledge === undefined ? {} : { acknowledgement: acknowledge }),
  }
}

async function ask({ runtime, propose }: Load, rng: Rng, agent: string): Promise<void> {
  const flow = await runtime.open({ agent, trigger: `ask ${createCanary('trigger')}` })
  const params = { amount: String(rng.drawBetween(11, 40)), to: 'x', memo: createCanary('memo') }
  await propose(flow, {
    policy_kind: 'PAY',
    params,
    step_id: 's',
    justification: createCanary('story'),
  })
  await sleep(rng.drawBetween(1, 80))
}

/** What it hears is of no matter: what it costs must be counted, whenever the process dies. */
async function askModel({ runtime }: Load, rng: Rng): Promise<void> {
  const { dfid } = await runtime.open({ agent: 'asker', trigger: 'think' })
  const messages = [{ role: 'user', text: createCanary('story') }] as const
  for (let question = 0; question < 3; question++)
    await runtime.engine.generate(dfid, { model: 'm', messages, max_tokens: 50 })
  await sleep(rng.drawBetween(1, 80))
}

/** Two people at the same requests, now and then at the same moment. */
async function decide({ runtime, print }: Load, rng: Rng): Promise<void> {
  await sleep(rng.drawBetween(1, 60))
  for (const { id, kind } of await runtime.engine.oversight.escalations({
    agent_id: 'asker',
    limit: 20,
  })) {
    const view = kind === 'outcome' ? null : await runtime.engine.oversight.escalation(id)
    if (view === null) continue
    const word = rng.pickWeighted({ OVERRIDE: 5, ABORT: 1 })
    const both = PEOPLE.slice(0, rng.drawBetween(1, 2)).map(async (principal) => {
      const by = { kind: 'person', principal } as const
      const decided = await runtime.engine.oversight.decideEscalation(
        id,
        buildDecision(view.request, word),
        by,
      )
      if (decided.ok) print({ said: 'decided', request: id, approver: principal, word })
    })
    await Promise.all(both)
  }
}

/** Two steps that work, mostly, and one that cannot. */
async function playHalfJob({ runtime, propose }: Load, rng: Rng, agent: string): Promise<void> {
  const flow = await runtime.open({ agent, trigger: 'job', steps: 'many' })
  const to = (name: string): { readonly [name: string]: JsonValue } => {
    return { amount: String(rng.drawBetween(1, 5)), to: name, memo: createCanary('memo') }
  }
  await propose(flow, { policy_kind: 'PAY', params: to('x'), step_id: 's1' })
  await propose(flow, { policy_kind: 'ORDER', params: to(agent), step_id: 's2' })
  await propose(flow, { policy_kind: 'PAY', params: to('nobody'), step_id: 's3' })
  await sleep(rng.drawBetween(50, 300))
}

/** Pays much until it is stopped, and is let go again. */
async function playWatchedAgent({ runtime, propose }: Load): Promise<void> {
  const flow = await runtime.open({ agent: 'watched', trigger: 'spend' }).catch(ignoreStopped)
  const params = { amount: '30', to: 'y' }
  if (flow !== null) await propose(flow, { policy_kind: 'PAY', params, step_id: 's' })
  await sleep(30)
  const move = { agent_id: 'watched', to: 'ACTIVE', actor: 'operator' } as const
  await runtime.engine.moveAgent({ ...move, justification: 'looked into it' })
}

/** Nothing is opened for who is stopped. */
function ignoreStopped(error: unknown): null {
  if (error instanceof RubiconError && error.code === 'AGENT_SUSPENDED') return null
  throw error
}

/** What is half done, and nobody above chooses about, keeps its agent from working: a person does. */
async function review({ runtime }: Load): Promise<void> {
  await sleep(40)
  const word = { evidence: { seen: createCanary('evidence') }, justification: 'seen', by: 'ann' }
  for (const { key, body } of await runtime.engine.oversight.dirtyFlows()) {
    const waits = body.standing === 'open' && MASONS.includes(body.agent_id)
    if (body.standing === 'compensating' || waits) continue
    await runtime.engine.oversight.resolveDirty(key, { outcome: 'abandon', ...word })
  }
}
