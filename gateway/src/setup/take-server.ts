/**
 * A server of a client's settings as one of the MCP file: the program by its absolute path, credentials as references.
 * What cannot be taken over as it is, is not taken over: a server that gets less than it got would fail somewhere else.
 */
import {
  err,
  isMcpServerName,
  isObject,
  type JsonObject,
  type JsonValue,
  ok,
  type Result,
} from 'rubicon-kernel'
import { findAddressProblem } from '../config/address-problem.ts'
import type { ClientServer } from './client-file.ts'
import { fillVariables, type Variables } from './fill-variables.ts'
import { findProgram } from './find-program.ts'
import { isSecretArgument, isSecretText, splitSecret } from './secret-text.ts'

export type TakenServer = {
  /** As the client called it. */
  readonly was: string
  /** As it is called here. */
  readonly name: string
  /** Its entry in the MCP file. */
  readonly entry: JsonObject
  /** Names of secrets to their values. */
  readonly secrets: ReadonlyMap<string, string>
  /** Arguments that look like credentials, which stay where they are. */
  readonly exposed: readonly string[]
}

export type TakeOptions = Variables & {
  readonly path: string | undefined
  /** Names that others have. */
  readonly names: ReadonlySet<string>
}

/** Err: why it stays as it is. */
export function takeServer(
  server: ClientServer,
  options: TakeOptions,
): Result<TakenServer, string> {
  const name = toServerName(server.name, options.names)
  if (name === undefined) return err('its name has no letter or figure that could be kept')
  const { url, command } = server.entry
  if (typeof url === 'string') return takeAddress(server, name, url, options)
  if (typeof command === 'string') return takeProgram(server, name, command, options)
  return err('it has neither `command` nor `url`')
}

const LONGEST = 22

/** Undefined: nothing of the name can be kept. */
function toServerName(text: string, names: ReadonlySet<string>): string | undefined {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '')
  if (plain === '') return undefined
  for (let count = 1; count < 10; count += 1) {
    const name = count === 1 ? plain : `${plain}-${count}`
    if (isMcpServerName(name) && !names.has(name)) return name
  }
  return undefined
}

const PROGRAM = ['args', 'command', 'cwd', 'env', 'type']
/** They say something to the client, and nothing to the server. */
const OF_CLIENT = ['alwaysAllow', 'autoApprove', 'description', 'disabled', 'gallery', 'version']
const ADDRESS = ['headers', 'type', 'url']

function takeProgram(
  { name: was, entry }: ClientServer,
  name: string,
  command: string,
  options: TakeOptions,
): Result<TakenServer, string> {
  const problem = findOtherMember(entry, PROGRAM) ?? findTypeProblem(entry, ['stdio'])
  if (problem !== undefined) return err(problem)
  if (entry.disabled === true) return err('it is disabled in the client')
  const texts = readTexts([command, ...listItems(entry.args)], options)
  if (!texts.ok) return texts
  const cwd = entry.cwd === undefined ? ok(undefined) : readText(entry.cwd, options)
  if (!cwd.ok) return cwd
  const [first = '', ...args] = texts.value
  const program = findProgram(first, { path: options.path, folder: cwd.value ?? options.folder })
  if (program === undefined) return err(`the program \`${first}\` is not found`)
  const named = takeNamed(name, entry.env, options, isSecretText)
  if (!named.ok) return named
  const { entries, secrets } = named.value
  return ok({
    ...{ was, name, secrets },
    entry: {
      command: [program, ...args],
      ...(Object.keys(entries).length === 0 ? {} : { env: entries }),
      ...(cwd.value === undefined ? {} : { cwd: cwd.value }),
    },
    exposed: args.filter(isSecretArgument),
  })
}

function takeAddress(
  { name: was, entry }: ClientServer,
  name: string,
  said: string,
  options: TakeOptions,
): Result<TakenServer, string> {
  const problem =
    findOtherMember(entry, ADDRESS) ?? findTypeProblem(entry, ['http', 'streamable-http'])
  if (problem !== undefined) return err(problem)
  if (entry.disabled === true) return err('it is disabled in the client')
  const url = fillVariables(said, options)
  if (!url.ok) return err(`\`${url.error}\` is known to the client alone`)
  const refused = findAddressProblem(url.value)
  if (refused !== null) return err(`its address ${refused}`)
  // Every header is kept apart: what is sent with each request says who asks.
  const named = takeNamed(name, entry.headers, options, (_, value) => value.length >= 8)
  if (!named.ok) return named
  const { entries, secrets } = named.value
  const exposed = [...new URL(url.value).searchParams]
    .filter(([one, value]) => isSecretText(one, value))
    .map(([one]) => one)
  return ok({
    ...{ was, name, secrets, exposed },
    entry: {
      url: url.value,
      ...(Object.keys(entries).length === 0 ? {} : { headers: entries }),
    },
  })
}

type TakenTexts = {
  readonly entries: JsonObject
  readonly secrets: ReadonlyMap<string, string>
}

function takeNamed(
  server: string,
  value: JsonValue | undefined,
  variables: Variables,
  isSecret: (name: string, value: string) => boolean,
): Result<TakenTexts, string> {
  const entries: Record<string, JsonValue> = {}
  const secrets = new Map<string, string>()
  for (const [name, one] of Object.entries(isObject(value) ? value : {})) {
    const text = readText(one ?? null, variables)
    if (!text.ok) return text
    if (!isSecret(name, text.value)) {
      entries[name] = text.value
      continue
    }
    const { secret, format } = splitSecret(text.value)
    const reference = `${server}_${name}`.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()
    if (secrets.has(reference)) return err(`two of its variables are \`${reference}\``)
    secrets.set(reference, secret)
    entries[name] = { secret: reference, ...(format === undefined ? {} : { format }) }
  }
  return ok({ entries, secrets })
}

function findOtherMember(entry: JsonObject, known: readonly string[]): string | undefined {
  const other = Object.keys(entry).find((one) => !known.includes(one) && !OF_CLIENT.includes(one))
  return other === undefined ? undefined : `\`${other}\` of it is not known here`
}

function findTypeProblem({ type }: JsonObject, known: readonly string[]): string | undefined {
  if (type === undefined || (typeof type === 'string' && known.includes(type))) return undefined
  return `its type \`${String(type)}\` is not spoken here`
}

function listItems(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : []
}

function readTexts(
  values: readonly JsonValue[],
  variables: Variables,
): Result<readonly string[], string> {
  const texts: string[] = []
  for (const value of values) {
    const text = readText(value, variables)
    if (!text.ok) return text
    texts.push(text.value)
  }
  return ok(texts)
}

function readText(value: JsonValue, variables: Variables): Result<string, string> {
  if (typeof value !== 'string') return err('something in it is no text')
  const filled = fillVariables(value, variables)
  return filled.ok ? filled : err(`\`${filled.error}\` is known to the client alone`)
}
