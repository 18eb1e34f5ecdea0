/** The runtime's own keys, registered with proof of possession by the operator key, itself first. */
import {
  encodeBase64,
  encodePreAuth,
  encodeUtf8,
  type KeyBody,
  type KeyPayload,
  type KeyPurpose,
  toCanonicalText,
  toPayloadType,
} from 'rubicon-kernel'
import type { Deps } from '../deps.ts'
import { signText } from '../rows/sign.ts'

const PURPOSES: readonly KeyPurpose[] = ['operator', 'issuer', 'kernel', 'checkpoint']

export async function signBootstrapKeys(deps: Deps): Promise<readonly KeyPayload[]> {
  const payloads: KeyPayload[] = []
  for (const purpose of PURPOSES) {
    const key = deps.signer.publicKey(purpose)
    if (key === null) throw new Error(`the first start needs a ${purpose} key`)
    const body: KeyBody = {
      action: 'add',
      key_id: key.key_id,
      purpose,
      public_key: key.public_key,
      subject: purpose === 'operator' ? 'operator' : deps.audience,
    }
    const text = toCanonicalText(body)
    const possession = await deps.signer.sign(
      purpose,
      encodePreAuth(toPayloadType('key'), encodeUtf8(text)),
    )
    payloads.push({
      body,
      possession: encodeBase64(possession),
      signature: await signText({ ...deps, authorities: null }, 'operator', 'key', text),
    })
  }
  return payloads
}
