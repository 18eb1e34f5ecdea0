/** Whoever proposed something, and whether they still spoke for its agent where it was dispatched. */
import { type AuthFact, isKeyInUse, isKeyOfAgent, type KeySet } from 'rubicon-kernel'

/** The key of the signature, or of the session that it came in; null: there was none. */
export function findSpeakerKey(auth: AuthFact | undefined): string | null {
  if (auth === undefined || auth.kind === 'approval') return null
  return auth.kind === 'signature' ? auth.signature.key_id : (auth.key?.key_id ?? null)
}

/** Of the keys as they are folded up to the place: a later compromise says nothing about it. */
export function findSpeakerProblems(
  keys: KeySet,
  auth: AuthFact | undefined,
  agent: string,
): readonly string[] {
  const id = findSpeakerKey(auth)
  if (id === null) return []
  const key = keys.get(id)
  const counts = key !== undefined && isKeyInUse(key) && isKeyOfAgent(key, agent)
  return counts ? [] : [`key \`${id}\` is not a valid key of agent \`${agent}\` here`]
}
