/** What a storm left behind, as a file for whoever was not there. */
import {
  AUTHORITY,
  foldAuthority,
  formatEnvelope,
  LEDGER_FORMAT,
  NO_AUTHORITY,
  toCanonicalText,
} from 'rubicon-kernel'
import { logOrigin } from '../../../runtime/src/engine/ledger/checkpoint.ts'
import { createRealKeys } from '../fake-keys.ts'
import { runSeed, THOROUGH_EVERY } from '../storm.ts'
import { signTreeNote } from './tree-note.ts'

export type StormLedger = { readonly seed: number; readonly text: string }

/** The ledger of the storm number `index`, counted from 1, of those that sign with real keys. */
export async function createStormLedger(index: number): Promise<StormLedger> {
  const seed = index * THOROUGH_EVERY
  const { entries, violations } = await runSeed(seed, { whole: true })
  if (violations.length > 0) throw new Error(`seed ${seed}: ${JSON.stringify(violations[0])}`)
  const tenant = entries[0]?.envelope.tenant ?? ''
  const authority = foldAuthority(
    NO_AUTHORITY,
    entries.filter(({ envelope }) => envelope.trajectory === AUTHORITY),
  )
  const ids = entries.map(({ id }) => id)
  const header = {
    checkpoint: await signTreeNote(logOrigin(tenant, authority), ids, createRealKeys(seed).signer),
    epoch: authority.epoch,
    format: LEDGER_FORMAT,
    keys: [...authority.keys.values()],
    tenant,
  }
  const lines = entries.map(({ envelope, id, payload }) => {
    return `{"envelope":${formatEnvelope(envelope)},"id":"${id}","payload":${payload ?? 'null'}}\n`
  })
  return { seed, text: `${toCanonicalText(header)}\n${lines.join('')}` }
}
