/** Every route, in the order in which they are described. */
import { lookupsHere } from '../lookups/all.ts'
import type { Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { agentRoute } from './agent.ts'
import { agentStateRoutes } from './agent-state.ts'
import { agentRoutes } from './agents.ts'
import { clockRoutes } from './clock.ts'
import { contractRoutes } from './contracts.ts'
import { described } from './document.ts'
import { documentRoutes } from './documents.ts'
import { erasureRoutes } from './erasures.ts'
import { escalationRoutes } from './escalations.ts'
import { eventRoutes } from './events.ts'
import { executionRoutes } from './executions.ts'
import { flowAccountRoutes } from './flow-account.ts'
import { flowRoutes } from './flows.ts'
import { healthRoutes } from './health.ts'
import { inboxRoutes } from './inbox.ts'
import { instanceRoutes } from './instances.ts'
import { keyRoutes } from './keys.ts'
import { ledgerRoutes } from './ledger.ts'
import { monitorRoutes } from './monitors.ts'
import { observationRoutes } from './observations.ts'
import { pastRoutes } from './past.ts'
import { personRoutes } from './persons.ts'
import { policyRoutes } from './policies.ts'
import { sessionRoutes } from './session.ts'
import { signInRoutes } from './sign-in.ts'
import { sourceRoutes } from './sources.ts'
import { timerRoutes } from './timers.ts'
import { trajectoryRoutes } from './trajectories.ts'
import { worldRoutes } from './world.ts'
import { writRoutes } from './writs.ts'

export function allRoutes(given: ServerParts): readonly Route[] {
  const { engine, lookups = lookupsHere(engine.context) } = given
  const parts = { ...given, lookups }
  return described([
    ...healthRoutes(parts),
    ...sessionRoutes(parts),
    ...signInRoutes(parts),
    ...agentRoutes(parts),
    ...agentRoute(parts),
    ...agentStateRoutes(parts),
    ...documentRoutes(parts),
    ...timerRoutes(parts),
    ...instanceRoutes(parts),
    ...contractRoutes(parts),
    ...writRoutes(parts),
    ...keyRoutes(parts),
    ...personRoutes(parts),
    ...policyRoutes(parts),
    ...flowRoutes(parts),
    ...flowAccountRoutes(parts),
    ...observationRoutes(parts),
    ...sourceRoutes(parts),
    ...escalationRoutes(parts),
    ...inboxRoutes(parts),
    ...executionRoutes(parts),
    ...erasureRoutes(parts),
    ...monitorRoutes(parts),
    ...clockRoutes(parts),
    ...pastRoutes(parts),
    ...ledgerRoutes(parts),
    ...trajectoryRoutes(parts),
    ...worldRoutes(parts),
    ...eventRoutes(parts),
  ])
}
