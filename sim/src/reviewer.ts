/**
 * A person who settles what the runtime cannot: effects under review, by what stands in the books of
 * the provider, and flows that did half of their job. Some are left lying.
 */
import type { Resolution } from '../../runtime/src/engine/saga/resolution.ts'
import type { ExecutionRow } from '../../runtime/src/ports/store.ts'
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import { createCanary } from './canary.ts'
import { APPROVERS } from './contracts.ts'
import { LATE_MS } from './provider.ts'

/** By then whatever was on its way has arrived, or never will. */
const PATIENCE_MS = 3 * LATE_MS

export async function simulateReviewer(scene: Scene): Promise<void> {
  const { rng, time, swarm } = scene
  const seen = new Map<string, number>()
  while (!scene.enough()) {
    await time.sleep(rng.drawBetween(1, 2 * swarm.pauseMs + 1000))
    await reviewEffects(scene, seen)
    await reviewFlows(scene, 0.1)
  }
}

/** After the storm: what can be settled mostly is. */
export async function reviewAll(scene: Scene): Promise<void> {
  const seen = new Map<string, number>()
  await reviewEffects(scene, seen)
  await scene.time.sleep(PATIENCE_MS)
  await reviewEffects(scene, seen)
  await reviewFlows(scene, 0.6)
}

async function reviewEffects(scene: Scene, seen: Map<string, number>): Promise<void> {
  const { rng, time, site, provider } = scene
  const rows = [...site.tables.executions.values()].flatMap((steps) => [...steps.values()])
  for (const { dfid, step_id, status, intent } of rows) {
    if (status !== 'MANUAL_REVIEW') continue
    const name = `${dfid}:${step_id}`
    const since = seen.get(name) ?? time.getElapsedMs()
    seen.set(name, since)
    if (time.getElapsedMs() - since < PATIENCE_MS || rng.drawChance(0.2)) continue
    const { idempotency_key } = JSON.parse(intent) as { readonly idempotency_key: string }
    const happened = provider.isApplied(idempotency_key)
    const outcome = rng.drawChance(0.15) ? 'abandon' : happened ? 'applied' : 'not_applied'
    await settle(scene, { dfid, step_id }, outcome)
  }
}

async function settle(
  scene: Scene,
  { dfid, step_id }: Pick<ExecutionRow, 'dfid' | 'step_id'>,
  outcome: Resolution['outcome'],
): Promise<void> {
  const word = buildResolution(scene, outcome)
  const settled = await call(scene, (engine) =>
    engine.oversight.resolveExecution(dfid, step_id, word),
  )
  if (settled === null) return
  const code = settled.ok ? settled.value.status : settled.error.code
  scene.note(`reviewed ${dfid}:${step_id} ${outcome} ${code}`)
}

async function reviewFlows(scene: Scene, chance: number): Promise<void> {
  const { rng } = scene
  const dirty = await call(scene, (engine) => engine.oversight.dirtyFlows())
  // Whether somebody has chosen already, or an undoing was lost: people do not ask first.
  for (const { key, body } of dirty ?? []) {
    const isUnderWay = body.standing === 'compensating'
    if (rng.drawChance(isUnderWay ? 3 * chance : chance)) await putRight(scene, key)
  }
}

/** A person says that a dirty flow was put right by hand, or is left as it is. */
export async function putRight(scene: Scene, dfid: string): Promise<void> {
  const outcome = scene.rng.pick(['applied', 'abandon'] as const)
  const settled = await call(scene, (engine) =>
    engine.oversight.resolveDirty(dfid, buildResolution(scene, outcome)),
  )
  if (settled === null) return
  scene.note(`put right ${dfid} ${settled.ok ? settled.value : settled.error.code}`)
}

function buildResolution({ rng }: Scene, outcome: Resolution['outcome']): Resolution {
  return {
    outcome,
    evidence: { books: createCanary('evidence') },
    justification: createCanary('decision'),
    by: rng.pick(APPROVERS),
  }
}
