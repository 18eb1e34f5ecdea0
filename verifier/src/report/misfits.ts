/** Addresses that do not fit what they name, in words. */
import {
  type Address,
  type CapabilityRecord,
  computeAddress,
  computeAddressOfText,
  encodeHex,
  encodeUtf8,
  type JsonValue,
  type RulesBody,
  type Sha256,
} from 'rubicon-kernel'

export function findAddressMisfit(
  name: string,
  stated: string | undefined,
  type: string,
  value: JsonValue | undefined,
  sha256: Sha256,
): string[] {
  const fits = value !== undefined && computeAddress(type, value, sha256) === stated
  return fits ? [] : [`${name} does not match`]
}

/** Of something whose canonical text is at hand. */
export function findTextMisfit(
  name: string,
  stated: string | undefined,
  type: string,
  text: string,
  sha256: Sha256,
): string[] {
  return computeAddressOfText(type, text, sha256) === stated ? [] : [`${name} does not match`]
}

let last: { readonly text: string; readonly address: Address; readonly by: Sha256 } | null = null

/** Most of what is decided was judged as that before it: then the trace is the same, and so is its address. */
export function traceAddress(text: string, sha256: Sha256): Address {
  if (last?.text === text && last.by === sha256) return last.address
  last = { text, address: computeAddressOfText('trace', text, sha256), by: sha256 }
  return last.address
}

export function findCapabilityMisfit(
  { capability, capability_hash }: CapabilityRecord,
  sha256: Sha256,
): string[] {
  const name = `capability_hash of \`${capability.kind}\``
  return findAddressMisfit(name, capability_hash, 'capability', capability, sha256)
}

/** Every policy that is written as text can be read, and is what its hash says. */
export function textMisfits({ rules, texts }: RulesBody, sha256: Sha256): string[] {
  const found = Object.entries(texts)
    .filter(([hash, text]) => `sha256:${encodeHex(sha256(encodeUtf8(text)))}` !== hash)
    .map(([hash]) => `the text of \`${hash}\` does not match its hash`)
  for (const { name, source } of rules.policies) {
    const isText = source.startsWith('cedar:')
    if (isText && !Object.hasOwn(texts, source.slice('cedar:'.length)))
      found.push(`the text of policy \`${name}\` is missing`)
  }
  return found
}
