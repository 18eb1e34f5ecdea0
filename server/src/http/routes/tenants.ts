/** What this server serves, as far as whoever asks may ask there: the health and the size of each tenant. */
import { err, formatInstant, ok, type Result } from 'rubicon-kernel'
import { getPrincipalName, isLocalOperator, type Principal } from '../../people/principal.ts'
import { Readiness } from '../gate/readiness.ts'
import { createLocalLookups } from '../lookups/all.ts'
import type { Lookups } from '../lookups/lookup.ts'
import type { StoreSize } from '../lookups/store-size.ts'
import { type Reply, type Route, toReply } from '../schemas/route.ts'
import type { RouteParts } from '../schemas/route-parts.ts'
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
import type { TenantParts } from '../server-parts.ts'

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

export function createTenantRoutes(parts: RouteParts): readonly Route[] {
  const { served = [parts] } = parts
  const getLookups = ({ engine, lookups }: TenantParts): Lookups =>
    engine === parts.engine ? parts.lookups : (lookups ?? createLocalLookups(engine.context))
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
        const asker = getPrincipalName(principal)
        const tenants: object[] = []
        for (const one of mine) {
          const measured = await measureTenant(one, getLookups(one), asker)
          if (!measured.ok) return measured.error
          const problems = (await health.get(one.engine)?.findProblems()) ?? []
          const here = one.engine === parts.engine
          tenants.push({ ...measured.value, here, ready: problems.length === 0, problems })
        }
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

/** Rows are counted where lookups are answered: of many it takes long, and the thread that decides has other work. */
async function measureTenant(
  { engine }: TenantParts,
  lookups: Lookups,
  asker: string,
): Promise<Result<object, Reply>> {
  const { store, tenant, authorities, clock } = engine.context
  const measured = await lookups.answer('measureStore', { asker, own: null, params: {}, query: {} })
  if (measured.status !== 200) return err(measured)
  const { statuses } = await authorities.loadLatest()
  return ok({
    name: tenant,
    store: store.name,
    agents: statuses.size,
    ...parseSize(measured.body),
    signed_entries: (await store.readCheckpoint())?.size ?? null,
    at: formatInstant(clock.now()),
  })
}

/** A lookup answers as its route does; from another thread, as text. */
function parseSize(body: Reply['body']): StoreSize {
  return (typeof body === 'string' ? JSON.parse(body) : body) as StoreSize
}
