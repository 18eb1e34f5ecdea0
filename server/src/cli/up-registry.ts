/** Whose word counts about authority, as `rubicon up` was told: that of its own store, or of a registry elsewhere. */
import { openHttpManifest, type RuntimeOptions } from 'rubicon-runtime/compose'
import { isPostgresAddress } from 'rubicon-runtime/ports'
import { type CommandCall, createUsageFailure } from './call.ts'
import { parseRegistryOptions } from './registry-option.ts'

export function parseRegistry(
  call: CommandCall,
  tenants: readonly string[],
): Pick<RuntimeOptions, 'manifest'> {
  const [tenant, ...others] = tenants
  const registry = parseRegistryOptions(call, tenant)
  if (registry === undefined) return {}
  if (!isPostgresAddress(call.place.store))
    throw createUsageFailure(
      '`--registry` needs a store that the registry shares',
      'use --store postgres://… of the server that is the registry, or leave it out',
    )
  if (tenant === undefined || others.length > 0)
    throw createUsageFailure(
      '`--registry` is for one tenant: each has a key of its own',
      'start a process for each tenant',
    )
  try {
    return { manifest: openHttpManifest(registry) }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw createUsageFailure(why, 'correct `--registry` and `--registry-key`')
  }
}
