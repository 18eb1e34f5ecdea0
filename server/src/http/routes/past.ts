/** What reads much of the past: together they may ask no more than a few things at a time. */

import type { Route } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
import { SlowReads } from '../turns/slow-reads.ts'
import { createDecisionRoutes } from './decisions.ts'
import { createEpisodeRoutes } from './episodes.ts'
import { createEvidenceRoutes } from './evidence.ts'
import { createMonitorSeriesRoutes } from './monitor-series.ts'
import { createPlaygroundRoutes } from './playground.ts'

export function createPastRoutes(parts: RouteParts): readonly Route[] {
  const past = new SlowReads(parts.engine.context.clock)
  return [
    ...createDecisionRoutes(parts),
    ...createEpisodeRoutes(parts),
    ...createPlaygroundRoutes(parts, past),
    ...createMonitorSeriesRoutes(parts, past),
    ...createEvidenceRoutes(parts, past),
  ]
}
