/** Counts what a decision really does: signatures, checks, hashes, bytes and transactions. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Sha256 } from 'rubicon-kernel'
import { poolChecker } from '../../runtime/src/adapters/system/ed25519.ts'
import { openKeyFolder } from '../../runtime/src/adapters/system/key-folder.ts'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { openFileSigner } from '../../runtime/src/adapters/system/signer.ts'
import type { Store } from '../../runtime/src/ports/store.ts'
import { runLanes } from './measure.ts'
import { createSubject, type SubjectOptions } from './subject.ts'

export type Operations = {
  readonly sign: number
  readonly verify: number
  /** By the engine and the kernel; the store hashes each entry and its payload once more. */
  readonly hash: number
  /** Payload bytes that became part of the ledger. */
  readonly bytes: number
  readonly transactions: number
}

type Counts = { sign: number; verify: number; hash: number; transactions: number }

/** What one decision takes, over `decisions` of them in 64 lanes. */
export async function countOperations(decisions: number): Promise<Operations> {
  const counts: Counts = { sign: 0, verify: 0, hash: 0, transactions: 0 }
  const keys = mkdtempSync(join(tmpdir(), 'rubicon-count-'))
  const subject = await createSubject(createCountingPorts(keys, counts))
  const { store } = subject.runtime
  const exec = DatabaseSync.prototype.exec
  await runLanes(64, 64, subject.openAndDecide)
  await subject.prepare(decisions)
  const before = await sumPayloadBytes(store)
  Object.assign(counts, { sign: 0, verify: 0, hash: 0, transactions: 0 })
  DatabaseSync.prototype.exec = function (sql: string): void {
    if (sql === 'COMMIT') counts.transactions += 1
    exec.call(this, sql)
  }
  try {
    await runLanes(decisions, 64, subject.decide)
  } finally {
    DatabaseSync.prototype.exec = exec
  }
  const computePerDecision = (value: number): number => Math.round((value / decisions) * 100) / 100
  const operations = {
    sign: computePerDecision(counts.sign),
    verify: computePerDecision(counts.verify),
    hash: computePerDecision(counts.hash),
    bytes: Math.round(((await sumPayloadBytes(store)) - before) / decisions),
    transactions: computePerDecision(counts.transactions),
  }
  await subject.close()
  rmSync(keys, { recursive: true, force: true })
  return operations
}

function createCountingPorts(keys: string, counts: Counts): SubjectOptions {
  const signer = openFileSigner(openKeyFolder(keys), 'make')
  return {
    signer: {
      publicKey: signer.publicKey,
      sign: (purpose, message) => {
        counts.sign += 1
        return signer.sign(purpose, message)
      },
    },
    checker: {
      verify: (key, message, signature) => {
        counts.verify += 1
        return poolChecker.verify(key, message, signature)
      },
    },
    sha256: createCountingHash(counts),
  }
}

function createCountingHash(counts: Counts): Sha256 {
  const countHash = (data: Uint8Array): Uint8Array => {
    counts.hash += 1
    return sha256(data)
  }
  const countTextHash = (text: string): string => {
    counts.hash += 1
    return sha256.hexOfText?.(text) ?? ''
  }
  return Object.assign(countHash, { hexOfText: countTextHash })
}

async function sumPayloadBytes(store: Store): Promise<number> {
  let bytes = 0
  for (let from = 0; ; ) {
    const page = await store.listLeaves(from, 1000)
    if (page.length === 0) return bytes
    for (const { payload } of page) bytes += payload?.length ?? 0
    from += page.length
  }
}
