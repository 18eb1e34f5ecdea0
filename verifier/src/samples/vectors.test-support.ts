import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What others published; beside the checkout, not in it. */
export const VECTORS: string = fileURLToPath(new URL('../../../../shared/vectors', import.meta.url))

/** Why a test that reads it is not run: see the one of the kernel. */
export const withoutVectors: string | false =
  !existsSync(VECTORS) && 'NOT BESIDE: there is no ../shared/vectors beside this checkout'

type Case = {
  readonly tcId: number
  readonly msg: string
  readonly sig: string
  readonly result: string
}
type Group = { readonly publicKey: string; readonly tests: readonly Case[] }

/** The Ed25519 cases of Wycheproof. */
export function readWycheproof(): readonly Group[] {
  return JSON.parse(readFileSync(`${VECTORS}/ed25519-wycheproof.json`, 'utf8')).groups
}

type EdgeCase = {
  readonly number: number
  readonly key: Uint8Array
  readonly message: Uint8Array
  readonly signature: Uint8Array
}

/** The Ed25519 cases of CCTV: small order, second spellings, and both mixed. */
export function readEdgeCases(): readonly EdgeCase[] {
  const cases: readonly { number: number; key: string; msg: string; sig: string }[] = JSON.parse(
    readFileSync(`${VECTORS}/ed25519-cctv.json`, 'utf8'),
  )
  return cases.map(({ number, key, msg, sig }) => ({
    number,
    key: new Uint8Array(Buffer.from(key, 'hex')),
    message: new TextEncoder().encode(msg),
    signature: new Uint8Array(Buffer.from(sig, 'hex')),
  }))
}
