/** Every route, in the order in which they are described. */
import type { Route } from '../route.ts'
import type { ServerParts } from '../server.ts'
import { agentRoutes } from './agents.ts'
import { escalationRoutes } from './escalations.ts'
import { executionRoutes } from './executions.ts'
import { flowRoutes } from './flows.ts'
import { healthRoutes } from './health.ts'
import { monitorRoutes } from './monitors.ts'
import { observationRoutes } from './observations.ts'

export function allRoutes(parts: ServerParts): readonly Route[] {
  return [
    ...healthRoutes(parts),
    ...agentRoutes(parts),
    ...flowRoutes(parts),
    ...observationRoutes(parts),
    ...escalationRoutes(parts),
    ...executionRoutes(parts),
    ...monitorRoutes(parts),
  ]
}
