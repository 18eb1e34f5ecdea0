/**
 * What whoever runs the machine lets channels reach and use, in a file of its own: people set channels up in the
 * console, and must not come to addresses inside of the network, or to secrets, by doing so. Without the file,
 * channels reach public addresses and use no secrets.
 */
import { err, type Failure, type JsonObject, type JsonValue, ok, type Result } from 'rubicon-kernel'
import {
  type DocumentKind,
  parseDocumentObject,
  readDocument,
} from '../contract-file/read-document.ts'
import type { SecretSource } from '../ports/secrets.ts'
import { type ConfigPath, type ConfigProblem, ConfigReader } from '../tools/config-reader.ts'
import { findHostProblem } from '../tools/http/host-name.ts'
import { openSecretSource, readSecretOrigin } from '../tools/secret-origin.ts'

export type ChannelRules = {
  /** Hosts that may lie elsewhere than at public addresses. Link-local and metadata addresses cannot be named. */
  readonly allow: readonly AllowedHost[]
  readonly secrets: ReadonlyMap<string, ChannelSecret>
}

export type AllowedHost = {
  readonly host: string
  readonly port: number
  readonly addresses: 'private' | 'loopback'
}

export type ChannelSecret = {
  readonly source: SecretSource
  /** `host:port`: it goes nowhere else, whatever a channel says. */
  readonly hosts: readonly string[]
}

export const NO_CHANNEL_RULES: ChannelRules = { allow: [], secrets: new Map() }

const CHANNEL_RULES: DocumentKind<ChannelRules> = {
  word: 'channels file',
  code: 'CHANNELS_FILE_INVALID',
  parse: parseChannelRules,
}

/** Letters that can follow the prefix of a variable. */
const SECRET_NAME = /^[A-Za-z0-9_]{1,64}$/

/** What stands in a channels file, or the path of one. No secret is read here. */
export async function loadChannelRules(
  rules: string | JsonObject,
): Promise<Result<ChannelRules, Failure>> {
  return typeof rules === 'string'
    ? readDocument(CHANNEL_RULES, rules)
    : parseDocumentObject(CHANNEL_RULES, rules)
}

export function parseChannelRules(
  document: JsonValue,
): Result<ChannelRules, readonly ConfigProblem[]> {
  const reader = new ConfigReader()
  const { allow, secrets } = reader.readObject(document, [], ['allow', 'secrets'])
  const rules: ChannelRules = {
    allow: reader
      .readList(allow, ['allow'])
      .map((entry, index) => readAllowedHost(reader, entry, ['allow', index])),
    secrets: new Map(
      reader
        .readEntries(secrets, ['secrets'])
        .map(([name, entry]) => [name, readSecret(reader, name, entry)]),
    ),
  }
  return reader.problems.length > 0 ? err(reader.problems) : ok(rules)
}

function readAllowedHost(reader: ConfigReader, value: JsonValue, path: ConfigPath): AllowedHost {
  const entry = reader.readObject(value, path, ['host', 'port', 'addresses'])
  const host = reader.readText(entry.host, [...path, 'host'])
  const problem = host === '' ? null : findHostProblem(host)
  if (problem !== null) reader.refuse([...path, 'host'], problem)
  const classes = ['private', 'loopback'] as const
  const addresses = reader.readChoice(entry.addresses, [...path, 'addresses'], classes)
  return { host, port: readPort(reader, entry.port, path), addresses: addresses ?? 'private' }
}

function readPort(reader: ConfigReader, value: JsonValue | undefined, path: ConfigPath): number {
  if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 65_536)
    return value
  reader.refuse([...path, 'port'], 'is no port')
  return 0
}

function readSecret(reader: ConfigReader, name: string, value: JsonValue): ChannelSecret {
  const path = ['secrets', name]
  if (!SECRET_NAME.test(name)) reader.refuse(path, 'has a name that is no letters, digits and `_`')
  const entry = reader.readObject(value, path, ['from', 'hosts'])
  const hosts = reader.readTexts(entry.hosts, [...path, 'hosts'])
  if (hosts.length === 0) reader.refuse([...path, 'hosts'], 'names no host that it may go to')
  const odd = hosts.find((host) => !/:\d{1,5}$/.test(host))
  if (odd !== undefined) reader.refuse([...path, 'hosts'], `\`${odd}\` is no \`host:port\``)
  const origin = readSecretOrigin(reader, entry.from, [...path, 'from'])
  return { source: openSecretSource(name, origin), hosts }
}
