/** Ends a scenario: its ledger as a file, verified by the verifier alone. */
import { readFileSync, writeFileSync } from 'node:fs'
import { openStore, RubiconError } from 'rubicon-runtime/compose'
import { exportLedger } from 'rubicon-runtime/evidence'
import { judgeFile, type LawReport } from 'rubicon-runtime/evidence/law'
import type { Store } from 'rubicon-runtime/ports'
import { nodeCrypto, type Report, verifyAny } from 'rubicon-verifier'

type StorePlace = { readonly store: string; readonly tenant: string }

/** Reads a store that nobody has open. */
export async function readStore<T>(
  { store: address, tenant }: StorePlace,
  read: (store: Store) => Promise<T>,
): Promise<T> {
  const store = await openStore(address, tenant, undefined, 'read')
  try {
    return await read(store)
  } finally {
    await store.close()
  }
}

/** As far as its last checkpoint. */
export async function writeLedgerOf(store: Store, file: string): Promise<void> {
  const lines: string[] = []
  const done = await exportLedger(store, (line) => {
    lines.push(line)
  })
  if (!done.ok) throw new RubiconError(done.error)
  writeFileSync(file, lines.join(''), { mode: 0o600 })
}

export function judgeByLaw(file: string): LawReport {
  return judgeFile(file, nodeCrypto.sha256)
}

export function verifyFile(file: string): Report {
  return verifyAny(readFileSync(file), nodeCrypto)
}
