/** Flows and requests by the beginning of their ids: as much as somebody has copied. */
import { ESCALATION_STATES } from '../engine/escalate/stored.ts'
import type { Store } from '../ports/store.ts'
import { argument, type Call, serverOf } from './call.ts'
import { CliFailure } from './failure.ts'
import { reading } from './open.ts'

/** Shorter ones would soon mean many. */
const SHORTEST = 8
const LISTED = 10
/** Behind everything that an id may go on with. */
const END = '~'

/** The dfid that the first argument of a verb means. */
export function flowMeant(call: Call): Promise<string> {
  const given = argument(call, 0, 'DFID')
  // Whoever asks a server need not have its store: they type all of it.
  if (serverOf(call) !== undefined) return Promise.resolve(given)
  return reading(call.place, (store) => wholeDfid(store, given))
}

export async function wholeDfid(
  store: Pick<Store, 'flow' | 'flowSummaries'>,
  given: string,
): Promise<string> {
  if (!isBeginning(given) || (await store.flow(given)) !== null) return given
  const found = await store.flowSummaries({ from: given, before: given + END, limit: LISTED })
  return onlyOne(
    given,
    found.map(({ dfid }) => dfid),
  )
}

export async function wholeRequestId(
  store: Pick<Store, 'records'>,
  given: string,
): Promise<string> {
  if (!isBeginning(given)) return given
  const range = { until: given + END, limit: LISTED }
  const keys: string[] = []
  for (const state of ESCALATION_STATES) {
    const exact = await store.records('escalation', state, { until: given, newest: true, limit: 1 })
    if (exact[0]?.key === given) return given
    const longer = await store.records('escalation', state, { after: given, ...range })
    keys.push(...longer.map(({ key }) => key))
  }
  return onlyOne(given, keys)
}

export function isBeginning(given: string): boolean {
  return given.length >= SHORTEST
}

/** What nothing begins with stays as it is: whoever looks for it says that it is not there. */
export function onlyOne(given: string, found: readonly string[]): string {
  const [only = given, ...others] = found
  if (others.length === 0) return only
  throw new CliFailure({
    code: 'ID_AMBIGUOUS',
    summary: `\`${given}\` is the beginning of several`,
    why: found.length < LISTED ? found.join(', ') : `${found.join(', ')}, and perhaps more`,
    fix: 'type more of the one that is meant',
  })
}
