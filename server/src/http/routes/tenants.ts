/** What this server serves, as far as whoever asks may ask there: the health and the size of each tenant. */
import { FLOW_STATES, formatInstant, OPEN_FLOW_STATES } from 'rubicon-kernel'
import { isLocalOperator, type Principal } from '../../people/principal.ts'
import { Readiness } from '../gate/readiness.ts'
import { type Route, toReply } from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildWholeObject,
  count,
  moment,
  nameSchema,
  string,
} from '../schemas/shape.ts'
import type { ServerParts, TenantParts } from '../server-parts.ts'

const shownTenant = nameSchema(
  'ServedTenant',
  buildWholeObject({
    name: string,
    /** It is the one that was asked. */
    here: boolean,
    ready: boolean,
    problems: buildArray(buildWholeObject({ code: string, summary: string })),
    /** The kind of its store, such as `sqlite`. */
    store: string,
    entries: count,
    agents: count,
    open_flows: count,
    ended_flows: count,
    archived_flows: count,
    /** Notices that nobody could be told. */
    failed_notices: count,
    /** The size of the ledger that was signed last; null: none was yet. */
    signed_entries: allowNull(count),
    at: moment,
  }),
)

export function createTenantRoutes(parts: ServerParts): readonly Route[] {
  const { served = [parts] } = parts
  const health = new Map(served.map((one) => [one.engine, new Readiness(one.engine)]))
  return [
    {
      method: 'GET',
      path: '/v1/tenants',
      operation: 'listTenants',
      summary:
        'the tenants of this server in which whoever asks has a role too, with health and size',
      roles: ['operator', 'auditor'],
      reply: buildWholeObject({ tenants: buildArray(shownTenant) }),
      async handle({ principal }) {
        const mine = served.filter(
          (one) => one.engine === parts.engine || mayLook(parts, one, principal),
        )
        const tenants = await Promise.all(
          mine.map(async (one) => {
            const problems = (await health.get(one.engine)?.findProblems()) ?? []
            const here = one.engine === parts.engine
            return { ...(await measureTenant(one)), here, ready: problems.length === 0, problems }
          }),
        )
        return toReply({ tenants })
      },
    },
  ]
}

/** By the same token: a name alone may be another human's in another tenant. */
function mayLook(here: TenantParts, other: TenantParts, principal: Principal): boolean {
  if (principal.kind !== 'person' || principal.login !== undefined) return false
  if (isLocalOperator(principal)) return false
  const [mine, theirs] = [here, other].map(({ people }) => people.named(principal.name))
  if (mine == null || theirs == null || mine.token_hash !== theirs.token_hash) return false
  return theirs.roles.some((role) => role === 'operator' || role === 'auditor')
}

async function measureTenant({ engine }: TenantParts): Promise<object> {
  const { store, tenant, authorities, clock } = engine.context
  const { statuses } = await authorities.loadLatest()
  const ended = FLOW_STATES.filter((state) => !OPEN_FLOW_STATES.includes(state))
  return {
    name: tenant,
    store: store.name,
    entries: await store.countLeaves(),
    agents: statuses.size,
    open_flows: await store.countRows({ of: 'flows', state: OPEN_FLOW_STATES }),
    ended_flows: await store.countRows({ of: 'flows', state: ended }),
    archived_flows: await store.countRows({ of: 'records', record: 'archive', group: 'flows' }),
    failed_notices: await store.countRows({ of: 'records', record: 'notice', group: 'failed' }),
    signed_entries: (await store.readCheckpoint())?.size ?? null,
    at: formatInstant(clock.now()),
  }
}
