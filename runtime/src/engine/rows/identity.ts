/** Names that the runtime mints: flows, writs and salts, from injected time and randomness. */
import { encodeBase64, encodeHex, mintDfid, PERSON_PREFIX } from 'rubicon-kernel'
import type { Deps } from '../deps.ts'

/** A UUIDv7, for flows and for the nonces of writs. */
export function mintId({ clock, random }: Pick<Deps, 'clock' | 'random'>): string {
  return mintDfid(clock.now(), random.bytes(10))
}

/** An id that says nothing about whoever has it. */
export function mintPersonId({ random }: Pick<Deps, 'random'>): string {
  return `${PERSON_PREFIX}${encodeHex(random.bytes(10))}`
}

/** 16 random bytes: keeps an erased payload from being guessed by its hash. */
export function mintSalt({ random }: Pick<Deps, 'random'>): string {
  return encodeBase64(random.bytes(16))
}
