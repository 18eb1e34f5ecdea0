/** The agent: a model that proposes, and a runtime that decides. */
import { join } from 'node:path'
import { type AgentRun, connectInProcess, createFlowModel, runAgent } from 'rubicon-agents'
import { createRuntime, type ModelProvider } from 'rubicon-runtime'
import { capabilities, policies } from './rules.ts'

/** Who the model is, and where the ledger is: in `.rubicon` if you do not say. */
export type AgentOptions = {
  readonly provider: ModelProvider
  readonly model: string
  readonly store?: string
}

export type RefundsAgent = {
  answerTicket(ticket: string): Promise<AgentRun>
  close(): Promise<void>
}

export async function openAgent(options: AgentOptions): Promise<RefundsAgent> {
  const { provider, model, ...place } = options
  const rubicon = await createRuntime({ ...place, models: { provider }, capabilities, policies })
  await rubicon.deploy(join(import.meta.dirname, 'contract.yaml'))
  const agent = connectInProcess(rubicon, { agent: 'refunds_bot' })
  return {
    answerTicket: (ticket) =>
      runAgent({
        agent,
        flow: { trigger: ticket },
        model: (flow) => createFlowModel(agent, flow.dfid, { model }),
      }),
    close: () => rubicon.close(),
  }
}
