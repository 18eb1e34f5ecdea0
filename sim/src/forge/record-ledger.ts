/** What a runtime writes whose keys the forger knows. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeUtf8 } from 'rubicon-kernel'
import { createRuntime, type Runtime, type RuntimeOptions } from 'rubicon-runtime'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import {
  createSeededSigner,
  RUNTIME_PURPOSES,
} from '../../../runtime/src/adapters/system/signer.ts'
import { exportLedger } from '../../../runtime/src/evidence/export-ledger.ts'
import type { Rng } from '../rng.ts'
import { ForgedLedger } from './forged-ledger.ts'
import type { HonestLedger } from './honest-ledger.ts'

export async function recordLedger(
  rng: Rng,
  options: RuntimeOptions,
  work: (runtime: Runtime) => Promise<void>,
): Promise<HonestLedger> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'rubicon-forge-'))
  const signer = createSeededSigner(
    sha256(encodeUtf8(`forger ${rng.drawBelow(1e9)}`)),
    RUNTIME_PURPOSES,
  )
  try {
    const own = { store: 'memory', stateDirectory, signer, background: false } as const
    const runtime = await createRuntime({ ...own, ...options })
    await work(runtime)
    await runtime.engine.context.inFlight.awaitDrained()
    await runtime.engine.checkpoint()
    const lines: string[] = []
    await exportLedger(runtime.store, (line) => void lines.push(line))
    await runtime.close()
    return { ledger: ForgedLedger.parse(lines), signer }
  } finally {
    rmSync(stateDirectory, { recursive: true, force: true })
  }
}
