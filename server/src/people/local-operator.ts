/**
 * Who asks where the way to the server is proof enough: in its own process, or over a Unix socket in a folder that only
 * the owner of its keys can enter. They say in a header whether they give a name.
 *
 * L1 the header counts only at a server that was made for local operators (`ServerParts.local`). The one that listens on
 *    a port is never made so, whatever headers arrive there.
 * L2 whoever gives a name that no person can have (`agent:…`, `runtime`) is nobody: the ledger would read it as another.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { findPersonNameProblem } from 'rubicon-kernel'
import { PERSON_ROLES, type Person } from './principal.ts'

const HEADER = 'rubicon-operator'
const UNNAMED = 'unnamed'
const NAMED = 'named '
/** Who it is when nobody is named. */
const OPERATOR = 'operator'

export function formatOperatorHeader(by: string | undefined): Readonly<Record<string, string>> {
  return { [HEADER]: by === undefined ? UNNAMED : `${NAMED}${encodeURIComponent(by)}` }
}

/** Null: whoever asks does not say that they are the local operator. */
export function parseOperatorHeader(headers: IncomingHttpHeaders): Person | null {
  const said = headers[HEADER]
  if (said === UNNAMED) return createOperatorPerson(OPERATOR, 'unnamed')
  if (typeof said !== 'string' || !said.startsWith(NAMED)) return null
  const name = decodeName(said.slice(NAMED.length))
  if (name === null || findPersonNameProblem(name) !== undefined) return null
  return createOperatorPerson(name, 'named')
}

function createOperatorPerson(name: string, local: NonNullable<Person['local']>): Person {
  return { kind: 'person', name, roles: PERSON_ROLES, local }
}

function decodeName(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
