import type { McpTrick } from './trick.ts'
import { CLIENT_CALLS } from './tricks/client-calls.ts'
import { CLIENT_DEPARTURES } from './tricks/client-departures.ts'
import { CLIENT_MESSAGES } from './tricks/client-messages.ts'
import { SERVER_ADDRESSES } from './tricks/server-addresses.ts'
import { SERVER_ANSWERS } from './tricks/server-answers.ts'
import { SERVER_CONDUCT } from './tricks/server-conduct.ts'
import { SERVER_DEFINITIONS } from './tricks/server-definitions.ts'

/** In turn, so that a few cases are of every kind. */
export const MCP_TRICKS: readonly McpTrick[] = mergeInTurn([
  SERVER_DEFINITIONS,
  CLIENT_CALLS,
  SERVER_ANSWERS,
  [...CLIENT_MESSAGES, ...CLIENT_DEPARTURES],
  SERVER_CONDUCT,
  SERVER_ADDRESSES,
])

function mergeInTurn<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat()
}
