/**
 * The clock that an operator confirmed, held against the ledger at the start, as the ends of trajectories are
 * (trajectories.ts): whoever could change either would end what is open, or begin the next window of a budget,
 * without touching the clock of the machine.
 */
import { AUTHORITY, type ClockAnchor, LIMITS } from 'rubicon-kernel'
import { CONFIRMED } from '../../../ports/confirmed-clock.ts'
import type { StoredEntry } from '../../../ports/store.ts'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Deps } from '../../deps.ts'

type Needed = Pick<Deps, 'store'>

/** Throws a `StoreDiverged`. */
export async function checkConfirmedClock({ store }: Needed): Promise<void> {
  if (!store.exposed) return
  const { record, group, key } = CONFIRMED
  const row = await store.readRecord(record, group, key)
  // Without one the clock of the machine counts, against the newest entry.
  if (row === null) return
  const said = await readLastConfirmedClock({ store })
  if (said?.clock !== row.body.clock || said.last !== row.body.last)
    throw new StoreDiverged(
      'the confirmed clock',
      `${row.body.clock} is not the clock that was confirmed last`,
    )
}

/** The authority trajectory was held against its tree before. */
async function readLastConfirmedClock({ store }: Needed): Promise<ClockAnchor | undefined> {
  let last: ClockAnchor | undefined
  for (let from = 0; ; from += LIMITS.entriesPerPage) {
    const page = await store.listEntries(AUTHORITY, from, LIMITS.entriesPerPage)
    for (const entry of page) last = parseConfirmedClock(entry) ?? last
    if (page.length < LIMITS.entriesPerPage) return last
  }
}

function parseConfirmedClock({ envelope, payload }: StoredEntry): ClockAnchor | undefined {
  if (envelope.kind !== 'anchor' || payload === null) return undefined
  const { body } = JSON.parse(payload) as { readonly body: ClockAnchor | { readonly action: '' } }
  return body.action === 'confirm_clock' ? body : undefined
}
