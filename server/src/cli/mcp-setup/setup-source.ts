/** Where the servers of a set-up come from: the file of a client, or a command that was typed. */
import { readFileSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, resolve } from 'node:path'
import { isObject } from 'rubicon-kernel'
import { type ClientFile, listClientPlaces, parseClientFile } from 'rubicon-mcp'
import { type CommandCall, createUsageFailure } from '../call.ts'
import { CliFailure, unwrap } from '../failure.ts'
import { readIfThere } from './whole-file.ts'

export type SetupSource = {
  /** Null: the servers were typed. */
  readonly client: { readonly file: string; readonly text: string } | null
  readonly parsed: ClientFile
  /** Where programs are looked for, and the project of a client. */
  readonly folder: string
}

export function findSetupSource(call: CommandCall): SetupSource {
  const { args, options } = call
  if (args.length === 0) return readClient(findClientFile(call))
  if (options.text('from') !== undefined)
    throw createUsageFailure('a command and `--from` both name servers', 'leave one of them out')
  const [command = '', ...rest] = args
  const name = options.text('name') ?? deriveServerName(args)
  if (name === undefined)
    throw createUsageFailure('the server has no name', 'give it one with `--name`')
  const folder = process.cwd()
  const entry = { command, args: rest, cwd: folder }
  const document = { mcpServers: { [name]: entry } }
  const parsed: ClientFile = { member: 'mcpServers', document, servers: [{ name, entry }] }
  return { client: null, parsed, folder }
}

/** The file of the one client that is set up here; links are followed, so that the file itself is replaced. */
export function findClientFile({ options, streams }: CommandCall): string {
  const given = options.text('from')
  if (given !== undefined) return resolveFile(given)
  const places = listClientPlaces({
    folder: process.cwd(),
    home: streams.env.HOME ?? homedir(),
    platform: process.platform,
    appData: streams.env.APPDATA,
  })
  const found = places.filter(hasServers)
  const [first, other] = found
  if (first !== undefined && other === undefined) return resolveFile(first)
  throw new CliFailure({
    code: 'MCP_CLIENT_UNKNOWN',
    summary:
      first === undefined ? 'no settings of an MCP client are found' : 'several clients are set up',
    why: (first === undefined ? places : found).join(', '),
    fix: 'name the file with --from, or a server by its command: `rubicon mcp init -- COMMAND`',
  })
}

function hasServers(file: string): boolean {
  const text = readIfThere(file)
  if (text === null) return false
  const parsed = parseClientFile(file, text)
  return parsed.ok && parsed.value.servers.length > 0
}

function resolveFile(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    throw new CliFailure({
      code: 'FILE_UNREADABLE',
      summary: `${file} cannot be read`,
      fix: 'correct `--from`',
    })
  }
}

function readClient(file: string): SetupSource {
  const text = readFileSync(file, 'utf8')
  const parsed = unwrap(parseClientFile(file, text))
  // Clients start the servers of a project in its folder; of others nobody says where.
  const at = dirname(file)
  const isOfProject = ['.vscode', '.cursor'].includes(basename(at))
  const folder = isOfProject ? dirname(at) : at
  const isWithin = isOfProject || basename(file) === '.mcp.json'
  const servers = parsed.servers.map(({ name, entry }) => ({
    name,
    entry:
      isWithin && isObject(entry) && entry.command !== undefined && entry.cwd === undefined
        ? { ...entry, cwd: folder }
        : entry,
  }))
  return { client: { file: resolve(file), text }, parsed: { ...parsed, servers }, folder }
}

const STARTERS = /^(npx|node|nodejs|bunx?|deno|uvx?|python3?|docker|run|exec|tool|-.*)$/
const PLACES = /^(index|main|server|cli|dist|build|src|bin|lib)(\.[cm]?[jt]s|\.py)?$/

/** Undefined: none of the words names it. */
function deriveServerName(words: readonly string[]): string | undefined {
  for (const word of words) {
    const parts = word.split('/').filter((part) => part !== '' && !PLACES.test(part))
    const last = parts.at(-1) ?? ''
    if (last === '' || STARTERS.test(last) || STARTERS.test(word)) continue
    const name = last
      .replace(/\.[cm]?[jt]s$|\.py$/, '')
      .replace(/(?<=.)@.*$/, '')
      .replace(/^mcp-server-|^server-|^mcp-/, '')
      .replace(/-mcp-server$|-mcp$|-server$/, '')
    if (name !== '') return name
  }
  return undefined
}
