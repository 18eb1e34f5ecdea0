/**
 * Tokens of MCP clients: each is for the door of the gateway and nothing else, and for one agent. A token is shown when it
 * is made and kept as its hash, beside the people.
 *
 * M1 whether a token is known takes as long to find out for every token that is not.
 * M2 while the file is gone or cannot be read, no token counts.
 */
import { timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  encodeBase64,
  encodeUtf8,
  err,
  type Failure,
  hashText,
  isIdentifier,
  isObject,
  type JsonValue,
  ok,
  parseJson,
  type Result,
  type Sha256,
} from 'rubicon-kernel'
import type { Random } from 'rubicon-runtime/ports'
import { createFileReader } from './fresh-people.ts'
import { replaceFile } from './people-file.ts'
import { runLocked } from './people-lock.ts'

/** What such tokens begin with. */
export const MCP_TOKEN_PREFIX = 'rbm_'
const TOKEN_BYTES = 32

export type KnownMcpToken = {
  readonly agent: string
  readonly tenant: string
  /** SHA-256 of the token, in hex. */
  readonly token_hash: string
}

export interface McpTokens {
  /** The agent in whose name its holder calls; null: it is nobody's here. */
  findAgent(token: string): string | null
  /** Those that have one. */
  listAgents(): readonly string[]
}

export function getMcpTokensPath(stateDirectory: string): string {
  return join(stateDirectory, 'mcp-tokens.json')
}

/** As the file says now: a token that was replaced ends at once. */
export function openMcpTokens(path: string, tenant: string, sha256: Sha256): McpTokens {
  const read = createFileReader(path, readMcpTokens)
  const listOwn = (): readonly KnownMcpToken[] => read().filter((one) => one.tenant === tenant)
  return {
    findAgent(token) {
      const presented = encodeUtf8(hashText(token.toWellFormed(), sha256))
      let found: string | null = null
      for (const { agent, token_hash } of listOwn()) {
        const kept = encodeUtf8(token_hash)
        if (kept.length === presented.length && timingSafeEqual(kept, presented)) found = agent
      }
      return found
    },
    listAgents: () => listOwn().map(({ agent }) => agent),
  }
}

/** A token for an agent, in place of the one before. */
export function replaceMcpToken(
  path: string,
  { agent, tenant }: Pick<KnownMcpToken, 'agent' | 'tenant'>,
  { random, sha256 }: { readonly random: Random; readonly sha256: Sha256 },
): Result<string, Failure> {
  return runLocked(path, () => {
    const known = readMcpTokens(path)
    if (!known.ok) return known
    const text = encodeBase64(random.bytes(TOKEN_BYTES))
    const token = `${MCP_TOKEN_PREFIX}${text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`
    const others = known.value.filter((one) => one.agent !== agent || one.tenant !== tenant)
    const tokens = [...others, { agent, tenant, token_hash: hashText(token, sha256) }]
    replaceFile(path, `${JSON.stringify({ tokens }, null, 2)}\n`)
    return ok(token)
  })
}

/** None when there is no file yet. */
function readMcpTokens(path: string): Result<readonly KnownMcpToken[], Failure> {
  if (!existsSync(path)) return ok([])
  try {
    const read = parseJson(readFileSync(path))
    const tokens = read.ok && isObject(read.value) ? read.value.tokens : undefined
    if (!Array.isArray(tokens)) return err(createUnreadableTokensFailure(path))
    const known = tokens.map(parseMcpToken)
    return known.every((one) => one !== null) ? ok(known) : err(createUnreadableTokensFailure(path))
  } catch (error) {
    return err(createUnreadableTokensFailure(path, error))
  }
}

function parseMcpToken(value: JsonValue): KnownMcpToken | null {
  if (!isObject(value)) return null
  const { agent, tenant, token_hash } = value
  if (typeof agent !== 'string' || !isIdentifier(agent)) return null
  if (typeof tenant !== 'string' || typeof token_hash !== 'string') return null
  return { agent, tenant, token_hash }
}

function createUnreadableTokensFailure(path: string, cause?: unknown): Failure {
  return {
    code: 'MCP_TOKENS_UNREADABLE',
    summary: `\`${path}\` is not a valid list of tokens`,
    ...(cause instanceof Error ? { why: cause.message } : {}),
    fix: 'restore it, or remove it and make new tokens with `rubicon mcp token`',
  }
}
