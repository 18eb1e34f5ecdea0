/** Every place of the console that is looked at. */
import { type KnownDemo, listDemoPlaces } from './console-demo-places.ts'
import {
  ALL,
  buildDetailPlace,
  buildFullPlace,
  buildListPlace,
  DIALOG,
  EDITOR,
  type Place,
  ROWS,
} from './console-place.ts'
import type { PageStep } from './everyday/task.ts'

/** What the API knows of a filled store, for places that show one thing. */
export type Known = {
  readonly request: string
  readonly flow: string
  readonly leaf: string
  readonly agent: string
  readonly monitor: string
  readonly execution: string
  readonly resource: string
  readonly key: string
}

export function listPlaces(known: Known, demo: KnownDemo): readonly Place[] {
  return [
    ...listWorkPlaces(known),
    ...listRulePlaces(known),
    ...listRecordPlaces(known),
    ...listSettingPlaces(known),
    ...FRAME_PLACES,
    ...DOCS_PLACES,
    ...listDemoPlaces(demo),
  ]
}

const GROUPED = '/inbox?in=fast&group=reason'
const SELECT_GROUP: PageStep = {
  click: { role: 'checkbox', name: /^select all of/, says: 'the box of a group' },
}

/** Answered by the search index, with counts. */
const FILTERED =
  'reason=LIMIT_EXCEEDED&measure=refund_usd&amount_min=5001&words=lost&within=30d&sort=-amount'

function listWorkPlaces(known: Known): readonly Place[] {
  const request = `/inbox/${known.request}`
  return [
    buildListPlace('overview', '/', 'main figure.columns'),
    buildFullPlace('overview-month', '/?range=30d', 'main figure.columns'),
    buildListPlace('inbox', '/inbox', 'main a[href^="/inbox/"]'),
    buildFullPlace('inbox-chosen', GROUPED, '.batch-bar', SELECT_GROUP),
    buildFullPlace('inbox-together', GROUPED, `${DIALOG} .batch-items li`, SELECT_GROUP, {
      press: 'A',
    }),
    buildFullPlace('inbox-decided', '/inbox?in=decided', ROWS),
    buildFullPlace('inbox-found', '/inbox?words=order&state=closed&sort=-amount', ROWS),
    buildDetailPlace('request', request),
    buildFullPlace('request-edit', request, `${DIALOG} form`, { press: 'e' }),
    buildFullPlace('request-reject', request, `${DIALOG} form`, { press: 'r' }),
    {
      ...buildFullPlace('request-approve', request, `${DIALOG} form`, { press: 'a' }),
      narrow: true,
    },
    buildListPlace('flows', '/flows'),
    buildFullPlace('found', '/flows?words=a&sort=agent', ROWS),
    buildDetailPlace('flows-filtered', `/flows?${FILTERED}`, ROWS),
    buildFullPlace('flows-filter', `/flows?${FILTERED}`, '.filter-form', {
      click: { role: 'button', name: /^Filter$/, says: 'Filter' },
    }),
    buildFullPlace('flows-views', '/flows', '.menu-list', {
      click: { role: 'button', name: /^Views$/, says: 'Views' },
    }),
    buildDetailPlace('flow', `/flows/${known.flow}`),
    buildListPlace('executions', '/executions?in=all'),
    buildFullPlace(
      'executions-filtered',
      '/executions?in=all&kind=REFUND&words=o_1&amount_min=100&within=30d&sort=agent',
      ROWS,
    ),
    buildDetailPlace('execution', `/executions/${encodeURIComponent(known.execution)}?in=all`),
    { ...buildListPlace('no-events', '/events'), conditions: ['empty'] },
  ]
}

/** A rule that is held against the last decisions. */
const DRAFT = `/policies#draft=${encodeURIComponent(
  JSON.stringify({
    policy: 'draft',
    cedar: `@id("large_refunds")
@require_approval("operator")
forbid(principal, action == Action::"REFUND", resource)
when { context.measures.refund_usd.greaterThan(decimal("300.0")) };

@id("no_gifts")
forbid(principal, action == Action::"GIFT", resource);
`,
    contract: null,
    params: null,
    state: null,
  }),
)}`

function listRulePlaces(known: Known): readonly Place[] {
  const agent = `/agents/${known.agent}`
  const monitor = `/monitors/${known.monitor}?agent=${known.agent}`
  return [
    buildListPlace('agents', '/agents'),
    buildDetailPlace('agent', agent),
    buildFullPlace('agent-contract', `${agent}?view=contract`, '.agent-source'),
    buildDetailPlace('agent-versions', `${agent}?view=versions`, '.agent-body table'),
    buildFullPlace('agent-suspend', agent, `${DIALOG} form`, {
      click: { role: 'button', name: /^Suspend/, says: 'Suspend…' },
    }),
    buildDetailPlace('contract', `${agent}?view=change`, EDITOR),
    buildFullPlace('new-agent', '/agents/new%20agent', EDITOR),
    // What is in force is never nothing: every runtime has actions of its own.
    buildDetailPlace('policies', '/policies', '.law-table tbody tr'),
    buildListPlace('decisions', '/policies?view=try'),
    buildFullPlace('playground', DRAFT, '.coverage li'),
    buildListPlace('monitors', '/monitors', '.monitor-cards article'),
    buildDetailPlace('monitor', monitor),
    buildFullPlace('monitor-file', `${monitor}&edit=file`, EDITOR),
    buildFullPlace('new-monitor', '/monitors/try%20one', EDITOR),
    buildListPlace('mcp', '/tools'),
    buildDetailPlace('tool', '/tools/desk/close_ticket'),
  ]
}

function listRecordPlaces(known: Known): readonly Place[] {
  const resource = encodeURIComponent(known.resource)
  return [
    // A ledger is never empty: it begins with its keys.
    { name: 'ledger', path: '/ledger', shows: ROWS, conditions: ALL },
    buildFullPlace('ledger-found', `/ledger?q=kind:rejection%20agent:${known.agent}`, ROWS),
    buildFullPlace(
      'ledger-filtered',
      '/ledger?kind=rejection&reason=LIMIT_EXCEEDED&words=lost&within=30d&sort=agent',
      ROWS,
    ),
    buildDetailPlace('entry', `/ledger/${known.leaf}`),
    buildFullPlace('verify', '/ledger?in=verify', '.verify-main'),
    buildListPlace('world', '/world'),
    buildFullPlace('resource', `/world?thing=${resource}`, '.resource-detail'),
    { ...buildListPlace('no-artifacts', '/artifacts'), conditions: ['empty'] },
  ]
}

/** Tabs of operators, with what is there in a filled store. */
const SETTINGS: readonly (readonly [tab: string, shows: string])[] = [
  ['channels', 'main .outcome'],
  ['people', 'main .settings-lead'],
  ['tokens', 'main table'],
  ['keys', 'main table'],
  ['writs', 'main .settings-lead'],
  ['sources', 'main .settings-lead'],
  ['tenants', 'main .card'],
]

function listSettingPlaces(known: Known): readonly Place[] {
  return [
    buildFullPlace('settings', '/settings', 'main fieldset'),
    buildFullPlace('settings-notifications', '/settings?in=notifications', 'main fieldset'),
    ...SETTINGS.map(([tab, shows]): Place => {
      return { name: `settings-${tab}`, path: `/settings?in=${tab}`, shows, conditions: ALL }
    }),
    buildFullPlace('settings-add', '/settings?in=channels', `${DIALOG} form`, {
      click: { role: 'button', name: /^Add channel/, says: 'Add channel' },
    }),
    buildFullPlace('settings-key', `/settings/${known.key}?in=keys`, '.settings-detail'),
    buildFullPlace('settings-retention', '/settings?in=retention', 'main table'),
  ]
}

/** What is around every page, and where there is none. */
const FRAME_PLACES: readonly Place[] = [
  buildFullPlace('palette', '/flows', `${DIALOG} [role="option"]`, { press: 'Control+k' }),
  buildFullPlace(
    'palette-found',
    '/flows',
    `${DIALOG} [role="group"][aria-label="Flows"] [role="option"]`,
    { press: 'Control+k' },
    { see: /choose/ },
    { type: 'lost' },
  ),
  buildFullPlace('help', '/inbox', `${DIALOG} table`, { press: '?' }),
  buildFullPlace('user-menu', '/flows', '.menu-list', {
    click: { role: 'button', name: /^Your menu/, says: 'the menu of whoever is signed in' },
  }),
  {
    ...buildFullPlace('drawer', '/flows', '.drawer[open] a', {
      click: { role: 'button', name: /^Pages/, says: 'Pages' },
    }),
    narrow: true,
  },
  buildFullPlace('no-page', '/nowhere', 'main .outcome'),
  { ...buildFullPlace('sign-in', '/', 'main input'), signedOut: true },
]

const DOCS_PLACES: readonly Place[] = [
  buildFullPlace('docs', '/docs/', 'main h1'),
  buildFullPlace('docs-guide', '/docs/guides/policies-in-cedar', 'main pre'),
  buildFullPlace('docs-reference', '/docs/reference/http', 'main h2'),
  buildFullPlace('docs-reason', '/docs/reasons/LIMIT_EXCEEDED', 'main h1'),
  buildFullPlace('docs-search', '/docs/', '#search-list a', { press: '/' }, { type: 'refund' }),
]
