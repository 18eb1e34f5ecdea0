/**
 * A registry elsewhere, as `rubicon up` and `rubicon doctor` are told of it: `--registry` with its key and a token, or
 * RUBICON_REGISTRY, RUBICON_REGISTRY_KEY and RUBICON_REGISTRY_TOKEN. A token on a command line would be shown to everybody.
 */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type HttpManifestOptions,
  resolveStateDirectory,
  toTenantFileName,
} from 'rubicon-runtime/compose'
import { type CommandCall, createMissingFailure, createUsageFailure } from './call.ts'

const KEPT = 'registry'

/** What of a call says so. */
type RegistryCall = {
  readonly options: Pick<CommandCall['options'], 'text'>
  readonly place: Pick<CommandCall['place'], 'store' | 'state' | 'tenant'>
  readonly streams: Pick<CommandCall['streams'], 'env'>
}

/** Undefined: authority is read from the store. What is kept stands apart for each tenant: processes of several may share a state directory. */
export function parseRegistryOptions(
  { options, place, streams: { env } }: RegistryCall,
  tenant: string = place.tenant,
): HttpManifestOptions | undefined {
  const url = options.text('registry') ?? findWord(env.RUBICON_REGISTRY)
  if (url === undefined) return undefined
  const publicKey = options.text('registryKey') ?? findWord(env.RUBICON_REGISTRY_KEY)
  if (publicKey === undefined) throw createMissingFailure('--registry-key BASE64')
  const file = options.text('registryTokenFile')
  const token = file === undefined ? findWord(env.RUBICON_REGISTRY_TOKEN) : readToken(file)
  if (token === undefined) throw createMissingFailure('--registry-token-file PATH')
  const state = resolve(place.state ?? resolveStateDirectory(place.store))
  return { url, publicKey, token, tenant, keptIn: join(state, KEPT, toTenantFileName(tenant)) }
}

function findWord(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : text
}

function readToken(file: string): string {
  try {
    const token = readFileSync(file, 'utf8').trim()
    if (token !== '') return token
  } catch {
    throw createUsageFailure(
      `\`${file}\` cannot be read`,
      'correct `--registry-token-file`, or its rights',
    )
  }
  throw createUsageFailure(`\`${file}\` holds no token`, 'write it there, on one line')
}
