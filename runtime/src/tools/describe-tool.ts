/** Where a tool would go and which secrets it names: what whoever reviews it looks for first. */
import {
  type CommandExecutor,
  type HttpExecutor,
  isObject,
  type ManifestExecutor,
  type SecretReference,
  type ToolManifest,
} from 'rubicon-kernel'
import { parseUrlTemplate } from './http/url-template.ts'

/** Of all its executors: `POST https://api.example:443`, a path of a program, or `world`. */
export function listDestinations(manifest: ToolManifest): readonly string[] {
  return [...new Set(listExecutors(manifest).map(describeDestination))]
}

/** Names, in their order; values are nowhere near. */
export function listSecretNames(manifest: ToolManifest): readonly string[] {
  const names = listExecutors(manifest).flatMap((executor) =>
    Object.values(listNamed(executor)).flatMap((value) => (isObject(value) ? value.secret : [])),
  )
  return [...new Set(names)].sort()
}

export function listExecutors({
  executor,
  probe,
  compensations = {},
}: Pick<ToolManifest, 'executor' | 'probe' | 'compensations'>): readonly ManifestExecutor[] {
  const asked = probe === undefined ? [] : [probe.executor]
  return [executor, ...asked, ...Object.values(compensations)]
}

function describeDestination(executor: ManifestExecutor): string {
  if ('http' in executor) return describeHttp(executor.http)
  if ('command' in executor) return describeProgram(executor.command)
  if ('mcp' in executor) return `mcp ${executor.mcp.server} ${executor.mcp.tool}`
  if ('mcp_read' in executor) return `mcp ${executor.mcp_read.server} ${executor.mcp_read.method}`
  return 'world'
}

function describeHttp({ method, url: text }: HttpExecutor): string {
  const url = parseUrlTemplate(text)
  if (!url.ok) return `${method} ${text}`
  const { scheme, host, port } = url.value
  return `${method} ${scheme}://${host}:${port}`
}

function describeProgram({ argv }: CommandExecutor): string {
  return String(argv[0])
}

function listNamed(executor: ManifestExecutor): Readonly<Record<string, string | SecretReference>> {
  if ('http' in executor) return executor.http.headers ?? {}
  return 'command' in executor ? (executor.command.env ?? {}) : {}
}
