/**
 * The history of a file is the ledger: every moment of it can be shown, exactly as it was, and looking changes nothing. Who wants to go
 * on from a moment gets a branch, where nothing is written to the disk; what comes of it is brought to `main` by one proposal.
 *
 * How fast a moment is found among 10,000 is measured by `bench scrub`.
 */
import { join } from 'node:path'
import { createFileBlobs, isContentHash } from 'rubicon-artifacts/store'
import type { Answer, JsonObject, JsonValue } from 'rubicon-kernel'
import type { Runtime } from 'rubicon-runtime/compose'
import { branchTrajectory, WorldMoments } from 'rubicon-runtime/evidence'
import type { Scenario, Stage } from '../../server/src/demo/stage.ts'
import {
  adoptFiles,
  applyPlan,
  buildCoderContract,
  demandPlan,
  ProjectFolder,
  proposeArtifact,
} from './project-folder.ts'

const FILE = 'config/price.json'
const AGENT = 'sets_prices'
const BRANCH = 'what-if'
const CHANGES = 24
/** The moment that somebody goes back to. */
const CHOSEN = 10
const MOMENTS: readonly number[] = [0, 1, CHOSEN, CHANGES - 1, CHANGES]

const formatText = (price: number, note = 'as agreed'): string =>
  `{\n  "price": ${price},\n  "note": "${note}"\n}\n`

export const scenario: Scenario = { name: 'time-scrubber', play }

type Played = { readonly runtime: Runtime; readonly folder: ProjectFolder; readonly seqs: number[] }

async function play(stage: Stage): Promise<void> {
  const folder = new ProjectFolder(stage, { [FILE]: formatText(0) })
  const runtime = await stage.openRuntime({ artifacts: folder.artifacts })
  await runtime.deploy(buildCoderContract(AGENT, [`${FILE}*`]))
  const adopted = await adoptFiles(runtime, AGENT, [FILE])
  stage.recordDecision('a file is adopted', adopted, { outcome: 'ACCEPTED' })
  const seqs = [await readHead(runtime)]
  for (let price = 1; price <= CHANGES; price += 1) {
    await applyPlan(runtime, AGENT, demandPlan(await planValue(runtime, 'key:price', price)))
    seqs.push(await readHead(runtime))
  }
  stage.check(`${CHANGES} changes are made`, folder.read(FILE) === formatText(CHANGES))
  const played = { runtime, folder, seqs }
  await playMoments(stage, played)
  await playBranch(stage, played)
  await stage.close(runtime)
}

async function playMoments(stage: Stage, { runtime, folder, seqs }: Played): Promise<void> {
  const moments = new WorldMoments(runtime.store, async () => {})
  const blobs = createFileBlobs(join(stage.stateDirectory, 'artifacts'))
  const shown: string[] = []
  // Back and forth: a moment does not depend on those that were looked at before.
  for (const price of [...MOMENTS, ...MOMENTS.toReversed()]) {
    const moment = await moments.readMoment('main', seqs[price] ?? -1)
    const [resource] = [...(moment?.resources.values() ?? [])].filter(({ id }) => id === FILE)
    const hash = (resource?.value as JsonObject | undefined)?.content_hash
    const bytes = isContentHash(hash) ? await blobs.get(hash) : null
    shown.push(bytes?.ok === true ? new TextDecoder().decode(bytes.value) : '')
  }
  const wanted = [...MOMENTS, ...MOMENTS.toReversed()].map((price) => formatText(price))
  stage.check('every moment is shown as it was', shown.join() === wanted.join())
  stage.check('looking changes nothing', folder.read(FILE) === formatText(CHANGES))
}

async function playBranch(stage: Stage, { runtime, folder, seqs }: Played): Promise<void> {
  const source = { trajectory: 'main', seq: seqs[CHOSEN] ?? -1 }
  const engine = await runtime.start()
  const made = await branchTrajectory(engine, { source, name: BRANCH, note: 'another note' })
  stage.recordAnswer(`going back to ${CHOSEN} makes a branch`, made, { outcome: 'ACCEPTED' })
  const planned = await planValue(runtime, 'key:note', 'cheaper', BRANCH)
  const applied = await applyOnBranch(runtime, planned)
  stage.recordDecision('the note is changed on the branch', applied, { outcome: 'ACCEPTED' })
  stage.check('nothing of it is on the disk', folder.read(FILE) === formatText(CHANGES))
  const merged = await proposeArtifact(runtime, AGENT, 'plan', {
    merge: { trajectory: BRANCH },
    symbols: [`${FILE} key:note`],
  })
  const landed = await applyPlan(runtime, AGENT, demandPlan(merged))
  stage.recordDecision('the branch is merged by one proposal', landed, { outcome: 'ACCEPTED' })
  stage.check(
    'the note of the branch and the price of `main` stand together',
    folder.read(FILE) === formatText(CHANGES, 'cheaper'),
  )
}

async function applyOnBranch(runtime: Runtime, planned: Answer): Promise<Answer> {
  const { plan, symbols } = demandPlan(planned)
  return propose(runtime, 'apply', { plan, symbols: [...symbols] }, BRANCH)
}

function planValue(
  runtime: Runtime,
  target: string,
  value: JsonValue,
  trajectory = 'main',
): Promise<Answer> {
  const changes = [{ artifact: FILE, deltas: [{ op: 'setValue', target, value }] }]
  return propose(runtime, 'plan', { changes, symbols: [`${FILE} ${target}`] }, trajectory)
}

async function propose(
  runtime: Runtime,
  kind: string,
  params: JsonObject,
  trajectory: string,
): Promise<Answer> {
  if (trajectory === 'main') return proposeArtifact(runtime, AGENT, kind, params)
  const engine = await runtime.start()
  const opened = await engine.open({ agent: AGENT, trigger: 'on a branch', trajectory })
  if (!opened.ok) throw new Error(opened.error.summary)
  const { dfid } = opened.value.flow
  const proposal = { dfid, agent_id: AGENT, policy_kind: `artifact.${kind}`, params }
  return engine.propose(dfid, proposal)
}

async function readHead({ store }: Runtime): Promise<number> {
  const heads = await store.listHeads()
  return heads.find(({ trajectory }) => trajectory === 'main')?.seq ?? -1
}
