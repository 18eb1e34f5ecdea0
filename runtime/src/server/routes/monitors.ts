/** What watches over agents, and what it says now. */
import { done, type Route } from '../route.ts'
import type { ServerParts } from '../server.ts'

export function monitorRoutes({ engine }: ServerParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/v1/monitors',
      summary: 'the monitors in force, and what each says now',
      roles: ['operator', 'approver', 'auditor'],
      handle: async () => done(await engine.oversight.monitors()),
    },
  ]
}
