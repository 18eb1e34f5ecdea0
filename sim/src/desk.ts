/**
 * Whoever is handed a flow that the runtime opened: the agent above, asked about a request or about
 * half a job, or a child with work to do. It answers rightly, wrongly, beyond what it may, or never.
 */
import type { Answer, EscalationRequest, JsonValue } from 'rubicon-kernel'
import type { OnOpened } from '../../runtime/src/engine/rows/opened-flow.ts'
import { drawSensibleWish, type Scene, type Wish } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import { AGENTS, type AgentName } from './contracts.ts'
import { buildDecision, drawModification } from './decision.ts'

export type Handed = Parameters<OnOpened>[0]

const TRIES = 4
/** About an event: in time for its window, mostly. */
const THOUGHTS_MS = [20, 800, 3_000]

/** Flows that were handed over, and are being worked on. */
export class Handovers {
  open = 0
  readonly #failed: (error: unknown) => void

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed
  }

  /** Nobody waits for whoever works on it. */
  take(scene: Scene, handed: Handed): void {
    this.run(() => answerHanded(scene, handed))
  }

  run(work: () => Promise<void>): void {
    this.open += 1
    work()
      .catch(this.#failed)
      .finally(() => {
        this.open -= 1
      })
  }
}

async function answerHanded(scene: Scene, handed: Handed): Promise<void> {
  const { rng, time, swarm } = scene
  const { trigger } = handed.flow
  if (rng.drawChance(0.1)) return
  const isWoken = handed.flow.event !== null
  await time.sleep(rng.drawBetween(0, isWoken ? rng.pick(THOUGHTS_MS) : swarm.pauseMs))
  if (trigger.startsWith('escalation ')) return resolve(scene, handed)
  if (trigger.startsWith('compensate ')) return choose(scene, handed, trigger.slice(11))
  await work(scene, handed)
}

/** What is known of a flow that somebody works on. */
export type WorkedFlow = {
  readonly flow: Pick<Handed['flow'], 'dfid' | 'agent_id'> & { readonly event: unknown }
}

export async function work(scene: Scene, handed: WorkedFlow): Promise<void> {
  const agent = AGENTS.find((name) => name === handed.flow.agent_id) ?? 'builder'
  const { extra: _, ...wish } = drawSensibleWish(scene, agent as AgentName)
  await tell(scene, handed, drawEventWish(scene, handed, agent) ?? wish, 'work')
}

/** In an event a keeper may stop it, and a trader may have somebody else do its part. */
function drawEventWish({ rng }: Scene, { flow }: WorkedFlow, agent: string): Wish | null {
  if (flow.event === null) return null
  if (agent === 'keeper' && rng.drawChance(0.2))
    return { policy_kind: 'HALT', params: { reason: createCanary('story') } }
  if (agent !== 'trader' || !rng.drawChance(0.4)) return null
  const params = { agent: rng.pick(['clerk', 'keeper', 'builder']), trigger: 'part of an alarm' }
  return { policy_kind: 'SPAWN_CHILD', params }
}

/** The request stands in the State that the flow was opened with. */
async function resolve(scene: Scene, handed: Handed): Promise<void> {
  const { rng } = scene
  const shown = handed.working.state[0]?.value as
    | { readonly request: EscalationRequest; readonly proposal: JsonValue }
    | undefined
  if (shown === undefined) return
  const { request, proposal } = shown
  const word = rng.pickWeighted({ OVERRIDE: 5, MODIFY: 2, ABORT: 1 })
  const change = word === 'MODIFY' ? { modified: drawModification(rng, proposal) } : {}
  // Nobody types words for an agent.
  const { acknowledgement: _, ...decided } = buildDecision(scene, request, word, change)
  const wrong = rng.drawChance(0.15) ? { intent_digest: `sha256:${'2'.repeat(64)}` } : {}
  const params = { request_id: request.id, ...decided, ...wrong }
  await tell(scene, handed, { policy_kind: 'RESOLVE_ESCALATION', params }, 'answer')
}

async function choose(scene: Scene, handed: Handed, dfid: string): Promise<void> {
  const { rng, time } = scene
  for (let tries = 1; tries <= TRIES; tries++) {
    const action = rng.pickWeighted({
      REVERT: 6,
      CLOSE_ALL: 2,
      ALERT_HUMAN: 0.7,
      SELL_EVERYTHING: 0.5,
    })
    const wish = { policy_kind: 'COMPENSATE', params: { dfid, action } }
    const answer = await tell(scene, handed, wish, `choice-${tries}`)
    if (answer?.outcome === 'ACCEPTED' || answer?.outcome === 'EXHAUSTED') return
    await time.sleep(rng.drawBetween(500, 5000))
  }
}

/** Proposes whether there were enough proposals or not: what hangs on it is not finished without. */
async function tell(
  scene: Scene,
  { flow }: WorkedFlow,
  wish: Wish,
  step_id: string,
): Promise<Answer | null> {
  const { dfid } = flow
  const proposal = { step_id, ...wish, justification: createCanary('story') }
  const answer = await call(scene, (engine) => engine.propose(dfid, proposal, { waitMs: 1000 }))
  if (answer === null) return null
  scene.note(`handed ${dfid} ${answer.outcome} ${answer.reason_code ?? ''} ${answer.trace_id}`)
  scene.acknowledge({ kind: 'answered', answer })
  return answer
}
