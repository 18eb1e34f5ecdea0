/** The flows that observations open, by their agents, and the moment at which an agent has said its word in one. */
import type { Answer, JsonObject } from 'rubicon-kernel'
import type { Flow, Runtime } from 'rubicon-runtime/compose'

export type WokenFlows = ReadonlyMap<string, Flow>

export type Mesh = {
  /** From now on its flows are handed out by `wake`. */
  listen(agent: string): void
  /** What the observation woke; empty: nobody. */
  wake(path: string, value: string): Promise<WokenFlows>
}

/** For a runtime without background work: nothing is opened between two calls. */
export function createMesh(runtime: Runtime, agents: readonly string[]): Mesh {
  let woken = new Map<string, Flow>()
  const listen = (agent: string): void =>
    runtime.on(agent, (flow) => {
      woken.set(agent, flow)
    })
  for (const agent of agents) listen(agent)
  return {
    listen,
    async wake(path, value) {
      woken = new Map()
      await runtime.observe({ path, value })
      const { opened } = await runtime.engine.runDue()
      while (woken.size < opened) await takeTurn()
      return woken
    },
  }
}

export function getWoken(flows: WokenFlows, agent: string): Flow {
  const flow = flows.get(agent)
  if (flow === undefined) throw new Error(`${agent} was not woken`)
  return flow
}

export type Word = {
  readonly kind: string
  readonly params: JsonObject
  readonly atom_id?: string
}

/** Proposes, and comes back when the record has it or it was refused. What came of it is known once the event is over. */
export async function speak(
  { store }: Runtime,
  flow: Flow,
  { kind, ...proposal }: Word,
): Promise<{ readonly answer: Promise<Answer> }> {
  let isAnswered = false
  const answer = flow.propose({ policy_kind: kind, ...proposal }).finally(() => {
    isAnswered = true
  })
  while (!isAnswered && (await store.readFlow(flow.dfid))?.state === 'ACTIVE') await takeTurn()
  return { answer }
}

function takeTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
