/**
 * People who decide what agents ask: mostly rightly; also late, twice, against each other, in haste,
 * about something else, for an agent of their own, or never.
 */
import type { EscalationDecision } from 'rubicon-kernel'
import type { EscalationSummary, EscalationView } from '../../runtime/src/engine/approve/list.ts'
import type { Scene } from './agents.ts'
import { listLogins } from './audit/humans.ts'
import { call } from './call.ts'
import { APPROVERS, OWNER } from './contracts.ts'
import { buildDecision, drawModification } from './decision.ts'
import { type HeldKeys, signDecision } from './key-holders.ts'

const DEEDS = {
  approve: 8,
  modify: 3,
  abort: 1.5,
  other_bytes: 1,
  other_facts: 0.5,
  more_than_asked: 0.5,
  as_owner: 1,
  as_stranger: 0.5,
  twice: 2,
  two_logins: 2,
  against: 1.5,
  again: 2,
  leave: 2,
} as const

/** Longer than it takes to read something with a high impact. */
const READING_MS = 10_500

type Said = { readonly id: string; readonly decision: EscalationDecision; readonly by: string }

export async function simulatePeople(scene: Scene, held: HeldKeys): Promise<void> {
  const { rng, time, swarm } = scene
  const said: Said[] = []
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, swarm.pauseMs + 300))
    await decideOne(scene, said, held)
  }
}

/** What is still open, and can be decided, is decided by somebody who takes his time. */
export async function decideRest(scene: Scene): Promise<void> {
  const { rng } = scene
  for (const { id, kind } of await listWaitingEscalations(scene)) {
    if (kind === 'outcome' || rng.drawChance(0.4)) continue
    const view = await call(scene, (engine) => engine.oversight.escalation(id))
    if (view === null) continue
    const word = rng.pickWeighted({ OVERRIDE: 2, ABORT: 1 })
    await decide(scene, {
      id,
      decision: buildDecision(scene, view.request, word),
      by: rng.pick(APPROVERS),
    })
  }
}

async function decideOne(scene: Scene, said: Said[], held: HeldKeys): Promise<void> {
  const { rng, time } = scene
  const deed = rng.pickWeighted(DEEDS)
  // Whatever became of it meanwhile: a decision counts once.
  if (deed === 'again' && said.length > 0) return decide(scene, rng.pick(said))
  const open = (await listWaitingEscalations(scene)).filter(({ kind }) => kind !== 'outcome')
  if (open.length === 0 || deed === 'leave' || deed === 'again') return
  const { id } = rng.pick(open)
  const view = await call(scene, (engine) => engine.oversight.escalation(id))
  if (view === null) return
  if (view.request.impact === 'HIGH_IMPACT' && rng.drawChance(0.7)) await time.sleep(READING_MS)
  if (deed === 'as_stranger') return comeAsStranger(scene, view)
  const human = deed === 'as_owner' ? OWNER : rng.pick(APPROVERS)
  const logins = listLogins(human)
  const login = rng.pick(logins)
  const judged = await judgeDecision(scene, id, toDecision(scene, view, deed), login)
  const by = rng.drawChance(0.2) ? login.toUpperCase() : login
  const own = scene.signed ? await signDecision(scene, held, view.request, judged, by) : judged
  said.push({ id, decision: own, by })
  const deeds = [decide(scene, { id, decision: own, by })]
  if (deed === 'two_logins')
    deeds.push(...logins.map((login) => decide(scene, { id, decision: own, by: login })))
  if (deed === 'twice') deeds.push(decide(scene, { id, decision: own, by }))
  if (deed === 'against') {
    const other = rng.pick(APPROVERS)
    const word = rng.pick(['abort', 'modify', 'approve'] as const)
    const decision = await judgeDecision(scene, id, toDecision(scene, view, word), other)
    deeds.push(decide(scene, { id, decision, by: other }))
  }
  await Promise.all(deeds)
}

/** An operator takes the owner's name from the owner, who still has the token and comes back by it. */
async function comeAsStranger(scene: Scene, { request }: EscalationView): Promise<void> {
  const name = { kind: 'name', name: OWNER } as const
  const person = await call(scene, ({ people }) => people.find(name))
  if (person === null) return
  await call(scene, ({ people }) => people.unlink(person, name))
  await call(scene, ({ people }) => people.meet(OWNER))
  const decision = buildDecision(scene, request, 'OVERRIDE')
  await decide(scene, { id: request.id, decision, by: OWNER })
  for (;;) {
    const linked = await call(scene, ({ people }) => people.link(person, name))
    // Somebody else has it only if the owner was met as one.
    if (linked?.ok === true || linked?.error.code === 'IDENTITY_TAKEN') return
    await scene.time.sleep(100)
  }
}

/** Whoever changes something asks first what that would be; or does not, or does not read it. */
async function judgeDecision(
  scene: Scene,
  id: string,
  decision: EscalationDecision,
  by: string,
): Promise<EscalationDecision> {
  const { rng, time } = scene
  const { modified: into } = decision
  if (into === undefined || rng.drawChance(0.1)) return decision
  const found = await call(scene, (engine) =>
    engine.oversight.judgeModification(id, into, { kind: 'person', principal: by }),
  )
  if (found?.ok !== true || found.value.digest === null) return decision
  const { digest, impact, acknowledge } = found.value
  if (impact === 'HIGH_IMPACT' && rng.drawChance(0.7)) await time.sleep(READING_MS)
  const { acknowledgement: _, ...rest } = decision
  const typed = acknowledge === null || rng.drawChance(0.1) ? {} : { acknowledgement: acknowledge }
  return { ...rest, modification: digest, acknowledged_impact: impact, ...typed }
}

async function listWaitingEscalations(scene: Scene): Promise<readonly EscalationSummary[]> {
  return (await call(scene, (engine) => engine.oversight.escalations())) ?? []
}

function toDecision(
  scene: Scene,
  { request, proposal }: EscalationView,
  deed: keyof typeof DEEDS,
): EscalationDecision {
  const { rng } = scene
  const another = `sha256:${'3'.repeat(64)}`
  switch (deed) {
    case 'modify':
      return request.kind === 'proposal'
        ? buildDecision(scene, request, 'MODIFY', { modified: drawModification(rng, proposal) })
        : buildDecision(scene, request, 'OVERRIDE')
    case 'abort':
      return buildDecision(scene, request, 'ABORT')
    case 'other_bytes':
      return buildDecision(scene, request, 'OVERRIDE', { intent_digest: another })
    case 'other_facts':
      return buildDecision(scene, request, 'OVERRIDE', { shown_snapshot: another })
    case 'more_than_asked':
      return buildDecision(scene, request, 'OVERRIDE', { lifts: ['everything'] })
    default:
      return buildDecision(scene, request, 'OVERRIDE')
  }
}

async function decide(scene: Scene, { id, decision, by }: Said): Promise<void> {
  const decided = await call(scene, (engine) =>
    engine.oversight.decideEscalation(id, decision, { kind: 'person', principal: by }),
  )
  if (decided === null) return
  if (!decided.ok) return scene.note(`not decided ${id} ${decided.error.code}`)
  const { outcome, answer } = decided.value
  scene.note(`decided ${id} ${decision.decision} ${outcome}`)
  scene.acknowledge({ kind: 'decided', request: id, approver: by, word: decision.decision })
  if (answer !== undefined) scene.acknowledge({ kind: 'answered', answer })
}

/** What operators know of people before anything happens: some have two logins. */
export async function meetPeople(scene: Scene): Promise<void> {
  for (const human of [OWNER, ...APPROVERS])
    for (const login of listLogins(human)) await sayWho(scene, human, login)
}

/** A login that a contract named is a person already: that they are one is said afterwards. */
async function sayWho(scene: Scene, human: string, login: string): Promise<void> {
  for (;;) {
    const said = await call(scene, async ({ people }) => {
      const whose = await people.register(human)
      if (!whose.ok || login === human) return whose
      const { person_id } = whose.value
      const other = await people.find({ kind: 'name', name: login })
      if (other !== null) return people.merge(other, person_id)
      return people.link(person_id, { kind: 'name', name: login })
    })
    if (said?.ok === true) return
    await scene.time.sleep(100)
  }
}
