import type { Refusal } from 'rubicon-kernel'
import type { Context } from '../engine-context.ts'
import { loadEscalation } from '../rows/stored-escalation.ts'

/** Why a request that does not wait does not: it was decided, or there never was one. */
export async function loadNotOpenRefusal(
  context: Pick<Context, 'store'>,
  id: string,
): Promise<Refusal> {
  const known =
    (await loadEscalation(context, 'approved', id)) ?? (await loadEscalation(context, 'closed', id))
  const code = known === null ? 'ESCALATION_UNKNOWN' : 'ESCALATION_DECIDED'
  return { code, details: { request: id } }
}
