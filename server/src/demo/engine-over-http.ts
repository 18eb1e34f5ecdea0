/**
 * An engine that agents and people ask over HTTP. Who comes with a session of his own, and what has no
 * route, is asked in process.
 */
import {
  type Answer,
  err,
  type Failure,
  isReasonCode,
  ok,
  REASONS,
  type Result,
} from 'rubicon-kernel'
import type { Engine, Oversight } from 'rubicon-runtime/engine'
import type { ContextStore } from 'rubicon-runtime/engine/observe'
import type { HttpAnswer } from '../http/agent-auth/client.ts'
import { unwrapAnswer, type Wire } from './wire.ts'

type Far = () => Promise<Wire>

export function createHttpEngine(engine: Engine, far: Far): Engine {
  const oversight = overrideMembers(engine.oversight, buildOversightMembers(engine.oversight, far))
  return overrideMembers(engine, { ...buildAgentMembers(engine, far), oversight })
}

function buildAgentMembers(engine: Engine, far: Far): Partial<Engine> {
  /** As the agent of the flow. */
  const sendForFlow = async (dfid: string, what: string, body: unknown): Promise<HttpAnswer> => {
    const agent = (await engine.context.store.readFlow(dfid))?.agent_id ?? ''
    return (await far()).sendAsAgent(agent, `/v1/flows/${dfid}/${what}`, body)
  }
  const { contextStore } = engine
  const overWire: Partial<ContextStore> = {
    async note(dfid, note, options = {}) {
      if (options.session !== undefined || options.by !== undefined)
        return contextStore.note(dfid, note, options)
      return toResult(await sendForFlow(dfid, 'notes', note))
    },
    async explain(dfid, explanation, options = {}) {
      if (options.session !== undefined) return contextStore.explain(dfid, explanation, options)
      return toResult(await sendForFlow(dfid, 'explanations', explanation))
    },
  }
  const { atoms } = engine
  const issue: typeof atoms.issue = async (dfid, request = {}, options = {}) => {
    if (options.session !== undefined) return atoms.issue(dfid, request, options)
    return toResult(await sendForFlow(dfid, 'atoms', request))
  }
  return {
    contextStore: overrideMembers(contextStore, overWire),
    atoms: overrideMembers(atoms, { issue }),
    async propose(dfid, input, options = {}) {
      const { session, waitMs } = options
      if (session !== undefined) return engine.propose(dfid, input, options)
      const wait = waitMs === undefined ? '' : `?wait_ms=${waitMs}`
      return toAnswer(dfid, await sendForFlow(dfid, `proposals${wait}`, input))
    },
    async generate(dfid, request, options = {}) {
      if (options.session !== undefined) return engine.generate(dfid, request, options)
      return toResult(await sendForFlow(dfid, 'generations', request))
    },
    async usage(dfid, used, options = {}) {
      const { session, report } = options
      if (session !== undefined) return engine.usage(dfid, used, options)
      return toResult(await sendForFlow(dfid, 'usage', { used, report }))
    },
    async cancel(dfid, reason, options = {}) {
      if (options.session !== undefined) return engine.cancel(dfid, reason, options)
      const cancelled = toResult(await sendForFlow(dfid, 'cancellation', { reason }))
      return cancelled.ok ? ok(undefined) : cancelled
    },
  }
}

/** Who looks, where it does not matter who. */
const ANYBODY = 'operator'

function buildOversightMembers(oversight: Oversight, far: Far): Partial<Oversight> {
  return {
    async escalations({ state, agent_id, limit } = {}) {
      const query = formatQuery({ state, agent: agent_id, limit })
      return unwrapAnswer(await (await far()).get(ANYBODY, `/v1/escalations${query}`)).escalations
    },
    async escalation(id) {
      const answer = await (await far()).get(ANYBODY, `/v1/escalations/${id}`)
      return answer.status === 404 ? null : unwrapAnswer(answer)
    },
    async judgeModification(id, modified, { principal }) {
      const path = `/v1/escalations/${id}/modification`
      return toResult(await (await far()).sendAsPerson(principal, path, { modified }))
    },
    async decideEscalation(id, decision, by) {
      if (by.kind === 'agent') return oversight.decideEscalation(id, decision, by)
      const path = `/v1/escalations/${id}/decision`
      return toResult(await (await far()).sendAsPerson(by.principal, path, decision))
    },
    async resolveExecution(dfid, stepId, { by, ...resolution }) {
      const path = `/v1/executions/${dfid}:${stepId}/resolution`
      return toResult(await (await far()).sendAsPerson(by, path, resolution))
    },
    async resolveDirty(dfid, { by, ...resolution }) {
      const path = `/v1/flows/${dfid}/resolution`
      const resolved = toResult(await (await far()).sendAsPerson(by, path, resolution))
      return resolved.ok ? ok(resolved.value.standing) : resolved
    },
    monitors: async () => unwrapAnswer(await (await far()).get(ANYBODY, '/v1/monitors')),
  }
}

/** The same, with these members in place of its own. */
function overrideMembers<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const member = Reflect.get(Object.hasOwn(members, name) ? members : target, name)
      // What is private to it is found only from itself.
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

function toResult({ status, body }: HttpAnswer): Result<ReturnType<typeof JSON.parse>, Failure> {
  if (status < 300) return ok(body)
  const { code, detail, fix, meta } = body
  return err({ code, summary: detail, fix, meta })
}

/** A verdict, or what a client makes of a refusal before there was one. */
function toAnswer(dfid: string, { status, body }: HttpAnswer): Answer {
  if (status === 200) return body
  if (body.answer !== undefined) return body.answer
  const { code, title, detail, fix = '', meta = {} } = body
  const transient = isReasonCode(code) && REASONS[code].transient
  const feedback = { summary: title, why: detail, fix, details: meta, transient }
  return { dfid, attempt: 0, outcome: 'REJECTED', reason_code: code, feedback, trace_id: '' }
}

function formatQuery(members: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${given.map(([name, value]) => `${name}=${value}`).join('&')}`
}
