/** Half a job that is called right: what stands is neither undone nor settled by anybody. */
import type { JsonObject } from 'rubicon-kernel'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import type { Forgery } from './forgery.ts'

export const HALF_UNDONE: readonly Forgery[] = [
  createForgery('called COMPENSATED before the last effect was undone', (ledger) => {
    const said = getSagaEntry(ledger, isUndone)
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
  forgeSettlement('settled by a person who names one effect less', 'SETTLED', (payload) => {
    return { ...payload, settles: (payload.settles as readonly string[]).slice(1) }
  }),
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
  forgeSettlement('effects settled for a reason that nobody sees', 'COMPENSATED', (payload) => {
    return { ...payload, details: { ...(payload.details as JsonObject), justification: '\u200b' } }
  }),
  forgeSettlement('effects settled that nobody did', 'COMPENSATED', (payload) => {
    const invented = `sha256:${'ab'.repeat(32)}`
    return { ...payload, settles: [...(payload.settles as readonly string[]), invented] }
  }),
  createForgery('settled by a person while it is being undone', (ledger) => {
    const said = getSagaEntry(ledger, isUndone)
    const last = listUndoCommits(ledger).at(-1)
    const word = { by: 'olga', justification: 'called the driver', outcome: 'applied' }
    if (last === undefined) throw new Error('an effect was undone')
    ledger.remove(last)
    const settles = [String(last.payload?.compensates)]
    ledger.change(said, { ...said.payload, settles, details: word })
  }),
  createForgery('settled on a word about a step that was over', (ledger) => {
    const said = getSagaEntry(ledger, ({ status }) => status === 'SETTLED')
    const { settles, details, ...payload } = said.payload ?? {}
    const [intent_id = ''] = settles as readonly string[]
    const word = {
      salt: '',
      source: 'person',
      finding: 'applied',
      intent_id,
      details: details ?? {},
    }
    ledger.insertBefore(said, { envelope: said.envelope, payload: word })
    ledger.change(said, { ...payload, details: {} })
  }),
  createForgery('half a job, and nobody calls it so', (ledger) => {
    const { envelope } = getSagaEntry(ledger, ({ status }) => status === 'SETTLED')
    for (const entry of ledger.entries.filter(({ payload }) => payload?.source === 'saga'))
      if (entry.envelope.dfid === envelope.dfid) ledger.remove(entry)
  }),
  createForgery('half a job is said to be in a flow that nobody opened', (ledger) => {
    const said = getSagaEntry(ledger, ({ status }) => status === 'PARTIAL_SUCCESS_DIRTY')
    const elsewhere = { ...said.envelope, dfid: '019c1200-0000-7000-8000-0000000000ca' }
    ledger.insertAfter(said, { ...said, envelope: elsewhere })
  }),
  createForgery('taking back begins before anybody has chosen it', (ledger) => {
    const said = getSagaEntry(ledger, ({ status }) => status === 'COMPENSATING')
    const chosen = ledger.entries.find(
      ({ envelope, payload }) =>
        envelope.kind === 'dispatch' && getIntentId({ envelope, payload }) === getChosenId(said),
    )
    if (chosen === undefined) throw new Error('somebody chose it')
    ledger.remove(said)
    ledger.insertBefore(chosen, said)
  }),
  {
    name: 'taking back begins before the failure for which it was fixed',
    of: 'proofs',
    detectors: ['verifiers'],
    forge(ledger) {
      const said = getSagaEntry(ledger, ({ status }) => status === 'COMPENSATING')
      const failure = ledger.entries.find(
        ({ envelope, payload }) =>
          envelope.kind === 'settle' && payload?.intent_id === getChosenId(said),
      )
      if (failure === undefined) throw new Error('a proven step failed')
      ledger.remove(failure)
      ledger.insertAfter(said, failure)
    },
  },
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

function isUndone({ status, settles }: JsonObject): boolean {
  return status === 'COMPENSATED' && settles === undefined
}

function listUndoCommits({ entries }: ForgedLedger): readonly ForgedEntry[] {
  return entries.filter(({ payload }) => payload?.compensates !== undefined)
}

/** The intent that a beginning names as its choice. */
function getChosenId({ payload }: ForgedEntry): unknown {
  return (payload?.details as JsonObject | undefined)?.intent_id
}

/** The intent that an entry is, or is about. */
function getIntentId({ payload }: ForgedEntry): unknown {
  return (payload?.intent as JsonObject | undefined)?.intent_id ?? payload?.intent_id
}
