/**
 * Which tool may use which secret, and where. A manifest names secrets; the operator says whether it gets them, so
 * that one tool cannot send the credentials of another to a host of its own.
 */
import { formatSecret, type SecretReference } from 'rubicon-kernel'
import { type SecretSource, SecretUnavailable } from '../ports/secrets.ts'
import { createNotSentError } from './not-sent.ts'

export type SecretGrant = {
  readonly source: SecretSource
  /** Kinds of tools. */
  readonly tools: readonly string[]
  /** `host`, which means port 443, or `host:port`. */
  readonly hosts: readonly string[]
  /** Paths of executables. */
  readonly commands: readonly string[]
}

export type SecretGrants = ReadonlyMap<string, SecretGrant>

/** Where a secret would go. */
export type SecretPlace =
  | {
      readonly kind: 'host'
      readonly scheme: 'http' | 'https'
      readonly host: string
      readonly port: number
      readonly isLocal: boolean
    }
  | { readonly kind: 'command'; readonly path: string }

/** Why the tool may not use it there, or null. */
export function findGrantProblem(
  grants: SecretGrants,
  { secret }: SecretReference,
  tool: string,
  place: SecretPlace,
): string | null {
  const grant = grants.get(secret)
  if (grant === undefined) return `the secret \`${secret}\` is not configured`
  if (!grant.tools.includes(tool)) return `the secret \`${secret}\` is not for the tool \`${tool}\``
  if (place.kind === 'command') {
    const isListed = grant.commands.includes(place.path)
    return isListed ? null : `the secret \`${secret}\` is not for \`${place.path}\``
  }
  const names = [`${place.host}:${place.port}`, ...(place.port === 443 ? [place.host] : [])]
  if (!names.some((name) => grant.hosts.includes(name)))
    return `the secret \`${secret}\` is not for \`${place.host}:${place.port}\``
  if (place.scheme === 'http' && !place.isLocal)
    return `the secret \`${secret}\` would travel to \`${place.host}\` in clear text`
  return null
}

/** The secret as it is sent, and as it is: both are removed from what comes back. */
export type UsedSecret = { readonly text: string; readonly value: string }

/** Reads the secret; the last thing before it is used. */
export async function readGranted(
  grants: SecretGrants,
  reference: SecretReference,
  tool: string,
  place: SecretPlace,
): Promise<UsedSecret> {
  const problem = findGrantProblem(grants, reference, tool, place)
  const grant = grants.get(reference.secret)
  if (problem !== null || grant === undefined)
    throw createNotSentError('SECRET_UNAVAILABLE', problem ?? 'it is not configured')
  try {
    const value = await grant.source.read()
    return { value, text: formatSecret(reference.format, value) }
  } catch (error) {
    // The words of a source of ours; what else was thrown might quote the secret.
    const why = error instanceof SecretUnavailable ? error.message : 'it could not be read'
    throw createNotSentError('SECRET_UNAVAILABLE', `\`${reference.secret}\`: ${why}`)
  }
}
