/**
 * Agents of scenarios that have a model: the runtime asks it, within the budgets of the flow and on its record; its
 * calls become proposals, and it is told what came of them. What it says was written down before.
 */
import {
  type AgentAnswer,
  type AgentFlow,
  type AgentModel,
  type AgentRun,
  connectInProcess,
  createFlowModel,
  type FlowOpening,
  runAgent,
} from 'rubicon-agents'
import type { JsonObject } from 'rubicon-kernel'
import {
  createScriptedProvider,
  type Runtime,
  type Script,
  type ScriptedReply,
} from 'rubicon-runtime/compose'
import type { ModelPrice, ModelProvider, Store } from 'rubicon-runtime/ports'

const MODEL = { model: 'scripted-1', provider: 'scripted' } as const
/** As a small model costs. */
const PRICE: ModelPrice = { input: '0.25', output: '1.25' }
/** What one flow may spend on its model. */
export const MODEL_BUDGET: JsonObject = { tokens: '200000', usd: '0.50' }

export function createScriptedModels(script: Script): Readonly<Record<string, ModelProvider>> {
  return { scripted: createScriptedProvider({ script, price: PRICE }) }
}

/** A call that a model makes, and what it says with it. */
export function buildCall(name: string, params: JsonObject, text = ''): ScriptedReply {
  return { text, calls: [{ name, arguments: JSON.stringify(params) }] }
}

export type ModelTask = {
  readonly agent: string
  readonly opening: FlowOpening
  /** Kinds that the model is offered; all that its contract admits when nobody says. */
  readonly kinds?: readonly string[]
  /** What the program of the agent adds to each proposal: a model names nothing but parameters. */
  readonly adds?: JsonObject
}

/** One flow, from its opening to the last word of the model. */
export async function runModelTask(
  runtime: Runtime,
  { agent, opening, kinds, adds = {} }: ModelTask,
): Promise<AgentRun> {
  const connection = connectInProcess(runtime, { agent })
  const opened = await connection.open(opening)
  const flow: AgentFlow = {
    ...opened,
    propose: (proposal, options) => opened.propose({ ...proposal, ...adds }, options),
  }
  const model = createFlowModel(connection, flow.dfid, MODEL)
  return runAgent({ flow, model, maxTokens: 400, ...(kinds === undefined ? {} : { kinds }) })
}

/** The model of one flow, for an agent that asks it by itself. */
export function createModelOfFlow(runtime: Runtime, agent: string, dfid: string): AgentModel {
  return createFlowModel(connectInProcess(runtime, { agent }), dfid, MODEL)
}

/** What the call at `index` came to. */
export function getCallAnswer({ calls }: AgentRun, index = 0): AgentAnswer {
  const answer = calls[index]?.answer
  if (answer == null) throw new Error(`call ${index} of the model became no proposal`)
  return answer
}

/** How often a model was asked in a flow, by the ledger. */
export async function countGenerations(
  store: Pick<Store, 'listFlowEntries'>,
  dfid: string,
): Promise<number> {
  const entries = await store.listFlowEntries(dfid)
  return entries.filter(({ payload }) => payload?.includes('"source":"model"') === true).length
}
