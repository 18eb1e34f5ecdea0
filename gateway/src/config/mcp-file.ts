/**
 * The operator's file of the gateway: the agent in whose name clients call, the servers behind, and where their
 * credentials come from. What stands in it is started and reached, and nothing else.
 */
import {
  err,
  type Failure,
  isIdentifier,
  isMcpServerName,
  isObject,
  isSecretFormat,
  type JsonValue,
  ok,
  type Result,
  type SecretReference,
} from 'rubicon-kernel'
import { type DocumentKind, readDocument } from 'rubicon-runtime/contract-file'
import {
  type ConfigPath,
  type ConfigProblem,
  ConfigReader,
  readSecretOrigin,
  type SecretOrigin,
} from 'rubicon-runtime/tools'
import type { NamedTexts, ServerConfig } from '../upstream/server-config.ts'
import { findAddressProblem } from './address-problem.ts'

export type McpConfig = {
  readonly agent: string
  readonly servers: ReadonlyMap<string, ServerConfig>
  readonly secrets: ReadonlyMap<string, SecretOrigin>
  /** The folder whose files agents change, as it is written; undefined: there is none. */
  readonly artifacts?: string
}

const MCP_FILE: DocumentKind<McpConfig> = {
  word: 'MCP file',
  code: 'MCP_FILE_INVALID',
  parse: parseMcpConfig,
}

export function loadMcpFile(path: string): Promise<Result<McpConfig, Failure>> {
  return readDocument(MCP_FILE, path)
}

export function parseMcpConfig(document: JsonValue): Result<McpConfig, readonly ConfigProblem[]> {
  const reader = new ConfigReader()
  const members = reader.readObject(document, [], ['agent', 'servers', 'secrets', 'artifacts'])
  const agent = reader.readText(members.agent, ['agent'])
  if (agent !== '' && !isIdentifier(agent)) reader.refuse(['agent'], 'is no name of an agent')
  const secrets = new Map(
    reader
      .readEntries(members.secrets, ['secrets'])
      .map(([name, value]) => [name, readSecret(reader, name, value)]),
  )
  const servers = new Map(
    reader
      .readEntries(members.servers, ['servers'])
      .map(([name, value]) => [name, readServer(reader, name, value, secrets)]),
  )
  const artifacts =
    members.artifacts === undefined
      ? {}
      : { artifacts: reader.readText(members.artifacts, ['artifacts']) }
  if (reader.problems.length > 0) return err(reader.problems)
  return ok({ agent, servers, secrets, ...artifacts })
}

/** What can follow the prefix in the name of a variable. */
const VARIABLE_END = /^[A-Za-z0-9_]{1,64}$/

function readSecret(reader: ConfigReader, name: string, value: JsonValue): SecretOrigin {
  const path = ['secrets', name]
  if (!isIdentifier(name)) reader.refuse(path, 'is no name of a secret')
  const { from } = reader.readObject(value, path, ['from'])
  const origin = readSecretOrigin(reader, from, [...path, 'from'])
  if (origin.kind === 'environment' && !VARIABLE_END.test(name))
    reader.refuse(path, 'is no name of a variable: letters, digits and underscores')
  return origin
}

const READ = ['resources', 'prompts'] as const
const PROGRAM = ['command', 'env', 'cwd', 'era', ...READ]
const ADDRESS = ['url', 'headers', 'era', 'addresses', ...READ]
const PLACES = ['public', 'private', 'loopback'] as const

function readServer(
  reader: ConfigReader,
  name: string,
  value: JsonValue,
  secrets: ReadonlyMap<string, SecretOrigin>,
): ServerConfig {
  const path: ConfigPath = ['servers', name]
  if (!isMcpServerName(name))
    reader.refuse(path, 'is no name of a server: a-z, 0-9 and -, at most 24')
  const isAddress = isObject(value) && Object.hasOwn(value, 'url')
  const entry = reader.readObject(value, path, isAddress ? ADDRESS : PROGRAM)
  const era = reader.readChoice(entry.era ?? 'legacy', [...path, 'era'], ['legacy', 'modern'])
  const read = readWhatMayBeRead(reader, entry, path)
  const readNamed = (member: string): NamedTexts =>
    readNamedTexts(reader, entry[member], [...path, member], secrets)
  if (isAddress) {
    const url = reader.readText(entry.url, [...path, 'url'])
    const problem = url === '' ? null : findAddressProblem(url)
    if (problem !== null) reader.refuse([...path, 'url'], problem)
    const addresses =
      entry.addresses === undefined
        ? undefined
        : reader.readChoice(entry.addresses, [...path, 'addresses'], PLACES)
    return {
      ...{ kind: 'address', url, headers: readNamed('headers'), era: era ?? 'legacy' },
      ...(addresses === undefined ? {} : { addresses }),
      ...read,
    }
  }
  const argv = reader.readTexts(entry.command, [...path, 'command'])
  if (!argv[0]?.startsWith('/'))
    reader.refuse([...path, 'command'], 'begins with no absolute path of a program')
  const cwd = entry.cwd === undefined ? undefined : reader.readText(entry.cwd, [...path, 'cwd'])
  return {
    ...{ kind: 'program', argv, env: readNamed('env'), era: era ?? 'legacy' },
    ...(cwd === undefined ? {} : { cwd }),
    ...read,
  }
}

function readWhatMayBeRead(
  reader: ConfigReader,
  entry: Readonly<Record<string, JsonValue | undefined>>,
  path: ConfigPath,
): Pick<ServerConfig, 'prompts' | 'resources'> {
  const said: Partial<Record<(typeof READ)[number], boolean>> = {}
  for (const member of READ) {
    const value = entry[member]
    if (typeof value === 'boolean') said[member] = value
    else if (value !== undefined) reader.refuse([...path, member], 'is neither true nor false')
  }
  return said
}

function readNamedTexts(
  reader: ConfigReader,
  value: JsonValue | undefined,
  path: ConfigPath,
  secrets: ReadonlyMap<string, SecretOrigin>,
): NamedTexts {
  return Object.fromEntries(
    reader.readEntries(value, path).map(([name, one]) => {
      const at = [...path, name]
      return [
        name,
        isObject(one) ? readReference(reader, one, at, secrets) : reader.readText(one, at),
      ]
    }),
  )
}

function readReference(
  reader: ConfigReader,
  value: JsonValue,
  path: ConfigPath,
  secrets: ReadonlyMap<string, SecretOrigin>,
): SecretReference {
  const { secret: name, format } = reader.readObject(value, path, ['secret', 'format'])
  const secret = reader.readText(name, [...path, 'secret'])
  if (secret !== '' && !secrets.has(secret))
    reader.refuse([...path, 'secret'], 'is none of `secrets` in this file')
  if (format === undefined) return { secret }
  const text = reader.readText(format, [...path, 'format'])
  if (!isSecretFormat(text))
    reader.refuse([...path, 'format'], 'does not have `{secret}` in it once')
  return { secret, format: text }
}
