/**
 * An agent in the process of its runtime. It has the same interface as one over HTTP, and the same verdicts; it has no
 * session and no key, because whoever shares the process could take either.
 */
import type { Failure, Result } from 'rubicon-kernel/result'
import { parseAgentAnswer } from '../agent/agent-answer.ts'
import type { AgentConnection, ConnectionState, OwnThing } from '../agent/agent-connection.ts'
import { AgentError } from '../agent/agent-error.ts'
import type { AgentFlow } from '../agent/agent-flow.ts'
import { checkWithin } from '../agent/check-within.ts'
import { createReservedSteps } from '../agent/reserved-steps.ts'
import type { AgentRuntime, RuntimeEngine, RuntimeFlow } from './agent-runtime.ts'

/** Connects an agent to a runtime in the same process. */
export function connectInProcess(
  runtime: AgentRuntime,
  { agent }: { readonly agent: string },
): AgentConnection {
  let state: ConnectionState = { kind: 'ready' }
  const perform: Perform = async (work) => {
    if (state.kind !== 'ready') throw buildEndedError()
    return translate(work)
  }
  return {
    agent,
    get state() {
      return state
    },
    open: (request) =>
      perform(async () => createInProcessFlow(await runtime.open({ ...request, agent }), perform)),
    resume: (dfid) =>
      perform(async () => {
        const flow = await runtime.resume(dfid, { agent })
        if (flow.context.agent_id !== agent) throw buildForeignFlowError(dfid, agent)
        return createInProcessFlow(flow, perform)
      }),
    act: ({ once, ...request }, { signal, ...options } = {}) =>
      perform(async () => {
        signal?.throwIfAborted()
        const asked = { ...request, agent }
        const { answer } =
          once === undefined
            ? await runtime.act(asked, options)
            : await runtime.actOnce(asked, once, options)
        return parseAgentAnswer(answer)
      }),
    settled: (dfid, options) =>
      perform(async () =>
        parseAgentAnswer(
          unwrap(await (await runtime.start()).settled(dfid, { ...options, agent })),
        ),
      ),
    generate: (dfid, request, options) =>
      perform(async () => {
        const engine = await runtime.start()
        if (engine.generate === undefined) throw buildNoModelError(request.model)
        return unwrap(await engine.generate(dfid, request, { ...options, agent }))
      }),
    handleFlows: (handler) =>
      runtime.on(agent, (flow) =>
        state.kind === 'ready' ? handler(createInProcessFlow(flow, perform)) : undefined,
      ),
    ...createOwnThings((work) => perform(async () => work(await runtime.start())), agent),
    async close() {
      state = { kind: 'ended', problem: null }
    },
  }
}

type WithEngine = <Value>(work: (engine: RuntimeEngine) => Promise<Value>) => Promise<Value>

function createOwnThings(perform: WithEngine, agent: string): Pick<AgentConnection, OwnThing> {
  return {
    setTimer: (name, request) =>
      perform(async ({ timers }) => {
        const set = unwrap(await timers.setOwn({ ...request, agent, name }))
        const { at, agent_id, steps, every_ms } = set
        // It is kept under the agent's name too, which is no concern of the agent.
        return { name, at, agent_id, steps, every_ms }
      }),
    listTimers: () => perform(async ({ timers }) => unwrap(await timers.own(agent))),
    dropTimer: (name) =>
      perform(async ({ timers }) => void unwrap(await timers.dropOwn(agent, name))),
    putDocument: (name, document) =>
      perform(async ({ contextStore }) =>
        unwrap(await contextStore.putDocument(agent, { ...document, name })),
      ),
    dropDocument: (name) =>
      perform(
        async ({ contextStore }) => void unwrap(await contextStore.dropDocument(agent, name)),
      ),
    loadState: () =>
      perform(async ({ contextStore }) => unwrap(await contextStore.agentState(agent))),
    saveState: (value, version) =>
      perform(async ({ contextStore }) =>
        unwrap(await contextStore.putAgentState(agent, value, version)),
      ),
    retire: (reason) =>
      perform(async (engine) => unwrap(await engine.requestRetire(agent, { reason }))),
  }
}

type Perform = <Value>(work: () => Promise<Value>) => Promise<Value>

/** Also for a flow that a runtime in this process has handed over. */
export function createInProcessFlow(flow: RuntimeFlow, perform: Perform = translate): AgentFlow {
  const propose: AgentFlow['propose'] = (proposal, { grammar, ...options } = {}) =>
    perform(async () => {
      if (grammar !== undefined) checkWithin(grammar, proposal)
      return parseAgentAnswer(await flow.propose(proposal, options))
    })
  return {
    dfid: flow.dfid,
    get context() {
      return flow.context
    },
    propose,
    ...createReservedSteps(propose),
    settled: (options) => perform(async () => parseAgentAnswer(await flow.settled(options))),
    note: (text) => perform(() => flow.note(text)),
    explain: (explanation) => perform(() => flow.explain(explanation)),
    refresh: (request) => perform(() => flow.refresh(request)),
    atom: (request) => perform(() => flow.atom(request)),
    listTools: () => perform(() => flow.listTools()),
    loadGrammar: (kinds) => perform(() => flow.loadGrammar(kinds)),
    search: (text) => perform(() => flow.search(text)),
    usage: (used, options) => perform(() => flow.usage(used, options)),
    cancel: (reason) => perform(() => flow.cancel(reason)),
    close: () => perform(() => flow.close()),
  }
}

/** What the runtime throws at its callers is the same error as over HTTP. */
async function translate<Value>(work: () => Promise<Value>): Promise<Value> {
  try {
    return await work()
  } catch (error) {
    throw toSameError(error)
  }
}

function toSameError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof AgentError || !('failure' in error))
    return error
  return toFailureError(parseFailure(error.failure))
}

function parseFailure(failure: unknown): Failure {
  return failure as Failure
}

function unwrap<Value>(result: Result<Value, Failure>): Value {
  if (result.ok) return result.value
  throw toFailureError(result.error)
}

function toFailureError({ code, summary, why, fix, meta }: Failure): AgentError {
  const said = why === undefined ? summary : `${summary}: ${why}`
  return new AgentError({ code, summary: said, fix, meta })
}

function buildForeignFlowError(dfid: string, agent: string): AgentError {
  return new AgentError({
    code: 'IDENTITY_MISMATCH',
    summary: `flow \`${dfid}\` is not one of \`${agent}\``,
    fix: 'use a flow of your own',
  })
}

function buildNoModelError(model: string): AgentError {
  return new AgentError({
    code: 'MODEL_UNKNOWN',
    summary: `there is no model \`${model}\` here`,
    fix: 'set the runtime up with one, or give `runAgent` a model of your own',
  })
}

function buildEndedError(): AgentError {
  return new AgentError({
    code: 'CONNECTION_ENDED',
    summary: 'the agent has let go of its runtime',
    fix: 'connect again',
  })
}
