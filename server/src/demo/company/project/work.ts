/**
 * The developers at work, once for a store: two add methods to one class, one value is set, one change is taken back, one is not theirs
 * to make, one waits for whoever looks at the demo, and one is refused since it is in the way of that.
 */
import { type Answer, isObject, type JsonObject, type JsonValue } from 'rubicon-kernel'
import type { FlowProposal, Runtime } from 'rubicon-runtime/compose'
import { buildCoderContracts, KEEPER, PRICING_CODER, SHOP_CODER } from './coders.ts'
import { CART, PROJECT_FILES, writeProjectFiles } from './files.ts'
import {
  COUNT,
  EMPTY_CART,
  FREE_SHIPPING,
  NEWEST,
  NEWEST_UNDONE,
  REDUCED,
  REQUIREMENT,
  TIMEOUT,
  type Ticket,
} from './tickets.ts'

const ADOPTED = 'the project of the shop is handed over'

type Job = { readonly trigger: string; readonly play: (runtime: Runtime) => Promise<unknown> }

const JOBS: readonly Job[] = [
  { trigger: COUNT.trigger, play: playAdditions },
  { trigger: TIMEOUT.trigger, play: (runtime) => change(runtime, SHOP_CODER, TIMEOUT) },
  { trigger: NEWEST.trigger, play: playUndone },
  { trigger: REQUIREMENT.trigger, play: (runtime) => change(runtime, PRICING_CODER, REQUIREMENT) },
  {
    trigger: FREE_SHIPPING.trigger,
    play: (runtime) => change(runtime, PRICING_CODER, FREE_SHIPPING),
  },
  { trigger: EMPTY_CART.trigger, play: (runtime) => change(runtime, SHOP_CODER, EMPTY_CART) },
]

/** `folder`: that of the artifacts. What an earlier start did is not done again; whoever stops it waits for the job under way. */
export async function playProject(
  runtime: Runtime,
  folder: string,
  isStopped: () => boolean = () => false,
): Promise<void> {
  for (const contract of buildCoderContracts()) await runtime.deploy(contract)
  // Also where nothing is decided for now: the next start tries again.
  if (!(await isAdopted(runtime)) && !(await adopt(runtime, folder))) return
  const seen = await listTriggers(runtime)
  for (const { trigger, play } of JOBS) {
    if (isStopped()) return
    if (!seen.has(trigger)) await play(runtime)
  }
}

async function isAdopted({ store }: Runtime): Promise<boolean> {
  const [fact] = await store.readResources('main', [{ kind: 'artifact', id: CART }])
  return fact !== undefined && !fact.retracted
}

async function adopt(runtime: Runtime, folder: string): Promise<boolean> {
  writeProjectFiles(folder)
  const names = Object.keys(PROJECT_FILES)
  const params = { artifacts: names, symbols: names }
  const answer = await propose(runtime, KEEPER, ADOPTED, { policy_kind: 'artifact.adopt', params })
  return answer.execution?.status === 'SUCCESS'
}

async function listTriggers({ store }: Runtime): Promise<ReadonlySet<string>> {
  const agents = [SHOP_CODER, PRICING_CODER]
  const flows = await Promise.all(
    agents.map((agent_id) => store.listFlows({ agent_id, limit: MOST_FLOWS })),
  )
  return new Set(flows.flat().map(({ trigger }) => trigger))
}

/** Of one agent. */
const MOST_FLOWS = 500

/** Both are planned before one is applied: neither waits for the other. */
async function playAdditions(runtime: Runtime): Promise<void> {
  const count = await plan(runtime, SHOP_CODER, COUNT)
  const reduced = await plan(runtime, PRICING_CODER, REDUCED)
  await apply(runtime, SHOP_CODER, COUNT, count)
  await apply(runtime, PRICING_CODER, REDUCED, reduced)
}

async function playUndone(runtime: Runtime): Promise<void> {
  const applied = await change(runtime, SHOP_CODER, NEWEST)
  const { artifact, path } = NEWEST
  const [made] = applied === null ? [] : readRows(readResult(applied).changed)
  if (typeof made?.change !== 'string') return
  const params = { undo: [{ artifact, change: made.change }], symbols: [`${artifact} ${path}`] }
  const undone = { trigger: NEWEST_UNDONE, justification: 'nobody found their items' }
  await apply(runtime, SHOP_CODER, undone, await proposePlan(runtime, SHOP_CODER, undone, params))
}

async function change(runtime: Runtime, agent: string, ticket: Ticket): Promise<Answer | null> {
  return apply(runtime, agent, ticket, await plan(runtime, agent, ticket))
}

type Asked = Pick<Ticket, 'trigger' | 'justification'>

function plan(runtime: Runtime, agent: string, ticket: Ticket): Promise<Answer> {
  const { artifact, delta, path } = ticket
  const changes = [{ artifact, deltas: [delta] }]
  return proposePlan(runtime, agent, ticket, { changes, symbols: [`${artifact} ${path}`] })
}

function proposePlan(
  runtime: Runtime,
  agent: string,
  { trigger, justification }: Asked,
  params: JsonObject,
): Promise<Answer> {
  return propose(runtime, agent, trigger, { policy_kind: 'artifact.plan', params, justification })
}

/** Null: there is no plan, since it was refused. */
async function apply(
  runtime: Runtime,
  agent: string,
  { trigger, justification }: Asked,
  planned: Answer,
): Promise<Answer | null> {
  const { plan, symbols } = readResult(planned)
  if (plan === undefined || symbols === undefined) return null
  const params = { plan, symbols }
  return propose(runtime, agent, trigger, { policy_kind: 'artifact.apply', params, justification })
}

async function propose(
  runtime: Runtime,
  agent: string,
  trigger: string,
  proposal: FlowProposal,
): Promise<Answer> {
  const flow = await runtime.open({ agent, trigger })
  const answer = await flow.propose(proposal)
  return answer.execution?.status === 'PENDING' ? flow.settled() : answer
}

function readResult({ execution }: Answer): JsonObject {
  const result = execution?.status === 'SUCCESS' ? execution.result : null
  return isObject(result) ? result : {}
}

function readRows(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
