/** Every place of the console that is looked at, and in which condition. */
import type { KnownMesh } from './console-mesh.ts'

/** `loading`: nothing is answered; `failed`: everything is refused. */
export type Condition = 'empty' | 'full' | 'loading' | 'failed'

export type Place = {
  /** In reports, and of its screenshot. */
  readonly name: string
  readonly path: string
  readonly conditions: readonly Condition[]
  /** What must be there once it is full, as CSS. */
  readonly shows: string
  /** An empty page names the command that fills it. */
  readonly command?: true
  /** Of the company of the demo: a filled store has none of it. */
  readonly ofMesh?: true
  /** As somebody sees it who has not signed in. */
  readonly signedOut?: true
}

/** What the API knows of a filled store, for places that show one thing. */
export type Known = KnownMesh & {
  readonly request: string
  readonly flow: string
  readonly leaf: string
  readonly agent: string
  readonly monitor: string
  readonly execution: string
}

const ALL: readonly Condition[] = ['empty', 'full', 'loading', 'failed']
const ONE: readonly Condition[] = ['full', 'loading', 'failed']

/** Loaded, and not the plain field that stands in for it. */
const EDITOR = '.editor[data-state="ready"]'

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

/** Tabs of operators, with what is there in a filled store. */
const SETTINGS: readonly (readonly [tab: string, shows: string])[] = [
  ['channels', 'main .outcome'],
  ['people', 'main .settings-lead'],
  ['tokens', 'main table'],
  ['keys', 'main table'],
  ['writs', 'main .settings-lead'],
  ['sources', 'main .settings-lead'],
  ['tenants', 'main .card'],
  ['retention', 'main table'],
]

export function listPlaces(known: Known): readonly Place[] {
  const rows = 'main table tbody tr'
  const detail = '[aria-label="detail"] :is(h2, h3)'
  const list = (name: string, path: string, shows: string): Place => ({
    name,
    path,
    shows,
    conditions: ALL,
    command: true,
  })
  const buildDetailPlace = (name: string, path: string): Place => ({
    name,
    path,
    shows: detail,
    conditions: ONE,
  })
  return [
    list('overview', '/', 'main figure.columns'),
    list('inbox', '/inbox', 'main a[href^="/inbox/"]'),
    buildDetailPlace('request', `/inbox/${known.request}`),
    list('flows', '/flows', rows),
    // Answered by the search index.
    { name: 'found', path: '/flows?words=a&sort=agent', shows: rows, conditions: ONE },
    buildDetailPlace('flow', `/flows/${known.flow}`),
    // A ledger is never empty: it begins with its keys.
    { name: 'ledger', path: '/ledger', shows: rows, conditions: ALL },
    buildDetailPlace('entry', `/ledger/${known.leaf}`),
    list('agents', '/agents', rows),
    buildDetailPlace('agent', `/agents/${known.agent}`),
    {
      name: 'contract',
      path: `/agents/${known.agent}?view=change`,
      shows: EDITOR,
      conditions: ONE,
    },
    { name: 'new-agent', path: '/agents/new%20agent', shows: EDITOR, conditions: ['full'] },
    list('monitors', '/monitors', '.monitor-cards article'),
    { name: 'new-monitor', path: '/monitors/try%20one', shows: EDITOR, conditions: ['full'] },
    buildDetailPlace('monitor', `/monitors/${known.monitor}?agent=${known.agent}`),
    list('executions', '/executions?in=all', rows),
    buildDetailPlace('execution', `/executions/${encodeURIComponent(known.execution)}?in=all`),
    // What is in force is never nothing: every runtime has actions of its own.
    { name: 'policies', path: '/policies', shows: '.law-table tbody tr', conditions: ONE },
    list('decisions', '/policies?view=try', rows),
    { name: 'playground', path: DRAFT, shows: '.coverage li', conditions: ['full'] },
    list('world', '/world', rows),
    // A filled store has no files.
    { ...list('artifacts', '/artifacts', rows), conditions: ['empty', 'loading', 'failed'] },
    { ...list('events', '/events', 'figure.mesh svg'), ofMesh: true },
    { ...buildDetailPlace('event', `/events/${known.event}`), shows: '.bids li', ofMesh: true },
    { ...buildDetailPlace('proof', `/flows/${known.proven}`), shows: '.checked', ofMesh: true },
    { ...buildDetailPlace('atom', `/flows/${known.settled}`), shows: '.checked', ofMesh: true },
    list('mcp', '/tools', rows),
    buildDetailPlace('tool', '/tools/desk/close_ticket'),
    { name: 'settings', path: '/settings', shows: 'main fieldset', conditions: ['full'] },
    ...SETTINGS.map(([tab, shows]): Place => {
      return { name: `settings-${tab}`, path: `/settings?in=${tab}`, shows, conditions: ['full'] }
    }),
    { name: 'sign-in', path: '/', shows: 'main input', conditions: ['full'], signedOut: true },
    { name: 'docs', path: '/docs/', shows: 'main h1', conditions: ['full'] },
  ]
}
