/**
 * A runtime whose agents and people are elsewhere: what they ask goes over HTTP to a server on
 * loopback. What has no route yet (documents, looking again, timers, deployment) stays in process.
 */
import { assert, type SignedAtom, type WorkingContext } from 'rubicon-kernel'
import { createFlow, type Flow, type Runtime } from 'rubicon-runtime/compose'
import { createHttpEngine } from './engine-over-http.ts'
import { openWire, unwrapAnswer, type Wire } from './wire.ts'

type FlowLoader = (dfid: string, working: WorkingContext, atom?: SignedAtom | null) => Promise<Flow>

/** `asked` hears of every question that goes over the wire. */
export function createHttpRuntime(runtime: Runtime, asked: () => void = () => {}): Runtime {
  let opened: Promise<Wire> | null = null
  const getWire = (): Promise<Wire> => {
    opened ??= openWire(runtime, asked)
    return opened
  }
  const loadFlow: FlowLoader = async (dfid, working, atom = null) => {
    const flow = await runtime.store.readFlow(dfid)
    assert(flow !== null, 'a flow that was opened is there')
    return createFlow(createHttpEngine(runtime.engine, getWire), { flow, working, atom })
  }
  return {
    get engine() {
      return createHttpEngine(runtime.engine, getWire)
    },
    store: runtime.store,
    place: runtime.place,
    report: (line) => runtime.report(line),
    keysFolder: runtime.keysFolder,
    async start() {
      return createHttpEngine(await runtime.start(), getWire)
    },
    capability: (capability) => runtime.capability(capability),
    policy: (policy) => runtime.policy(policy),
    rules: () => runtime.rules(),
    async deploy(contract) {
      const deployed = await runtime.deploy(contract)
      await (await getWire()).meet(deployed.agent_id)
      return deployed
    },
    monitor: (monitor) => runtime.monitor(monitor),
    person: (name) => runtime.person(name),
    artifact: (artifact, options) => runtime.artifact(artifact, options),
    async open({ session, ...request }) {
      if (session !== undefined) return runtime.open({ session, ...request })
      // Below a flow of another agent opens whoever owns the runtime; agents have SPAWN_CHILD for it.
      if (request.parent !== undefined) {
        const child = await runtime.open(request)
        return loadFlow(child.dfid, child.context)
      }
      const asked = await (await getWire()).sendAsAgent(request.agent, '/v1/flows', request)
      const { dfid, context, atom } = unwrapAnswer(asked)
      return loadFlow(dfid, context, atom ?? null)
    },
    async resume(dfid) {
      const { context } = await runtime.resume(dfid)
      return loadFlow(dfid, context)
    },
    // It has no route yet.
    act: (request, options) => runtime.act(request, options),
    actOnce: (request, names, options) => runtime.actOnce(request, names, options),
    async observe(input) {
      const list = Array.isArray(input) ? input : [input]
      // A source that the process declares speaks there; an operator asks over the wire.
      if (list.some(({ source }) => source !== undefined)) return runtime.observe(input)
      return unwrapAnswer(
        await (await getWire()).sendAsPerson('operator', '/v1/observations', input),
      ).observed
    },
    on(agent, handler) {
      runtime.on(agent, async ({ dfid, context }) => handler(await loadFlow(dfid, context)))
    },
    endWith: (part) => runtime.endWith(part),
    async close() {
      if (opened !== null) await (await opened).close()
      await runtime.close()
    },
  }
}
