import { assert } from '../assert.ts'
import { encodeUtf8, joinBytes } from './bytes.ts'
import { isIdentifier } from './identifier.ts'

/** The media type under which we sign, such as `application/vnd.rubicon.intent+json`. */
export function toPayloadType(name: string): string {
  assert(isIdentifier(name), 'the name in a payload type is an identifier')
  return `application/vnd.rubicon.${name}+json`
}

/**
 * What a signature covers (DSSE v1): type and body, each with its length in bytes before it, so
 * that no byte can move from one into the other and keep the signature valid.
 */
export function encodePreAuth(type: string, body: Uint8Array): Uint8Array {
  const typeLength = encodeUtf8(type).length
  return joinBytes(encodeUtf8(`DSSEv1 ${typeLength} ${type} ${body.length} `), body)
}
