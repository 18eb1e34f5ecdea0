/** Keys that somebody of the storm holds, and has an operator register. */
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type KeyPurpose,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { buildKeyRegistration, registerKey } from '../../runtime/src/engine/authority/keys.ts'
import type { Scene } from './agents.ts'
import { call } from './call.ts'
import type { StormAgentKey } from './fake-keys.ts'

export type StormKey = StormAgentKey & { readonly key_id: string }

type Signable = Parameters<typeof toCanonicalText>[0]

export function signDocument(key: StormAgentKey, type: string, document: Signable): string {
  const text = encodeUtf8(toCanonicalText(document))
  return encodeBase64(key.sign(encodePreAuth(toPayloadType(type), text)))
}

/** Of whom, and for what; `name` tells it from every other key of the seed. */
type KeyOfSomebody = {
  readonly name: string
  readonly subject: string
  readonly purpose: KeyPurpose
}

/** Asked again where the answer was lost: it is known by then. Whom it is refused holds a key that says nothing. */
export async function registerStormKey(
  scene: Scene,
  { name, subject, purpose }: KeyOfSomebody,
): Promise<StormKey> {
  const key = scene.site.options.keys.createAgentKey(name)
  const { public_key } = key
  const core = { purpose, public_key, subject } as const
  const body = buildKeyRegistration({ sha256 }, core)
  if (!body.ok) throw new Error(body.error.summary)
  const possession = signDocument(key, 'key', body.value)
  for (;;) {
    const done = await call(scene, ({ context }) => registerKey(context, { ...core, possession }))
    if (done?.ok === true) break
    // An agent that was ended gets no key any more; nor does a name that an operator took from somebody.
    const code = done?.error.code
    if (code === 'KEY_EXISTS' || code === 'AGENT_RETIRED' || code === 'PERSON_UNLINKED') break
    await scene.time.sleep(100)
  }
  return { ...key, key_id: body.value.key_id }
}
