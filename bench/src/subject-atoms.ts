/** The decision that is measured, until its dispatch is durable: under an atom, and in one act. */
import type { Flow, Runtime } from 'rubicon-runtime'
import { runLanes } from './measure.ts'
import type { Subject } from './subject.ts'

/** Done once the dispatch is durable; what it answers is done once the effect is settled. */
export type UntilDispatched = () => Promise<() => Promise<void>>

/** Opens flows, each with an atom. Each decides in one of them. */
export async function prepareAtoms(
  { runtime, buildProposal }: Subject,
  flows: number,
): Promise<readonly UntilDispatched[]> {
  const ready: UntilDispatched[] = []
  await runLanes(flows, 64, async () => {
    const flow: Flow = await runtime.open({ agent: 'refunds_bot', trigger: 'a stream' })
    const { atom_id } = await flow.atom()
    ready.push(async () => {
      await flow.propose({ ...buildProposal(), atom_id }, { wait: 'dispatched' })
      return () => awaitSuccess(runtime, flow.dfid)
    })
  })
  await runtime.engine.checkpoint()
  return ready
}

export async function actUntilDispatched({
  runtime,
  buildProposal,
}: Subject): Promise<() => Promise<void>> {
  const asked = { agent: 'refunds_bot', trigger: 'a stream', ...buildProposal() }
  const { flow } = await runtime.act(asked, { wait: 'dispatched' })
  return () => awaitSuccess(runtime, flow.dfid)
}

/** By its row: whoever waits for a flow looks only a few times a second. */
async function awaitSuccess({ store }: Runtime, dfid: string): Promise<void> {
  for (let looks = 0; looks < 5_000; looks += 1) {
    const [row] = await store.listExecutions({ dfid, limit: 1 })
    if (row?.status === 'SUCCESS') return
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  throw new Error('a measured decision was not carried out')
}
