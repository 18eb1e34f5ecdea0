/** Places of the company of the demo: what a filled store has nothing of, and what the docs show. */
import { CART, CHECKOUT } from '../server/src/demo/company/project/files.ts'
import {
  buildDetailPlace,
  buildFullPlace,
  DETAIL,
  EDITOR,
  type Place,
  ROWS,
} from './console-place.ts'

/** What of it has a page. */
export type KnownDemo = {
  readonly event: string
  readonly proven: string
  readonly settled: string
  /** A flow with others below it, and one that was tried twice. */
  readonly family: string
  readonly retried: string
  readonly request: string
  readonly monitor: string
  readonly person: string
  readonly writ: string
}

/** Where nobody has asked a company yet: the names of places are known, and lead nowhere. */
export const NO_DEMO: KnownDemo = {
  event: '',
  proven: '',
  settled: '',
  family: '',
  retried: '',
  request: '',
  monitor: '',
  person: '',
  writ: '',
}

export function listDemoPlaces(known: KnownDemo): readonly Place[] {
  return [...listShownPlaces(known), ...listOwnPlaces(known), ...listAdministered(known)].map(
    (place): Place => ({ ...place, ofDemo: true }),
  )
}

/** Pictures of the docs: what somebody sees who has started the demo. */
function listShownPlaces(known: KnownDemo): readonly Place[] {
  const wide = { pictures: { wide: 840 } } as const
  return [
    { ...buildFullPlace('overview-demo', '/', 'main figure.columns'), ...wide },
    {
      ...buildFullPlace('inbox-demo', '/inbox?in=fast&group=kind', '.batch-bar', {
        click: { role: 'checkbox', name: /^select all of/, says: 'the box of a group' },
      }),
      ...wide,
    },
    {
      ...buildFullPlace('request-demo', `/inbox/${known.request}`, DETAIL),
      pictures: { wide: 900, narrow: 844 },
    },
    {
      ...buildFullPlace('search-demo', '/flows?outcome=rejected&words=refund', ROWS),
      ...wide,
    },
    { ...buildFullPlace('flow-demo', `/flows/${known.retried}`, DETAIL), pictures: { wide: 800 } },
    { ...buildFullPlace('agents-demo', '/agents?as=hierarchy', '.agent-graph svg'), ...wide },
    { ...buildFullPlace('editor-demo', '/agents/refunds?view=change', EDITOR), ...wide },
    { ...buildFullPlace('monitor-demo', known.monitor, DETAIL), ...wide },
    { ...buildFullPlace('ledger-demo', '/ledger', ROWS), ...wide },
    buildFullPlace('executions-demo', '/executions', ROWS),
    buildFullPlace('tools-demo', '/tools', ROWS),
    buildFullPlace('monitors-demo', '/monitors', '.monitor-cards article'),
  ]
}

function listOwnPlaces(known: KnownDemo): readonly Place[] {
  return [
    buildDetailPlace('events', '/events', 'figure.mesh svg'),
    buildDetailPlace('event', `/events/${known.event}`, '.bids li'),
    buildDetailPlace('proof', `/flows/${known.proven}`, '.checked'),
    buildDetailPlace('atom', `/flows/${known.settled}`, '.checked'),
    buildDetailPlace('family', `/flows/${known.family}`, '.timeline-rows'),
    buildDetailPlace('artifacts', '/artifacts', '.plans'),
    buildDetailPlace('artifact', `/artifacts/${CART}`, '.symbol-text'),
    buildFullPlace('artifact-history', `/artifacts/${CART}?view=history`, '.symbol-detail .change'),
    buildFullPlace('artifact-plans', `/artifacts/${CHECKOUT}?view=plans`, '.symbol-detail .plans'),
  ]
}

function listAdministered({ person, writ }: KnownDemo): readonly Place[] {
  const detail = '.settings-detail h2'
  return [
    buildFullPlace('settings-channel', '/settings/ops?in=channels', detail),
    buildFullPlace('settings-person', `/settings/${person}?in=people`, detail),
    buildFullPlace('settings-writ', `/settings/${writ}?in=writs`, detail),
    buildFullPlace('settings-source', '/settings/prices?in=sources', detail),
  ]
}
