/** A certificate for a name of ours, signed by itself, and made when a test needs it: no key lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto'

function encode(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...contents: readonly Uint8Array[]): Buffer => encode(0x30, ...contents)
const oid = (...bytes: readonly number[]): Buffer => encode(0x06, Buffer.from(bytes))
const utcTime = (text: string): Buffer => encode(0x17, Buffer.from(text))

const ED25519 = sequence(oid(0x2b, 0x65, 0x70))
const TRUE = Buffer.from([0x01, 0x01, 0xff])

export type SelfSigned = { readonly key: string; readonly cert: string }

export function createSelfSigned(host: string): SelfSigned {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const common = sequence(oid(0x55, 0x04, 0x03), encode(0x0c, Buffer.from(host)))
  const name = sequence(encode(0x31, common))
  const authority = sequence(oid(0x55, 0x1d, 0x13), TRUE, encode(0x04, sequence(TRUE)))
  const names = sequence(encode(0x82, Buffer.from(host)))
  const alternative = sequence(oid(0x55, 0x1d, 0x11), encode(0x04, names))
  const body = sequence(
    encode(0xa0, Buffer.from([0x02, 0x01, 0x02])),
    Buffer.from([0x02, 0x01, 0x01]),
    ED25519,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, sequence(authority, alternative)),
  )
  const signature = encode(0x03, Buffer.from([0]), sign(null, body, privateKey))
  const lines =
    sequence(body, ED25519, signature)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  }
}
