import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { MCP_LIMITS } from '../mcp-limits.ts'

export type Page<Item> = { readonly items: Item[]; readonly nextCursor?: string }

const PREFIX = 'after-'

/** A part of a list that is at hand as a whole. */
export function selectPage<Item>(all: readonly Item[], cursor: string | undefined): Page<Item> {
  const start = cursor === undefined ? 0 : parseCursor(cursor)
  const end = start + MCP_LIMITS.page
  const items = all.slice(start, end)
  return end < all.length ? { items, nextCursor: `${PREFIX}${end}` } : { items }
}

function parseCursor(cursor: string): number {
  const digits = cursor.startsWith(PREFIX) ? cursor.slice(PREFIX.length) : ''
  if (/^[0-9]{1,6}$/.test(digits)) return Number(digits)
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor is none of this list')
}
