/**
 * How objects of actions are named: as capabilities in force say, asked once a session. Until it is known, and where it cannot be
 * asked, parameters stand by their names.
 */
import { useEffect, useState } from 'react'
import type { Client } from 'rubicon-agents/client'
import type { JsonObject, ObjectNaming } from 'rubicon-kernel'
import { useClient } from './session.tsx'

/** By the kind of the action. */
export type Namings = ReadonlyMap<string, ObjectNaming>

const NONE: Namings = new Map()

const asked = new WeakMap<Client, Promise<Namings>>()
/** A page that is opened later begins with them: nothing on it changes places. */
const known = new WeakMap<Client, Namings>()

export function useNamings(): Namings {
  const client = useClient()
  const [namings, setNamings] = useState(known.get(client) ?? NONE)
  useEffect(() => {
    let isShown = true
    void askOnce(client).then((found) => isShown && setNamings(found))
    return () => {
      isShown = false
    }
  }, [client])
  return namings
}

function askOnce(client: Client): Promise<Namings> {
  const before = asked.get(client)
  if (before !== undefined) return before
  const asking = loadNamings(client)
  asked.set(client, asking)
  return asking
}

async function loadNamings(client: Client): Promise<Namings> {
  const law = await client.getLaw({})
  if (!law.ok) {
    // The next page asks again.
    asked.delete(client)
    return NONE
  }
  const found = new Map(
    law.body.capabilities.map(({ kind, scopes, params }) => [
      kind,
      { scopes, params: params as JsonObject },
    ]),
  )
  known.set(client, found)
  return found
}
