/** From a header to whoever asks, or to the reason why it is nobody. */
import { err, type Failure, ok, type Result } from 'rubicon-kernel'
import type { Engine } from '../engine/engine.ts'
import type { People } from './people.ts'
import type { Principal } from './principal.ts'
import { httpProblem, refused } from './problem.ts'
import type { Reply } from './route.ts'

const BEARER = /^Bearer ([A-Za-z0-9._:@-]{1,128})$/
/** What tokens of handshakes begin with. */
const SESSION = 'rbs_'

export async function authenticate(
  { engine, people }: { readonly engine: Engine; readonly people: People },
  header: string | undefined,
): Promise<Result<Principal, Reply>> {
  if (header === undefined) return err(httpProblem('TOKEN_MISSING'))
  const token = BEARER.exec(header)?.[1]
  if (token === undefined) return err(httpProblem('TOKEN_INVALID'))
  if (token.startsWith(SESSION)) return inSession(engine, token)
  const person = people.find(token)
  return person === null ? err(httpProblem('TOKEN_INVALID')) : ok(person)
}

async function inSession(engine: Engine, session: string): Promise<Result<Principal, Reply>> {
  const read = await engine.session(session)
  if (!read.ok) return err(refused(read.error))
  // Whoever holds such a token shares the process; on the wire it proves nothing.
  if (read.value.key_id === null) return err(refused(keyless))
  return ok({ kind: 'agent', agent_id: read.value.agent_id, session })
}

const keyless: Failure = {
  code: 'SESSION_INVALID',
  summary: 'the session is bound to no key',
  why: 'sessions without a key exist in process only',
  fix: 'shake hands with a registered key of the agent',
}
