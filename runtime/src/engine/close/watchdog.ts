/**
 * The silence watchdog. A flow that waits for an agent which has died, or is lost in thought, looks
 * like any other; in the hours in which its contract expects a decision, a person is asked.
 *
 * W1 only a flow that waits for its agent is silent: one whose effect or approval is on its way is not.
 * W2 a flow is escalated once: it is ESCALATED afterwards, also for an engine that starts again. Let
 *    go on by a person, it may fall silent again.
 */
import {
  type Contract,
  err,
  type Failure,
  findPinnedContract,
  LIMITS,
  MAIN,
  ok,
  parseActiveHours,
  parseInstant,
  type Result,
  type SilenceWatchdog,
} from 'rubicon-kernel'
import type { FlowRow } from '../../ports/store.ts'
import type { Zones } from '../../ports/zones.ts'
import type { Context } from '../engine-context.ts'
import { processRows } from '../rows/each-row.ts'
import { watchAgents } from './agent-silence.ts'
import { askAboutSilence, hasFallenSilent } from './silence.ts'

/** Returns how many flows, and agents without one, were found silent. */
export async function escalateSilent(context: Context): Promise<number> {
  const { store, authorities, zones } = context
  const authority = await authorities.loadLatest()
  const now = parseInstant((await store.readNow(MAIN)).now) ?? 0
  let found = 0
  for (const [agent_id, versions] of authority.contracts) {
    if (versions.every(({ contract }) => getWatchdog(contract) === undefined)) continue
    const waiting = iterateWaitingFlows(context, agent_id)
    found += await processRows(context, 'silence', waiting, async (flow) => {
      const contract = findPinnedContract(authority, agent_id, flow.contract_hash)?.contract
      const watchdog = contract === undefined ? undefined : getWatchdog(contract)
      if (contract === undefined || watchdog === undefined) return false
      const since = flow.updated_at
      if (!hasFallenSilent(zones, watchdog, since, now)) return false
      const { minutes } = watchdog
      return askAboutSilence(context, flow, contract, { minutes, since })
    })
  }
  return found + (await watchAgents(context))
}

function getWatchdog({ safety_rules }: Contract): SilenceWatchdog | undefined {
  return safety_rules.silence_watchdog
}

async function* iterateWaitingFlows({ store }: Context, agent_id: string): AsyncGenerator<FlowRow> {
  const limit = LIMITS.entriesPerPage
  let before: string | undefined
  for (;;) {
    const place = before === undefined ? {} : { before }
    const page = await store.listFlows({ state: ['ACTIVE'], agent_id, limit, ...place })
    yield* page
    before = page.at(-1)?.dfid
    if (page.length < limit) return
  }
}

/** The kernel reads the name of a zone; whether there is one is known here. */
export function checkZone(zones: Zones, contract: Contract): Result<void, Failure> {
  const hours = parseActiveHours(getWatchdog(contract)?.active ?? '')
  if (hours === undefined || zones.knows(hours.zone)) return ok(undefined)
  return err({
    code: 'CONTRACT_INVALID',
    summary: `there is no time zone \`${hours.zone}\``,
    why: 'without its time zone the watchdog could not tell when to act',
    fix: 'name a zone of the time zone database, such as `Europe/Warsaw`',
  })
}
