/** Every route, in the order in which they are described. */
import { createLocalLookups } from '../lookups/all.ts'
import type { Route } from '../schemas/route.ts'
import type { ServerParts } from '../server-parts.ts'
import { createAccessRoutes } from './access.ts'
import { createActionRoutes } from './actions.ts'
import { createAgentDetailRoutes } from './agent.ts'
import { createAgentActivityRoutes } from './agent-activity.ts'
import { createAgentStateRoutes } from './agent-state.ts'
import { createAgentRoutes } from './agents.ts'
import { createArtifactRoutes } from './artifacts.ts'
import { createAtomRoutes } from './atoms.ts'
import { createBusRoutes } from './bus.ts'
import { createChannelRoutes } from './channels.ts'
import { createClockRoutes } from './clock.ts'
import { createContractRoutes } from './contracts.ts'
import { addDocumentRoute } from './document.ts'
import { createDocumentRoutes } from './documents.ts'
import { createErasureRoutes } from './erasures.ts'
import { createEscalationRoutes } from './escalations.ts'
import { createEventRoutes } from './events.ts'
import { createExecutionRoutes } from './executions.ts'
import { createFlowAccountRoutes } from './flow-account.ts'
import { createFlowRoutes } from './flows.ts'
import { createGenerationRoutes } from './generations.ts'
import { createHealthRoutes } from './health.ts'
import { createIdRoutes } from './ids.ts'
import { createInboxRoutes } from './inbox.ts'
import { createInstanceRoutes } from './instances.ts'
import { createKeyRoutes } from './keys.ts'
import { createLedgerRoutes } from './ledger.ts'
import { createMcpRoutes } from './mcp.ts'
import { createMcpDoorRoutes } from './mcp-door.ts'
import { createMcpListRoutes } from './mcp-lists.ts'
import { createMonitorRoutes } from './monitors.ts'
import { createObservationRoutes } from './observations.ts'
import { createOverviewRoutes } from './overview.ts'
import { createPastRoutes } from './past.ts'
import { createPersonRoutes } from './persons.ts'
import { createPolicyRoutes } from './policies.ts'
import { createRegistryRoutes } from './registry.ts'
import { createSessionRoutes } from './session.ts'
import { createSignInRoutes } from './sign-in.ts'
import { createSourceRoutes } from './sources.ts'
import { createTenantRoutes } from './tenants.ts'
import { createTimerRoutes } from './timers.ts'
import { createTopicRoutes } from './topics.ts'
import { createTrajectoryRoutes } from './trajectories.ts'
import { createWorldRoutes } from './world.ts'
import { createWritRoutes } from './writs.ts'

export function createAllRoutes(given: ServerParts): readonly Route[] {
  const { engine, artifacts, search } = given
  const { lookups = createLocalLookups({ ...engine.context, artifacts, search }) } = given
  const parts = { ...given, lookups }
  return addDocumentRoute([
    ...createHealthRoutes(parts),
    ...createOverviewRoutes(parts),
    ...createAgentActivityRoutes(parts),
    ...createSessionRoutes(parts),
    ...createSignInRoutes(parts),
    ...createAgentRoutes(parts),
    ...createAgentDetailRoutes(parts),
    ...createAgentStateRoutes(parts),
    ...createDocumentRoutes(parts),
    ...createTimerRoutes(parts),
    ...createBusRoutes(parts),
    ...createTopicRoutes(parts),
    ...createInstanceRoutes(parts),
    ...createContractRoutes(parts),
    ...createWritRoutes(parts),
    ...createKeyRoutes(parts),
    ...createPersonRoutes(parts),
    ...createAccessRoutes(parts),
    ...createTenantRoutes(parts),
    ...createPolicyRoutes(parts),
    ...createActionRoutes(parts),
    ...createFlowRoutes(parts),
    ...createAtomRoutes(parts),
    ...createIdRoutes(parts),
    ...createFlowAccountRoutes(parts),
    ...createGenerationRoutes(parts),
    ...createObservationRoutes(parts),
    ...createSourceRoutes(parts),
    ...createChannelRoutes(parts),
    ...createEscalationRoutes(parts),
    ...createInboxRoutes(parts),
    ...createExecutionRoutes(parts),
    ...createErasureRoutes(parts),
    ...createMonitorRoutes(parts),
    ...createMcpRoutes(parts),
    ...createMcpDoorRoutes(parts),
    ...createMcpListRoutes(parts),
    ...createClockRoutes(parts),
    ...createRegistryRoutes(parts),
    ...createPastRoutes(parts),
    ...createLedgerRoutes(parts),
    ...createTrajectoryRoutes(parts),
    ...createWorldRoutes(parts),
    ...createArtifactRoutes(parts),
    ...createEventRoutes(parts),
  ])
}
