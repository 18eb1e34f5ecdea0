/**
 * A runtime whose agents and people are elsewhere: what they ask goes over HTTP to a server on
 * loopback. What has no route yet (documents, looking again, timers, deployment) stays in process.
 */
import { assert, type WorkingContext } from 'rubicon-kernel'
import type { Flow, Runtime } from '../compose.ts'
import { createFlow } from '../flow.ts'
import { createHttpEngine } from './engine-over-http.ts'
import { openWire, said, type Wire } from './wire.ts'

export function overHttp(runtime: Runtime): Runtime {
  let opened: Promise<Wire> | null = null
  const wire = (): Promise<Wire> => {
    opened ??= openWire(runtime)
    return opened
  }
  const flowAt = async (dfid: string, working: WorkingContext): Promise<Flow> => {
    const flow = await runtime.store.flow(dfid)
    assert(flow !== null, 'a flow that was opened is there')
    return createFlow(createHttpEngine(runtime.engine, wire), { flow, working })
  }
  return {
    get engine() {
      return createHttpEngine(runtime.engine, wire)
    },
    store: runtime.store,
    lookups: runtime.lookups,
    keysFolder: runtime.keysFolder,
    start: () => runtime.start(),
    capability: (capability) => runtime.capability(capability),
    policy: (policy) => runtime.policy(policy),
    rules: () => runtime.rules(),
    async deploy(contract) {
      const deployed = await runtime.deploy(contract)
      await (await wire()).meet(deployed.agent_id)
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
        return flowAt(child.dfid, child.context)
      }
      const asked = await (await wire()).asAgent(request.agent, '/v1/flows', request)
      const { dfid, context } = said(asked)
      return flowAt(dfid, context)
    },
    async observe(input) {
      const list = Array.isArray(input) ? input : [input]
      // A source that the process declares speaks there; an operator asks over the wire.
      if (list.some(({ source }) => source !== undefined)) return runtime.observe(input)
      return said(await (await wire()).asPerson('operator', '/v1/observations', input)).observed
    },
    on(agent, handler) {
      runtime.on(agent, async ({ dfid, context }) => handler(await flowAt(dfid, context)))
    },
    serve: (options) => runtime.serve(options),
    async close() {
      if (opened !== null) await (await opened).close()
      await runtime.close()
    },
  }
}
