/**
 * What the operator lets tools reach, beside their manifests: a manifest is written by whoever offers a tool, and
 * does not say what it may. Nothing is reached that no entry names.
 */
import type { HttpExecutor } from 'rubicon-kernel'
import type { UrlTemplate } from './url-template.ts'

export type HttpMethod = HttpExecutor['method']

export type HttpAllowance = {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly methods: readonly HttpMethod[]
  /** Where the host may lie. */
  readonly addresses: 'public' | 'private' | 'loopback'
}

export function findAllowance(
  allowed: readonly HttpAllowance[],
  { scheme, host, port }: Pick<UrlTemplate, 'scheme' | 'host' | 'port'>,
  method: HttpMethod,
): HttpAllowance | undefined {
  return allowed.find(
    (entry) =>
      entry.scheme === scheme &&
      entry.host === host &&
      entry.port === port &&
      entry.methods.includes(method),
  )
}
