/** A token without a server: for `rubicon token`, and for whoever sets one up. */

import {
  DEFAULT_STORE,
  type RuntimeOptions,
  resolveStateDirectory,
  unwrap,
} from 'rubicon-runtime/compose'
import { sha256, systemRandom } from 'rubicon-runtime/system'
import { getMcpTokensPath, replaceMcpToken } from './mcp-tokens.ts'
import { createPeople } from './people.ts'
import { readPeople } from './people-file.ts'
import { getPeoplePath, type IssuedToken, replaceToken, type TokenFor } from './server-people.ts'

/** In place of the one before, for a server of this ledger: one that runs takes it at once. */
export function issueToken(
  whose: TokenFor,
  options: Pick<RuntimeOptions, 'store' | 'stateDirectory'> = {},
): IssuedToken {
  const { store = DEFAULT_STORE, stateDirectory: folder = resolveStateDirectory(store) } = options
  return unwrap(replaceToken(whose, getPeoplePath(folder), { random: systemRandom, sha256 }))
}

/** A token of MCP clients for one agent, in place of the one before. */
export function issueMcpToken(
  whose: { readonly agent: string; readonly tenant: string },
  options: Pick<RuntimeOptions, 'store' | 'stateDirectory'> = {},
): string {
  const { store = DEFAULT_STORE, stateDirectory: folder = resolveStateDirectory(store) } = options
  return unwrap(replaceMcpToken(getMcpTokensPath(folder), whose, { random: systemRandom, sha256 }))
}

/** Whether it is a person's here and now. */
export function isValidToken(token: string, stateDirectory: string): boolean {
  const known = readPeople(getPeoplePath(stateDirectory))
  return known.ok && createPeople(() => known.value, sha256).find(token) !== null
}
