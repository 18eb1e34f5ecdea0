/** Half a job that is called right: what stands is neither undone nor settled by anybody. */
import type { JsonObject } from 'rubicon-kernel'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import type { Forgery } from './forgery.ts'

export const HALF_UNDONE: readonly Forgery[] = [
  createForgery('called COMPENSATED before the last effect was undone', (ledger) => {
    const said = getSagaEntry(ledger, ({ status, settles }) => {
      return status === 'COMPENSATED' && settles === undefined
    })
    ledger.remove(said)
    ledger.insertBefore(listUndoCommits(ledger).at(-1) ?? said, said)
  }),
  createForgery('called COMPENSATED, and one effect was never undone', (ledger, rng) => {
    const { payload } = rng.pick(listUndoCommits(ledger))
    for (const entry of ledger.entries.filter((one) => getIntentId(one) === payload?.intent_id))
      ledger.remove(entry)
  }),
  forgeSettlement(
    'called COMPENSATED by a person who names one effect less',
    'COMPENSATED',
    (payload) => {
      return { ...payload, settles: (payload.settles as readonly string[]).slice(1) }
    },
  ),
  forgeSettlement('effects settled, and nobody is named', 'COMPENSATED', (payload) => {
    return { ...payload, details: { action: 'REVERT' } }
  }),
  forgeSettlement('called put right by a person who left it as it was', 'SETTLED', (payload) => {
    return { ...payload, status: 'COMPENSATED' }
  }),
  forgeSettlement(
    'called settled, and no person said so',
    'SETTLED',
    ({ settles: _, ...payload }) => {
      return { ...payload, details: {} }
    },
  ),
  createForgery('put right, and never half done', (ledger, rng) => {
    ledger.remove(
      rng.pick(ledger.entries.filter(({ payload }) => payload?.status === 'PARTIAL_SUCCESS_DIRTY')),
    )
  }),
]

function createForgery(name: string, forge: Forgery['forge']): Forgery {
  return { name, of: 'half jobs', detectors: ['verifiers'], forge }
}

/** A person's word about a whole flow, changed. */
function forgeSettlement(
  name: string,
  status: 'COMPENSATED' | 'SETTLED',
  change: (payload: JsonObject) => JsonObject,
): Forgery {
  return createForgery(name, (ledger) => {
    const said = getSagaEntry(ledger, (one) => one.status === status && one.settles !== undefined)
    ledger.change(said, change(said.payload ?? {}))
  })
}

function getSagaEntry(
  { entries }: ForgedLedger,
  is: (payload: JsonObject) => boolean,
): ForgedEntry {
  const found = entries.find(({ payload }) => payload?.source === 'saga' && is(payload))
  if (found === undefined) throw new Error('half a job was put right')
  return found
}

function listUndoCommits({ entries }: ForgedLedger): readonly ForgedEntry[] {
  return entries.filter(({ payload }) => payload?.compensates !== undefined)
}

/** The intent that an entry is, or is about. */
function getIntentId({ payload }: ForgedEntry): unknown {
  return (payload?.intent as JsonObject | undefined)?.intent_id ?? payload?.intent_id
}
