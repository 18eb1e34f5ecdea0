/**
 * The operator's side of tools that are data: which manifests are loaded, what they may reach and start, and which
 * of them gets which secret. It stands beside the manifests and not in them, and what it does not name is refused.
 */
import {
  err,
  type Failure,
  isIdentifier,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
} from 'rubicon-kernel'
import {
  type DocumentKind,
  parseDocumentObject,
  readDocument,
} from '../contract-file/read-document.ts'
import { type AllowedExecutable, findPathProblem } from './command/executable.ts'
import { type ConfigPath, type ConfigProblem, ConfigReader } from './config-reader.ts'
import type { HttpAllowance, HttpMethod } from './http/allowance.ts'
import { findHostProblem } from './http/host-name.ts'
import { readSecretOrigin, type SecretOrigin } from './secret-origin.ts'

export type ToolsConfig = {
  /** Paths of manifests, from the folder of this file. */
  readonly tools: readonly string[]
  readonly http: readonly HttpAllowance[]
  readonly commands: readonly AllowedExecutable[]
  readonly secrets: ReadonlyMap<string, SecretEntry>
}

export type SecretEntry = {
  readonly from: SecretOrigin
  readonly tools: readonly string[]
  readonly hosts: readonly string[]
  readonly commands: readonly string[]
}

const METHODS: readonly HttpMethod[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
/** What can follow the prefix in the name of a variable. */
const VARIABLE_END = /^[A-Za-z0-9_]{1,64}$/
const SHA256 = /^[0-9a-f]{64}$/

const TOOLS_CONFIG: DocumentKind<ToolsConfig> = {
  word: 'tools file',
  code: 'TOOLS_INVALID',
  parse: parseToolsConfig,
}

/** What stands in a tools file, or the path of one. */
export async function loadToolsConfig(
  tools: string | JsonObject,
): Promise<Result<ToolsConfig, Failure>> {
  return typeof tools === 'string'
    ? readDocument(TOOLS_CONFIG, tools)
    : parseDocumentObject(TOOLS_CONFIG, tools)
}

export function parseToolsConfig(
  document: JsonValue,
): Result<ToolsConfig, readonly ConfigProblem[]> {
  const reader = new ConfigReader()
  const { tools, allow, secrets } = reader.readObject(document, [], ['tools', 'allow', 'secrets'])
  const allowed = reader.readObject(allow, ['allow'], ['http', 'commands'])
  const config: ToolsConfig = {
    tools: reader.readTexts(tools, ['tools']),
    http: reader
      .readList(allowed.http, ['allow', 'http'])
      .map((entry, index) => readAllowance(reader, entry, ['allow', 'http', index])),
    commands: reader
      .readList(allowed.commands, ['allow', 'commands'])
      .map((entry, index) => readExecutable(reader, entry, ['allow', 'commands', index])),
    secrets: new Map(
      reader
        .readEntries(secrets, ['secrets'])
        .map(([name, entry]) => [name, readSecret(reader, name, entry)]),
    ),
  }
  return reader.problems.length > 0 ? err(reader.problems) : ok(config)
}

function readAllowance(reader: ConfigReader, value: JsonValue, path: ConfigPath): HttpAllowance {
  const members = ['scheme', 'host', 'port', 'methods', 'addresses']
  const entry = reader.readObject(value, path, members)
  const scheme = reader.readChoice(entry.scheme, [...path, 'scheme'], ['https', 'http'])
  const methods = reader
    .readList(entry.methods, [...path, 'methods'])
    .flatMap(
      (method, index) => reader.readChoice(method, [...path, 'methods', index], METHODS) ?? [],
    )
  if (methods.length === 0) reader.refuse([...path, 'methods'], 'names no method')
  const said = entry.addresses ?? 'public'
  const classes = ['public', 'private', 'loopback'] as const
  return {
    scheme: scheme ?? 'https',
    host: readHost(reader, entry.host, [...path, 'host']),
    port: readPort(reader, entry.port ?? (scheme === 'http' ? 80 : 443), [...path, 'port']),
    methods,
    addresses: reader.readChoice(said, [...path, 'addresses'], classes) ?? 'public',
  }
}

function readHost(reader: ConfigReader, value: JsonValue | undefined, path: ConfigPath): string {
  const host = reader.readText(value, path)
  const problem = host === '' ? null : findHostProblem(host)
  if (problem !== null) reader.refuse(path, problem)
  return host
}

function readPort(reader: ConfigReader, value: JsonValue, path: ConfigPath): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536)
    return value
  reader.refuse(path, 'is no port')
  return 0
}

function readExecutable(
  reader: ConfigReader,
  value: JsonValue,
  path: ConfigPath,
): AllowedExecutable {
  const entry = reader.readObject(value, path, ['path', 'sha256'])
  const program = readProgram(reader, entry.path, [...path, 'path'])
  const { sha256 } = entry
  if (sha256 === undefined) return { path: program }
  if (typeof sha256 !== 'string' || !SHA256.test(sha256)) {
    reader.refuse([...path, 'sha256'], 'is no SHA-256 in lower-case hex')
    return { path: program }
  }
  return { path: program, sha256 }
}

function readProgram(reader: ConfigReader, value: JsonValue | undefined, path: ConfigPath): string {
  const program = reader.readText(value, path)
  const problem = program === '' ? null : findPathProblem(program)
  if (problem !== null) reader.refuse(path, problem)
  return program
}

function readSecret(reader: ConfigReader, name: string, value: JsonValue): SecretEntry {
  const path = ['secrets', name]
  if (!isIdentifier(name)) reader.refuse(path, 'is no name of a secret')
  const entry = reader.readObject(value, path, ['from', 'tools', 'hosts', 'commands'])
  const hosts = reader.readTexts(entry.hosts, [...path, 'hosts'])
  for (const [index, host] of hosts.entries()) checkPlace(reader, host, [...path, 'hosts', index])
  const tools = reader.readTexts(entry.tools, [...path, 'tools'])
  if (tools.length === 0) reader.refuse([...path, 'tools'], 'names no tool that may use it')
  const commands = reader
    .readList(entry.commands, [...path, 'commands'])
    .map((program, index) => readProgram(reader, program, [...path, 'commands', index]))
  const from = readSecretOrigin(reader, entry.from, [...path, 'from'])
  if (from.kind === 'environment' && !VARIABLE_END.test(name))
    reader.refuse(path, 'is no name of a variable: letters, digits and underscores')
  return { from, tools, hosts, commands }
}

/** `host` or `host:port`, in the spelling in which it is compared. */
function checkPlace(reader: ConfigReader, place: string, path: ConfigPath): void {
  const [, host = place, port] = /^(.*?)(?::([1-9]\d{0,4}))?$/.exec(place) ?? []
  const problem = host === '' ? null : findHostProblem(host)
  if (problem !== null) reader.refuse(path, problem)
  if (Number(port ?? 1) > 65_535) reader.refuse(path, 'has no port')
}
