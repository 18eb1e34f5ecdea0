/** What the doctor asks of a registry elsewhere: that it answers, and how long what it said would last if it did not. */
import { LIMITS } from 'rubicon-kernel'
import { type HttpManifestOptions, openHttpManifest } from 'rubicon-runtime/compose'
import type { ManifestSource } from 'rubicon-runtime/ports'
import type { CommandCall } from './call.ts'
import {
  createFailedCheck,
  createPassedCheck,
  createWarningCheck,
  type DoctorCheck,
} from './doctor-check.ts'
import { parseRegistryOptions } from './registry-option.ts'

const AWAY_FIX = 'see that it runs, and that address, key and token are its own'

/** None: authority is read from the store. */
export async function checkRegistry(call: CommandCall): Promise<readonly DoctorCheck[]> {
  const registry = parseRegistryOptions(call)
  if (registry === undefined) return []
  const away = await findOutage(registry)
  return [
    away === null
      ? createPassedCheck('registry', `${registry.url} answers`)
      : createFailedCheck('registry', `${registry.url} does not answer: ${away}`, AWAY_FIX),
    await checkKept(registry, away !== null),
  ]
}

/** Without a place to keep it: what the doctor hears is nothing that a process may go on with. */
async function findOutage({ keptIn: _, ...registry }: HttpManifestOptions): Promise<string | null> {
  try {
    await openHttpManifest(registry).head()
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function checkKept(registry: HttpManifestOptions, isAway: boolean): Promise<DoctorCheck> {
  const name = 'registry cache'
  const kept = await loadKept(registry)
  if (kept === null)
    return isAway
      ? createFailedCheck(name, 'nothing is kept: nothing is decided until it answers', AWAY_FIX)
      : createPassedCheck(name, 'nothing is kept yet')
  const age = Math.floor(kept.age_ms / 1000)
  const left = Math.ceil((LIMITS.manifestTtlMs - kept.age_ms) / 1000)
  const told = `${kept.entries.length} entries, answered ${age} s ago`
  if (!isAway) return createPassedCheck(name, told)
  return left > 0
    ? createWarningCheck(
        name,
        `${told}: degraded mode, known agents are served for another ${left} s, nothing new is admitted`,
        AWAY_FIX,
      )
    : createFailedCheck(name, `${told}: too old, nothing is decided until it answers`, AWAY_FIX)
}

async function loadKept(
  registry: HttpManifestOptions,
): ReturnType<NonNullable<ManifestSource['loadKept']>> {
  try {
    return (await openHttpManifest(registry).loadKept?.()) ?? null
  } catch {
    // Neither address nor key can be read: that was said already.
    return null
  }
}
