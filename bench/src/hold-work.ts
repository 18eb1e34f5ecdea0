/** What agents do in `bench hold` when nobody keeps them from it. */
import type { Caller, CallerReply } from './hold-caller.ts'
import type { Attack } from './hold-parts.ts'

const STEPS = 100

/** A flow and its proposal. */
export async function work(caller: Caller): Promise<readonly CallerReply[]> {
  const opened = await caller.ask('POST', '/v1/flows', { trigger: 'a customer asks' })
  return opened.status === 201 ? [opened, await propose(caller, opened.body)] : [opened]
}

/** One of many steps, and a decision that others may try again. */
export async function makeLongFlow(
  caller: Caller,
  auditor: Caller,
): Promise<Pick<Attack, 'dfid' | 'decision'>> {
  const begun = { trigger: 'a customer has many questions', steps: 'many' }
  const { body: flow } = await caller.ask('POST', '/v1/flows', begun)
  for (let i = 0; i < STEPS; i += 1) {
    const { status, body } = await propose(caller, flow, { step_id: `step-${i}` })
    if (status !== 200) throw new Error(`a step is refused: ${JSON.stringify(body)}`)
  }
  const { body } = await auditor.ask('GET', '/v1/decisions')
  const { trajectory, seq } = body.decisions[0]
  return { dfid: flow.dfid, decision: { trajectory, seq } }
}

function propose(
  caller: Caller,
  { dfid, context }: CallerReply['body'],
  step: { readonly step_id?: string } = {},
): Promise<CallerReply> {
  const { agent_id, snapshot_id: context_ref, mission_context_hash } = context
  const proposal = { dfid, agent_id, context_ref, mission_context_hash, policy_kind: 'TELL' }
  const params = { item: 'aab' }
  return caller.ask('POST', `/v1/flows/${dfid}/proposals`, { ...proposal, ...step, params })
}
