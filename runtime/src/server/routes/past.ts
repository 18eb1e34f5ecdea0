/** What reads much of the past: together they may ask no more than a few things at a time. */
import { PastQuestions } from '../past-questions.ts'
import type { Route } from '../route.ts'
import { createDecisionRoutes } from './decisions.ts'
import { createEvidenceRoutes } from './evidence.ts'
import { createMonitorSeriesRoutes } from './monitor-series.ts'
import { createPlaygroundRoutes } from './playground.ts'
import type { RouteParts } from './route-parts.ts'

export function createPastRoutes(parts: RouteParts): readonly Route[] {
  const past = new PastQuestions(parts.engine.context.clock)
  return [
    ...createDecisionRoutes(parts),
    ...createPlaygroundRoutes(parts, past),
    ...createMonitorSeriesRoutes(parts, past),
    ...createEvidenceRoutes(parts, past),
  ]
}
