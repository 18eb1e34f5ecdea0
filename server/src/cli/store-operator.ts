/** The operator at the store itself: the verb holds it, with the keys of the machine. */
import { AUTHORITY, formatInstant } from 'rubicon-kernel'
import type { Engine } from 'rubicon-runtime/engine'
import {
  attenuateStoredWrit,
  compromiseKey,
  explainParentPassedOver,
  findPerson,
  issueWrit,
  registerKey,
  retireKey,
} from 'rubicon-runtime/engine/authority'
import { branchTrajectory } from 'rubicon-runtime/evidence'
import { createUnknownAgentFailure } from './agents.ts'
import { loadRequest } from './escalations.ts'
import { unwrap } from './failure.ts'
import type {
  AgentOperator,
  FlowOperator,
  KeyOperator,
  Operator,
  PersonOperator,
  WatchOperator,
} from './operator.ts'
import { resolveDfid } from './whole-id.ts'

const HOUR_MS = 3_600_000

export function storeOperator(engine: Engine): Operator {
  return {
    speaker: () => Promise.resolve(null),
    ...createAgentOperator(engine),
    ...createKeyOperator(engine),
    ...createPersonOperator(engine),
    ...createFlowOperator(engine),
    ...createWatchOperator(engine),
  }
}

function createAgentOperator(engine: Engine): AgentOperator {
  const { authorities, store } = engine.context
  return {
    deploy: async ({ read }, revokePrevious) =>
      unwrap(await engine.deploy(read, { revokePrevious })),
    async findPassedOverParents(contracts) {
      const authority = await authorities.loadLatest()
      const { now } = await store.readNow(AUTHORITY)
      return contracts.flatMap(
        (contract) => explainParentPassedOver(authority, contract, now) ?? [],
      )
    },
    revokeContract: async (id, reason) =>
      unwrap(await engine.revoke({ target: 'contract', id, reason })),
    async move(agent_id, to, justification) {
      const before = (await authorities.loadLatest()).statuses.get(agent_id)
      if (before === undefined) throw createUnknownAgentFailure(agent_id)
      unwrap(await engine.moveAgent({ agent_id, to, actor: 'operator', justification }))
      return before
    },
    kill: async (agent, reason) => unwrap(await engine.kill(agent, reason)),
    spawn: async (request) => unwrap(await engine.spawn(request)),
  }
}

function createKeyOperator({ context }: Engine): Omit<KeyOperator, 'revokeWrit'> {
  return {
    registerKey: async (registration) => unwrap(await registerKey(context, registration)),
    retireKey: async (id) => unwrap(await retireKey(context, id)),
    compromiseKey: async (id, since) => unwrap(await compromiseKey(context, id, since)),
    async issueWrit(agent, hours, audience) {
      const to = audience === undefined ? {} : { audience }
      return unwrap(await issueWrit(context, { agent, ttlMs: hours * HOUR_MS, ...to }))
    },
    async attenuateWrit(id, { subject, kinds, budget, hours }) {
      const until = formatInstant(context.clock.now() + (hours ?? 0) * HOUR_MS)
      const narrower = {
        subject,
        ...(kinds.length === 0 ? {} : { scopes: kinds.map((kind) => ({ kind })) }),
        ...(budget === null ? {} : { budget }),
        ...(hours === null ? {} : { window: { expires_at: until } }),
      }
      return unwrap(await attenuateStoredWrit(context, id, narrower))
    },
  }
}

function createPersonOperator(engine: Engine): PersonOperator {
  const { people, context } = engine
  const resolvePerson = async (text: string): Promise<string> => {
    const authority = await context.authorities.loadLatest()
    if (authority.persons.ids.has(text)) return text
    return (await findPerson(context, authority, { kind: 'name', name: text })) ?? text
  }
  return {
    registerPerson: async (name) => unwrap(await people.register(name)),
    linkPerson: async (person, identity) =>
      unwrap(await people.link(await resolvePerson(person), identity)),
    unlinkPerson: async (person, identity) =>
      unwrap(await people.unlink(await resolvePerson(person), identity)),
    mergePersons: async (person, into) =>
      unwrap(await people.merge(await resolvePerson(person), await resolvePerson(into))),
  }
}

function createFlowOperator(engine: Engine): FlowOperator & Pick<KeyOperator, 'revokeWrit'> {
  const { oversight, people, context } = engine
  return {
    resolveFlow: (given) => resolveDfid(context.store, given),
    async cancelFlow(dfid, reason) {
      unwrap(await engine.cancel(dfid, reason))
    },
    planErasure: async (dfid) => unwrap(await oversight.planErasure(dfid)),
    erase: async (dfid, reason, by) =>
      unwrap(await oversight.erase({ dfid, reason, ...(by === undefined ? {} : { by }) })),
    resolve: async (dfid, step, resolution) =>
      step === undefined
        ? unwrap(await oversight.resolveDirty(dfid, resolution))
        : unwrap(await oversight.resolveExecution(dfid, step, resolution)).status,
    readEscalation: (given) => loadRequest(context.store, given),
    async decide(id, decision, principal) {
      // Whoever holds the operator's key vouches for the name.
      unwrap(await people.meet(principal))
      return unwrap(await oversight.decideEscalation(id, decision, { kind: 'person', principal }))
    },
    branchTrajectory: async (branching) => unwrap(await branchTrajectory(engine, branching)),
    revokeWrit: async (id, reason) => unwrap(await engine.revoke({ target: 'writ', id, reason })),
  }
}

function createWatchOperator({ oversight }: Engine): WatchOperator {
  return {
    deployMonitor: async ({ read }) => unwrap(await oversight.deployMonitor(read)),
    withdrawMonitor: async (name, reason) => unwrap(await oversight.withdrawMonitor(name, reason)),
    registerSource: async (source) => unwrap(await oversight.registerSource(source)),
    retireSource: async (name) => unwrap(await oversight.retireSource(name)),
    confirmClock: async (reason) => unwrap(await oversight.confirmClock(reason)),
  }
}
