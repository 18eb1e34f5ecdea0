/**
 * Writs narrowed by hand hold a part of their parent's budget, too. Once such a writ has expired or
 * is revoked, and nothing that stands on it is on its way, what is left goes back, with an entry.
 */
import {
  type Authority,
  type DelegationPayload,
  isSettled,
  LIMITS,
  MAIN,
  toCanonicalText,
  type Writ,
} from 'rubicon-kernel'
import type { Write } from '../../ports/store.ts'
import type { Context } from '../engine-context.ts'
import { readAllExecutions } from '../rows/all-executions.ts'
import { processRows } from '../rows/each-row.ts'
import { mintSalt } from '../rows/identity.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { formatUnits, readUnusedUnits, returnWrites } from './return-budget.ts'

/** Returns how many writs gave something back. */
export async function returnEndedWrits(context: Context): Promise<number> {
  const { store } = context
  const issued = (await store.listWrits(LIMITS.entriesPerPage)).map(({ writ }) => writ)
  const children = issued.filter(({ body }) => body.parent !== undefined)
  if (children.length === 0) return 0
  const authority = await context.authorities.loadLatest()
  const { now } = await store.readNow(MAIN)
  const byId = new Map(issued.map((writ) => [writ.id, writ]))
  const busy = await listWritsInUse(context)
  return processRows(context, 'writs', children, async (child) => {
    const parent = child.body.parent === undefined ? undefined : byId.get(child.body.parent)
    if (parent === undefined || busy.has(child.id) || !hasEnded(child, byId, authority, now))
      return false
    return giveBack(context, child, parent)
  })
}

async function listWritsInUse({ store }: Context): Promise<ReadonlySet<string>> {
  const open = await readAllExecutions(store, {
    status: ['ACCEPTED', 'DISPATCHED', 'UNKNOWN', 'NOT_APPLIED', 'MANUAL_REVIEW'],
  })
  return new Set(
    open.filter(({ status }) => !isSettled(status)).map((row) => parseIntent(row.intent).writ_id),
  )
}

/** Revocation reaches descendants: a writ has ended when one above it has. */
function hasEnded(
  writ: Writ,
  byId: ReadonlyMap<string, Writ>,
  { revokedWrits }: Authority,
  now: string,
): boolean {
  for (
    let link: Writ | undefined = writ;
    link !== undefined;
    link = byId.get(link.body.parent ?? '')
  )
    if (revokedWrits.has(link.id) || now >= link.body.window.expires_at) return true
  return false
}

/** Once: a counter of its own marks a writ that has given back. */
async function giveBack(context: Context, child: Writ, parent: Writ): Promise<boolean> {
  const { store } = context
  const marker = `${child.body.nonce}:returned`
  if ((await store.readCounter(marker)) > 0) return false
  const left = await readUnusedUnits(context, child, [])
  const payload: DelegationPayload = {
    salt: mintSalt(context),
    parent_dfid: parent.body.nonce,
    child_dfid: child.body.nonce,
    child_agent: child.body.subject,
    child_trajectory: MAIN,
    writ_id: child.id,
    returned: formatUnits(left),
  }
  const entry: Write = {
    kind: 'append',
    trajectory: MAIN,
    entry: 'delegation',
    payload: toCanonicalText(payload),
  }
  const outcome = await store.commit({
    guards: [{ kind: 'counter', id: marker, by: 1, limit: 1 }],
    writes: [{ kind: 'count', id: marker, by: 1 }, ...returnWrites(parent, left), entry],
  })
  return outcome.ok
}
